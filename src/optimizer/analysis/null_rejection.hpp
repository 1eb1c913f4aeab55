// Which predicates cannot hold where an outer join filled columns with NULL.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"

namespace scaup {

/// True when the predicate is false or NULL whenever all of `columns` are NULL. Errs towards false.
bool RejectsNulls(const Expression& predicate, const BindingSet& columns);

}  // namespace scaup
