// COPY FROM DATABASE.
#pragma once

#include <cstddef>

#include "catalog/database_views.hpp"
#include "main/transfer/database_export.hpp"

namespace scaup {

/// Makes what is in a database in another one, too, with its rows. `run` runs a statement in the database in
/// use, `run_in_target` in the other one, where functions may name what comes later. `max_depth` is that of
/// expressions. Throws Error(kTransaction, 25006) if the other one is read-only, and what the statements
/// throw. The transaction is to be rolled back if it throws.
void CopyDatabase(const DatabaseView& source, const DatabaseView& target, size_t max_depth,
                  const RunStatement& run, const RunStatement& run_in_target);

}  // namespace scaup
