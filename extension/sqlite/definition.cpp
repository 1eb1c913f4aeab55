// Parses CREATE TABLE as SQLite's grammar has it.
#include "definition.hpp"

#include <sqlite3.h>

#include "error.hpp"

namespace scaup::sqlite {

namespace {

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Returns whether a constraint of a column begins here.
bool BeginsConstraint(const Token& token) {
  static constexpr std::string_view kWords[] = {"CONSTRAINT", "PRIMARY",   "NOT",     "NULL",
                                                "UNIQUE",     "CHECK",     "DEFAULT", "COLLATE",
                                                "REFERENCES", "GENERATED", "AS"};
  for (const std::string_view word : kWords) {
    if (token.Is(word)) return true;
  }
  return false;
}

bool BeginsTableConstraint(const Tokens& tokens) {
  if (tokens[0].Is("CONSTRAINT")) return true;
  if (tokens.size() < 2) return false;
  if (tokens[0].Is("PRIMARY") || tokens[0].Is("FOREIGN")) return tokens[1].Is("KEY");
  return (tokens[0].Is("UNIQUE") || tokens[0].Is("CHECK")) && tokens[1].IsOperator("(");
}

/// Returns the text from one token to another as it is written.
std::string SourceText(const Token& first, const Token& last) {
  const char* const end = last.text.data() + last.text.size();
  return std::string(first.text.data(), static_cast<size_t>(end - first.text.data()));
}

size_t DefaultEnd(const Tokens& tokens, size_t at) {
  if (at >= tokens.size()) ThrowSyntaxError(tokens, at);
  if (tokens[at].IsOperator("(")) return SkipParentheses(tokens, at);
  if (tokens[at].IsOperator("-") || tokens[at].IsOperator("+")) at++;
  if (at >= tokens.size()) ThrowSyntaxError(tokens, at);
  return at + 1;
}

void ReadConstraints(ColumnDefinition& column) {
  const Tokens& tokens = column.constraints;
  for (size_t i = 0; i < tokens.size(); i++) {
    if (tokens[i].IsOperator("(")) {
      i = SkipParentheses(tokens, i) - 1;
    } else if (tokens[i].Is("PRIMARY")) {
      column.is_primary_key = true;
    } else if (tokens[i].Is("AUTOINCREMENT")) {
      column.is_autoincrement = true;
    } else if (tokens[i].Is("NOT") && i + 1 < tokens.size() && tokens[i + 1].Is("NULL")) {
      column.is_not_null = true;
    } else if (tokens[i].Is("GENERATED") || tokens[i].Is("AS")) {
      column.is_generated = true;
    } else if (tokens[i].Is("DEFAULT")) {
      const size_t end = DefaultEnd(tokens, i + 1);
      column.default_text = SourceText(tokens[i + 1], tokens[end - 1]);
      i = end - 1;
    }
  }
}

ColumnDefinition ReadColumn(const Tokens& tokens) {
  ColumnDefinition column;
  if (!tokens[0].IsName()) ThrowSyntaxError(tokens, 0);
  column.name = tokens[0].Unquoted();
  size_t at = 1;
  while (at < tokens.size() && !BeginsConstraint(tokens[at])) {
    if (!tokens[at].IsName() && !tokens[at].IsOperator("(")) ThrowSyntaxError(tokens, at);
    at = tokens[at].IsOperator("(") ? SkipParentheses(tokens, at) : at + 1;
  }
  if (at > 1) column.declared_type = SourceText(tokens[1], tokens[at - 1]);
  if (at == 2 && tokens[1].kind != TokenKind::kWord) column.declared_type = tokens[1].Unquoted();
  // SQLite shows the types that it knows best in upper case.
  static constexpr std::string_view kStandard[] = {"ANY", "BLOB", "INT", "INTEGER", "REAL", "TEXT"};
  for (const std::string_view type : kStandard) {
    if (ToUpper(column.declared_type) == type) column.declared_type = type;
  }
  column.affinity = AffinityOf(column.declared_type);
  column.constraints.assign(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end());
  ReadConstraints(column);
  return column;
}

/// Adds the columns of PRIMARY KEY (a, b) to the key.
void ReadPrimaryKey(const Tokens& constraint, TableDefinition& table) {
  for (size_t i = 0; i + 2 < constraint.size(); i++) {
    if (!constraint[i].Is("PRIMARY") || !constraint[i + 1].Is("KEY")) continue;
    const size_t end = SkipParentheses(constraint, i + 2);
    for (const Tokens& part : SplitAtCommas(constraint, i + 3, end - 1)) {
      if (part.empty() || !part[0].IsName()) ThrowSyntaxError(constraint, i + 3);
      table.primary_key.push_back(part[0].Name());
    }
    return;
  }
}

void ReadBody(const Tokens& tokens, size_t open, size_t close, TableDefinition& table) {
  for (const Tokens& part : SplitAtCommas(tokens, open + 1, close)) {
    if (part.empty()) ThrowSyntaxError(tokens, close);
    if (BeginsTableConstraint(part)) {
      table.constraints.push_back(part);
      ReadPrimaryKey(part, table);
    } else {
      if (!table.constraints.empty()) ThrowSyntaxError(part, 0);
      table.columns.push_back(ReadColumn(part));
      for (size_t i = 0; i + 1 < table.columns.size(); i++) {
        if (ToLower(table.columns[i].name) == ToLower(table.columns.back().name))
          throw SqliteError(SQLITE_ERROR, "duplicate column name: " + table.columns.back().name);
      }
      if (table.columns.back().is_primary_key)
        table.primary_key.push_back(ToLower(table.columns.back().name));
    }
  }
}

}  // namespace

Affinity AffinityOf(std::string_view declared_type) {
  const std::string type = ToUpper(declared_type);
  if (Contains(type, "INT")) return Affinity::kInteger;
  if (Contains(type, "CHAR") || Contains(type, "CLOB") || Contains(type, "TEXT")) return Affinity::kText;
  if (type.empty() || Contains(type, "BLOB")) return Affinity::kBlob;
  if (Contains(type, "REAL") || Contains(type, "FLOA") || Contains(type, "DOUB")) return Affinity::kReal;
  return Affinity::kNumeric;
}

const ColumnDefinition* TableDefinition::RowidColumn() const {
  if (!has_rowid || primary_key.size() != 1) return nullptr;
  for (const ColumnDefinition& column : columns) {
    if (ToLower(column.name) == primary_key[0] && ToUpper(column.declared_type) == "INTEGER") return &column;
  }
  return nullptr;
}

TableDefinition ParseCreateTable(const Tokens& tokens) {
  TableDefinition table;
  size_t at = 1;
  const auto is = [&](size_t index, std::string_view word) {
    return index < tokens.size() && tokens[index].Is(word);
  };
  if (is(at, "TEMP") || is(at, "TEMPORARY")) {
    table.is_temporary = true;
    at++;
  }
  if (!is(at, "TABLE")) ThrowSyntaxError(tokens, at);
  at++;
  if (is(at, "IF") && is(at + 1, "NOT") && is(at + 2, "EXISTS")) {
    table.if_not_exists = true;
    at += 3;
  }
  if (at >= tokens.size() || !tokens[at].IsName()) ThrowSyntaxError(tokens, at);
  table.name = tokens[at++].Unquoted();
  if (at + 1 < tokens.size() && tokens[at].IsOperator(".")) {
    table.schema = ToLower(table.name);
    table.name = tokens[at + 1].Unquoted();
    at += 2;
  }
  if (table.schema == "temp") table.is_temporary = true;
  if (is(at, "AS")) {
    table.query.assign(tokens.begin() + static_cast<std::ptrdiff_t>(at + 1), tokens.end());
    if (table.query.empty()) ThrowSyntaxError(tokens, tokens.size());
    return table;
  }
  if (at >= tokens.size() || !tokens[at].IsOperator("(")) ThrowSyntaxError(tokens, at);
  const size_t end = SkipParentheses(tokens, at);
  ReadBody(tokens, at, end - 1, table);
  for (at = end; at < tokens.size(); at++) {
    if (is(at, "WITHOUT") && is(at + 1, "ROWID")) {
      table.has_rowid = false;
      at++;
    } else if (!is(at, "STRICT") && !tokens[at].IsOperator(",")) {
      ThrowSyntaxError(tokens, at);
    }
  }
  return table;
}

size_t SkipParentheses(const Tokens& tokens, size_t open) {
  if (open >= tokens.size() || !tokens[open].IsOperator("(")) ThrowSyntaxError(tokens, open);
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); i++) {
    if (tokens[i].IsOperator("(")) depth++;
    if (tokens[i].IsOperator(")") && --depth == 0) return i + 1;
  }
  ThrowSyntaxError(tokens, tokens.size());
}

std::vector<Tokens> SplitAtCommas(const Tokens& tokens, size_t begin, size_t end) {
  std::vector<Tokens> parts;
  if (begin >= end) return parts;
  parts.emplace_back();
  size_t depth = 0;
  for (size_t i = begin; i < end; i++) {
    if (tokens[i].IsOperator("(")) depth++;
    if (tokens[i].IsOperator(")")) depth--;
    if (depth == 0 && tokens[i].IsOperator(",")) {
      parts.emplace_back();
    } else {
      parts.back().push_back(tokens[i]);
    }
  }
  return parts;
}

void ThrowSyntaxError(const Tokens& tokens, size_t at) {
  if (at >= tokens.size()) throw SqliteError(SQLITE_ERROR, "incomplete input");
  const std::string text(tokens[at].text);
  if (tokens[at].kind == TokenKind::kIllegal)
    throw SqliteError(SQLITE_ERROR, "unrecognized token: \"" + text + "\"");
  throw SqliteError(SQLITE_ERROR, "near \"" + text + "\": syntax error");
}

}  // namespace scaup::sqlite
