// One statement from syntax tree to result: transaction, binding, planning, running.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "binder/scope/bind_session.hpp"
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

/// The parts of a session that a statement uses. Borrowed.
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

/// A statement after binding: a plan, or what is executed directly. Movable, independent of the transaction
/// it was bound in as long as the catalog has the same version.
struct PreparedPlan {
  uint64_t catalog_version = 0;
  BoundStatementPtr direct;  ///< statements without a plan
  std::optional<LogicalPlan> plan;
  /// The plan that is run instead of `plan` where it was made; null also if there is none.
  std::shared_ptr<const GenericPlan> generic;
  bool generic_was_tried = false;
  std::vector<LogicalType> parameter_types;
  /// The types that the parameters were said to have before the statement was bound; kNull where nothing was
  /// said.
  std::vector<LogicalType> declared_types;
  /// Whether it reads paths of documents, or makes documents of values: then the types of the values that
  /// are given decide what it means.
  bool follows_given_types = false;
  /// The statement bound for values of other types, where these decide.
  std::vector<PreparedPlan> by_types;
  // The session's settings when it was bound.
  std::string time_zone;
  UnknownKeys unknown_keys = UnknownKeys::kError;
  std::vector<KnownAttributes> known_attributes;

  /// False where `transaction` sees other attributes of a collection than those that it was bound for: paths
  /// may have come or gone, or have other types.
  bool KnowsAttributes(const Transaction& transaction) const;
};

/// The types of $1, $2, ... by the values that are given for them.
std::vector<LogicalType> DeclaredTypes(std::span<const Value> parameters);

/// The context of one statement, in the session's transaction block or, where none is open, in a transaction
/// of its own, which is rolled back unless the statement came to its end. One thread; the tasks of the query
/// share the context.
class StatementExecution {
 public:
  explicit StatementExecution(const SessionServices& session);
  ~StatementExecution();
  StatementExecution(const StatementExecution&) = delete;
  StatementExecution& operator=(const StatementExecution&) = delete;

  /// `parameters`, where they are known already, say what types $1, $2, ... have.
  PreparedPlan Prepare(const ast::Statement& statement, std::span<const Value> parameters = {});
  /// Prepares with the types themselves: kNull where they are not known.
  PreparedPlan PrepareTyped(const ast::Statement& statement, std::span<const LogicalType> types);
  /// Prepares with types as PREPARE names them.
  PreparedPlan Prepare(const ast::Statement& statement, const std::vector<ast::TypeName>& types);
  /// The types of the catalog within those of its parameters and columns.
  std::vector<TypeEntryRef> TypesWithin(const PreparedPlan& prepared) const;
  /// Brings `types`, in which these of the catalog may stand, to what the catalog says now.
  void FollowTypes(const std::vector<TypeEntryRef>& entries, std::vector<LogicalType>& types) const;
  /// The types of the arguments of EXECUTE by themselves: kNull for quoted literals and NULL.
  std::vector<LogicalType> ArgumentTypes(const std::vector<ast::ExpressionPtr>& arguments,
                                         std::span<const Value> parameters);
  /// The values that EXECUTE gives for parameters of these types. `parameters`: those of EXECUTE itself.
  std::vector<Value> EvaluateArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                       std::span<const LogicalType> types, std::span<const Value> parameters);
  /// INSERT INTO ... OBJECT, also in WITH, and COPY ... FROM of JSON make their collection when nothing has
  /// that name (Argo/SQL). EXPLAIN alone makes none: Error(kCatalog, 42P01).
  void CreateCollectionFor(const ast::Statement& statement);
  /// Plans and starts: afterwards the root can be pulled. Takes the plan over.
  void Start(LogicalPlan plan, std::span<const Value> parameters);
  /// Starts a statement that will come again: it is planned once for all executions where that is as good.
  /// REQUIRES: it has a plan, for the present version of the catalog.
  void StartAgain(PreparedPlan& prepared, std::span<const Value> parameters);
  /// For a statement that comes the first time, and perhaps never again.
  void StartFirst(PreparedPlan& prepared, std::span<const Value> parameters);
  /// Everything that is left; commits the statement's own transaction.
  std::shared_ptr<const ResultData> Finish();
  /// Runs what was started to its end, commits, and keeps its rows for FetchPart, which need nothing of the
  /// session any more.
  void RunToEnd();
  /// Whether it has committed: nothing of it can be lost.
  bool is_done() const { return !is_open_; }
  /// The next rows, at most so many; null at the end, where it commits unless it has.
  std::shared_ptr<const ResultData> FetchPart(size_t most_rows);
  /// INSERT of rows that an appender has collected, into the table as it is now; commits. Columns that they
  /// do not have get their defaults.
  void InsertAppended(const AppendedRows& rows);
  /// Executes a statement that has no plan, and commits.
  std::shared_ptr<const ResultData> ExecuteDirectly(BoundStatement& statement);

  /// Returns the columns of the result; none for a statement without a plan.
  std::vector<ResultColumn> columns() const { return run_ ? run_->columns() : std::vector<ResultColumn>(); }
  const Transaction& transaction() const { return *transaction_; }
  uint64_t rows_changed() const { return context_.rows_changed.load(); }
  const std::string& time_zone_name() const;
  /// Whether the transaction has changed the catalog itself, so that no kept plan fits.
  bool has_changed_catalog() const { return context_.catalog.HasChanges(*transaction_); }
  /// The catalog's version before the transaction began: a plan of this version fits.
  uint64_t catalog_version() const { return catalog_version_; }
  /// Whether a plan was bound under the settings of the session, as far as they count for that.
  bool HasSettingsOf(const PreparedPlan& prepared) const {
    return prepared.time_zone == settings_.time_zone && prepared.unknown_keys == settings_.unknown_keys;
  }

 private:
  void Commit();
  /// Logs a read of the attributes that documents have: what the plan makes of names of paths depends on
  /// them.
  void LogAttributesRead(const PreparedPlan& prepared);
  void StartGeneric(std::shared_ptr<const GenericPlan> plan, std::span<const Value> parameters);
  BinderContext MakeBinderContext();
  /// Optimizes a plan and begins a run of it, of which a statement may have several.
  std::unique_ptr<PlanRun> BeginRun(LogicalPlan plan, std::span<const Value> parameters);
  /// Announces what a query that is its own transaction reads: nothing else has to be retained for it, nor
  /// remembered.
  void AnnounceReads(const LogicalOperator& plan);
  /// COPY TO must not overwrite the database itself.
  void RefuseOwnFiles(const LogicalOperator& plan) const;
  /// Runs another plan to its end within this statement. Returns how many rows it gave.
  size_t RunPlan(LogicalPlan plan, std::span<const Value> parameters = {});
  /// Runs SQL of our own: errors have no position.
  size_t RunSql(const std::string& sql, std::span<const Value> parameters);
  /// Ends what writes: throws where foreign keys do not hold.
  void EnforceForeignKeys();
  /// Runs another statement to its end within this one's transaction; its rows are dropped.
  void RunWithin(const ast::Statement& statement);
  std::shared_ptr<ResultData> MakeData(std::vector<ResultColumn> columns) const;

  SessionServices session_;
  Settings settings_;
  std::shared_ptr<const TimeZone> time_zone_;  // Before the transaction: it may be unknown.
  uint64_t
      catalog_version_;  // Read before the transaction begins, as what it sees may be newer but never older.
  std::shared_ptr<Transaction> transaction_;
  bool is_own_;  // Not the block's.
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
