// Tells whether conditions that a row satisfies imply another one, for partial indexes.
#pragma once

#include <functional>
#include <vector>

#include "expression/expression.hpp"

namespace scaup {

/// Tells whether a comparison of two constants holds. A caller that cannot evaluate them returns false.
using ConstantTest = std::function<bool(ComparisonOp op, const Value& left, const Value& right)>;

/// Returns whether `wanted` is TRUE for every row for which all of `given` are TRUE, as far as the forms of
/// the conditions tell it: equal conditions, AND and OR of implied ones, comparisons of the same value with
/// constants, and IS NOT NULL of a value that is compared. False means that it is not known.
bool Implies(const std::vector<const Expression*>& given, const Expression& wanted,
             const ConstantTest& holds);

/// Returns the operand of a comparison with a constant or parameter, or of an IN list, that is not TRUE where
/// the operand is NULL; null for other conditions.
const Expression* ComparedOperand(const Expression& condition);

}  // namespace scaup
