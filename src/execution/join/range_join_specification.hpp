// Range join specification: the inequalities of a range join, and the keys of its right rows.
#pragma once

#include <vector>

#include "execution/range/range_index.hpp"
#include "expression/expression.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// The inequality left op right.
struct RangeJoinCondition {
  ComparisonOp op;
  ExpressionPtr left;   ///< over left columns
  ExpressionPtr right;  ///< over right columns
};

/// The type, keys and columns of a range join. Owned by the operator; immutable, so all threads share it.
struct RangeJoinSpecification {
  RangeJoinSpecification(LogicalJoinType join_type_in, std::vector<LogicalType> left_types_in,
                         std::vector<LogicalType> right_types_in, std::vector<RangeJoinCondition> conditions,
                         ExpressionPtr residual_in);
  /// Returns whether only the existence of a match matters for a left row.
  bool IsExistence() const { return !EmitsRight(join_type); }

  LogicalJoinType join_type;
  std::vector<LogicalType> left_types;
  std::vector<LogicalType> right_types;
  std::vector<ExpressionPtr> left_keys;      ///< by condition
  std::vector<ExpressionPtr> computed_keys;  ///< right keys that are not columns of the right side
  ExpressionPtr residual;                    ///< over left columns followed by right columns; null for none
  RangeSchema schema;                        ///< of a stored right row: its columns, then the computed keys

 private:
  size_t AddRightKey(ExpressionPtr key);
  void ChooseFirstKey();
};

}  // namespace scaup
