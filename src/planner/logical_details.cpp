// What EXPLAIN prints below each logical operator.
#include <fmt/format.h>

#include "expression/window_expression.hpp"
#include "planner/logical_operator.hpp"

namespace scaup {

namespace {

/// "label: a, b", or nothing when there is nothing to list.
void AddLine(std::vector<std::string>& lines, const char* label, const std::vector<std::string>& parts,
             const char* separator = ", ") {
  if (parts.empty()) return;
  constexpr size_t kMaxBytes = 2000;
  std::string text;
  for (size_t i = 0; i < parts.size(); i++) {
    if (text.size() > kMaxBytes) {
      text += fmt::format("{}... {} more", separator, parts.size() - i);
      break;
    }
    text += (i == 0 ? "" : separator) + parts[i];
  }
  lines.push_back(fmt::format("{}: {}", label, text));
}

std::vector<std::string> Texts(const std::vector<ExpressionPtr>& expressions) {
  std::vector<std::string> texts;
  for (const auto& expression : expressions) texts.push_back(expression->ToString());
  return texts;
}

std::vector<std::string> KeyTexts(const std::vector<SortKey>& keys) {
  std::vector<std::string> texts;
  for (const SortKey& key : keys) texts.push_back(SortKeyText(key));
  return texts;
}

const char* FilterSymbol(ScanFilter::Op op) {
  switch (op) {
    case ScanFilter::Op::kEqual: return "=";
    case ScanFilter::Op::kNotEqual: return "<>";
    case ScanFilter::Op::kLess: return "<";
    case ScanFilter::Op::kLessEqual: return "<=";
    case ScanFilter::Op::kGreater: return ">";
    case ScanFilter::Op::kGreaterEqual: return ">=";
    case ScanFilter::Op::kIsNull: return "IS NULL";
    case ScanFilter::Op::kIsNotNull: return "IS NOT NULL";
    case ScanFilter::Op::kTest: break;
  }
  return "?";
}

std::string FilterText(const std::string& name, const ScanFilter& filter) {
  if (filter.op == ScanFilter::Op::kTest) return filter.test->Describe(name);
  if (filter.is_null_test()) {
    return fmt::format("{} {}", name, FilterSymbol(filter.op));
  }
  return fmt::format("{} {} {}", name, FilterSymbol(filter.op),
                     ConstantExpression(filter.constant).ToString());
}

}  // namespace

const char* JoinTypeName(LogicalJoinType type) {
  switch (type) {
    case LogicalJoinType::kInner: return "Inner";
    case LogicalJoinType::kLeft: return "Left";
    case LogicalJoinType::kRight: return "Right";
    case LogicalJoinType::kFull: return "Full";
    case LogicalJoinType::kSemi: return "Semi";
    case LogicalJoinType::kAnti: return "Anti";
    case LogicalJoinType::kRightSemi: return "RightSemi";
    case LogicalJoinType::kRightAnti: return "RightAnti";
    case LogicalJoinType::kMark: return "Mark";
    case LogicalJoinType::kSingle: return "Single";
  }
  return "?";
}

std::vector<std::string> LogicalGet::Details() const {
  std::vector<std::string> lines;
  const bool is_default = table->schema == Catalog::kDefaultSchema;
  lines.push_back(
      fmt::format("table: {}{}{}", is_default ? "" : table->schema, is_default ? "" : ".", table->name));
  AddLine(lines, "columns", Names());
  std::vector<std::string> parts;
  for (const ScanFilter& filter : filters) {
    parts.push_back(FilterText(table->columns[filter.column].name, filter));
  }
  AddLine(lines, "filter", parts, " AND ");
  return lines;
}

std::vector<std::string> LogicalTableFunction::Details() const {
  std::vector<std::string> lines = {"function: " + function.name};
  AddLine(lines, "columns", Names());
  std::vector<std::string> parts;
  for (const ScanFilter& filter : filters)
    parts.push_back(FilterText(bound->column_names[filter.column], filter));
  AddLine(lines, "wanted", parts, " AND ");
  return lines;
}

std::vector<std::string> LogicalValues::Details() const { return {fmt::format("rows: {}", rows.size())}; }

std::vector<std::string> LogicalFilter::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "condition", Texts(predicates), " AND ");
  return lines;
}

std::vector<std::string> LogicalProject::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "expressions", Texts(expressions));
  return lines;
}

std::vector<std::string> LogicalExpand::Details() const {
  std::vector<std::string> parts;
  for (const auto& set : sets) {
    std::string text;
    for (const size_t column : set) text += (text.empty() ? "" : ", ") + columns[column]->ToString();
    parts.push_back("(" + text + ")");
  }
  std::vector<std::string> lines;
  AddLine(lines, "sets", parts);
  return lines;
}

std::vector<std::string> LogicalMaterialize::Details() const { return {"name: " + label}; }

std::vector<std::string> LogicalSharedScan::Details() const {
  std::vector<std::string> lines = {"rows of: " + label};
  AddLine(lines, "columns", names);
  return lines;
}

std::vector<std::string> LogicalRecursion::Details() const {
  return {"name: " + label, is_distinct ? "union: distinct" : "union: all"};
}

std::vector<std::string> LogicalAggregate::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "groups", Texts(groups));
  AddLine(lines, "aggregates", Texts(aggregates));
  return lines;
}

std::vector<std::string> LogicalDistinct::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "on", Texts(on));
  return lines;
}

std::vector<std::string> LogicalUnnest::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "lists", Texts(lists));
  return lines;
}

std::vector<std::string> LogicalWindow::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "partition by", Texts(partition_by));
  AddLine(lines, "order by", KeyTexts(order_by));
  std::vector<std::string> calls = Texts(functions);
  constexpr std::string_view kNoFrame = " OVER ()";
  for (std::string& call : calls) {
    if (call.ends_with(kNoFrame)) call.resize(call.size() - kNoFrame.size());
  }
  AddLine(lines, "functions", calls);
  return lines;
}

std::string LogicalJoin::Name() const {
  if (join_type == LogicalJoinType::kInner && conditions.empty() && residual.empty()) return "CrossProduct";
  return fmt::format("{}Join", JoinTypeName(join_type));
}

std::vector<std::string> LogicalJoin::Details() const {
  std::vector<std::string> parts;
  for (const JoinCondition& condition : conditions) {
    parts.push_back(fmt::format("{} {} {}", condition.left->ToString(), ComparisonSymbol(condition.op),
                                condition.right->ToString()));
  }
  std::vector<std::string> lines;
  AddLine(lines, "condition", parts, " AND ");
  AddLine(lines, "residual", Texts(residual), " AND ");
  return lines;
}

std::vector<std::string> LogicalSort::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "keys", KeyTexts(keys));
  return lines;
}

std::vector<std::string> LogicalTopN::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "keys", KeyTexts(keys));
  lines.push_back(fmt::format("limit: {}", limit));
  if (offset != 0) lines.push_back(fmt::format("offset: {}", offset));
  return lines;
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
  for (const size_t column : on_conflict->set_columns)
    parts.push_back(
        fmt::format("{} = {}", table->columns[column].name, on_conflict->values[column]->ToString()));
  AddLine(lines, "on conflict update", parts);
  if (on_conflict->where) lines.push_back("where: " + on_conflict->where->ToString());
  return lines;
}

std::vector<std::string> LogicalMerge::Details() const {
  std::vector<std::string> lines = LogicalWrite::Details();
  for (size_t i = 0; i < actions.size(); i++) lines.push_back(fmt::format("{}: {}", i, actions[i].text));
  return lines;
}

std::vector<std::string> LogicalLimit::Details() const {
  std::vector<std::string> lines;
  if (limit) lines.push_back("limit: " + limit->ToString());
  if (offset) lines.push_back("offset: " + offset->ToString());
  return lines;
}

}  // namespace scaup
