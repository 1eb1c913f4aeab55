// INSERT: rows for a table, with ON CONFLICT.
#include "planner/statement/insert.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/stack_bound.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

InsertConflict InsertConflict::Clone() const {
  CheckStack();
  InsertConflict copy;
  copy.indexes = indexes;
  copy.does_update = does_update;
  copy.existing_index = existing_index;
  for (const ExpressionPtr& value : values) copy.values.push_back(value->Clone());
  copy.updated_index = updated_index;
  copy.generated_columns = generated_columns;
  for (const ExpressionPtr& value : generated) copy.generated.push_back(value->Clone());
  copy.set_columns = set_columns;
  if (where) copy.where = where->Clone();
  return copy;
}

void LogicalInsert::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  LogicalWrite::ForEachExpression(visit);
  if (!on_conflict) return;
  VisitAll(on_conflict->values, visit);
  VisitAll(on_conflict->generated, visit);
  if (on_conflict->where) visit(on_conflict->where);
}

std::vector<std::string> LogicalInsert::Details() const {
  std::vector<std::string> lines = LogicalWrite::Details();
  if (!on_conflict) return lines;
  AddLine(lines, "conflict", on_conflict->indexes);
  if (!on_conflict->does_update) {
    lines.push_back("on conflict: nothing");
    return lines;
  }
  std::vector<std::string> parts;
  const auto& generated = on_conflict->generated_columns;
  for (const size_t column : on_conflict->set_columns) {
    const auto place = std::find(generated.begin(), generated.end(), column) - generated.begin();
    const bool is_generated = static_cast<size_t>(place) < generated.size();
    const Expression& value =
        is_generated ? *on_conflict->generated[static_cast<size_t>(place)] : *on_conflict->values[column];
    parts.push_back(fmt::format("{} = {}", table->columns[column].name, value.ToString()));
  }
  AddLine(lines, "on conflict update", parts);
  if (on_conflict->where) lines.push_back("where: " + on_conflict->where->ToString());
  return lines;
}

LogicalOperatorPtr LogicalInsert::Clone() const {
  auto copy = std::make_unique<LogicalInsert>(table_index, table, ClonePlan(*children[0]));
  if (on_conflict) copy->on_conflict = on_conflict->Clone();
  return CloneInto(std::move(copy));
}

}  // namespace scaup
