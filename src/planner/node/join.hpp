// Joins of two inputs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

class TableIndex;

/// kSemi and kAnti return the columns of the left child only; kRightSemi and kRightAnti, their mirror images,
/// those of the right child. The optimizer makes mirror images of joins with an equality if the rows that are
/// returned make the smaller hash table. kMark returns the left columns and the BOOLEAN {mark_index, 0}: true
/// if a match exists, NULL if none exists but a NULL was compared (the rule of IN), otherwise false. kSingle
/// returns all columns, with NULL in the right ones without a match, and fails (21000) on a second match.
/// kPositional pairs the first rows of both children, then the second rows and so on, with NULLs where one
/// has fewer; it has no conditions. kAsof and kAsofLeft join each left row with at most one right row, of
/// those that match the one whose inequality holds most closely; kAsofLeft keeps left rows without a match.
/// Their conditions are one inequality and equalities, and there is no residual.
enum class LogicalJoinType : uint8_t {
  kInner,
  kLeft,
  kRight,
  kFull,
  kSemi,
  kAnti,
  kRightSemi,
  kRightAnti,
  kMark,
  kSingle,
  kPositional,
  kAsof,
  kAsofLeft
};

const char* JoinTypeName(LogicalJoinType type);

/// Returns the type of the same join with its children swapped; nullopt if there is none.
std::optional<LogicalJoinType> SwappedType(LogicalJoinType type);

/// Returns whether the output has the left child's columns.
constexpr bool EmitsLeft(LogicalJoinType type) {
  return type != LogicalJoinType::kRightSemi && type != LogicalJoinType::kRightAnti;
}

/// Returns whether the output has the right child's columns.
constexpr bool EmitsRight(LogicalJoinType type) {
  return type != LogicalJoinType::kSemi && type != LogicalJoinType::kAnti && type != LogicalJoinType::kMark;
}

constexpr bool IsAsof(LogicalJoinType type) {
  return type == LogicalJoinType::kAsof || type == LogicalJoinType::kAsofLeft;
}

/// A condition `left op right`. `left` uses columns of the left child only, `right` those of the right child.
struct JoinCondition {
  ComparisonOp op;
  ExpressionPtr left;
  ExpressionPtr right;
};

/// An index in which a join looks up the rows of one child, by the keys of the other child's rows. The child
/// that is looked up is a Get, perhaps below a Filter and a Project of columns. A semi join may look up its
/// left child; it then has equalities only, and looks up each key of the right child once.
struct JoinByIndex {
  std::shared_ptr<TableIndex> index;
  size_t key_count = 0;  ///< number of first index columns that conditions, or filters of the Get, fix
  bool looks_up_left = false;
};

/// A join of two children. A pair matches if all conditions and all residual predicates hold. A join without
/// any is a cross product.
struct LogicalJoin final : LogicalOperator {
  LogicalJoin(LogicalJoinType join_type_in, LogicalOperatorPtr left, LogicalOperatorPtr right);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override;
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override {
    if (join_type == LogicalJoinType::kMark) visit(mark_index);
  }
  std::vector<std::string> Details() const override;
  /// Swaps the children of the join, which stays the same join. REQUIRES: there is a SwappedType.
  void SwapChildren();
  LogicalJoinType join_type;
  std::vector<JoinCondition> conditions;
  std::vector<ExpressionPtr> residual;  ///< over columns of both sides
  size_t mark_index = 0;
  std::optional<JoinByIndex> by_index;  ///< made by the optimizer's last passes
  bool marks_null = true;               ///< false: readers of the mark do not distinguish NULL from false
};

/// Pairs each row of the left child with the rows of the right one, a subquery without outer columns that
/// runs when the first row needs it, or never. A kSingle join adds NULLs to rows while none has needed it,
/// and fails (21000) on a second row; a kInner join drops them.
struct LogicalOnDemand final : LogicalOperator {
  /// `needed_in` is a predicate over left columns; null if every row needs the subquery.
  LogicalOnDemand(LogicalJoinType join_type_in, LogicalOperatorPtr left, LogicalOperatorPtr right,
                  ExpressionPtr needed_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override {
    if (needed) visit(needed);
  }
  std::string Name() const override { return "OnDemand"; }
  LogicalOperatorPtr Clone() const override;
  std::vector<std::string> Details() const override;
  LogicalJoinType join_type;  ///< kSingle or kInner
  ExpressionPtr needed;
};

inline bool IsInnerJoin(const LogicalOperator& node) {
  return node.kind() == LogicalKind::kJoin && node.As<LogicalJoin>().join_type == LogicalJoinType::kInner;
}

}  // namespace scaup
