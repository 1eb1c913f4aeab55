// The names that a statement of a trigger's function may use.
#include "binder/scope/trigger_names.hpp"

#include <algorithm>
#include <functional>

#include "binder/scope/collation.hpp"
#include "parser/pg_query/pg_query_bridge.hpp"

namespace scaup {

namespace {

using MakeColumn = std::function<ExpressionPtr(const ColumnDefinition& column, size_t index)>;

ScopeTable RowTable(const TriggerNames& names, const char* alias, const MakeColumn& make) {
  ScopeTable table;
  table.alias = alias;
  for (const size_t i : names.table->VisibleColumns()) {
    const ColumnDefinition& column = names.table->columns[i];
    table.columns.push_back({column.name, make(column, i)});
  }
  return table;
}

ExpressionPtr NullOf(const ColumnDefinition& column, size_t) {
  return std::make_unique<ConstantExpression>(Value(column.type));
}

/// Makes the scope of both rows, whose columns have to be named with OLD or NEW, and of the variables.
Scope ScopeOf(const TriggerNames& names, const MakeColumn& make_old, const MakeColumn& make_new) {
  ScopeTable variables;
  for (auto& [name, value] : TriggerVariables(names))
    variables.columns.push_back({name, std::make_unique<ConstantExpression>(std::move(value))});
  Scope scope = Scope::OfTable(std::move(variables));
  std::vector<ScopeColumn> visible;
  for (const ScopeColumn& variable : scope.visible()) visible.push_back(variable.Clone());
  scope = Scope::Combine(std::move(scope), Scope::OfTable(RowTable(names, "old", make_old)), 0);
  scope = Scope::Combine(std::move(scope), Scope::OfTable(RowTable(names, "new", make_new)), 0);
  scope.visible() = std::move(visible);
  return scope;
}

}  // namespace

std::vector<LogicalType> TriggerNames::ParameterTypes() const {
  std::vector<LogicalType> types;
  for (int row = (has_old() ? 1 : 0) + (has_new() ? 1 : 0); row > 0; row--) {
    for (const size_t i : table->VisibleColumns()) types.push_back(table->columns[i].type);
  }
  return types;
}

std::vector<std::pair<std::string, Value>> TriggerVariables(const TriggerNames& names) {
  const TriggerDefinition& trigger = names.trigger;
  const auto text = [](std::string_view value) { return Value::Varchar(std::string(value)); };
  std::vector<Value> arguments;
  for (const std::string& argument : trigger.arguments) arguments.push_back(text(argument));
  const std::string& schema = names.table->schema;
  return {{"tg_op", text(names.event == kOnInsert   ? "INSERT"
                         : names.event == kOnUpdate ? "UPDATE"
                                                    : "DELETE")},
          {"tg_name", text(trigger.name)},
          {"tg_when", text(trigger.timing == TriggerTiming::kBefore ? "BEFORE" : "AFTER")},
          {"tg_level", text(trigger.is_for_each_row ? "ROW" : "STATEMENT")},
          {"tg_table_name", text(names.table->name)},
          {"tg_relname", text(names.table->name)},
          {"tg_table_schema", text(schema)},
          {"tg_nargs", Value::Integer(static_cast<int32_t>(arguments.size()))},
          {"tg_argv", Value::List(TypeId::kVarchar, std::move(arguments))}};
}

namespace {

/// Returns whether a token is this word, in any case.
bool IsWord(const std::string& text, const Token& token, std::string_view lower) {
  const std::string_view word = std::string_view(text).substr(token.start, token.end - token.start);
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 0x20 : a) == b; });
}

}  // namespace

std::string WithWholeRows(const std::string& condition) {
  const std::vector<Token> tokens = ScanTokens(condition).tokens;
  std::string result;
  size_t copied = 0;
  for (size_t i = 0; i + 2 < tokens.size(); i++) {
    const bool is_row = IsWord(condition, tokens[i], "old") || IsWord(condition, tokens[i], "new");
    if (!is_row || !tokens[i + 1].Is('.') || !tokens[i + 2].Is('*')) continue;
    result.append(condition, copied, tokens[i].end - copied);
    copied = tokens[i + 2].end;
  }
  return result + condition.substr(copied);
}

std::string WithArgumentsFromOne(const std::string& body) {
  const std::vector<Token> tokens = ScanTokens(body).tokens;
  std::string result;
  size_t copied = 0;
  const auto add = [&](size_t end, const char* text) {
    result.append(body, copied, end - copied);
    result += text;
    copied = end;
  };
  for (size_t i = 0; i + 1 < tokens.size(); i++) {
    if (!IsWord(body, tokens[i], "tg_argv") || !tokens[i + 1].Is('[')) continue;
    size_t depth = 0, end = i + 1;
    for (; end < tokens.size(); end++) {
      if (tokens[end].Is('[')) depth++;
      if (tokens[end].Is(']') && --depth == 0) break;
    }
    if (end == tokens.size()) break;
    add(tokens[i + 1].end, "1 + (");
    add(tokens[end].start, ")");
    i = end;
  }
  return result + body.substr(copied);
}

Scope ScopeOfTrigger(BindSession& session, const TriggerNames& names) {
  size_t next = 0;
  const MakeColumn parameter = [&](const ColumnDefinition& column, size_t) {
    return WithImplicitCollation(session, std::make_unique<ParameterExpression>(column.type, next++),
                                 column.collation);
  };
  return ScopeOf(names, names.has_old() ? parameter : MakeColumn(NullOf),
                 names.has_new() ? parameter : MakeColumn(NullOf));
}

Scope ScopeOfTriggerRows(BindSession& session, const TriggerNames& names, size_t old_index,
                         size_t new_index) {
  for (const size_t index : {old_index, new_index}) NoteCollations(session, names.table->columns, index);
  const auto columns_of = [](size_t table_index) -> MakeColumn {
    return [table_index](const ColumnDefinition& column, size_t i) {
      return std::make_unique<ColumnRefExpression>(column.type, ColumnBinding{table_index, i}, column.name);
    };
  };
  return ScopeOf(names, names.event != kOnInsert ? columns_of(old_index) : MakeColumn(NullOf),
                 names.event != kOnDelete ? columns_of(new_index) : MakeColumn(NullOf));
}

}  // namespace scaup
