// Window expressions: copying, comparing and printing.
#include "expression/window_expression.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/stack_bound.hpp"
#include "expression/aggregate_text.hpp"

namespace scaup {

namespace {

ExpressionPtr CloneIfAny(const ExpressionPtr& expression) {
  return expression ? expression->Clone() : nullptr;
}

WindowFrameBound CloneBound(const WindowFrameBound& bound) {
  return {bound.kind, CloneIfAny(bound.offset), CloneIfAny(bound.limit)};
}

bool EqualBounds(const WindowFrameBound& a, const WindowFrameBound& b) {
  return a.kind == b.kind && EqualOrBothNull(a.offset, b.offset) && EqualOrBothNull(a.limit, b.limit);
}

std::string BoundText(const WindowFrameBound& bound) {
  switch (bound.kind) {
    case FrameBoundKind::kUnboundedPreceding: return "UNBOUNDED PRECEDING";
    case FrameBoundKind::kPreceding: return bound.offset->ToString() + " PRECEDING";
    case FrameBoundKind::kCurrentRow: return "CURRENT ROW";
    case FrameBoundKind::kFollowing: return bound.offset->ToString() + " FOLLOWING";
    case FrameBoundKind::kUnboundedFollowing: return "UNBOUNDED FOLLOWING";
  }
  return "?";
}

const char* ExclusionText(FrameExclusion exclusion) {
  switch (exclusion) {
    case FrameExclusion::kNoOthers: return "";
    case FrameExclusion::kCurrentRow: return " EXCLUDE CURRENT ROW";
    case FrameExclusion::kGroup: return " EXCLUDE GROUP";
    case FrameExclusion::kTies: return " EXCLUDE TIES";
  }
  return "?";
}

/// Replaces all references by copies of `value`.
void PutValue(ExpressionPtr& expression, const Expression& value) {
  CheckStack();
  if (expression->kind() == ExpressionKind::kReference) {
    expression = value.Clone();
    return;
  }
  expression->ForEachChild([&](ExpressionPtr& child) { PutValue(child, value); });
}

template <typename T, typename Text>
std::string JoinTexts(const std::vector<T>& items, const Text& text) {
  std::string result;
  for (const T& item : items) result += (result.empty() ? "" : ", ") + text(item);
  return result;
}

}  // namespace

bool EqualOrBothNull(const ExpressionPtr& a, const ExpressionPtr& b) {
  return a && b ? a->Equals(*b) : !a && !b;
}

const char* UnitText(FrameUnit unit) {
  switch (unit) {
    case FrameUnit::kRows: return "ROWS";
    case FrameUnit::kRange: return "RANGE";
    case FrameUnit::kGroups: return "GROUPS";
  }
  return "?";
}

WindowFrame WindowFrame::Clone() const {
  CheckStack();
  return {unit, CloneBound(start), CloneBound(end), exclusion, CloneIfAny(range_key)};
}

bool WindowFrame::Equals(const WindowFrame& other) const {
  CheckStack();
  return unit == other.unit && exclusion == other.exclusion && EqualBounds(start, other.start) &&
         EqualBounds(end, other.end) && EqualOrBothNull(range_key, other.range_key);
}

std::string WindowFrame::ToString() const {
  CheckStack();
  const bool is_default = unit == FrameUnit::kRange && exclusion == FrameExclusion::kNoOthers &&
                          start.kind == FrameBoundKind::kUnboundedPreceding &&
                          end.kind == FrameBoundKind::kCurrentRow;
  if (is_default) return "";
  return fmt::format("{} BETWEEN {} AND {}{}", UnitText(unit), BoundText(start), BoundText(end),
                     ExclusionText(exclusion));
}

void WindowFrame::PutOffsets() {
  for (WindowFrameBound* bound : {&start, &end})
    if (bound->limit) PutValue(bound->limit, *bound->offset);
}

void WindowFrame::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (ExpressionPtr* expression : {&start.offset, &start.limit, &end.offset, &end.limit, &range_key}) {
    if (*expression) visit(*expression);
  }
}

ExpressionPtr WindowExpression::Clone() const {
  CheckStack();
  auto copy = std::make_unique<WindowExpression>(function, name, type());
  copy->aggregate = aggregate;
  copy->data = data;
  for (const auto& argument : arguments) copy->arguments.push_back(argument->Clone());
  copy->filter = CloneIfAny(filter);
  copy->ignores_nulls = ignores_nulls;
  copy->distinct = distinct;
  copy->previous = CloneIfAny(previous);
  for (const auto& key : partition_by) copy->partition_by.push_back(key->Clone());
  copy->order_by = CloneKeys(order_by);
  copy->frame = frame.Clone();
  CopyBaseTo(*copy);
  return copy;
}

bool WindowExpression::Equals(const Expression& other) const {
  CheckStack();
  if (other.kind() != kKind || !(type() == other.type())) return false;
  const auto& that = other.As<WindowExpression>();
  return function == that.function && name == that.name && ignores_nulls == that.ignores_nulls &&
         distinct == that.distinct && EqualOrBothNull(previous, that.previous) &&
         aggregate.data == that.aggregate.data && aggregate.order == that.aggregate.order &&
         aggregate.unsorted_arguments == that.aggregate.unsorted_arguments &&
         AllEqual(arguments, that.arguments) && EqualOrBothNull(filter, that.filter) &&
         AllEqual(partition_by, that.partition_by) && AllEqual(order_by, that.order_by) &&
         frame.Equals(that.frame);
}

std::string WindowExpression::ToString() const {
  CheckStack();
  const auto text_of = [](const ExpressionPtr& expression) { return expression->ToString(); };
  std::string text = function == WindowFunctionKind::kAggregate
                         ? AggregateText(aggregate, arguments, distinct || previous != nullptr)
                         : fmt::format("{}({})", name, JoinTexts(arguments, text_of));
  if (ignores_nulls) text += " IGNORE NULLS";
  if (filter) text += fmt::format(" FILTER (WHERE {})", filter->ToString());
  std::string window;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) window += (window.empty() ? "" : " ") + part;
  };
  if (!partition_by.empty()) add("PARTITION BY " + JoinTexts(partition_by, text_of));
  if (!order_by.empty()) add("ORDER BY " + JoinTexts(order_by, SortKeyText));
  add(frame.ToString());
  return text + " OVER (" + window + ")";
}

void WindowExpression::ForEachChild(const std::function<void(ExpressionPtr&)>& visit) {
  CheckStack();
  for (auto& argument : arguments) visit(argument);
  if (filter) visit(filter);
  if (previous) visit(previous);
  for (auto& key : partition_by) visit(key);
  for (auto& key : order_by) visit(key.expression);
  frame.ForEachExpression(visit);
}

bool HasWindow(const Expression& expression) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kWindow) return true;
  bool found = false;
  expression.ForEachChild([&](const Expression& child) { found = found || HasWindow(child); });
  return found;
}

bool AllEqual(const std::vector<ExpressionPtr>& a, const std::vector<ExpressionPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& left, const auto& right) { return left->Equals(*right); });
}

bool AllEqual(const std::vector<SortKey>& a, const std::vector<SortKey>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SortKey& left, const SortKey& right) {
    return left.descending == right.descending && left.nulls_first == right.nulls_first &&
           left.expression->Equals(*right.expression);
  });
}

std::vector<SortKey> CloneKeys(const std::vector<SortKey>& keys) {
  std::vector<SortKey> copies;
  copies.reserve(keys.size());
  for (const SortKey& key : keys)
    copies.push_back({key.expression->Clone(), key.descending, key.nulls_first});
  return copies;
}

std::string SortKeyText(const SortKey& key) {
  const char* nulls = key.nulls_first == key.descending ? ""
                      : key.nulls_first                 ? " NULLS FIRST"
                                                        : " NULLS LAST";
  return fmt::format("{}{}{}", key.expression->ToString(), key.descending ? " DESC" : "", nulls);
}

}  // namespace scaup
