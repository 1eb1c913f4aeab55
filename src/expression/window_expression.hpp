// Window expressions: calls of window functions with their arguments and frames.
#pragma once

#include "expression/expression.hpp"
#include "function/window/window_function.hpp"
#include "type/window_frame.hpp"

namespace scaup {

/// Returns "ROWS", "RANGE" or "GROUPS".
const char* UnitText(FrameUnit unit);

/// One bound of a frame.
struct WindowFrameBound {
  FrameBoundKind kind = FrameBoundKind::kUnboundedPreceding;
  static constexpr std::string_view kOffsetName = "offset";
  /// The distance of kPreceding and kFollowing, the same for all rows. It has no columns until the planner
  /// replaces subqueries by columns. BIGINT for ROWS and GROUPS.
  ExpressionPtr offset;
  /// RANGE with an offset only: the last value in the frame, as an expression over the current row, of the
  /// type of the frame's range_key. A ReferenceExpression represents the offset until PutOffsets.
  ExpressionPtr limit;
};

/// The rows of the partition that a function sees. The default is SQL's for windows without a frame clause.
struct WindowFrame {
  FrameUnit unit = FrameUnit::kRange;
  WindowFrameBound start;
  WindowFrameBound end{FrameBoundKind::kCurrentRow, nullptr, nullptr};
  FrameExclusion exclusion = FrameExclusion::kNoOthers;
  /// RANGE with an offset only: the ORDER BY column, in the type in which limits are computed.
  ExpressionPtr range_key;

  WindowFrame Clone() const;
  bool Equals(const WindowFrame& other) const;
  std::string ToString() const;
  /// Replaces references by the offsets in the limits, which then refer to the input's rows only.
  void PutOffsets();
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit);
};

/// A call of a window function. It occurs in the SELECT list and ORDER BY while a query is bound, and later
/// only in the list of the window operator, which takes over PARTITION BY and ORDER BY.
class WindowExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kWindow;
  WindowExpression(WindowFunctionKind function_in, std::string name_in, LogicalType type)
      : Expression(kKind, type), function(function_in), name(std::move(name_in)) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override;

  WindowFunctionKind function;
  std::string name;                          ///< of the function
  AggregateFunction aggregate;               ///< of kAggregate
  std::shared_ptr<const FunctionData> data;  ///< of kAggregate
  std::vector<ExpressionPtr> arguments;
  ExpressionPtr filter;        ///< FILTER (WHERE ...); null if none
  bool ignores_nulls = false;  ///< IGNORE NULLS: rows whose first argument is NULL do not count
  bool distinct = false;       ///< DISTINCT; the planner replaces it by conditions over rows
  /// DISTINCT in frames that may begin within the partition: the number of the last row before this one with
  /// equal arguments, counted from 1 in the window's order; NULL if none. Null until the planner sets it.
  ExpressionPtr previous;
  std::vector<ExpressionPtr> partition_by;
  std::vector<SortKey> order_by;
  WindowFrame frame;
};

/// True if the tree contains a call of a window function.
bool HasWindow(const Expression& expression);
/// Whether both lists have equal expressions in the same order.
bool AllEqual(const std::vector<ExpressionPtr>& a, const std::vector<ExpressionPtr>& b);
bool AllEqual(const std::vector<SortKey>& a, const std::vector<SortKey>& b);
/// Returns whether both are equal, or neither is there.
bool EqualOrBothNull(const ExpressionPtr& a, const ExpressionPtr& b);
/// Copies sort keys.
std::vector<SortKey> CloneKeys(const std::vector<SortKey>& keys);
/// Returns text such as "a DESC NULLS LAST". NULLs are mentioned only if they are not in their default place.
std::string SortKeyText(const SortKey& key);

}  // namespace scaup
