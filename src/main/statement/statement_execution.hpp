// One statement from syntax tree to result: transaction, binding, planning, running.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "binder/scope/hosted_functions.hpp"
#include "common/settings/settings.hpp"
#include "execution/write/key_changes.hpp"
#include "execution/write/row_changes.hpp"
#include "format/hosted/statement_files.hpp"
#include "main/database/database_instance.hpp"
#include "main/key/deferred_checks.hpp"
#include "main/key/key_enforcement.hpp"
#include "main/statement/catalog_listing.hpp"
#include "main/statement/catalog_sequences.hpp"
#include "main/statement/inner_work.hpp"
#include "main/statement/plan_run.hpp"
#include "main/statement/prepared_plan.hpp"
#include "main/statement/result_data.hpp"
#include "main/statement/session_settings.hpp"
#include "main/statement/statement_preparer.hpp"
#include "main/statement/statement_settings.hpp"
#include "main/statement/transaction_block.hpp"
#include "main/statement/utility_statement.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

class Cursors;
class FunctionRegistry;
class NamedStatements;
struct AppendedRows;

/// The parts of a session that a statement uses. Borrowed, except for the database, which a stream must keep
/// open. Used by one thread.
struct SessionServices {
  std::shared_ptr<DatabaseInstance> database;
  TransactionBlock& block;
  DeferredChecks& checks;  ///< of the block
  /// The name of the database that USE has set; "" for `database`.
  std::string& home;
  SessionSequences& sequences;
  SessionSettings& settings;
  std::shared_ptr<const StatementSettings> given;  ///< `settings` over those of the database
  NamedStatements& named;
  Cursors& cursors;
  ForeignTables& foreign;
  std::shared_ptr<const FunctionRegistry> registry;  ///< built-in functions and those of the program
  uint64_t registry_version;                         ///< changes with the program's functions
  HostedFunctions& hosted;
  const FileHosts& file_hosts;
  TemporarySchema& temporary;
  SessionVariables& variables;
  const std::atomic<bool>& interrupted;
  QueryProgress& progress;
  /// The position of random() after setseed(); 0 before.
  std::atomic<uint64_t>& random_position;
  int32_t number;  ///< of the session, among those of its database
};

/// The execution of one statement, in the session's transaction block or, if none is open, in a transaction
/// of its own. That transaction is rolled back unless the statement comes to its end. Owned by a call of the
/// session or by a stream, and used under the session's mutex. The tasks of the query share its context.
class StatementExecution {
 public:
  /// `inner` is what functions that it calls can run within it; null for nothing. `outer` is a statement in
  /// whose transaction this one runs; null for one of its own. A statement within another one that does not
  /// come to its end is undone alone.
  explicit StatementExecution(const SessionServices& session, std::unique_ptr<InnerWork> inner = nullptr,
                              const StatementExecution* outer = nullptr);
  ~StatementExecution();
  StatementExecution(const StatementExecution&) = delete;
  StatementExecution& operator=(const StatementExecution&) = delete;

  /// Returns what binds and plans statements in its transaction.
  StatementPreparer& preparer() { return preparer_; }
  /// Optimizes and starts a plan, which it takes over. Rows can be taken afterwards.
  void Start(LogicalPlan plan, std::span<const Value> parameters);
  /// Starts a statement that will come again. It is planned once for all executions if that costs none of
  /// them a better plan. REQUIRES: it has a plan, for the present version of the catalog.
  void StartAgain(PreparedPlan& prepared, std::span<const Value> parameters);
  /// Starts a statement that may never come again. Consumes the plan.
  void StartFirst(PreparedPlan& prepared, std::span<const Value> parameters);
  /// Returns all rows. Commits the statement's own transaction.
  std::shared_ptr<const ResultData> Finish();
  /// Runs the statement to its end, materializes its rows for FetchPart, and commits. The rows need nothing
  /// of the session any more.
  void RunToEnd();
  /// Runs the statement to its end, and commits. Returns its rows for scans by later statements; they share
  /// the temporary storage that they may be spilled to.
  std::shared_ptr<const MaterializedRows> FinishForScans();
  /// Starts a scan that the caller has made instead of a plan.
  void StartScan(PhysicalOperatorPtr scan, std::vector<ResultColumn> columns);
  /// Checks keys, and runs actions of foreign keys; at the end of the statement then its AFTER triggers.
  /// Throws Error(kConstraint), and what the triggers throw.
  void EnforceKeys(KeyChecks checks);
  /// Returns whether the statement has committed.
  bool is_done() const { return !is_open_; }
  /// Returns the next rows, at most `most_rows`; null at the end, where it commits if it has not yet.
  std::shared_ptr<const ResultData> FetchPart(size_t most_rows);
  /// Inserts rows of an appender into the table as it is now, and commits. Columns without values get their
  /// defaults.
  void InsertAppended(const AppendedRows& rows);
  /// Executes a statement that has no plan, and commits.
  std::shared_ptr<const ResultData> ExecuteDirectly(BoundStatement& statement);

  /// Returns the run of the plan, with the columns of the result; null for a statement without a plan, and
  /// once all rows have been taken.
  const PlanRun* run() const { return run_.get(); }
  uint64_t rows_changed() const { return context_.rows_changed.load(); }
  const std::string& time_zone_name() const;
  /// Returns whether the transaction of a statement has changed anything so far.
  friend bool HasChanges(const StatementExecution& statement) {
    return statement.transaction_->undo_mark() != 0;
  }

 private:
  void Commit();
  void StartGeneric(std::shared_ptr<const GenericPlan> plan, std::span<const Value> parameters);
  /// Optimizes a plan and begins a run of it, of which a statement may have several.
  std::unique_ptr<PlanRun> BeginRun(LogicalPlan plan, std::span<const Value> parameters);
  /// Runs SQL that the engine has made. Its errors have no position, as the user has not seen the text.
  size_t RunSql(const std::string& sql, std::span<const Value> parameters);
  std::shared_ptr<ResultData> MakeData(std::vector<ResultColumn> columns) const;

  SessionServices session_;
  const Settings& settings_ = session_.given->settings;
  const std::shared_ptr<const TimeZone>& time_zone_ = session_.given->time_zone;
  DatabaseTransaction begun_;
  const std::shared_ptr<Transaction>& transaction_ = begun_.transaction;
  const DatabaseViews databases_;
  const bool is_own_;  // the transaction is not a block's
  CatalogListing listing_;
  CatalogSequences sequences_;
  std::shared_ptr<TemporaryStorage> temporary_storage_;
  SettingChanges setting_changes_;
  KeyChanges key_changes_;
  RowChanges row_changes_;
  DeferredChecks own_checks_;  // of a transaction of its own
  DeferredChecks& checks_;     // of the transaction: those of the block, or of the outermost statement
  const DeferredChecks::Mark checks_mark_;
  StatementFiles files_;  // uses the context, but for nothing before there is a file
  QueryContext context_;
  UtilityContext utility_;  // the parts of this that utility statements use
  StatementPreparer preparer_;
  std::vector<Value> parameters_;  // values for a generic plan
  std::unique_ptr<PlanRun> run_;   // null until the statement was started, and if it has no plan
  const std::unique_ptr<InnerWork> inner_;
  std::optional<size_t> undo_mark_;  // of the transaction when a statement within another one began
  bool is_open_ = true;
};

}  // namespace scaup
