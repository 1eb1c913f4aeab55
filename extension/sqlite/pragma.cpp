// Executes PRAGMA and the statements of maintenance: VACUUM, ANALYZE, REINDEX and EXPLAIN.
#include <cstdlib>

#include "statement.hpp"

namespace scaup::sqlite {

namespace {

/// A pragma with one value that is always the same.
struct Constant {
  const char* name;
  const char* value;
  bool may_be_set;  ///< to anything: it is a hint for how SQLite works
};

constexpr Constant kConstants[] = {{"page_size", "4096", true},
                                   {"freelist_count", "0", true},
                                   {"encoding", "UTF-8", false},
                                   {"cache_size", "-2000", true},
                                   {"cache_spill", "1", true},
                                   {"temp_store", "0", true},
                                   {"locking_mode", "normal", true},
                                   {"auto_vacuum", "0", true},
                                   {"recursive_triggers", "0", true},
                                   {"ignore_check_constraints", "0", false},
                                   {"case_sensitive_like", "0", false},
                                   {"read_uncommitted", "0", true},
                                   {"secure_delete", "0", true},
                                   {"mmap_size", "0", true},
                                   {"wal_autocheckpoint", "1000", true},
                                   {"journal_size_limit", "-1", true},
                                   {"query_only", "0", false},
                                   {"defer_foreign_keys", "0", false},
                                   {"count_changes", "0", true},
                                   {"empty_result_callbacks", "0", true},
                                   {"full_column_names", "0", true},
                                   {"short_column_names", "1", true},
                                   {"reverse_unordered_selects", "0", true},
                                   {"writable_schema", "0", false},
                                   {"data_version", "1", true},
                                   {"automatic_index", "1", true},
                                   {"threads", "0", true},
                                   {"trusted_schema", "1", true},
                                   {"cell_size_check", "0", true},
                                   {"checkpoint_fullfsync", "0", true},
                                   {"fullfsync", "0", true},
                                   {"legacy_alter_table", "0", true},
                                   {"analysis_limit", "0", true},
                                   {"max_page_count", "1073741823", true},
                                   {"foreign_keys", "1", true},
                                   {"soft_heap_limit", "0", true},
                                   {"hard_heap_limit", "0", true}};

class Pragma final : public StatementBody {
 public:
  explicit Pragma(sqlite3_stmt& statement) : statement_(statement), db_(statement.db) {}

  void Prepare() override {
    const Tokens& tokens = statement_.tokens;
    size_t at = 1;
    if (at >= tokens.size() || !tokens[at].IsName()) ThrowSyntaxError(tokens, at);
    if (at + 2 < tokens.size() && tokens[at + 1].IsOperator(".")) at += 2;
    name_ = tokens[at++].Name();
    if (at < tokens.size()) {
      const bool is_call = tokens[at].IsOperator("(");
      const size_t end = is_call ? SkipParentheses(tokens, at) - 1 : tokens.size();
      if (!is_call && !tokens[at].IsOperator("=")) ThrowSyntaxError(tokens, at);
      for (size_t i = at + 1; i < end; i++) argument_ += tokens[i].Unquoted();
      if (argument_.empty()) ThrowSyntaxError(tokens, tokens.size());
      has_argument_ = true;
    }
    db_.Authorize(SQLITE_PRAGMA, name_, argument_);
    // Columns are those of the rows; setting a value gives none.
    if (const std::optional<LocalRows> rows = ListingPragma(db_, name_, argument_)) {
      SetColumns(rows->names);
    } else if (!has_argument_ || GivesRowsWhenSet()) {
      if (name_ == "wal_checkpoint") {
        SetColumns({"busy", "log", "checkpointed"});
      } else if (name_ == "foreign_key_check") {
        SetColumns({"table", "rowid", "parent", "fkid"});
      } else if (IsKnown()) {
        SetColumns({name_ == "busy_timeout" ? "timeout" : name_});
      }
    }
  }

  void Execute() override {
    if (std::optional<LocalRows> rows = ListingPragma(db_, name_, argument_)) {
      statement_.local_rows = std::move(rows);
      return;
    }
    statement_.local_rows = LocalRows();
    if (has_argument_) Set();
    if (!statement_.columns.empty()) Get();
  }

  bool is_readonly() const override { return !has_argument_; }

 private:
  bool GivesRowsWhenSet() const {
    return name_ == "journal_mode" || name_ == "busy_timeout" || name_ == "wal_checkpoint" ||
           name_ == "locking_mode" || name_ == "integrity_check" || name_ == "quick_check" ||
           name_ == "foreign_key_check";
  }

  bool IsKnown() const {
    static constexpr const char* kOthers[] = {"user_version", "application_id",  "schema_version",
                                              "journal_mode", "synchronous",     "page_count",
                                              "busy_timeout", "integrity_check", "quick_check"};
    for (const char* const other : kOthers) {
      if (name_ == other) return true;
    }
    return FindConstant() != nullptr;
  }

  const Constant* FindConstant() const {
    for (const Constant& constant : kConstants) {
      if (name_ == constant.name) return &constant;
    }
    return nullptr;
  }

  void SetColumns(const std::vector<std::string>& names) {
    statement_.columns.clear();
    for (const std::string& name : names) statement_.columns.push_back({name, "", false});
  }

  void Give(SqliteValue value) { statement_.local_rows->rows.push_back({std::move(value)}); }

  /// The numbers that the program stores in the database, as the comment on its schema.
  std::string ReadNumbers() {
    const QueryResult result = db_.engine.Query(
        "SELECT d.description FROM pg_description d JOIN pg_namespace n ON n.oid = d.objoid WHERE n.nspname "
        "= 'main'");
    return result.row_count() == 0 ? "" : SqliteValue::FromEngine(result, 0, 0).AsText();
  }

  static int64_t FindNumber(const std::string& numbers, const std::string& name) {
    const size_t at = numbers.find(name + "=");
    return at == std::string::npos ? 0 : std::atoll(numbers.c_str() + at + name.size() + 1);
  }

  void Get() {
    if (name_ == "user_version" || name_ == "application_id") {
      Give(SqliteValue(FindNumber(ReadNumbers(), name_)));
    } else if (name_ == "schema_version") {
      Give(SqliteValue(static_cast<int64_t>(db_.shared->schema_version)));
    } else if (name_ == "journal_mode") {
      Give(SqliteValue::MakeText(db_.path.empty() ? "memory" : "wal"));
    } else if (name_ == "synchronous") {
      const std::string setting = db_.engine.Query("SHOW synchronous").ToString();
      Give(SqliteValue(int64_t{setting.rfind("full", 0) == 0 ? 2 : setting.rfind("normal", 0) == 0 ? 1 : 0}));
    } else if (name_ == "page_count") {
      Give(SqliteValue(static_cast<int64_t>(db_.LoadedSchema().tables().size())));
    } else if (name_ == "busy_timeout") {
      Give(SqliteValue(int64_t{db_.hooks.busy_timeout_ms}));
    } else if (name_ == "integrity_check" || name_ == "quick_check") {
      db_.transaction.Run(Transaction::Mode::kRead, [&] { db_.engine.Query("PRAGMA integrity_check"); });
      Give(SqliteValue::MakeText("ok"));
    } else if (name_ == "wal_checkpoint") {
      if (!db_.transaction.is_open() && !db_.is_read_only) db_.engine.Query("CHECKPOINT");
      statement_.local_rows->rows.push_back(
          {SqliteValue(int64_t{0}), SqliteValue(int64_t{0}), SqliteValue(int64_t{0})});
    } else if (const Constant* const constant = FindConstant()) {
      const SqliteValue number = NumberOfText(constant->value);
      Give(number.is_null() ? SqliteValue::MakeText(constant->value) : number);
    }
  }

  bool SaysNo() const {
    const std::string value = ToLower(argument_);
    return value == "0" || value == "off" || value == "no" || value == "false";
  }

  void Set() {
    if (name_ == "user_version" || name_ == "application_id") {
      if (db_.is_read_only) throw SqliteError(SQLITE_READONLY, "attempt to write a readonly database");
      const auto value = std::to_string(static_cast<int32_t>(std::atoll(argument_.c_str())));
      db_.transaction.Run(Transaction::Mode::kWrite, [&] {
        const std::string numbers = ReadNumbers();
        const std::string other = name_ == "user_version" ? "application_id" : "user_version";
        db_.engine.Query(
            "COMMENT ON SCHEMA main IS " +
            QuoteText(name_ + "=" + value + " " + other + "=" + std::to_string(FindNumber(numbers, other))));
      });
    } else if (name_ == "busy_timeout") {
      db_.hooks.busy = nullptr;
      db_.hooks.busy_timeout_ms = std::atoi(argument_.c_str());
    } else if (name_ == "synchronous") {
      const std::string value = ToLower(argument_);
      const char* const setting = SaysNo() ? "off" : value == "1" || value == "normal" ? "normal" : "full";
      if (!db_.transaction.is_open()) db_.engine.Query(std::string("SET synchronous = '") + setting + "'");
    } else if (const Constant* const constant = FindConstant()) {
      const bool changes_nothing = ToLower(argument_) == ToLower(constant->value) ||
                                   (SaysNo() && std::string_view(constant->value) == "0");
      if (!constant->may_be_set && !changes_nothing)
        throw SqliteError(SQLITE_ERROR, "PRAGMA " + name_ + " = " + argument_ +
                                            " is not supported; it is always " + constant->value);
    }
  }

  sqlite3_stmt& statement_;
  sqlite3& db_;
  std::string name_;
  std::string argument_;
  bool has_argument_ = false;
};

/// VACUUM, ANALYZE, REINDEX or EXPLAIN.
class Maintenance final : public StatementBody {
 public:
  explicit Maintenance(sqlite3_stmt& statement) : statement_(statement), db_(statement.db) {}

  void Prepare() override {
    const Tokens& tokens = statement_.tokens;
    if (tokens[0].Is("ATTACH") || tokens[0].Is("DETACH"))
      throw SqliteError(SQLITE_ERROR, "ATTACH and DETACH are not supported");
    if (tokens[0].Is("VACUUM") && tokens.size() > 1 && !IsAt(tokens, 1, 2, "MAIN"))
      throw SqliteError(SQLITE_ERROR, "VACUUM INTO is not supported; use a backup");
    if (!tokens[0].Is("EXPLAIN")) return;
    explained_ = IsAt(tokens, 1, tokens.size(), "QUERY") && IsAt(tokens, 2, tokens.size(), "PLAN") ? 3 : 1;
    const size_t select = FindWord(tokens, explained_, tokens.size(), {"SELECT", "VALUES"});
    if (select >= tokens.size() || FindWord(tokens, explained_, select, {"INSERT", "REPLACE"}) != select)
      throw SqliteError(SQLITE_ERROR, "EXPLAIN is supported for queries only");
    statement_.columns = {
        {"id", "", false}, {"parent", "", false}, {"notused", "", false}, {"detail", "", false}};
  }

  void Execute() override {
    const Token& first = statement_.tokens[0];
    if (first.Is("VACUUM")) {
      if (db_.transaction.is_open())
        throw SqliteError(SQLITE_ERROR, "cannot VACUUM from within a transaction");
      db_.transaction.Run(Transaction::Mode::kAlone, [&] { db_.engine.Query("VACUUM"); });
    } else if (first.Is("ANALYZE")) {
      db_.transaction.Run(Transaction::Mode::kRead, [&] { db_.engine.Query("ANALYZE"); });
    } else if (first.Is("EXPLAIN")) {
      Explain();
    }
  }

  bool is_readonly() const override { return statement_.tokens[0].Is("EXPLAIN"); }

 private:
  void Explain() {
    TranslationState state = db_.NewTranslation();
    state.parameters = statement_.parameters;
    SqlWriter writer(statement_.tokens, state);
    const std::string sql = writer.WriteQuery(explained_, statement_.tokens.size());
    QueryResult plan;
    db_.transaction.Run(Transaction::Mode::kRead, [&] {
      plan = EngineStatement(db_, "EXPLAIN " + sql, {}).Execute(statement_.bindings);
    });
    statement_.local_rows = LocalRows();
    for (size_t row = 0; row < plan.row_count(); row++) {
      statement_.local_rows->rows.push_back({SqliteValue(static_cast<int64_t>(row) + 1),
                                             SqliteValue(int64_t{0}), SqliteValue(int64_t{0}),
                                             SqliteValue::FromEngine(plan, 0, row)});
    }
  }

  sqlite3_stmt& statement_;
  sqlite3& db_;
  size_t explained_ = 0;
};

}  // namespace

std::unique_ptr<StatementBody> MakePragma(sqlite3_stmt& statement) {
  return std::make_unique<Pragma>(statement);
}
std::unique_ptr<StatementBody> MakeMaintenance(sqlite3_stmt& statement) {
  return std::make_unique<Maintenance>(statement);
}

}  // namespace scaup::sqlite
