// The text of aggregate calls in EXPLAIN and in the names of columns.
#pragma once

#include <string>
#include <vector>

#include "expression/expression.hpp"

namespace scaup {

/// Returns the text of a call without FILTER, such as `string_agg(DISTINCT s, ',' ORDER BY s)`.
std::string AggregateText(const AggregateFunction& function, const std::vector<ExpressionPtr>& arguments,
                          bool distinct);

}  // namespace scaup
