// One statement from syntax tree to result: transaction, binding, planning, running.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "catalog/versioned_transaction.hpp"
#include "common/settings.hpp"
#include "execution/write/key_changes.hpp"
#include "main/database/database_instance.hpp"
#include "main/statement/catalog_listing.hpp"
#include "main/statement/catalog_sequences.hpp"
#include "main/statement/generic_plan.hpp"
#include "main/statement/plan_run.hpp"
#include "main/statement/result_data.hpp"
#include "main/statement/session_settings.hpp"
#include "main/statement/transaction_block.hpp"
#include "main/statement/utility_statement.hpp"
#include "parser/ast/statement.hpp"
#include "planner/planner.hpp"

namespace scaup {

class NamedStatements;
struct AppendedRows;

/// The parts of a session that a statement uses. Borrowed, except for the database, which a stream must keep
/// open. Used by one thread.
struct SessionServices {
  std::shared_ptr<DatabaseInstance> database;
  TransactionBlock& block;
  SessionSequences& sequences;
  SessionSettings& settings;
  const NamedStatements& named;
  ForeignTables& foreign;
  const std::atomic<bool>& interrupted;
  QueryProgress& progress;
};

/// A statement after binding: a plan, or a bound statement that is executed directly. Owned by a prepared
/// statement, a named one or the cache. Movable; independent of the transaction in which it was bound, as
/// long as the catalog has the same version.
struct PreparedPlan {
  uint64_t catalog_version = 0;
  BoundStatementPtr direct;  ///< statements without a plan
  std::optional<LogicalPlan> plan;
  /// The plan that is run instead of `plan`, if there is one; otherwise null.
  std::shared_ptr<const GenericPlan> generic;
  bool generic_was_tried = false;
  std::vector<LogicalType> parameter_types;
  /// The types that were declared for the parameters before binding; kNull if none was.
  std::vector<LogicalType> declared_types;
  /// Whether the types of given values decide what the statement means: it reads paths of documents, or makes
  /// documents of values.
  bool follows_given_types = false;
  /// The statement as bound for values of other types, if follows_given_types.
  std::vector<PreparedPlan> by_types;
  // The settings of the session that binding depends on.
  std::string time_zone;
  UnknownKeys unknown_keys = UnknownKeys::kError;
  std::vector<KnownAttributes> known_attributes;

  /// Returns whether `transaction` sees the attributes of collections that the statement was bound for.
  /// Otherwise paths may have come or gone, or have other types.
  bool KnowsAttributes(const Transaction& transaction) const;
};

/// Returns the types of $1, $2, ... that given values declare; kNull for text.
std::vector<LogicalType> DeclaredTypes(std::span<const Value> parameters);

/// The execution of one statement, in the session's transaction block or, if none is open, in a transaction
/// of its own. That transaction is rolled back unless the statement comes to its end. Owned by a call of the
/// session or by a stream, and used under the session's mutex. The tasks of the query share its context.
class StatementExecution {
 public:
  explicit StatementExecution(const SessionServices& session);
  ~StatementExecution();
  StatementExecution(const StatementExecution&) = delete;
  StatementExecution& operator=(const StatementExecution&) = delete;

  /// Binds and plans a statement. `parameters`, if they are known already, declare the types of $1, $2, ...
  PreparedPlan Prepare(const ast::Statement& statement, std::span<const Value> parameters = {});
  /// Prepares with declared types; kNull for unknown ones.
  PreparedPlan PrepareTyped(const ast::Statement& statement, std::span<const LogicalType> types);
  /// Prepares with types as PREPARE names them.
  PreparedPlan Prepare(const ast::Statement& statement, const std::vector<ast::TypeName>& types);
  /// Returns the enums of the catalog that the types of its parameters and columns contain.
  std::vector<TypeEntryRef> TypesWithin(const PreparedPlan& prepared) const;
  /// Replaces in `types` the enums `entries` by what the catalog says of them now.
  void FollowTypes(const std::vector<TypeEntryRef>& entries, std::vector<LogicalType>& types) const;
  /// Returns the types of the arguments of EXECUTE, without a context: kNull for quoted literals and NULL.
  std::vector<LogicalType> ArgumentTypes(const std::vector<ast::ExpressionPtr>& arguments,
                                         std::span<const Value> parameters);
  /// Returns the values of the arguments of EXECUTE, converted to the types of the parameters. `parameters`
  /// are those of EXECUTE itself.
  std::vector<Value> EvaluateArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                       std::span<const LogicalType> types, std::span<const Value> parameters);
  /// Creates the collections that the statement writes to, if nothing has their name (Argo/SQL): the targets
  /// of INSERT INTO ... OBJECT, also in WITH, and of COPY ... FROM of JSON. Throws Error(kCatalog, 42P01) for
  /// EXPLAIN without ANALYZE, which creates none.
  void CreateCollectionFor(const ast::Statement& statement);
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
  /// Returns whether the statement has committed.
  bool is_done() const { return !is_open_; }
  /// Returns the next rows, at most `most_rows`; null at the end, where it commits if it has not yet.
  std::shared_ptr<const ResultData> FetchPart(size_t most_rows);
  /// Inserts rows of an appender into the table as it is now, and commits. Columns without values get their
  /// defaults.
  void InsertAppended(const AppendedRows& rows);
  /// Executes a statement that has no plan, and commits.
  std::shared_ptr<const ResultData> ExecuteDirectly(BoundStatement& statement);

  /// Returns the columns of the result; none for a statement without a plan.
  std::vector<ResultColumn> columns() const { return run_ ? run_->columns() : std::vector<ResultColumn>(); }
  const Transaction& transaction() const { return *transaction_; }
  uint64_t rows_changed() const { return context_.rows_changed.load(); }
  const std::string& time_zone_name() const;
  /// Returns whether the transaction has changed the catalog itself, so that no cached plan fits.
  bool has_changed_catalog() const { return context_.catalog.HasChanges(*transaction_); }
  /// Returns the catalog's version before the transaction began; see Catalog::version.
  uint64_t catalog_version() const { return begun_.catalog_version; }
  /// Returns whether a plan was bound under the same settings, as far as binding depends on them.
  bool HasSettingsOf(const PreparedPlan& prepared) const {
    return prepared.time_zone == settings_.time_zone && prepared.unknown_keys == settings_.unknown_keys;
  }

 private:
  void Commit();
  /// Logs a read of the attributes of documents, since the meaning of paths depends on them.
  void LogAttributesRead(const PreparedPlan& prepared);
  void StartGeneric(std::shared_ptr<const GenericPlan> plan, std::span<const Value> parameters);
  BinderContext MakeBinderContext();
  /// Optimizes a plan and begins a run of it, of which a statement may have several.
  std::unique_ptr<PlanRun> BeginRun(LogicalPlan plan, std::span<const Value> parameters);
  /// Announces the tables that a query in a transaction of its own reads. It then does not hold back version
  /// garbage collection of other tables, and its reads need no log.
  void AnnounceReads(const LogicalOperator& plan);
  /// Throws Error(kUsage, 55006) if COPY TO would overwrite the database's own files.
  void RefuseOwnFiles(const LogicalOperator& plan) const;
  /// Runs another plan to its end within this statement. Returns the number of its rows.
  size_t RunPlan(LogicalPlan plan, std::span<const Value> parameters = {});
  /// Runs SQL that the engine has made. Its errors have no position, as the user has not seen the text.
  size_t RunSql(const std::string& sql, std::span<const Value> parameters);
  /// Ends a statement that writes. Throws Error(kConstraint, 23503) if foreign keys do not hold.
  void EnforceForeignKeys();
  /// Runs another statement to its end within this one's transaction; its rows are dropped.
  void RunWithin(const ast::Statement& statement);
  std::shared_ptr<ResultData> MakeData(std::vector<ResultColumn> columns) const;

  SessionServices session_;
  Settings settings_;
  // Found before the transaction begins, as an unknown one throws.
  std::shared_ptr<const TimeZone> time_zone_;
  const VersionedTransaction begun_;
  const std::shared_ptr<Transaction>& transaction_ = begun_.transaction;
  const bool is_own_;  // the transaction is not a block's
  CatalogListing listing_;
  CatalogSequences sequences_;
  std::shared_ptr<TemporaryStorage> temporary_storage_;
  KeyChanges key_changes_;
  QueryContext context_;
  UtilityContext utility_;         // the parts of this that utility statements use
  std::vector<Value> parameters_;  // values for a generic plan
  std::unique_ptr<PlanRun> run_;   // null until the statement was started, and if it has no plan
  bool is_open_ = true;
};

}  // namespace scaup
