// One statement from syntax tree to result.
#include "main/statement/statement_execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "binder/scope/bind_statement.hpp"
#include "binder/statement/binder.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "document/visible_attributes.hpp"
#include "execution/plan/physical_planner.hpp"
#include "execution/write/written_rows.hpp"
#include "expression/expression_executor.hpp"
#include "function/function_registry.hpp"
#include "main/statement/foreign_key_enforcement.hpp"
#include "optimizer/optimizer.hpp"
#include "parser/parser.hpp"
#include "planner/node/get.hpp"
#include "planner/statement/copy_to.hpp"
#include "storage/table/table_reader.hpp"
#include "type/value_check.hpp"

namespace scaup {

namespace {

const KernelTable& ChooseKernels(const Settings& settings) {
  return KernelsOf(KernelLevelFromName(settings.kernel_level).value_or(BestKernelLevel()));
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

/// Returns the WITH queries of a statement, some of which may change rows; null if there can be none.
const std::vector<ast::CommonTableExpression>* WithOf(const ast::Statement& statement) {
  using Kind = ast::StatementKind;
  if (statement.kind == Kind::kSelect) return &statement.As<ast::SelectStatement>().with;
  if (statement.kind == Kind::kInsert) return &statement.As<ast::InsertStatement>().with.queries;
  if (statement.kind == Kind::kUpdate) return &statement.As<ast::UpdateStatement>().with.queries;
  if (statement.kind == Kind::kDelete) return &statement.As<ast::DeleteStatement>().with.queries;
  if (statement.kind == Kind::kMerge) return &statement.As<ast::MergeStatement>().with.queries;
  return nullptr;
}

/// Returns the targets of a statement that are created on first use.
std::vector<const ast::NamedTable*> CollectionsMadeBy(const ast::Statement& statement) {
  CheckStack();
  std::vector<const ast::NamedTable*> targets;
  if (statement.kind == ast::StatementKind::kInsert) {
    const auto& insert = statement.As<ast::InsertStatement>();
    if (insert.is_object) targets.push_back(&insert.table);
  } else if (statement.kind == ast::StatementKind::kCopy) {
    const auto& copy = statement.As<ast::CopyStatement>();
    if (copy.is_from && copy.columns.empty() && CopyFormatOf(copy) == CopyFormat::kJson)
      targets.push_back(&copy.table);
  }
  const auto* with = WithOf(statement);
  for (size_t i = 0; with != nullptr && i < with->size(); i++) {
    if (!(*with)[i].change) continue;
    for (const ast::NamedTable* target : CollectionsMadeBy(*(*with)[i].change)) targets.push_back(target);
  }
  return targets;
}

int64_t NowMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

/// Declares values as PostgreSQL's drivers do. Text stays untyped, like a quoted literal, so that it converts
/// to what the context wants. Other values have their own types.
std::vector<LogicalType> DeclaredTypes(std::span<const Value> parameters) {
  std::vector<LogicalType> types;
  for (const Value& value : parameters) {
    const bool is_text = value.type().id() == TypeId::kVarchar;
    types.push_back(is_text ? LogicalType(TypeId::kNull) : value.type());
  }
  return types;
}

bool PreparedPlan::KnowsAttributes(const Transaction& transaction) const {
  return std::all_of(known_attributes.begin(), known_attributes.end(), [&](const KnownAttributes& known) {
    return known.collection->documents()->SeenBy(transaction).epoch() == known.epoch;
  });
}

StatementExecution::StatementExecution(const SessionServices& session)
    : session_(session),
      settings_(session.settings.Over(session.database->settings())),
      time_zone_(session.database->RequireTimeZone(settings_.time_zone)),
      begun_(session.block.is_open()
                 ? VersionedTransaction{session.block.transaction(), session.block.catalog_version()}
                 : BeginVersioned(session.database->catalog(), session.database->transactions())),
      is_own_(!session.block.is_open()),
      listing_(*session.database, *transaction_, session.named),
      sequences_(session.database->catalog(), *transaction_, session.sequences),
      temporary_storage_(session.database->temporary_storage()),
      key_changes_(session.database->memory()),
      context_{{session.database->files(), session.database->memory(), session.database->scheduler(),
                settings_, ChooseKernels(settings_), session.interrupted, listing_, NowMicros()},
               *transaction_,
               session.database->catalog(),
               session.progress,
               session.database->arbiter(),
               *temporary_storage_},
      utility_{session_,
               context_,
               settings_,
               !is_own_,
               [this](LogicalPlan plan) { return RunPlan(std::move(plan)); },
               [this](const std::string& sql, std::span<const Value> given) { return RunSql(sql, given); },
               [this](const ast::Statement& statement) { RunWithin(statement); }} {
  context_.functions.sequences = &sequences_;
  context_.functions.time_zone = time_zone_;
  // now() is the same in all statements of a block.
  if (!is_own_) context_.functions.transaction_micros = session.block.begin_micros();
  context_.key_changes = &key_changes_;
  if (is_own_) session.block.ApplyDefaults(*transaction_);
}

StatementExecution::~StatementExecution() {
  // The states of the plan end before the transaction: they refer to row versions that only it keeps alive.
  run_.reset();
  if (is_open_ && is_own_) session_.database->transactions().Rollback(*transaction_);
}

void StatementExecution::Commit() {
  // The last chance to interrupt: once the commit has begun, the user could not tell whether it has happened.
  context_.functions.CheckInterrupt();
  // Positions of sequences are logged by the commit, so they are noted before it.
  sequences_.NoteUses(*transaction_);
  // Set before the commit, which rolls back by itself if it fails. The destructor must not do so again.
  is_open_ = false;
  if (!is_own_) return;
  session_.database->transactions().Commit(*transaction_);
  // After the commit, so that the checkpoint has it, and an error of the checkpoint is not one of the commit.
  session_.database->CheckpointIfDue();
}

const std::string& StatementExecution::time_zone_name() const { return time_zone_->name(); }

BinderContext StatementExecution::MakeBinderContext() {
  return {context_.catalog, *transaction_,    context_.functions, FunctionRegistry::Builtin(),
          settings_,        &session_.foreign};
}

PreparedPlan StatementExecution::Prepare(const ast::Statement& statement, std::span<const Value> parameters) {
  return PrepareTyped(statement, DeclaredTypes(parameters));
}

void StatementExecution::CreateCollectionFor(const ast::Statement& statement) {
  const bool is_explained = statement.kind == ast::StatementKind::kExplain;
  const ast::Statement& inner = is_explained ? *statement.As<ast::ExplainStatement>().statement : statement;
  for (const ast::NamedTable* name : CollectionsMadeBy(inner)) {
    if (context_.catalog.FindRelation(*transaction_, name->schema, name->name) != nullptr) continue;
    if (is_explained && !statement.As<ast::ExplainStatement>().analyze) {
      ThrowError(
          ErrorKind::kCatalog, sqlstate::kUndefinedTable,
          fmt::format("collection \"{0}\" does not exist, and EXPLAIN makes none: CREATE COLLECTION {0} "
                      "first",
                      name->name),
          name->position);
    }
    // The collection is created by the ordinary statement, so that names are checked as for CREATE
    // COLLECTION.
    ast::CreateTableStatement create;
    create.position = name->position;
    create.is_collection = true;
    create.table.schema = name->schema;
    create.table.name = name->name;
    create.table.position = name->position;
    const BinderContext binder_context = MakeBinderContext();
    RunUtilityStatement(utility_, *Binder(binder_context).Bind(create));
  }
}

PreparedPlan StatementExecution::Prepare(const ast::Statement& statement,
                                         const std::vector<ast::TypeName>& types) {
  const BinderContext binder_context = MakeBinderContext();
  return PrepareTyped(statement, Binder(binder_context).BindParameterTypes(types));
}

PreparedPlan StatementExecution::PrepareTyped(const ast::Statement& statement,
                                              std::span<const LogicalType> types) {
  PreparedPlan prepared;
  prepared.catalog_version = begun_.catalog_version;
  prepared.time_zone = settings_.time_zone;
  prepared.unknown_keys = settings_.unknown_keys;
  const BinderContext binder_context = MakeBinderContext();
  Binder binder(binder_context);
  BoundStatementPtr bound = binder.Bind(statement, types);
  prepared.follows_given_types = binder.follows_given_types();
  prepared.declared_types.assign(types.begin(), types.end());
  prepared.parameter_types = binder.parameter_types();
  prepared.known_attributes = binder.known_attributes();
  if (HasPlan(*bound)) {
    prepared.plan = Planner().Plan(std::move(bound));
  } else {
    prepared.direct = std::move(bound);
  }
  return prepared;
}

std::vector<TypeEntryRef> StatementExecution::TypesWithin(const PreparedPlan& prepared) const {
  std::vector<LogicalType> types = prepared.parameter_types;
  if (prepared.plan) types.insert(types.end(), prepared.plan->types.begin(), prepared.plan->types.end());
  return context_.catalog.TypesWithin(*transaction_, types);
}

void StatementExecution::FollowTypes(const std::vector<TypeEntryRef>& entries,
                                     std::vector<LogicalType>& types) const {
  for (const TypeEntryRef& entry : entries) {
    const TypeEntryRef present = context_.catalog.PresentType(*transaction_, *entry);
    // Binding reports that the type is missing.
    if (!present) continue;
    for (LogicalType& type : types) type = ExchangedType(type, entry->type, present->type);
  }
}

std::vector<LogicalType> StatementExecution::ArgumentTypes(const std::vector<ast::ExpressionPtr>& arguments,
                                                           std::span<const Value> parameters) {
  const BinderContext binder_context = MakeBinderContext();
  return Binder(binder_context).TypesOfArguments(arguments, DeclaredTypes(parameters));
}

std::vector<Value> StatementExecution::EvaluateArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                                         std::span<const LogicalType> types,
                                                         std::span<const Value> parameters) {
  const BinderContext binder_context = MakeBinderContext();
  std::vector<Value> values;
  for (ExpressionPtr& argument :
       Binder(binder_context).BindArguments(arguments, types, DeclaredTypes(parameters))) {
    SubstituteParameters(argument, parameters, *time_zone_);
    values.push_back(EvaluateConstant(context_.functions, *argument));
  }
  return values;
}

void StatementExecution::RefuseOwnFiles(const LogicalOperator& plan) const {
  const DatabaseStorage* storage = session_.database->storage();
  if (storage == nullptr || plan.kind() != LogicalKind::kCopyTo) return;
  // Paths are compared after resolution, since links and relative paths may name the same file.
  const std::string path = session_.database->files().ResolvePath(plan.As<LogicalCopyTo>().target.path);
  const std::string& own = storage->store()->file().path();
  if (path != own && path != own + ".wal") return;
  ThrowError(ErrorKind::kUsage, sqlstate::kObjectInUse,
             fmt::format("cannot write to \"{}\": it is this database's own file", path));
}

void StatementExecution::AnnounceReads(const LogicalOperator& plan) {
  std::vector<uint64_t> table_ids;
  // A statement that writes needs its reads for validation, and constraints may read further tables.
  if (!CollectTables(plan, table_ids)) return;
  transaction_->SkipReads();
  session_.database->transactions().RestrictTo(*transaction_, std::move(table_ids));
}

void StatementExecution::Start(LogicalPlan plan, std::span<const Value> parameters) {
  if (is_own_) AnnounceReads(*plan.root);
  run_ = BeginRun(std::move(plan), parameters);
  // Starting has run all writes, so the end of the statement, at which foreign keys count, is here.
  EnforceForeignKeys();
}

void StatementExecution::StartAgain(PreparedPlan& prepared, std::span<const Value> parameters) {
  CheckGivenValues(parameters);
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
    StartGeneric(prepared.generic, parameters);
  } else {
    // Optimization consumes the plan, so the next execution needs its own copy.
    Start(prepared.plan->Clone(), parameters);
  }
  LogAttributesRead(prepared);
}

void StatementExecution::StartFirst(PreparedPlan& prepared, std::span<const Value> parameters) {
  // A generic plan is not worth its cost for one execution, unless the user demands it.
  if (settings_.plan_cache_mode == PlanCacheMode::kForceGenericPlan) return StartAgain(prepared, parameters);
  CheckGivenValues(parameters);
  Start(std::move(*prepared.plan), parameters);
  LogAttributesRead(prepared);
}

void StatementExecution::LogAttributesRead(const PreparedPlan& prepared) {
  if (!transaction_->logs_reads()) return;
  for (const KnownAttributes& known : prepared.known_attributes) {
    if (known.paths->empty()) continue;
    TableReader(*transaction_, known.collection, "", TableColumns(known.collection->types()))
        .ConcludeFromAttributes(known.paths);
  }
}

void StatementExecution::StartGeneric(std::shared_ptr<const GenericPlan> plan,
                                      std::span<const Value> parameters) {
  if (is_own_ && plan->only_reads) {
    transaction_->SkipReads();
    session_.database->transactions().RestrictTo(*transaction_, plan->table_ids);
  }
  parameters_ = plan->ParameterValues(parameters, *time_zone_);
  context_.functions.parameters = parameters_;
  const PhysicalOperator* root = plan->root.get();
  std::vector<ResultColumn> columns = plan->columns;
  // The run shares ownership of the whole generic plan: the cache may drop it while a stream still reads.
  run_ = std::make_unique<PlanRun>(context_, std::shared_ptr<const PhysicalOperator>(std::move(plan), root),
                                   std::move(columns));
  EnforceForeignKeys();
}

std::unique_ptr<PlanRun> StatementExecution::BeginRun(LogicalPlan plan, std::span<const Value> parameters) {
  RefuseOwnFiles(*plan.root);
  std::vector<ResultColumn> columns;
  for (size_t i = 0; plan.returns_rows && i < plan.names.size(); i++)
    columns.push_back({plan.names[i], plan.types[i]});
  // Parameters become constants before optimization, so that estimates and zone maps see the values.
  SubstituteParameters(*plan.root, parameters, *time_zone_);
  const OptimizerContext optimizer_context{context_.functions, *transaction_, settings_};
  LogicalOperatorPtr optimized = Optimizer(optimizer_context).Optimize(std::move(plan.root));
  return std::make_unique<PlanRun>(context_, PhysicalPlanner(context_.functions).Plan(std::move(optimized)),
                                   std::move(columns));
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
  auto data = MakeData(run_->columns());
  if (!data->columns.empty()) data->rows = std::move(rows);
  data->rows_changed = context_.rows_changed.load();
  Commit();
  return data;
}

void StatementExecution::RunToEnd() {
  const Activity::Mark mark(session_.database->activity());
  // Materialized before the commit: an error in any row still rolls the statement back.
  run_->Materialize();
  Commit();
}

std::shared_ptr<const ResultData> StatementExecution::FetchPart(size_t most_rows) {
  const Activity::Mark mark(session_.database->activity());
  MaterializedResult rows = run_->Next(most_rows);
  if (rows.row_count == 0) {
    // A stream that reads commits at its end only, as its scans need the transaction's snapshot.
    if (!is_done()) Commit();
    return nullptr;
  }
  auto data = MakeData(run_->columns());
  data->rows = std::move(rows);
  return data;
}

void StatementExecution::RunWithin(const ast::Statement& statement) {
  PreparedPlan prepared = Prepare(statement);
  if (prepared.plan) {
    RunPlan(std::move(*prepared.plan));
    return;
  }
  RunUtilityStatement(utility_, *prepared.direct);
}

size_t StatementExecution::RunPlan(LogicalPlan plan, std::span<const Value> parameters) {
  return BeginRun(std::move(plan), parameters)->Collect().row_count;
}

size_t StatementExecution::RunSql(const std::string& sql, std::span<const Value> parameters) {
  try {
    const auto statements = Parser().Parse(sql);
    PreparedPlan prepared = Prepare(*statements.at(0), parameters);
    return RunPlan(std::move(prepared.plan).value(), parameters);
  } catch (const Error& error) {
    // The position is dropped, as it refers to a text that the user has not seen.
    throw Error(error.kind(), error.sqlstate(), error.message());
  }
}

void StatementExecution::EnforceForeignKeys() {
  if (key_changes_.empty()) return;
  // Rows that actions of foreign keys change are not counted, as in PostgreSQL.
  const uint64_t rows_changed = context_.rows_changed.load();
  ForeignKeyEnforcement(context_, utility_.run_sql).Run();
  context_.rows_changed.store(rows_changed);
}

std::shared_ptr<const ResultData> StatementExecution::ExecuteDirectly(BoundStatement& statement) {
  const Activity::Mark mark(session_.database->activity());
  const std::function<void()> after_commit = RunUtilityStatement(utility_, statement);
  EnforceForeignKeys();
  auto data = MakeData({});
  data->rows_changed = context_.rows_changed.load();
  Commit();
  // CHECKPOINT and VACUUM run after the commit, when the statement's own transaction no longer keeps old
  // versions.
  if (after_commit) after_commit();
  return data;
}

}  // namespace scaup
