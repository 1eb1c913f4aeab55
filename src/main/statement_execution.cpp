// One statement from syntax tree to result.
#include "main/statement_execution.hpp"

#include <fmt/format.h>

#include <chrono>

#include "binder/binder.hpp"
#include "common/throw.hpp"
#include "execution/physical_planner.hpp"
#include "function/function_registry.hpp"
#include "main/database_export.hpp"
#include "optimizer/optimizer.hpp"

namespace scaup {

namespace {

/// A stream hands out about this many rows at a time.
constexpr size_t kStreamRows = 16 * kVectorSize;

const KernelTable& ChooseKernels(const Settings& settings) {
  return KernelsOf(KernelLevelFromName(settings.kernel_level).value_or(BestKernelLevel()));
}

/// As PostgreSQL's drivers declare values: text stays untyped, like a quoted literal, so that it can become
/// what the context wants; everything else is what it is.
std::vector<LogicalType> DeclaredTypes(std::span<const Value> parameters) {
  std::vector<LogicalType> types;
  for (const Value& value : parameters) {
    const bool is_text = value.type().id() == TypeId::kVarchar;
    types.push_back(is_text ? LogicalType(TypeId::kNull) : value.type());
  }
  return types;
}

int64_t NowMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

StatementExecution::StatementExecution(const SessionServices& session)
    : session_(session),
      settings_(session.database->settings()),
      catalog_version_(session.database->catalog().version()),
      transaction_(session.database->transactions().Begin()),
      listing_(*session.database, *transaction_),
      temporary_storage_(session.database->temporary_storage()),
      context_{{session.database->files(), session.database->memory(), session.database->scheduler(),
                settings_, ChooseKernels(settings_), session.interrupted, listing_, NowMicros()},
               *transaction_,
               session.database->catalog(),
               session.progress,
               session.database->arbiter(),
               *temporary_storage_} {}

StatementExecution::~StatementExecution() {
  session_.progress.Clear();
  local_.reset();
  shared_.reset();
  if (is_open_) session_.database->transactions().Rollback(*transaction_);
}

void StatementExecution::Commit() {
  context_.functions.CheckInterrupt();
  is_open_ = false;
  session_.database->transactions().Commit(*transaction_);
  session_.database->CheckpointIfDue();
}

PreparedPlan StatementExecution::Prepare(const ast::Statement& statement, std::span<const Value> parameters) {
  PreparedPlan prepared;
  prepared.catalog_version = catalog_version_;
  const BinderContext binder_context{context_.catalog, *transaction_, context_.functions,
                                     FunctionRegistry::Builtin(), settings_};
  Binder binder(binder_context);
  BoundStatementPtr bound = binder.Bind(statement, DeclaredTypes(parameters));
  prepared.parameter_types = binder.parameter_types();
  if (HasPlan(*bound)) {
    prepared.plan = Planner().Plan(std::move(bound));
  } else {
    prepared.direct = std::move(bound);
  }
  return prepared;
}

void StatementExecution::RefuseOwnFiles(const LogicalOperator& plan) const {
  const DatabaseStorage* storage = session_.database->storage();
  if (storage == nullptr || plan.kind() != LogicalKind::kCopyTo) return;
  const std::string path = session_.database->files().ResolvePath(plan.As<LogicalCopyTo>().path);
  const std::string& own = storage->store()->file().path();
  if (path != own && path != own + ".wal") return;
  ThrowError(ErrorKind::kUsage, sqlstate::kObjectInUse,
             fmt::format("cannot write to \"{}\": it is this database's own file", path));
}

void StatementExecution::Start(LogicalPlan plan, std::span<const Value> parameters) {
  RefuseOwnFiles(*plan.root);
  if (plan.returns_rows) {
    for (size_t i = 0; i < plan.names.size(); i++) columns_.push_back({plan.names[i], plan.types[i]});
  }
  SubstituteParameters(*plan.root, parameters);
  const OptimizerContext optimizer_context{context_.functions, *transaction_, settings_};
  LogicalOperatorPtr optimized = Optimizer(optimizer_context).Optimize(std::move(plan.root));
  root_ = PhysicalPlanner(context_.functions).Plan(std::move(optimized));
  shared_ = root_->MakeShared(context_);
  root_->Prepare(context_, *shared_);
}

std::shared_ptr<ResultData> StatementExecution::MakeData() const {
  auto data = std::make_shared<ResultData>();
  data->memory = session_.database->shared_memory();
  data->columns = columns_;
  return data;
}

std::shared_ptr<const ResultData> StatementExecution::Finish() {
  auto data = MakeData();
  MaterializedResult rows = CollectResult(context_, *root_, *shared_);
  if (!columns_.empty()) data->rows = std::move(rows);
  data->rows_changed = context_.rows_changed.load();
  Commit();
  return data;
}

std::shared_ptr<const ResultData> StatementExecution::FetchPart() {
  if (!local_) local_ = root_->MakeLocal(context_, *shared_);
  ResultAppender appender(root_->types(), context_.memory());
  DataChunk chunk(root_->types());
  while (appender.row_count() < kStreamRows) {
    root_->Next(context_, *shared_, *local_, chunk);
    if (chunk.size() == 0) break;
    appender.Append(chunk);
  }
  if (appender.row_count() == 0) {
    Commit();
    return nullptr;
  }
  auto data = MakeData();
  data->rows.row_count = appender.row_count();
  data->rows.columns = std::move(appender.columns());
  data->rows.heaps.push_back(appender.TakeHeap());
  return data;
}

void StatementExecution::RunDirectly(const BoundStatement& statement) {
  Catalog& catalog = context_.catalog;
  switch (statement.kind) {
    case BoundStatementKind::kCreateTable: CreateTable(statement.As<BoundCreateTable>()); break;
    case BoundStatementKind::kCreateSchema: {
      const auto& create = statement.As<BoundCreateSchema>();
      const bool exists = catalog.FindSchema(*transaction_, create.name) != nullptr;
      if (!exists || !create.if_not_exists) catalog.CreateSchema(*transaction_, create.name);
      break;
    }
    case BoundStatementKind::kDrop: Drop(statement.As<BoundDrop>()); break;
    case BoundStatementKind::kSet: {
      const auto& set = statement.As<BoundSet>();
      if (set.value) {
        session_.database->Set(set.name, *set.value);
      } else {
        session_.database->Reset(set.name);
      }
      break;
    }
    case BoundStatementKind::kTransaction:
      if (statement.As<BoundTransaction>().action == BoundTransaction::Action::kBegin) {
        ThrowNotSupported(
            "transactions of several statements are not supported: every statement commits by itself");
      }
      ThrowError(ErrorKind::kTransaction, "25P01",
                 "there is no transaction in progress: every statement commits by itself");
    case BoundStatementKind::kCheckpoint:
    case BoundStatementKind::kVacuum: break;  // Done after the commit.
    case BoundStatementKind::kExportDatabase:
      ExportDatabase(context_, statement.As<BoundExportDatabase>(),
                     [this](const ast::Statement& part) { RunWithin(part); });
      break;
    case BoundStatementKind::kImportDatabase:
      ImportDatabase(context_, statement.As<BoundImportDatabase>(),
                     [this](const ast::Statement& part) { RunWithin(part); });
      break;
    case BoundStatementKind::kQuery:
    case BoundStatementKind::kInsert:
    case BoundStatementKind::kCreateTableAs:
    case BoundStatementKind::kCopyTo:
    case BoundStatementKind::kExplain: ThrowInternal("a statement with a plan was executed directly");
  }
}

void StatementExecution::RunWithin(const ast::Statement& statement) {
  PreparedPlan prepared = Prepare(statement);
  if (!prepared.plan) return RunDirectly(*prepared.direct);
  Start(std::move(*prepared.plan), {});
  CollectResult(context_, *root_, *shared_);
  session_.progress.Clear();
  shared_.reset();
  root_.reset();
  columns_.clear();
}

std::shared_ptr<const ResultData> StatementExecution::ExecuteDirectly(const BoundStatement& statement) {
  RunDirectly(statement);
  Commit();
  // What looks after the whole database should not find this statement's transaction in its way.
  if (statement.kind == BoundStatementKind::kCheckpoint) session_.database->Checkpoint();
  if (statement.kind == BoundStatementKind::kVacuum && statement.As<BoundVacuum>().vacuum) {
    session_.database->Vacuum();
  }
  auto data = MakeData();
  data->rows_changed = context_.rows_changed.load();
  return data;
}

void StatementExecution::CreateTable(const BoundCreateTable& statement) {
  Catalog& catalog = context_.catalog;
  if (statement.if_not_exists && catalog.FindTable(*transaction_, statement.schema, statement.table)) return;
  std::vector<LogicalType> types;
  for (const auto& column : statement.columns) types.push_back(column.type);
  auto storage = catalog.MakeTable(std::move(types), context_.memory());
  catalog.CreateTable(*transaction_,
                      std::make_shared<const TableEntry>(statement.schema, statement.table, statement.columns,
                                                         std::move(storage)));
}

void StatementExecution::Drop(const BoundDrop& statement) {
  Catalog& catalog = context_.catalog;
  for (const auto& [schema, table] : statement.tables) catalog.DropTable(*transaction_, schema, table);
  for (const auto& schema : statement.schemas) catalog.DropSchema(*transaction_, schema, statement.cascade);
}

}  // namespace scaup
