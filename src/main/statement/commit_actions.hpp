// ON COMMIT of temporary tables, which takes effect at the end of a transaction, and DISCARD TEMP.
#pragma once

#include "catalog/catalog.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// Empties or drops the temporary tables of a transaction that is about to commit, as their ON COMMIT says.
/// Throws what deleting and dropping throw; the caller then rolls back.
void RunCommitActions(Catalog& catalog, Transaction& transaction);

/// Drops the temporary relations and functions that a transaction sees.
void DropTemporaryRelations(Catalog& catalog, Transaction& transaction);

}  // namespace scaup
