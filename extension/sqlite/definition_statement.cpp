// CREATE, DROP and ALTER.
#include <utility>

#include "statement.hpp"
#include "table_builder.hpp"

namespace scaup::sqlite {

namespace {

[[noreturn]] void Throw(const std::string& message) { throw SqliteError(SQLITE_ERROR, message); }

/// A statement that changes the schema. It is understood when it is executed: only its words are checked
/// before.
class Definition final : public StatementBody {
 public:
  explicit Definition(sqlite3_stmt& statement) : statement_(statement), db_(statement.db) {}

  void Prepare() override {
    const Tokens& tokens = statement_.tokens;
    if (tokens.size() < 3) ThrowSyntaxError(tokens, tokens.size());
    if (!statement_.bindings.empty() && tokens[0].Is("CREATE") && !CreatesTable())
      Throw("parameters prohibited in CREATE statements");
    if (tokens[0].Is("CREATE") && CreatesTable()) {
      const TableDefinition definition = ParseCreateTable(tokens);
      CheckName(definition);
      db_.Authorize(definition.is_temporary ? SQLITE_CREATE_TEMP_TABLE : SQLITE_CREATE_TABLE, definition.name,
                    "");
    } else if (tokens[0].Is("DROP")) {
      db_.Authorize(tokens[1].Is("TABLE")  ? SQLITE_DROP_TABLE
                    : tokens[1].Is("VIEW") ? SQLITE_DROP_VIEW
                                           : SQLITE_DROP_INDEX,
                    tokens.back().Unquoted(), "");
      Find(DropTarget());
    } else if (tokens[0].Is("ALTER")) {
      db_.Authorize(SQLITE_ALTER_TABLE, "main", tokens[2].Unquoted());
      size_t at = 2;
      ReadTable(tokens, at, db_.LoadedSchema());
    } else {
      CheckCreated();
    }
  }

  void Execute() override {
    if (db_.is_read_only) throw SqliteError(SQLITE_READONLY, "attempt to write a readonly database");
    const Token& first = statement_.tokens[0];
    db_.transaction.Run(Transaction::Mode::kWrite, [&] {
      if (first.Is("DROP")) {
        Drop();
      } else if (first.Is("ALTER")) {
        Alter();
      } else if (CreatesTable()) {
        CreateTable();
      } else {
        Create();
      }
    });
    db_.SchemaChanged();
  }

  bool is_readonly() const override { return false; }

 private:
  /// The object that DROP names.
  struct Target {
    std::string kind;  ///< TABLE, VIEW, INDEX or TRIGGER
    bool if_exists = false;
    std::string schema;
    std::string name;
  };

  bool Is(size_t at, std::string_view word) const {
    return IsAt(statement_.tokens, at, statement_.tokens.size(), word);
  }
  size_t BehindTemporary() const { return Is(1, "TEMP") || Is(1, "TEMPORARY") ? 2 : 1; }
  bool CreatesTable() const { return Is(BehindTemporary(), "TABLE"); }

  void CheckName(const TableDefinition& definition) {
    if (definition.name.size() >= 7 && ToLower(definition.name).rfind("sqlite_", 0) == 0)
      Throw("object name reserved for internal use: " + definition.name);
    const SchemaTable* const existing =
        db_.LoadedSchema().Find(definition.is_temporary ? "temp" : "main", ToLower(definition.name));
    if (existing != nullptr && !definition.if_not_exists)
      Throw(std::string(existing->is_view ? "view " : "table ") + definition.name + " already exists");
  }

  void CheckCreated() {
    const size_t at = BehindTemporary();
    const Tokens& tokens = statement_.tokens;
    if (Is(at, "TRIGGER")) Throw("triggers are not supported");
    if (Is(at, "VIRTUAL")) {
      const size_t is_using = FindWord(tokens, at, tokens.size(), {"USING"});
      if (is_using + 1 >= tokens.size()) ThrowSyntaxError(tokens, tokens.size());
      Throw("no such module: " + tokens[is_using + 1].Unquoted());
    }
    if (!Is(at, "VIEW") && !Is(at, "INDEX") && !Is(at, "UNIQUE")) ThrowSyntaxError(tokens, at);
    if (!Is(at, "VIEW")) CheckIndex();
  }

  void CheckIndex() {
    const Tokens& tokens = statement_.tokens;
    const size_t where = FindWord(tokens, 0, tokens.size(), {"WHERE"});
    if (where < tokens.size() && Is(1, "UNIQUE")) Throw("a unique index with WHERE is not supported");
    for (size_t i = where; i + 1 < tokens.size(); i++) {
      if (!tokens[i].IsName() || !tokens[i + 1].IsOperator("(")) continue;
      const size_t end = SkipParentheses(tokens, i + 1);
      const size_t count = SplitAtCommas(tokens, i + 2, end - 1).size();
      const CreatedFunction* const function = db_.functions.Find(tokens[i].Name(), static_cast<int>(count));
      if (function != nullptr && !function->is_deterministic)
        Throw("non-deterministic functions prohibited in partial index WHERE clauses");
    }
  }

  /// Returns SQLite's text of the statement: CREATE and the kind, then what is written from the name on.
  std::string StoredText(const std::string& head, size_t name) const {
    const Token& last = statement_.tokens.back();
    const size_t begin = statement_.tokens[name].position;
    return head + statement_.sql.substr(begin, last.position + last.text.size() - begin);
  }

  void Comment(const std::string& object, const std::string& text) {
    db_.engine.Query("COMMENT ON " + object + " IS " + QuoteText(text));
  }

  void CreateTable() {
    const Tokens& tokens = statement_.tokens;
    const TableDefinition definition = ParseCreateTable(tokens);
    CheckName(definition);
    const std::string schema = definition.is_temporary ? "temp" : "main";
    if (db_.LoadedSchema().Find(schema, ToLower(definition.name)) != nullptr) return;
    const std::string name =
        std::string(definition.is_temporary ? "pg_temp" : "main") + "." + QuoteName(ToLower(definition.name));
    size_t at = BehindTemporary() + (definition.if_not_exists ? 4 : 1);
    if (tokens[at + 1].IsOperator(".")) at += 2;
    if (!definition.query.empty()) {
      CreateFromQuery(definition, name);
      return;
    }
    const bool needs_sequence =
        definition.RowidColumn() != nullptr && definition.RowidColumn()->is_autoincrement;
    if (needs_sequence && db_.LoadedSchema().Find("main", "sqlite_sequence") == nullptr) {
      db_.engine.Query("CREATE TABLE main.\"sqlite_sequence\" (\"name\" VARCHAR, \"seq\" BIGINT)");
      Comment("TABLE main.\"sqlite_sequence\"", "CREATE TABLE sqlite_sequence(name,seq)");
      db_.SchemaChanged();
    }
    db_.engine.Query(WriteCreateTable(db_, definition, tokens));
    Comment("TABLE " + name, StoredText("CREATE TABLE ", at));
  }

  void CreateFromQuery(const TableDefinition& definition, const std::string& name) {
    const Tokens& tokens = statement_.tokens;
    TranslationState state = db_.NewTranslation();
    state.parameters = statement_.parameters;
    SqlWriter writer(tokens, state);
    const std::string query = writer.WriteQuery(tokens.size() - definition.query.size(), tokens.size());
    const std::string head =
        std::string("CREATE ") + (definition.is_temporary ? "TEMP " : "") + "TABLE " + name;
    EngineStatement prepared(
        db_, head + " AS SELECT q.*, row_number() OVER () AS \"rowid\" FROM (" + query + ") AS q",
        state.exact_parameters);
    prepared.Execute(statement_.bindings);
    db_.SchemaChanged();
    std::string text = "CREATE TABLE " + QuoteName(definition.name) + "(";
    for (const SchemaColumn& column :
         db_.LoadedSchema()
             .Find(definition.is_temporary ? "temp" : "main", ToLower(definition.name))
             ->columns) {
      static constexpr const char* kTypes[] = {" INT", " REAL", " TEXT", "", "", " NUM"};
      text +=
          (text.back() == '(' ? "" : ",") + QuoteName(column.name) + kTypes[static_cast<int>(column.storage)];
    }
    Comment("TABLE " + name, text + ")");
  }

  void Create() {
    const Tokens& tokens = statement_.tokens;
    size_t at = BehindTemporary();
    const bool is_temporary = at == 2;
    const bool is_unique = Is(at, "UNIQUE");
    if (is_unique) at++;
    const bool is_view = Is(at, "VIEW");
    at++;
    const bool if_not_exists = Is(at, "IF");
    if (if_not_exists) at += 3;
    if (at + 2 < tokens.size() && tokens[at + 1].IsOperator(".")) at += 2;
    if (at >= tokens.size() || !tokens[at].IsName()) ThrowSyntaxError(tokens, at);
    if (is_view) {
      CreateView(at, is_temporary, if_not_exists);
    } else {
      CreateIndex(at, is_unique, if_not_exists);
    }
  }

  void CreateView(size_t at, bool is_temporary, bool if_not_exists) {
    const Tokens& tokens = statement_.tokens;
    const std::string name = tokens[at].Name();
    if (db_.LoadedSchema().Find("", name) != nullptr) {
      if (if_not_exists) return;
      Throw("table " + tokens[at].Unquoted() + " already exists");
    }
    const size_t as = FindWord(tokens, at, tokens.size(), {"AS"});
    if (as + 1 >= tokens.size()) ThrowSyntaxError(tokens, tokens.size());
    TranslationState state = db_.NewTranslation();
    state.is_stored = true;
    SqlWriter writer(tokens, state);
    std::string columns;
    if (tokens[at + 1].IsOperator("(")) {
      for (const Tokens& part : SplitAtCommas(tokens, at + 2, as - 1))
        columns += (columns.empty() ? " (" : ", ") + QuoteName(part.at(0).Name());
      columns += ")";
    }
    const std::string qualified = std::string(is_temporary ? "" : "main.") + QuoteName(name);
    db_.engine.Query(std::string("CREATE ") + (is_temporary ? "TEMP " : "") + "VIEW " + qualified + columns +
                     " AS " + writer.WriteQuery(as + 1, tokens.size()));
    Comment("VIEW " + qualified, StoredText("CREATE VIEW ", at));
  }

  void CreateIndex(size_t at, bool is_unique, bool if_not_exists) {
    const Tokens& tokens = statement_.tokens;
    const std::string name = tokens[at].Name();
    for (const SchemaIndex& index : db_.LoadedSchema().indexes()) {
      if (index.name != name) continue;
      if (if_not_exists) return;
      Throw("index " + tokens[at].Unquoted() + " already exists");
    }
    if (!Is(at + 1, "ON")) ThrowSyntaxError(tokens, at + 1);
    size_t table_at = at + 2;
    const SchemaTable& table = ReadTable(tokens, table_at, db_.LoadedSchema());
    const size_t end = SkipParentheses(tokens, table_at);
    std::string columns;
    for (const Tokens& part : SplitAtCommas(tokens, table_at + 1, end - 1)) {
      const bool has_direction = part.size() == 2 && (part[1].Is("ASC") || part[1].Is("DESC"));
      if (part.empty() || (part.size() != 1 && !has_direction))
        Throw("an index of expressions or collations is not supported");
      const SchemaColumn* const column = table.Find(part[0].Name());
      if (column == nullptr)
        Throw("table " + table.shown_name + " has no column named " + part[0].Unquoted());
      columns += (columns.empty() ? "" : ", ") + QuoteName(column->name);
    }
    // A condition makes an index smaller in SQLite; answers are the same without it.
    db_.engine.Query(std::string("CREATE ") + (is_unique ? "UNIQUE " : "") + "INDEX " + QuoteName(name) +
                     " ON " + table.QuotedName() + " (" + columns + ")");
    Comment("INDEX " + QuoteName(table.schema) + "." + QuoteName(name),
            StoredText(is_unique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ", at));
  }

  Target DropTarget() const {
    const Tokens& tokens = statement_.tokens;
    Target target;
    target.kind = ToUpper(tokens[1].text);
    if (target.kind != "TABLE" && target.kind != "VIEW" && target.kind != "INDEX" && target.kind != "TRIGGER")
      ThrowSyntaxError(tokens, 1);
    size_t at = 2;
    target.if_exists = Is(at, "IF") && Is(at + 1, "EXISTS");
    if (target.if_exists) at += 2;
    if (at >= tokens.size() || !tokens[at].IsName()) ThrowSyntaxError(tokens, at);
    target.name = tokens[at++].Unquoted();
    if (at + 1 < tokens.size() && tokens[at].IsOperator(".")) {
      target.schema = ToLower(std::exchange(target.name, tokens[at + 1].Unquoted()));
      at += 2;
    }
    if (at < tokens.size()) ThrowSyntaxError(tokens, at);
    return target;
  }

  /// Returns what DROP names as the engine's SQL writes it; "" if there is none and that is no error.
  std::string Find(const Target& target) {
    if (target.kind == "INDEX") {
      for (const SchemaIndex& index : db_.LoadedSchema().indexes()) {
        if (index.name == ToLower(target.name) && !index.sql.empty()) return QuoteName(index.name);
      }
    } else if (target.kind != "TRIGGER") {
      const SchemaTable* const table = db_.LoadedSchema().Find(target.schema, ToLower(target.name));
      if (table != nullptr) {
        if (table->is_view != (target.kind == "VIEW"))
          Throw(table->is_view ? "use DROP VIEW to delete view " + target.name
                               : "use DROP TABLE to delete table " + target.name);
        return table->QuotedName();
      }
    }
    if (target.if_exists) return {};
    Throw("no such " + ToLower(target.kind) + ": " + target.name);
  }

  void Drop() {
    const Target target = DropTarget();
    const std::string name = Find(target);
    if (name.empty()) return;
    const SchemaTable* const table = db_.LoadedSchema().Find(target.schema, ToLower(target.name));
    const bool has_sequence = target.kind == "TABLE" && table->is_autoincrement;
    db_.engine.Query("DROP " + target.kind + " " + name);
    if (has_sequence)
      db_.engine.Query("DELETE FROM main.\"sqlite_sequence\" WHERE \"name\" = " +
                       QuoteText(table->shown_name));
    db_.shared->ForgetLastRowids();
  }

  void Alter() {
    const Tokens& tokens = statement_.tokens;
    if (!tokens[1].Is("TABLE")) ThrowSyntaxError(tokens, 1);
    size_t at = 2;
    const SchemaTable& table = ReadTable(tokens, at, db_.LoadedSchema());
    const bool is_rename = Is(at, "RENAME");
    const bool is_add = Is(at, "ADD");
    if (!is_rename && !is_add && !Is(at, "DROP")) ThrowSyntaxError(tokens, at);
    at++;
    if (is_rename && Is(at, "TO")) {
      Rename(table, at + 1);
      return;
    }
    if (Is(at, "COLUMN")) at++;
    if (at >= tokens.size() || !tokens[at].IsName()) ThrowSyntaxError(tokens, at);
    if (is_add) {
      AddColumn(table, at);
    } else if (is_rename) {
      RenameColumn(table, at);
    } else {
      DropColumn(table, at);
    }
  }

  /// Stores a text in which what `replace` returns stands for names.
  static std::string ReplaceNames(const std::string& sql,
                                  const std::function<std::string(const Token&, size_t)>& replace) {
    std::string text;
    size_t copied = 0;
    const Tokens tokens = ReadStatement(sql).tokens;
    for (size_t i = 0; i < tokens.size(); i++) {
      const std::string other = tokens[i].IsName() ? replace(tokens[i], i) : "";
      if (other.empty()) continue;
      text += sql.substr(copied, tokens[i].position - copied) + other;
      copied = tokens[i].position + tokens[i].text.size();
    }
    return text + sql.substr(copied);
  }

  void Rename(const SchemaTable& table, size_t at) {
    const Tokens& tokens = statement_.tokens;
    if (at + 1 != tokens.size() || !tokens[at].IsName())
      ThrowSyntaxError(tokens, std::min(at, tokens.size()));
    const std::string name = tokens[at].Name();
    if (db_.LoadedSchema().Find("", name) != nullptr && name != table.name)
      Throw("there is already another table or index with this name: " + tokens[at].Unquoted());
    const std::string shown = tokens[at].Unquoted();
    const std::string sql =
        ReplaceNames(table.sql, [&](const Token&, size_t i) { return i == 2 ? QuoteName(shown) : ""; });
    if (name != table.name)
      db_.engine.Query("ALTER TABLE " + table.QuotedName() + " RENAME TO " + QuoteName(name));
    if (table.is_autoincrement)
      db_.engine.Query("UPDATE main.\"sqlite_sequence\" SET \"name\" = " + QuoteText(shown) +
                       " WHERE \"name\" = " + QuoteText(table.shown_name));
    Comment("TABLE " + QuoteName(table.schema) + "." + QuoteName(name), sql);
    db_.shared->ForgetLastRowids();
  }

  void AddColumn(const SchemaTable& table, size_t at) {
    const Tokens& tokens = statement_.tokens;
    const std::string definition = StoredText("", at);
    const std::string name = tokens[at].Name();
    if (table.Find(name) != nullptr) Throw("duplicate column name: " + tokens[at].Unquoted());
    // As a table of its own, whose only column it is.
    const std::string text = "CREATE TABLE t(" + definition + ")";
    const Tokens parsed = ReadStatement(text).tokens;
    const TableDefinition added = ParseCreateTable(parsed);
    if (added.columns.size() != 1) ThrowSyntaxError(tokens, at);
    db_.engine.Query("ALTER TABLE " + table.QuotedName() + " ADD COLUMN " +
                     WriteAddedColumn(db_, table, added.columns[0], parsed));
    const size_t close = table.sql.rfind(')');
    Comment("TABLE " + table.QuotedName(),
            table.sql.substr(0, close) + ", " + definition + table.sql.substr(close));
  }

  void RenameColumn(const SchemaTable& table, size_t at) {
    const Tokens& tokens = statement_.tokens;
    if (at + 3 != tokens.size() || !Is(at + 1, "TO") || !tokens[at + 2].IsName())
      ThrowSyntaxError(tokens, std::min(at + 1, tokens.size()));
    const std::string name = tokens[at].Name();
    if (table.Find(name) == nullptr) Throw("no such column: \"" + tokens[at].Unquoted() + "\"");
    const std::string other = tokens[at + 2].Unquoted();
    const std::string written(tokens[at + 2].text);
    db_.engine.Query("ALTER TABLE " + table.QuotedName() + " RENAME COLUMN " + QuoteName(name) + " TO " +
                     QuoteName(ToLower(other)));
    Comment("TABLE " + table.QuotedName(), ReplaceNames(table.sql, [&](const Token& token, size_t i) {
              return i > 2 && token.kind != TokenKind::kString && token.Name() == name ? written : "";
            }));
  }

  void DropColumn(const SchemaTable& table, size_t at) {
    const Tokens& tokens = statement_.tokens;
    if (at + 1 != tokens.size()) ThrowSyntaxError(tokens, at + 1);
    const std::string name = tokens[at].Name();
    const SchemaColumn* const column = table.Find(name);
    if (column == nullptr) Throw("no such column: \"" + tokens[at].Unquoted() + "\"");
    if (column->key_position > 0) Throw("cannot drop PRIMARY KEY column: \"" + tokens[at].Unquoted() + "\"");
    db_.engine.Query("ALTER TABLE " + table.QuotedName() + " DROP COLUMN " + QuoteName(name));
    const Tokens old = ReadStatement(table.sql).tokens;
    size_t open = 0;
    while (!old[open].IsOperator("(")) open++;
    const size_t end = SkipParentheses(old, open);
    std::string kept;
    for (const Tokens& part : SplitAtCommas(old, open + 1, end - 1)) {
      if (part[0].IsName() && part[0].Name() == name) continue;
      const size_t begin = part.front().position;
      kept += (kept.empty() ? "" : ", ") +
              table.sql.substr(begin, part.back().position + part.back().text.size() - begin);
    }
    Comment("TABLE " + table.QuotedName(),
            table.sql.substr(0, old[open].position + 1) + kept + table.sql.substr(old[end - 1].position));
  }

  sqlite3_stmt& statement_;
  sqlite3& db_;
};

}  // namespace

std::unique_ptr<StatementBody> MakeDefinition(sqlite3_stmt& statement) {
  return std::make_unique<Definition>(statement);
}

}  // namespace scaup::sqlite
