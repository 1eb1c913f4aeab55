// IndexedExpression: what an index on an expression, or a partial index, keeps in a hidden column.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "expression/expression.hpp"

namespace scaup {

/// The contents of a hidden column of a table. Immutable, shared by the plans that read the table.
struct IndexedExpression {
  /// The table index of the columns of the table in `key` and `condition`; no plan has it.
  static constexpr size_t kTable = ~size_t{0} - 2;

  size_t column;            ///< the hidden column
  ExpressionPtr key;        ///< its value, where the condition holds
  ExpressionPtr condition;  ///< of a partial index: the column is NULL elsewhere; null if there is none
};
using IndexedExpressions = std::vector<IndexedExpression>;
/// Null for a table without hidden columns.
using IndexedExpressionsRef = std::shared_ptr<const IndexedExpressions>;

}  // namespace scaup
