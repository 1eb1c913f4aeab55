// Write: what INSERT, UPDATE and DELETE have in common.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "statement.hpp"
#include "stored_value.hpp"

namespace scaup::sqlite {

/// The translation of a statement that writes. A value type.
struct WritePlan {
  std::string table;       ///< as SQLite shows it
  std::string table_name;  ///< in the engine
  StoredKinds kinds;
  std::vector<BoundColumn> bound_columns;
  std::set<size_t> exact_parameters;
  std::vector<std::string> statements;  ///< in the order in which they are executed; the last counts
  std::vector<ResultItem> returned;     ///< of RETURNING
  bool has_dynamic = false;
};

/// A statement that writes. The derived class translates it and says what surrounds its execution.
class Write : public StatementBody {
 public:
  explicit Write(sqlite3_stmt& statement) : statement_(statement), db_(statement.db) {}
  void Prepare() override;
  void Execute() override;
  bool is_readonly() const override { return false; }

 protected:
  /// Translates the statement. `bindings` is null while the parameters have no values.
  virtual WritePlan Translate(const std::vector<SqliteValue>* bindings, DynamicUse use) = 0;
  /// Executes the plan; RunStatement executes its statements.
  virtual QueryResult Run(const WritePlan& plan, std::vector<SqliteValue> bindings) = 0;
  /// Is called when the statement has failed, with what it had done taken back.
  virtual void Failed(const SqliteError& error);

  QueryResult RunStatement(const WritePlan& plan, const std::string& sql,
                           const std::vector<SqliteValue>& bindings);
  /// Counts rows that other statements of the plan than the last have changed.
  void AddChanges(uint64_t rows) { other_changes_ += rows; }
  sqlite3_stmt& statement() const { return statement_; }
  sqlite3& db() const { return db_; }

 private:
  const WritePlan& PlanFor(const std::vector<SqliteValue>& bindings);
  void Count(const QueryResult& result);
  /// Names columns in the message of a constraint as they were declared.
  SqliteError WithShownColumns(const SqliteError& error) const;

  sqlite3_stmt& statement_;
  sqlite3& db_;
  DynamicUse use_ = DynamicUse::kAsIs;
  std::optional<WritePlan> plan_;
  std::vector<int> plan_types_;  ///< of the bindings for which the plan was made
  uint64_t plan_version_ = 0;
  uint64_t plan_rollbacks_ = 0;
  uint64_t other_changes_ = 0;
  std::map<std::string, EngineStatement> prepared_;
};

/// Writes RETURNING from `at` on, and adds its columns to the plan. Returns "" if there is none.
std::string TranslateReturning(SqlWriter& writer, size_t at, const SchemaTable& table, WritePlan& plan);
/// Writes a list of assignments, from behind SET to `end`.
std::string TranslateAssignments(SqlWriter& writer, StoredWriter& stored, size_t begin, size_t end,
                                 const SchemaTable& table, const std::vector<Source>& sources);

}  // namespace scaup::sqlite
