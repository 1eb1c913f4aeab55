// The rules of expression simplification. Each holds in three-valued logic, anywhere in a tree.
#pragma once

#include "expression/expression.hpp"

namespace scaup {

/// Simplifies a whole tree bottom-up. Preserves the type, and the alias of the root.
ExpressionPtr SimplifyExpression(const FunctionContext& context, ExpressionPtr expression);

/// Each of these functions applies one step to a node whose children are simplified already, and returns the
/// node or its replacement. This one pushes NOT into NOT, comparisons, NULL tests, IN, AND and OR.
ExpressionPtr SimplifyNot(ExpressionPtr expression);
/// Flattens, drops neutral and duplicate parts, turns ORed equalities into IN, and factors out conjuncts that
/// all ANDs below an OR share.
ExpressionPtr SimplifyConjunction(ExpressionPtr expression);
/// Simplifies CASE with constant conditions.
ExpressionPtr SimplifyCase(ExpressionPtr expression);
/// Moves the constant to the right, removes casts of columns if that is exact, and folds comparisons with
/// NULL.
ExpressionPtr SimplifyComparison(ExpressionPtr expression);
/// Simplifies IN: a single value, casts of columns, duplicate values.
ExpressionPtr SimplifyInList(ExpressionPtr expression);
/// Turns LIKE without wildcards into an equality.
ExpressionPtr SimplifyLike(ExpressionPtr expression);

/// For the conjuncts of a WHERE clause: replaces LIKE 'abc%' on a column by the range of texts with that
/// prefix, or adds that range. Zone maps can use it.
void AddLikeRanges(std::vector<ExpressionPtr>& predicates);

bool IsConstant(const Expression& expression);
/// The value of a constant. REQUIRES: IsConstant.
const Value& ConstantOf(const Expression& expression);
ExpressionPtr MakeBoolean(bool value);
/// The operand of a cast that preserves order and equality (INTEGER to BIGINT, DATE to TIMESTAMP, ...); null
/// for other expressions.
ExpressionPtr* ExactCastOperand(Expression& expression);

}  // namespace scaup
