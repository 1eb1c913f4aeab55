// Finds tables, lists and operands in the tokens of a query.
#include "query_shape.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <utility>

#include "error.hpp"

namespace scaup::sqlite {

namespace {

constexpr auto kReserved = std::to_array<std::string_view>(
    {"SELECT",  "DISTINCT", "ALL",    "FROM",    "WHERE",   "GROUP",   "BY",        "HAVING", "ORDER",
     "ASC",     "DESC",     "NULLS",  "LIMIT",   "UNION",   "EXCEPT",  "INTERSECT", "JOIN",   "LEFT",
     "RIGHT",   "FULL",     "INNER",  "OUTER",   "CROSS",   "NATURAL", "ON",        "USING",  "AS",
     "AND",     "OR",       "NOT",    "IN",      "IS",      "NULL",    "LIKE",      "GLOB",   "BETWEEN",
     "ESCAPE",  "CASE",     "WHEN",   "THEN",    "ELSE",    "END",     "EXISTS",    "WITH",   "VALUES",
     "TRUE",    "FALSE",    "ISNULL", "NOTNULL", "COLLATE", "WINDOW",  "RETURNING", "SET",    "CAST",
     "DEFAULT", "REGEXP",   "MATCH",  "INDEXED", "OFFSET",  "CONFLICT"});

bool IsListEnd(const Token& token) {
  static constexpr std::string_view kEnds[] = {"FROM",  "WHERE", "GROUP",     "HAVING", "ORDER",
                                               "LIMIT", "UNION", "INTERSECT", "EXCEPT", "WINDOW"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view word) { return token.Is(word); });
}

size_t ListEnd(const Tokens& tokens, size_t begin, size_t end) {
  size_t depth = 0;
  for (size_t i = begin; i < end; i++) {
    if (tokens[i].IsOperator("(")) depth++;
    if (tokens[i].IsOperator(")")) depth--;
    if (depth == 0 && IsListEnd(tokens[i]) && !(i > begin && tokens[i - 1].Is("DISTINCT"))) return i;
  }
  return end;
}

/// Returns the end of the first query at `begin`: UNION and its like, or the end.
size_t QueryEnd(const Tokens& tokens, size_t begin, size_t end) {
  return FindWord(tokens, begin, end, {"UNION", "INTERSECT", "EXCEPT"});
}

/// Reads what follows a table or subquery in FROM, and returns its alias or "".
std::string ReadAlias(const Tokens& tokens, size_t& at, size_t end) {
  if (IsAt(tokens, at, end, "AS")) at++;
  if (at >= end || !tokens[at].IsName() || IsReserved(tokens[at])) return {};
  return tokens[at++].Name();
}

void AddColumn(const SchemaColumn& column, std::vector<ResultItem>& items) {
  items.push_back({column.shown_name, &column});
}

/// Adds the columns that a star stands for. Returns false if they are not known.
bool AddStar(const std::vector<Source>& sources, const std::string& alias, std::vector<ResultItem>& items) {
  bool found = false;
  for (const Source& source : sources) {
    if (!alias.empty() && source.alias != alias) continue;
    if (source.table == nullptr) return false;
    for (const SchemaColumn& column : source.table->columns) AddColumn(column, items);
    found = true;
  }
  return found;
}

const SchemaColumn* FindColumn(const std::vector<Source>& sources, const std::string& alias,
                               const std::string& name) {
  for (const Source& source : sources) {
    if (source.table == nullptr || (!alias.empty() && source.alias != alias)) continue;
    if (const SchemaColumn* column = source.table->Find(name)) return column;
    const bool is_rowid = name == "rowid" || name == "oid" || name == "_rowid_";
    if (is_rowid) return source.table->Find(source.table->rowid_column);
  }
  return nullptr;
}

/// Returns how many of the tokens are the expression, without the alias behind it.
size_t WithoutAlias(const Tokens& item, std::string& name) {
  const size_t size = item.size();
  if (size >= 3 && item[size - 2].Is("AS") && item[size - 1].IsName()) {
    name = item[size - 1].Unquoted();
    return size - 2;
  }
  if (size < 2 || !item[size - 1].IsName() || IsReserved(item[size - 1])) return size;
  const Token& before = item[size - 2];
  const bool ends_operand = before.IsOperator(")") || before.Is("END") || before.Is("NULL") ||
                            before.Is("TRUE") || before.Is("FALSE") ||
                            (before.kind != TokenKind::kOperator && !IsReserved(before));
  if (!ends_operand) return size;
  name = item[size - 1].Unquoted();
  return size - 1;
}

bool AddItem(const Tokens& item, const std::vector<Source>& sources, std::vector<ResultItem>& items) {
  if (item.empty()) return false;
  if (item.size() == 1 && item[0].IsOperator("*")) return AddStar(sources, "", items);
  if (item.size() == 3 && item[1].IsOperator(".") && item[2].IsOperator("*"))
    return AddStar(sources, item[0].Name(), items);
  ResultItem result;
  const size_t size = WithoutAlias(item, result.name);
  const bool is_plain =
      size == 1 && item[0].IsName() && item[0].kind != TokenKind::kString && !IsReserved(item[0]);
  const bool is_qualified = size == 3 && item[1].IsOperator(".");
  if (is_plain || is_qualified) {
    result.column = FindColumn(sources, is_qualified ? item[0].Name() : "", item[size - 1].Name());
    if (result.name.empty())
      result.name = result.column != nullptr ? result.column->shown_name : item[size - 1].Unquoted();
  } else if (result.name.empty()) {
    const char* const end = item[size - 1].text.data() + item[size - 1].text.size();
    result.name.assign(item[0].text.data(), static_cast<size_t>(end - item[0].text.data()));
  }
  items.push_back(std::move(result));
  return true;
}

}  // namespace

bool IsReserved(const Token& token) {
  if (token.kind != TokenKind::kWord) return false;
  return std::any_of(kReserved.begin(), kReserved.end(),
                     [&](std::string_view word) { return token.Is(word); });
}

size_t FindWord(const Tokens& tokens, size_t begin, size_t end,
                std::initializer_list<std::string_view> words) {
  size_t depth = 0;
  for (size_t i = begin; i < end; i++) {
    if (tokens[i].IsOperator("(")) depth++;
    if (tokens[i].IsOperator(")") && depth > 0) depth--;
    if (depth != 0) continue;
    for (const std::string_view word : words) {
      if (tokens[i].Is(word) && !(i > begin && tokens[i - 1].IsOperator("."))) return i;
    }
  }
  return end;
}

std::vector<Source> SourcesBehindFrom(const Tokens& tokens, size_t begin, size_t end, const Schema& schema,
                                      const std::set<std::string>& common_tables) {
  std::vector<Source> sources;
  bool expects_table = true;
  for (size_t i = begin; i < end;) {
    if (expects_table && tokens[i].IsOperator("(")) {
      i = SkipParentheses(tokens, i);
      sources.push_back({ReadAlias(tokens, i, end), nullptr});
      expects_table = false;
    } else if (expects_table && tokens[i].IsName() && !IsReserved(tokens[i])) {
      std::string schema_name;
      std::string name = tokens[i++].Name();
      if (i + 1 < end && tokens[i].IsOperator(".")) {
        schema_name = std::exchange(name, tokens[i + 1].Name());
        i += 2;
      }
      const bool is_call = i < end && tokens[i].IsOperator("(");
      if (is_call) i = SkipParentheses(tokens, i);
      const bool is_common = schema_name.empty() && common_tables.contains(name);
      const SchemaTable* const table = is_call || is_common ? nullptr : schema.Find(schema_name, name);
      const std::string alias = ReadAlias(tokens, i, end);
      sources.push_back({alias.empty() ? name : alias, table});
      expects_table = false;
    } else if (IsListEnd(tokens[i]) || tokens[i].Is("RETURNING")) {
      break;
    } else {
      expects_table = tokens[i].Is("JOIN") || tokens[i].IsOperator(",");
      i = tokens[i].IsOperator("(") ? SkipParentheses(tokens, i) : i + 1;
    }
  }
  return sources;
}

std::vector<Source> SourcesOfQuery(const Tokens& tokens, size_t begin, size_t end, const Schema& schema,
                                   const std::set<std::string>& common_tables) {
  end = QueryEnd(tokens, begin + 1, end);
  const size_t list_end = ListEnd(tokens, begin + 1, end);
  if (!IsAt(tokens, list_end, end, "FROM")) return {};
  return SourcesBehindFrom(tokens, list_end + 1, end, schema, common_tables);
}

std::set<std::string> CommonTables(const Tokens& tokens) {
  std::set<std::string> names;
  for (size_t i = 1; i < tokens.size(); i++) {
    const Token& before = tokens[i - 1];
    if (!tokens[i].IsName() || !(before.Is("WITH") || before.Is("RECURSIVE") || before.IsOperator(",")))
      continue;
    size_t at = i + 1;
    if (at < tokens.size() && tokens[at].IsOperator("(")) at = SkipParentheses(tokens, at);
    if (!IsAt(tokens, at, tokens.size(), "AS")) continue;
    at++;
    while (IsAt(tokens, at, tokens.size(), "NOT") || IsAt(tokens, at, tokens.size(), "MATERIALIZED")) at++;
    if (at < tokens.size() && tokens[at].IsOperator("(")) names.insert(tokens[i].Name());
  }
  return names;
}

std::vector<ResultItem> ResultItems(const Tokens& tokens, size_t begin, size_t end,
                                    const std::vector<Source>& sources) {
  while (IsAt(tokens, begin, end, "DISTINCT") || IsAt(tokens, begin, end, "ALL")) begin++;
  std::vector<ResultItem> items;
  for (const Tokens& item : SplitAtCommas(tokens, begin, ListEnd(tokens, begin, end))) {
    if (!AddItem(item, sources, items)) return {};
  }
  return items;
}

std::map<size_t, std::string> MissingAliases(const Tokens& tokens, size_t begin, size_t end) {
  while (IsAt(tokens, begin, end, "DISTINCT") || IsAt(tokens, begin, end, "ALL")) begin++;
  std::map<size_t, std::string> aliases;
  size_t at = begin;
  for (const Tokens& item : SplitAtCommas(tokens, begin, ListEnd(tokens, begin, end))) {
    at += item.size();
    std::string name;
    const bool is_name = (item.size() == 1 && item[0].IsName() && !IsReserved(item[0]) &&
                          item[0].kind != TokenKind::kString) ||
                         (item.size() == 3 && item[1].IsOperator("."));
    if (!item.empty() && !is_name && !item.back().IsOperator("*") &&
        WithoutAlias(item, name) == item.size()) {
      const char* const text_end = item.back().text.data() + item.back().text.size();
      aliases[at] = std::string(item[0].text.data(), static_cast<size_t>(text_end - item[0].text.data()));
    }
    at++;
  }
  return aliases;
}

size_t OperandEnd(const Tokens& tokens, size_t at, size_t end) {
  static constexpr std::string_view kEnds[] = {
      "AND",  "OR",   "ESCAPE", "THEN",  "WHEN", "ELSE",      "END",     "AS",     "IS",
      "NOT",  "IN",   "LIKE",   "GLOB",  "ASC",  "DESC",      "COLLATE", "ISNULL", "NOTNULL",
      "LEFT", "JOIN", "INNER",  "CROSS", "ON",   "RETURNING", "BETWEEN"};
  size_t case_depth = 0;
  while (at < end) {
    if (tokens[at].IsOperator("(")) {
      at = SkipParentheses(tokens, at);
      continue;
    }
    if (tokens[at].Is("CASE")) case_depth++;
    if (case_depth > 0) {
      if (tokens[at].Is("END")) case_depth--;
      at++;
      continue;
    }
    const bool is_end = std::any_of(std::begin(kEnds), std::end(kEnds),
                                    [&](std::string_view word) { return tokens[at].Is(word); });
    const std::string_view text = tokens[at].text;
    const bool compares =
        tokens[at].kind == TokenKind::kOperator &&
        (text == "," || text == ")" || text == "=" || text == "==" || text == "<>" || text == "!=");
    if (is_end || compares || IsListEnd(tokens[at])) return at;
    at++;
  }
  return end;
}

size_t PrimaryEnd(const Tokens& tokens, size_t at, size_t end) {
  while (at < end && (tokens[at].IsOperator("-") || tokens[at].IsOperator("+") || tokens[at].IsOperator("~")))
    at++;
  if (at >= end || tokens[at].IsOperator(")") || tokens[at].IsOperator(",")) ThrowSyntaxError(tokens, at);
  if (tokens[at].IsOperator("(")) return SkipParentheses(tokens, at);
  if (tokens[at].Is("CASE")) {
    for (size_t depth = 0; at < end; at++) {
      if (tokens[at].Is("CASE")) depth++;
      if (tokens[at].Is("END") && --depth == 0) return at + 1;
    }
    ThrowSyntaxError(tokens, at);
  }
  at++;
  while (at + 1 < end && tokens[at].IsOperator(".")) at += 2;
  return at < end && tokens[at].IsOperator("(") ? SkipParentheses(tokens, at) : at;
}

bool IsBareItem(const Tokens& tokens, size_t begin, size_t end, const QueryLevel& level) {
  if (level.clause != QueryLevel::Clause::kList) return false;
  const bool is_first = begin == level.begin || tokens[begin - 1].IsOperator(",") ||
                        tokens[begin - 1].Is("SELECT") || tokens[begin - 1].Is("DISTINCT") ||
                        tokens[begin - 1].Is("ALL");
  if (!is_first) return false;
  if (end >= level.end || tokens[end].IsOperator(",") || tokens[end].Is("AS") || IsListEnd(tokens[end]))
    return true;
  return tokens[end].IsName() && !IsReserved(tokens[end]);
}

const SchemaTable& ReadTable(const Tokens& tokens, size_t& at, const Schema& schema) {
  if (at >= tokens.size() || !tokens[at].IsName()) ThrowSyntaxError(tokens, at);
  std::string schema_name;
  std::string shown = tokens[at++].Unquoted();
  if (at + 1 < tokens.size() && tokens[at].IsOperator(".")) {
    schema_name = ToLower(shown);
    shown = tokens[at + 1].Unquoted();
    at += 2;
  }
  const SchemaTable* const table = schema.Find(schema_name, ToLower(shown));
  if (table == nullptr)
    throw SqliteError(SQLITE_ERROR,
                      "no such table: " + (schema_name.empty() ? "" : schema_name + ".") + shown);
  return *table;
}

}  // namespace scaup::sqlite
