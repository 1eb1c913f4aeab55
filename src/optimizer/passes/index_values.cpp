// Pass: tells scans below an IN which values there are, for an index to look up.
#include "optimizer/passes/index_values.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "storage/table_index/index_lookup.hpp"

namespace scaup {
namespace {

/// The values that a predicate allows a column of the scan; none for other predicates.
std::optional<ScanValueList> ToValueList(const Expression& predicate) {
  if (predicate.kind() != ExpressionKind::kInList) return std::nullopt;
  const auto& list = predicate.As<InListExpression>();
  if (list.negated || list.child->kind() != ExpressionKind::kColumnRef) return std::nullopt;
  ScanValueList values{list.child->As<ColumnRefExpression>().binding.column_index, list.values};
  std::erase_if(values.values, [](const Value& value) { return value.is_null(); });
  const LogicalType& type = list.child->type();
  const bool have_its_type = std::all_of(values.values.begin(), values.values.end(),
                                         [&](const Value& value) { return value.type() == type; });
  return have_its_type ? std::optional(std::move(values)) : std::nullopt;
}

void NoteValues(const LogicalFilter& filter, LogicalGet& get) {
  if (!get.table->storage) return;
  const TableIndexList indexes = get.table->storage->Indexes();
  if (indexes.empty()) return;
  for (const ExpressionPtr& predicate : filter.predicates) {
    auto values = ToValueList(*predicate);
    if (!values || !ChooseIndexForValues(indexes, get.filters, values->column)) continue;
    // The shortest list leaves the fewest rows.
    if (!get.value_list || values->values.size() < get.value_list->values.size())
      get.value_list = std::move(values);
  }
}

}  // namespace

LogicalOperatorPtr IndexValues::Rewrite(LogicalOperatorPtr plan) {
  CheckStack();
  for (LogicalOperatorPtr& child : plan->children) child = Rewrite(std::move(child));
  if (plan->kind() == LogicalKind::kFilter && plan->children[0]->kind() == LogicalKind::kGet)
    NoteValues(plan->As<LogicalFilter>(), plan->children[0]->As<LogicalGet>());
  return plan;
}

}  // namespace scaup
