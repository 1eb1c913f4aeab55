// The rules of expression simplification. Each holds in three-valued logic, so it may be used anywhere in a
// tree.
#pragma once

#include "expression/expression.hpp"

namespace scaup {

/// Simplifies a whole tree bottom-up. Keeps the type, and the alias of the root.
ExpressionPtr SimplifyExpression(const FunctionContext& context, ExpressionPtr expression);

/// One step each on a node whose children are simple already. They return the node, or what replaces it.
/// NOT over NOT, comparisons, NULL tests, IN, AND and OR.
ExpressionPtr SimplifyNot(ExpressionPtr expression);
/// Flattens, drops neutral and equal parts, makes IN out of ORed equalities, and takes factors that all ANDs
/// below an OR share out of it.
ExpressionPtr SimplifyConjunction(ExpressionPtr expression);
/// CASE with constant conditions.
ExpressionPtr SimplifyCase(ExpressionPtr expression);
/// Constant to the right; casts off columns where that is exact; comparison with NULL.
ExpressionPtr SimplifyComparison(ExpressionPtr expression);
/// IN with one value; casts off columns; repeated values.
ExpressionPtr SimplifyInList(ExpressionPtr expression);
/// LIKE without wildcards is an equality.
ExpressionPtr SimplifyLike(ExpressionPtr expression);

/// For the top of a WHERE clause: LIKE 'abc%' on a column becomes, or is joined by, the range that begins
/// with the prefix, which zone maps understand.
void AddLikeRanges(std::vector<ExpressionPtr>& predicates);

bool IsConstant(const Expression& expression);
/// REQUIRES: IsConstant.
const Value& ConstantOf(const Expression& expression);
ExpressionPtr MakeConstant(Value value);
ExpressionPtr MakeBoolean(bool value);
/// The operand of a cast that changes neither order nor equality (INTEGER to BIGINT, DATE to TIMESTAMP, ...),
/// or null.
ExpressionPtr* ExactCastOperand(Expression& expression);

}  // namespace scaup
