// Window function calls: a function, its arguments, and the rows around the current one that it sees.
#pragma once

#include "expression/expression.hpp"
#include "function/window/window_function.hpp"
#include "type/window_frame.hpp"

namespace scaup {

/// "ROWS", "RANGE", "GROUPS".
const char* UnitText(FrameUnit unit);

struct WindowFrameBound {
  FrameBoundKind kind = FrameBoundKind::kUnboundedPreceding;
  static constexpr std::string_view kOffsetName = "offset";
  /// How far kPreceding and kFollowing go, the same for all rows: without columns, until the planner puts
  /// columns in the place of subqueries. BIGINT for ROWS and GROUPS.
  ExpressionPtr offset;
  /// RANGE with an offset only: the last value in the frame, as an expression over the current row, of the
  /// type of the frame's range_key. A ReferenceExpression stands for the offset until PutOffsets.
  ExpressionPtr limit;
};

/// Which rows of the partition a function sees. The default is SQL's for windows without a frame clause.
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
  /// Puts the offsets into the limits, which are over the input's rows afterwards.
  void PutOffsets();
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit);
};

/// Stands in the SELECT list and ORDER BY while a query is bound; afterwards only in the list of the window
/// operator, which has taken PARTITION BY and ORDER BY over.
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
  ExpressionPtr filter;  ///< FILTER (WHERE ...); null if none
  std::vector<ExpressionPtr> partition_by;
  std::vector<SortKey> order_by;
  WindowFrame frame;
};

/// True if a window function call stands in the tree.
bool HasWindow(const Expression& expression);
/// Whether both have the same expressions in the same order.
bool AllEqual(const std::vector<ExpressionPtr>& a, const std::vector<ExpressionPtr>& b);
bool AllEqual(const std::vector<SortKey>& a, const std::vector<SortKey>& b);
/// Copies of sort keys.
std::vector<SortKey> CloneKeys(const std::vector<SortKey>& keys);
/// "a DESC NULLS LAST": NULLs are mentioned where they are not in SQL's usual place.
std::string SortKeyText(const SortKey& key);

}  // namespace scaup
