// One statement from syntax tree to result.
#include "main/statement/statement_execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/scope/bind_statement.hpp"
#include "binder/statement/binder.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "document/visible_attributes.hpp"
#include "execution/foreign/program_calls.hpp"
#include "execution/plan/physical_planner.hpp"
#include "execution/write/written_rows.hpp"
#include "expression/expression_executor.hpp"
#include "function/function_registry.hpp"
#include "main/statement/commit_actions.hpp"
#include "main/statement/statement_effects.hpp"
#include "optimizer/optimizer.hpp"
#include "parser/parser.hpp"
#include "planner/node/get.hpp"
#include "planner/statement/copy_to.hpp"
#include "storage/table/table_reader.hpp"
#include "transaction/search_path.hpp"
#include "type/value_check.hpp"

namespace scaup {

namespace {

const KernelTable& ChooseKernels(const Settings& settings) {
  return KernelsOf(KernelLevelFromName(settings.kernel_level).value_or(BestKernelLevel()));
}

/// Returns whether a plan neither reads nor changes tables.
bool TouchesNoTable(const LogicalOperator& plan) {
  CheckStack();
  return !plan.writes() && plan.kind() != LogicalKind::kGet &&
         std::ranges::all_of(plan.children,
                             [](const LogicalOperatorPtr& child) { return TouchesNoTable(*child); });
}

/// Adds the tables that a plan scans to `table_ids`. Returns false if the plan writes.
bool CollectTables(const LogicalOperator& plan, std::vector<uint64_t>& table_ids) {
  CheckStack();
  const LogicalKind kind = plan.kind();
  if (kind == LogicalKind::kInsert || kind == LogicalKind::kUpdate || kind == LogicalKind::kDelete ||
      kind == LogicalKind::kMerge || kind == LogicalKind::kCreateTableAs)
    return false;
  if (kind == LogicalKind::kGet) table_ids.push_back(plan.As<LogicalGet>().table->storage->id());
  return std::all_of(plan.children.begin(), plan.children.end(),
                     [&](const LogicalOperatorPtr& child) { return CollectTables(*child, table_ids); });
}

[[noreturn]] void ThrowOwnFile(const std::string& path) {
  ThrowError(ErrorKind::kUsage, sqlstate::kObjectInUse,
             fmt::format("cannot write to \"{}\": it is, or has, this database's own file", path));
}

/// Throws Error(kUsage, 55006) if COPY TO would overwrite the files of a database. `files` are those that the
/// statement can name.
void RefuseFilesOf(DatabaseInstance& database, FileSystem& files, const LogicalOperator& plan) {
  const DatabaseStorage* storage = database.storage();
  if (storage == nullptr) return;
  // Paths are compared after resolution, since links and relative paths may name the same file.
  const CopyTarget& target = plan.As<LogicalCopyTo>().target;
  const std::string path = files.ResolvePath(target.path);
  const std::string& given = storage->store()->file().path();
  for (const std::string& own : {given, database.files().ResolvePath(given)}) {
    const bool is_own = path == own || path == own + ".wal";
    // A directory may be replaced with everything in it.
    const bool is_replaced = target.directory && target.directory->existing == ExistingFiles::kReplace;
    if (is_own || (is_replaced && own.starts_with(path.ends_with('/') ? path : path + "/")))
      ThrowOwnFile(path);
  }
}

void RefuseOwnFiles(DatabaseInstance& database, FileSystem& files, const DatabaseTransaction& begun,
                    const LogicalOperator& plan) {
  if (plan.kind() != LogicalKind::kCopyTo) return;
  RefuseFilesOf(database, files, plan);
  for (size_t i = 0; begun.attached && i < begun.attached->size(); i++)
    RefuseFilesOf(*(*begun.attached)[i].instance, files, plan);
}

/// Declares that a transaction reads these tables only. Tables of different databases may share an id; that
/// holds back a few more old versions.
void RestrictTo(Transaction& transaction, const std::vector<uint64_t>& table_ids) {
  transaction.manager()->RestrictTo(transaction, table_ids);
  for (const auto& branch : transaction.branches()) branch->manager()->RestrictTo(*branch, table_ids);
}

/// Returns the databases of a statement. Throws Error(kCatalog, 3D000) if that of the session has gone.
DatabaseViews ViewsOf(DatabaseInstance& main, const DatabaseTransaction& begun, const std::string& home) {
  std::vector<DatabaseView> views{
      {main.transactions().database().name, &main.catalog(), begun.transaction.get()}};
  for (size_t i = 0; begun.attached && i < begun.attached->size(); i++) {
    const auto& [name, instance] = (*begun.attached)[i];
    views.push_back({name, &instance->catalog(), &begun.transaction->In(&instance->transactions())});
  }
  size_t place = 0;
  while (!home.empty() && place < views.size() && views[place].name != home) place++;
  if (place == views.size()) {
    ThrowError(
        ErrorKind::kCatalog, sqlstate::kInvalidCatalogName,
        fmt::format("database \"{}\", which this session uses, is not attached any more, or was attached "
                    "after this transaction began: USE {}",
                    home, main.transactions().database().name));
  }
  return {std::move(views), place};
}

/// Announces the tables that a query in a transaction of its own reads. It then does not hold back version
/// garbage collection of other tables, and its reads need no log.
void AnnounceReads(Transaction& transaction, LogicalOperator& plan) {
  if (CallsProgram(plan)) return;
  std::vector<uint64_t> table_ids;
  // A statement that writes needs its reads for validation, and constraints may read further tables.
  if (!CollectTables(plan, table_ids)) return;
  transaction.SkipReads();
  RestrictTo(transaction, table_ids);
}

/// Logs a read of the attributes of documents, since the meaning of paths depends on them.
void LogAttributesRead(Transaction& transaction, const PreparedPlan& prepared) {
  if (!transaction.logs_reads()) return;
  for (const KnownAttributes& known : prepared.known_attributes) {
    if (known.paths->empty()) continue;
    TableReader(transaction, known.collection, "", TableColumns(known.collection->types()))
        .ConcludeFromAttributes(known.paths);
  }
}

/// Fires the triggers of a plan that run BEFORE it, once.
void FireBefore(InnerWork* inner, const LogicalOperator& plan, const DatabaseViews& databases) {
  const auto targets = TargetsBefore(plan);
  if (inner != nullptr && !targets.empty()) inner->RunTriggersBefore(targets, databases);
}

/// Makes the reads of the statement's locked tables, also those of the optimizer, count at the commit.
void LockRows(Transaction& transaction, const PreparedPlan& prepared) {
  if (!prepared.locked_tables.empty()) RequireWritable(transaction, "SELECT FOR UPDATE");
  transaction.SetLockedTables(prepared.locked_tables);
}

}  // namespace

StatementExecution::StatementExecution(const SessionServices& session, std::unique_ptr<InnerWork> inner,
                                       const StatementExecution* outer)
    : session_(session),
      begun_(outer != nullptr          ? outer->begun_
             : session.block.is_open() ? session.block.begun()
                                       : session.database->Begin()),
      databases_(ViewsOf(*session.database, begun_, session.home)),
      is_own_(outer == nullptr && !session.block.is_open()),
      listing_(*session.database, begun_, databases_, session.named, session.cursors, settings_,
               session.number),
      sequences_(databases_, session.sequences),
      temporary_storage_(session.database->settings().temporary_storage()),
      setting_changes_(session.settings, session.database->settings(), session.block.is_open()),
      checks_(outer != nullptr          ? outer->checks_
              : session.block.is_open() ? session.checks
                                        : own_checks_),
      checks_mark_(checks_.mark()),
      files_(session.database->files(), session.file_hosts, context_.functions),
      context_{{files_, session.database->memory(), session.database->scheduler(), settings_,
                ChooseKernels(settings_), session.interrupted, listing_, NowMicros()},
               *databases_.home().transaction,
               *databases_.home().catalog,
               session.progress,
               session.database->grants(),
               *temporary_storage_},
      utility_{session_,
               context_,
               databases_,
               &databases_.home(),
               settings_,
               !is_own_,
               [this](LogicalPlan plan) { return BeginRun(std::move(plan), {})->Collect().row_count; },
               [this](LogicalPlan plan) { return BeginRun(std::move(plan), {})->Collect(); },
               [this](const std::string& sql, std::span<const Value> given) { return RunSql(sql, given); },
               [this](const ast::Statement& statement) {
                 const NoSearchPath own(*databases_.home().transaction);
                 PreparedPlan prepared = preparer_.Prepare(statement);
                 if (prepared.plan) {
                   BeginRun(std::move(*prepared.plan), {})->Collect();
                 } else {
                   RunUtilityStatement(utility_, *prepared.direct);
                 }
               },
               checks_,
               [this] { EnforceKeys(KeyChecks::kNotDeferred); }},
      preparer_(utility_, begun_.catalog_version),
      inner_(std::move(inner)) {
  context_.databases = &databases_;
  context_.functions.inner = inner_.get();
  context_.functions.sequences = &sequences_;
  context_.functions.time_zone = time_zone_;
  context_.functions.random_position = &session.random_position;
  context_.functions.setting_access = &setting_changes_;
  if (settings_.statement_timeout_ms != 0)
    context_.functions.deadline_micros =
        SteadyMicros() + static_cast<int64_t>(settings_.statement_timeout_ms) * 1000;
  // now() is the same in all statements of a block.
  if (session.block.is_open()) context_.functions.transaction_micros = session.block.begin_micros();
  context_.key_changes = &key_changes_;
  if (inner_) context_.row_changes = &row_changes_;
  if (outer != nullptr) {
    // It is a part of the outer statement: they have one now(), and end at the same time.
    context_.functions.now_micros = outer->context_.functions.now_micros;
    context_.functions.transaction_micros = outer->context_.functions.transaction_micros;
    context_.functions.deadline_micros = outer->context_.functions.deadline_micros;
    undo_mark_ = transaction_->undo_mark();
    checks_.EnterInner();
  }
  if (is_own_ && session.temporary.is_used()) session.temporary.Enter(*transaction_);
  for (const DatabaseView& database : databases_.all()) {
    const bool is_home = &database == &databases_.home();
    SearchPath::Give(*database.transaction, is_home ? SearchPath::Of(settings_) : nullptr);
  }
  if (is_own_) session.block.ApplyDefaults(*transaction_);
}

StatementExecution::~StatementExecution() {
  // The states of the plan end before the transaction: they refer to row versions that only it keeps alive.
  run_.reset();
  if (is_open_ && is_own_) session_.database->transactions().Rollback(*transaction_);
  if (is_open_ && undo_mark_ && transaction_->undo_mark() > *undo_mark_)
    session_.database->transactions().RollbackTo(*transaction_, *undo_mark_);
  if (!undo_mark_) return;
  if (is_open_) checks_.RollBackTo(checks_mark_);
  checks_.LeaveInner();
}

void StatementExecution::Commit() {
  // The last chance to interrupt: once the commit has begun, the user could not tell whether it has happened.
  context_.functions.CheckInterrupt();
  if (is_own_ && checks_.has_pending()) EnforceKeys(KeyChecks::kDeferred);
  if (is_own_) RunCommitActions(session_.database->catalog(), *transaction_);
  // Positions of sequences are logged by the commit, so they are noted before it.
  sequences_.NoteUses();
  DatabaseInstance& changed = ChangedBy(*session_.database, begun_);
  // Set before the commit, which rolls back by itself if it fails. The destructor must not do so again.
  is_open_ = false;
  if (is_own_) session_.database->transactions().Commit(*transaction_);
  if (undo_mark_) return;
  setting_changes_.Keep();
  if (!is_own_) return;
  // After the commit, so that the checkpoint has it, and an error of the checkpoint is not one of the commit.
  changed.CheckpointIfDue();
}

const std::string& StatementExecution::time_zone_name() const { return time_zone_->name(); }

void StatementExecution::Start(LogicalPlan plan, std::span<const Value> parameters) {
  FireBefore(inner_.get(), *plan.root, databases_);
  if (is_own_) AnnounceReads(*transaction_, *plan.root);
  if (inner_ && !TouchesNoTable(*plan.root)) inner_->may_change = false;
  run_ = BeginRun(std::move(plan), parameters);
  // Starting has run all writes, so the end of the statement, at which keys count, is here.
  EnforceKeys(KeyChecks::kOfStatement);
}

void StatementExecution::StartAgain(PreparedPlan& prepared, std::span<const Value> parameters) {
  SCAUP_ASSERT(prepared.plan.has_value());
  CheckGivenValues(parameters);
  if (!undo_mark_) LockRows(*transaction_, prepared);  // as in StartFirst
  // Generic plans skip the passes that read statistics. If the user has disabled some passes, only those may
  // be missing.
  const bool may_be_generic =
      settings_.plan_cache_mode != PlanCacheMode::kForceCustomPlan && settings_.disabled_optimizers.empty();
  // Tried once for each plan: a statement that has no generic plan now has none as long as its plan fits.
  if (may_be_generic && !std::exchange(prepared.generic_was_tried, true)) {
    prepared.generic =
        MakeGenericPlan(*prepared.plan, OptimizerContext{context_.functions, *transaction_, settings_});
  }
  if (may_be_generic && prepared.generic) {
    FireBefore(inner_.get(), *prepared.plan->root, databases_);
    StartGeneric(prepared.generic, parameters);
  } else {
    // Optimization consumes the plan, so the next execution needs its own copy.
    Start(prepared.plan->Clone(), parameters);
  }
  LogAttributesRead(*transaction_, prepared);
}

void StatementExecution::StartFirst(PreparedPlan& prepared, std::span<const Value> parameters) {
  // A generic plan is not worth its cost for one execution, unless the user demands it.
  if (settings_.plan_cache_mode == PlanCacheMode::kForceGenericPlan) return StartAgain(prepared, parameters);
  CheckGivenValues(parameters);
  // A statement within another one locks none, and must not forget the locks of that one.
  if (!undo_mark_) LockRows(*transaction_, prepared);
  Start(std::move(*prepared.plan), parameters);
  LogAttributesRead(*transaction_, prepared);
}

void StatementExecution::StartGeneric(std::shared_ptr<const GenericPlan> plan,
                                      std::span<const Value> parameters) {
  if (inner_ && plan->touches_tables) inner_->may_change = false;
  if (is_own_ && plan->only_reads) {
    transaction_->SkipReads();
    RestrictTo(*transaction_, plan->table_ids);
  }
  parameters_ = plan->ParameterValues(parameters, context_.functions);
  context_.functions.parameters = parameters_;
  const PhysicalOperator* root = plan->root.get();
  std::vector<ResultColumn> columns = plan->columns;
  const bool returns_rows = plan->returns_rows;
  // The run shares ownership of the whole generic plan: the cache may drop it while a stream still reads.
  run_ = std::make_unique<PlanRun>(context_, std::shared_ptr<const PhysicalOperator>(std::move(plan), root),
                                   std::move(columns), returns_rows);
  EnforceKeys(KeyChecks::kOfStatement);
}

std::unique_ptr<PlanRun> StatementExecution::BeginRun(LogicalPlan plan, std::span<const Value> parameters) {
  RefuseOwnFiles(*session_.database, files_, begun_, *plan.root);
  std::vector<ResultColumn> columns;
  for (size_t i = 0; plan.returns_rows && i < plan.names.size(); i++)
    columns.push_back({plan.names[i], plan.types[i]});
  // Parameters become constants before optimization, so that estimates and zone maps see the values.
  SubstituteParameters(*plan.root, parameters, *time_zone_);
  const OptimizerContext optimizer_context{context_.functions, *transaction_, settings_};
  LogicalOperatorPtr optimized = Optimizer(optimizer_context).Optimize(std::move(plan.root));
  return std::make_unique<PlanRun>(context_, PhysicalPlanner(context_.functions).Plan(std::move(optimized)),
                                   std::move(columns), plan.returns_rows);
}

std::shared_ptr<ResultData> StatementExecution::MakeData(std::vector<ResultColumn> columns) const {
  auto data = MakeSharedInProcess<ResultData>();
  data->memory = session_.database->shared_memory();
  data->columns = std::move(columns);
  data->time_zone = time_zone_;
  return data;
}

std::shared_ptr<const ResultData> StatementExecution::Finish() {
  const Activity::Mark mark(session_.database->activity());
  MaterializedResult rows = run_->Collect();
  auto data = MakeData(run_->TakeColumns());
  data->has_rows = run_->returns_rows();
  if (data->has_rows) data->rows = std::move(rows);
  data->rows_changed = context_.rows_changed.load();
  Commit();
  return data;
}

std::shared_ptr<const MaterializedRows> StatementExecution::FinishForScans() {
  /// The rows, destroyed before the storage that they may be spilled to.
  struct Kept {
    std::shared_ptr<TemporaryStorage> storage;
    std::shared_ptr<const MaterializedRows> rows;
  };
  const Activity::Mark mark(session_.database->activity());
  auto kept = std::make_shared<Kept>(Kept{temporary_storage_, run_->CollectForScans()});
  Commit();
  const MaterializedRows* rows = kept->rows.get();
  return {std::move(kept), rows};
}

void StatementExecution::StartScan(PhysicalOperatorPtr scan, std::vector<ResultColumn> columns) {
  run_ = std::make_unique<PlanRun>(context_, std::move(scan), std::move(columns), true);
}

void StatementExecution::RunToEnd() {
  const Activity::Mark mark(session_.database->activity());
  // Materialized before the commit: an error in any row still rolls the statement back.
  run_->Materialize();
  Commit();
}

std::shared_ptr<const ResultData> StatementExecution::FetchPart(size_t most_rows) {
  if (!run_) return nullptr;
  const Activity::Mark mark(session_.database->activity());
  MaterializedResult rows = run_->Next(most_rows);
  if (rows.row_count == 0) {
    // A stream that reads commits at its end only, as its scans need the transaction's snapshot.
    if (!is_done()) Commit();
    return nullptr;
  }
  auto data = MakeData(run_->columns());
  data->has_rows = run_->returns_rows();
  data->rows = std::move(rows);
  if (!is_done() && run_->is_at_end()) {
    // The last rows are here, so nobody has to ask once more before the statement ends.
    run_.reset();
    Commit();
  }
  return data;
}

size_t StatementExecution::RunSql(const std::string& sql, std::span<const Value> parameters) {
  try {
    const NoSearchPath own(*databases_.home().transaction);
    const auto statements = Parser().Parse(sql);
    PreparedPlan prepared = preparer_.Prepare(*statements.at(0), parameters);
    FireBefore(inner_.get(), *prepared.plan->root, databases_);
    return BeginRun(std::move(prepared.plan).value(), parameters)->Collect().row_count;
  } catch (const Error& error) {
    // The position is dropped, as it refers to a text that the user has not seen.
    throw Error(error.kind(), error.sqlstate(), error.message());
  }
}

void StatementExecution::EnforceKeys(KeyChecks checks) {
  const bool is_end = checks == KeyChecks::kOfStatement;
  if (!is_end || !key_changes_.empty()) {
    // Rows that actions of foreign keys change are not counted, as in PostgreSQL.
    const uint64_t rows_changed = context_.rows_changed.load();
    // Keys changed in one database, as a transaction changes one. The SQL of actions runs there.
    const auto& all = databases_.all();
    const auto changed = std::find_if(all.begin(), all.end(), [](const DatabaseView& database) {
      return database.transaction->has_changes();
    });
    const HomeScope home(utility_, changed == all.end() ? databases_.home() : *changed);
    KeyEnforcement enforcement(context_, *utility_.home, utility_.run_sql);
    if (is_end) {
      // In a transaction of its own, a statement's end is the commit.
      enforcement.Run(is_own_ ? nullptr : &checks_, temporary_storage_);
    } else {
      enforcement.RunDeferred(checks_, checks == KeyChecks::kDeferred);
    }
    context_.rows_changed.store(rows_changed);
  }
  // After the actions, whose rows have triggers, too.
  if (is_end && !row_changes_.empty()) inner_->RunTriggers(row_changes_, databases_);
}

std::shared_ptr<const ResultData> StatementExecution::ExecuteDirectly(BoundStatement& statement) {
  const Activity::Mark mark(session_.database->activity());
  const std::function<void()> after_commit = RunUtilityStatement(utility_, statement);
  EnforceKeys(KeyChecks::kOfStatement);
  auto data = MakeData({});
  data->rows_changed = context_.rows_changed.load();
  Commit();
  // DETACH must not find that its own transaction holds the database.
  if (is_own_) begun_.attached.reset();
  // CHECKPOINT and VACUUM run after the commit, when the statement's own transaction no longer keeps old
  // versions.
  if (after_commit) after_commit();
  return data;
}

}  // namespace scaup
