// Parts that the operators of a plan share: bindings, names, copies, and the lines of EXPLAIN.
#include "planner/node/node_parts.hpp"

#include <fmt/format.h>

#include <numeric>

#include "expression/window_expression.hpp"

namespace scaup {

std::vector<ColumnBinding> NumberedBindings(size_t table_index, size_t count) {
  std::vector<ColumnBinding> bindings;
  bindings.reserve(count);
  for (size_t i = 0; i < count; i++) bindings.push_back({table_index, i});
  return bindings;
}

std::vector<std::string> NamesOf(const std::vector<ExpressionPtr>& expressions) {
  std::vector<std::string> names;
  names.reserve(expressions.size());
  for (const auto& expression : expressions) {
    names.push_back(expression->alias.empty() ? expression->ToString() : expression->alias);
  }
  return names;
}

std::vector<size_t> AllColumns(size_t count) {
  std::vector<size_t> columns(count);
  std::iota(columns.begin(), columns.end(), size_t{0});
  return columns;
}

void VisitAll(std::vector<ExpressionPtr>& expressions, const std::function<void(ExpressionPtr&)>& visit) {
  for (auto& expression : expressions) visit(expression);
}

std::vector<ExpressionPtr> CloneAll(const std::vector<ExpressionPtr>& expressions) {
  std::vector<ExpressionPtr> copies;
  copies.reserve(expressions.size());
  for (const auto& expression : expressions) copies.push_back(expression->Clone());
  return copies;
}

ExpressionPtr CloneIfAny(const ExpressionPtr& expression) {
  return expression ? expression->Clone() : nullptr;
}

void AddLine(std::vector<std::string>& lines, const char* label, const std::vector<std::string>& parts,
             const char* separator) {
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

std::string FilterText(const std::string& name, const ScanFilter& filter) {
  if (filter.op == ScanFilter::Op::kTest) return filter.test->Describe(name);
  if (filter.is_null_test()) {
    return fmt::format("{} {}", name, ScanFilter::TextOf(filter.op));
  }
  return fmt::format("{} {} {}", name, ScanFilter::TextOf(filter.op),
                     ConstantExpression(filter.constant).ToString());
}

}  // namespace scaup
