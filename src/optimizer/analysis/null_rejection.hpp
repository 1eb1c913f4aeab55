// Predicates that reject NULL: they cannot hold where an outer join has padded columns with NULL.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"

namespace scaup {

/// Whether the predicate is false or NULL whenever all of `columns` are NULL. Returns false in doubt.
bool RejectsNulls(const Expression& predicate, const BindingSet& columns);

}  // namespace scaup
