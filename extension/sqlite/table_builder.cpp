// Translates columns and constraints of CREATE TABLE.
#include "table_builder.hpp"

#include <algorithm>

#include "connection.hpp"
#include "query_shape.hpp"
#include "stored_value.hpp"

namespace scaup::sqlite {

namespace {

[[noreturn]] void Throw(const std::string& message) { throw SqliteError(SQLITE_ERROR, message); }

constexpr char kNow[] = "to_char(now() AT TIME ZONE 'UTC', '";

/// Translates one table. Lives on the stack of the functions below.
class TableBuilder {
 public:
  TableBuilder(sqlite3& db, const Tokens& tokens) : db_(db), tokens_(tokens) {}

  std::string Column(const ColumnDefinition& column);
  std::string TableConstraint(const Tokens& constraint);
  /// Declares the columns that constraints may name.
  void Declare(const TableDefinition& definition);
  void Declare(const SchemaTable& table) { table_ = table; }
  Storage StorageFor(const ColumnDefinition& column, const std::vector<Tokens>& table_constraints);

 private:
  std::string Constraints(const ColumnDefinition& column, const Tokens& tokens);
  std::string Expression(const Token& first, size_t count);
  std::string Default(const ColumnDefinition& column, const Tokens& tokens, size_t& at);
  std::string References(const Tokens& tokens, size_t& at) const;
  static std::string Names(const Tokens& tokens, size_t open, size_t end);
  static void SkipConflict(const Tokens& tokens, size_t& at);

  sqlite3& db_;
  const Tokens& tokens_;
  SchemaTable table_;
};

bool Mentions(const Tokens& tokens, std::string_view word) {
  return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) { return token.Is(word); });
}

bool MentionsName(const Tokens& tokens, const std::string& name) {
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](const Token& token) { return token.IsName() && token.Name() == name; });
}

Storage TableBuilder::StorageFor(const ColumnDefinition& column,
                                 const std::vector<Tokens>& table_constraints) {
  const Storage initial = InitialStorage(column);
  if (initial != Storage::kDynamic) return initial;
  if (column.is_generated)
    Throw("generated column " + column.name + " needs a type: INTEGER, REAL, TEXT or BLOB");
  if (!column.default_text.empty()) {
    const Tokens text = ReadStatement(column.default_text).tokens;
    SqliteValue value;
    if (ReadLiteral(text, 0, text.size(), value)) {
      if (value.is_null()) return Storage::kDynamic;
      return value.is_integer() ? Storage::kInteger
             : value.is_real()  ? Storage::kReal
             : value.is_text()  ? Storage::kText
                                : Storage::kBlob;
    }
    return Storage::kText;
  }
  // A constraint that computes with the column, or compares it, needs its type now.
  bool is_used = Mentions(column.constraints, "CHECK") || Mentions(column.constraints, "REFERENCES");
  for (const Tokens& constraint : table_constraints) {
    const bool computes = Mentions(constraint, "CHECK") || Mentions(constraint, "FOREIGN");
    is_used = is_used || (computes && MentionsName(constraint, ToLower(column.name)));
  }
  return is_used ? Storage::kInteger : Storage::kDynamic;
}

void TableBuilder::Declare(const TableDefinition& definition) {
  table_.name = ToLower(definition.name);
  for (const ColumnDefinition& column : definition.columns) {
    SchemaColumn declared;
    declared.name = ToLower(column.name);
    declared.shown_name = column.name;
    declared.affinity = column.affinity;
    declared.storage = StorageFor(column, definition.constraints);
    table_.columns.push_back(std::move(declared));
  }
}

std::string TableBuilder::Expression(const Token& first, size_t count) {
  size_t at = 0;
  while (tokens_[at].position != first.position) at++;
  TranslationState state = db_.NewTranslation();
  state.is_stored = true;
  SqlWriter writer(tokens_, state);
  return writer.WriteOver(at, at + count, {{table_.name, &table_}});
}

void TableBuilder::SkipConflict(const Tokens& tokens, size_t& at) {
  if (!IsAt(tokens, at, tokens.size(), "ON") || !IsAt(tokens, at + 1, tokens.size(), "CONFLICT")) return;
  if (at + 2 >= tokens.size()) ThrowSyntaxError(tokens, at + 2);
  if (!tokens[at + 2].Is("ABORT"))
    Throw("ON CONFLICT " + ToUpper(tokens[at + 2].text) +
          " in a constraint is not supported; say it in the statement: INSERT OR " +
          ToUpper(tokens[at + 2].text));
  at += 3;
}

std::string TableBuilder::Names(const Tokens& tokens, size_t open, size_t end) {
  std::string names;
  for (const Tokens& part : SplitAtCommas(tokens, open + 1, end - 1)) {
    if (part.empty() || !part[0].IsName()) ThrowSyntaxError(tokens, open + 1);
    if (Mentions(part, "COLLATE") && !Mentions(part, "BINARY"))
      Throw("COLLATE in a key is supported for BINARY only");
    names += (names.empty() ? "" : ", ") + QuoteName(part[0].Name());
  }
  return "(" + names + ")";
}

std::string TableBuilder::References(const Tokens& tokens, size_t& at) const {
  at++;
  if (at >= tokens.size() || !tokens[at].IsName()) ThrowSyntaxError(tokens, at);
  std::string text = " REFERENCES " + QuoteName(tokens[at++].Name());
  if (at < tokens.size() && tokens[at].IsOperator("(")) {
    const size_t end = SkipParentheses(tokens, at);
    text += " " + Names(tokens, at, end);
    at = end;
  }
  while (at < tokens.size() && !tokens[at].Is("CONSTRAINT") && !tokens[at].Is("CHECK") &&
         !tokens[at].Is("UNIQUE") && !tokens[at].Is("PRIMARY") && !tokens[at].Is("DEFAULT")) {
    if (tokens[at].Is("NOT") && IsAt(tokens, at + 1, tokens.size(), "NULL")) break;
    if (tokens[at].Is("NOT") && IsAt(tokens, at + 1, tokens.size(), "DEFERRABLE")) {
      at += 2;
      while (IsAt(tokens, at, tokens.size(), "INITIALLY")) at += 2;
      continue;
    }
    text += " " + ToUpper(tokens[at++].text);
  }
  return text;
}

std::string TableBuilder::Default(const ColumnDefinition& column, const Tokens& tokens, size_t& at) {
  at++;
  const SchemaColumn* const declared = table_.Find(ToLower(column.name));
  const Storage storage = declared != nullptr ? declared->storage : InitialStorage(column);
  if (tokens[at].IsOperator("(")) {
    const size_t end = SkipParentheses(tokens, at);
    const std::string text = Expression(tokens[at], end - at);
    at = end;
    return " DEFAULT " + text;
  }
  if (tokens[at].Is("CURRENT_TIMESTAMP") || tokens[at].Is("CURRENT_DATE") || tokens[at].Is("CURRENT_TIME")) {
    const char* const format = tokens[at].Is("CURRENT_DATE")   ? "YYYY-MM-DD"
                               : tokens[at].Is("CURRENT_TIME") ? "HH24:MI:SS"
                                                               : "YYYY-MM-DD HH24:MI:SS";
    at++;
    return std::string(" DEFAULT ") + kNow + format + "')";
  }
  const size_t end = at + (tokens[at].IsOperator("-") || tokens[at].IsOperator("+") ? 2 : 1);
  SqliteValue value;
  if (!ReadLiteral(tokens, at, end, value)) value = SqliteValue::MakeText(tokens[at].Unquoted());
  at = end;
  if (value.is_null()) return "";
  return " DEFAULT " + WriteConstant(StoreValue(storage, column.affinity, value));
}

std::string TableBuilder::Constraints(const ColumnDefinition& column, const Tokens& tokens) {
  std::string text;
  size_t at = 0;
  const auto is = [&](std::string_view word) { return IsAt(tokens, at, tokens.size(), word); };
  while (at < tokens.size()) {
    if (is("CONSTRAINT")) {
      if (at + 1 >= tokens.size()) ThrowSyntaxError(tokens, at + 1);
      text += " CONSTRAINT " + QuoteName(tokens[at + 1].Unquoted());
      at += 2;
    } else if (is("PRIMARY")) {
      at += 2;
      if (is("ASC") || is("DESC")) at++;
      SkipConflict(tokens, at);
      if (is("AUTOINCREMENT")) at++;
      text += " PRIMARY KEY";
    } else if (is("NOT") || is("UNIQUE") || is("NULL")) {
      if (!is("NULL")) text += is("UNIQUE") ? " UNIQUE" : " NOT NULL";
      at += is("NOT") ? 2 : 1;
      SkipConflict(tokens, at);
    } else if (is("CHECK") || is("GENERATED") || is("AS")) {
      const bool is_check = is("CHECK");
      while (at < tokens.size() && !tokens[at].IsOperator("(")) at++;
      const size_t end = SkipParentheses(tokens, at);
      text += (is_check ? " CHECK " : " GENERATED ALWAYS AS ") + Expression(tokens[at], end - at) +
              (is_check ? "" : " STORED");
      at = end;
      if (!is_check && (is("STORED") || is("VIRTUAL"))) at++;
    } else if (is("DEFAULT")) {
      text += Default(column, tokens, at);
    } else if (is("COLLATE")) {
      if (at + 1 >= tokens.size()) ThrowSyntaxError(tokens, at + 1);
      if (ToUpper(tokens[at + 1].Unquoted()) != "BINARY")
        Throw("COLLATE " + tokens[at + 1].Unquoted() +
              " of a column is not supported; say it in ORDER BY, or compare lower(x)");
      at += 2;
    } else if (is("REFERENCES")) {
      text += References(tokens, at);
    } else {
      ThrowSyntaxError(tokens, at);
    }
  }
  return text;
}

std::string TableBuilder::Column(const ColumnDefinition& column) {
  const SchemaColumn* const declared = table_.Find(ToLower(column.name));
  const Storage storage = declared != nullptr ? declared->storage : StorageFor(column, {});
  return QuoteName(ToLower(column.name)) + " " + EngineType(storage) +
         Constraints(column, column.constraints);
}

std::string TableBuilder::TableConstraint(const Tokens& tokens) {
  std::string text;
  size_t at = 0;
  if (tokens[0].Is("CONSTRAINT")) {
    text = "CONSTRAINT " + QuoteName(tokens.at(1).Unquoted()) + " ";
    at = 2;
  }
  const size_t open = [&] {
    size_t position = at;
    while (position < tokens.size() && !tokens[position].IsOperator("(")) position++;
    return position;
  }();
  const size_t end = SkipParentheses(tokens, open);
  size_t next = end;
  if (tokens[at].Is("CHECK")) {
    text += "CHECK " + Expression(tokens[open], end - open);
  } else if (tokens[at].Is("FOREIGN")) {
    if (!IsAt(tokens, next, tokens.size(), "REFERENCES")) ThrowSyntaxError(tokens, next);
    text += "FOREIGN KEY " + Names(tokens, open, end) + References(tokens, next);
  } else {
    text += (tokens[at].Is("UNIQUE") ? "UNIQUE " : "PRIMARY KEY ") + Names(tokens, open, end);
  }
  SkipConflict(tokens, next);
  if (next < tokens.size()) ThrowSyntaxError(tokens, next);
  return text;
}

}  // namespace

std::string WriteCreateTable(sqlite3& db, const TableDefinition& definition, const Tokens& tokens) {
  TableBuilder builder(db, tokens);
  builder.Declare(definition);
  std::string body;
  const ColumnDefinition* const rowid = definition.RowidColumn();
  for (const ColumnDefinition& column : definition.columns) {
    if (ToLower(column.name) == "rowid" && rowid != &column)
      Throw("a column named rowid is supported only as INTEGER PRIMARY KEY");
    if (column.is_autoincrement && rowid != &column)
      Throw("AUTOINCREMENT is only allowed on an INTEGER PRIMARY KEY");
    body += (body.empty() ? "" : ", ") + builder.Column(column);
  }
  for (const Tokens& constraint : definition.constraints) body += ", " + builder.TableConstraint(constraint);
  if (rowid == nullptr && definition.has_rowid) body += ", \"rowid\" BIGINT UNIQUE";
  const std::string schema = definition.is_temporary ? "pg_temp" : "main";
  return std::string("CREATE ") + (definition.is_temporary ? "TEMP " : "") + "TABLE " + schema + "." +
         QuoteName(ToLower(definition.name)) + " (" + body + ")";
}

std::string WriteAddedColumn(sqlite3& db, const SchemaTable& table, const ColumnDefinition& column,
                             const Tokens& tokens) {
  if (column.is_primary_key) Throw("Cannot add a PRIMARY KEY column");
  TableBuilder builder(db, tokens);
  builder.Declare(table);
  return builder.Column(column);
}

}  // namespace scaup::sqlite
