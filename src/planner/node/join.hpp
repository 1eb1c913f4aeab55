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

/// kSemi and kAnti keep left columns only; kRightSemi and kRightAnti, their mirror images, right columns
/// only: the optimizer makes these of joins with an equality, where the rows that are kept make the smaller
/// hash table. kMark keeps the left columns and adds the BOOLEAN {mark_index, 0}: true where a match exists,
/// NULL where none does but a NULL was compared (IN's rule), else false. kSingle keeps all columns, the right
/// ones NULL without a match, and fails (21000) on a second match.
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
  kSingle
};

const char* JoinTypeName(LogicalJoinType type);

/// The type of a join that means the same with its children swapped, or nullopt.
std::optional<LogicalJoinType> SwappedType(LogicalJoinType type);

/// True where output rows hold the left child's columns.
constexpr bool EmitsLeft(LogicalJoinType type) {
  return type != LogicalJoinType::kRightSemi && type != LogicalJoinType::kRightAnti;
}

/// True where output rows hold the right child's columns.
constexpr bool EmitsRight(LogicalJoinType type) {
  return type != LogicalJoinType::kSemi && type != LogicalJoinType::kAnti && type != LogicalJoinType::kMark;
}

/// A condition left op right: `left` uses the left child's columns only, `right` the right child's.
struct JoinCondition {
  ComparisonOp op;
  ExpressionPtr left;
  ExpressionPtr right;
};

/// How a join finds the rows of one child without reading all of them: it looks the keys of the other one's
/// rows up in an index. That child is a Get, perhaps below a Filter and a Project of columns. A semi join may
/// look up its left child: it has equalities only then, and takes each key of the right one once.
struct JoinByIndex {
  std::shared_ptr<TableIndex> index;
  size_t key_count = 0;  ///< how many of the index's first columns conditions, or filters of the Get, fix
  bool looks_up_left = false;
};

/// Join of two children. All conditions and all residual predicates must hold for a pair to match. A join
/// without any is a cross product.
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
  bool marks_null = true;               ///< false: whoever reads the mark does not tell NULL from false
};

}  // namespace scaup
