// Hash join specification: what a hash join joins, and the layout of its build rows.
#pragma once

#include <vector>

#include "execution/rows/row_layout.hpp"
#include "expression/expression.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// One equality of a hash join. `left` and `right` have the same type; each refers to its own input.
struct HashJoinKey {
  ExpressionPtr left;
  ExpressionPtr right;
  bool nulls_equal = false;  ///< IS NOT DISTINCT FROM
};

/// The type, keys and columns of a hash join. Owned by the operator; immutable, so all threads share it.
struct HashJoinSpecification {
  HashJoinSpecification(LogicalJoinType join_type_in, std::vector<LogicalType> left_types_in,
                        std::vector<LogicalType> right_types_in, std::vector<HashJoinKey> keys,
                        ExpressionPtr residual_in);
  /// Returns whether the join type and keys allow a dense table (perfect hash table).
  bool MayBeDense() const;

  LogicalJoinType join_type;
  std::vector<LogicalType> left_types;
  std::vector<LogicalType> right_types;
  std::vector<ExpressionPtr> left_keys;
  std::vector<ExpressionPtr> right_keys;
  std::vector<bool> nulls_equal;        ///< by key
  ExpressionPtr residual;               ///< over left columns followed by right columns; null for none
  RowLayout layout;                     ///< of a build row: keys, then the payload columns
  std::vector<size_t> right_to_layout;  ///< position of each right column in the layout
  std::vector<size_t> payload_columns;  ///< right columns that are no key
};

}  // namespace scaup
