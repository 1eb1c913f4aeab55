// Binds and plans statements, and evaluates the arguments of EXECUTE.
#include "main/statement/statement_preparer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/scope/bind_statement.hpp"
#include "binder/statement/binder.hpp"
#include "binder/statement/target_database.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/enum_use.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/settings/search_path_text.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "document/visible_attributes.hpp"
#include "expression/expression_executor.hpp"
#include "function/function_registry.hpp"
#include "main/statement/statement_execution.hpp"
#include "transaction/search_path.hpp"

namespace scaup {

namespace {

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

/// Returns whether the plan of a statement contains what it answers, so that it serves once.
bool HoldsItsAnswer(ast::StatementKind kind) {
  return kind == ast::StatementKind::kShow || kind == ast::StatementKind::kPragma ||
         kind == ast::StatementKind::kDescribe;
}

/// Returns whether a statement creates a relation in the temporary schema.
bool MakesTemporary(const ast::Statement& statement) {
  using Kind = ast::StatementKind;
  switch (statement.kind) {
    case Kind::kExplain: return MakesTemporary(*statement.As<ast::ExplainStatement>().statement);
    case Kind::kCreateTable: return IsTemporarySchema(statement.As<ast::CreateTableStatement>().table.schema);
    case Kind::kCreateFunction:
      return IsTemporarySchema(statement.As<ast::CreateFunctionStatement>().name.schema);
    case Kind::kCreateView: return IsTemporarySchema(statement.As<ast::CreateViewStatement>().view.schema);
    case Kind::kCreateSequence:
      return IsTemporarySchema(statement.As<ast::CreateSequenceStatement>().sequence.schema);
    default: return false;
  }
}

}  // namespace

BinderContext StatementPreparer::MakeBinderContext() {
  return {utility_.catalog(),
          utility_.transaction(),
          utility_.context.functions,
          *utility_.session.registry,
          utility_.settings,
          &utility_.session.foreign,
          [this](std::unique_ptr<BoundQuery> query) { return RowsOf(std::move(query)); },
          &utility_.session.variables,
          !utility_.is_importing,
          nullptr,
          &utility_.session.hosted,
          &utility_.databases,
          utility_.home == &utility_.databases.home() ? nullptr : utility_.home,
          trigger_};
}

std::vector<std::vector<Value>> StatementPreparer::RowsOf(std::unique_ptr<BoundQuery> query) {
  has_run_queries_ = true;
  const MaterializedResult result =
      utility_.rows_of(Planner().Plan(std::make_unique<BoundQueryStatement>(std::move(query))));
  std::vector<std::vector<Value>> rows(result.row_count);
  for (size_t row = 0; row < result.row_count; row++) {
    for (const MaterializedColumn& column : result.columns) rows[row].push_back(ValueOf(column, row));
  }
  return rows;
}

bool StatementPreparer::Fits(const PreparedPlan& prepared) const {
  // Changes of the catalog by the transaction itself have no version yet, so no version tells whether a plan
  // fits.
  return prepared.catalog_version == catalog_version_ && !has_changed_catalog() &&
         prepared.time_zone == utility_.settings.time_zone &&
         prepared.unknown_keys == utility_.settings.unknown_keys &&
         prepared.home == utility_.databases.home().name &&
         prepared.search_path == SearchPathText(utility_.settings) &&
         prepared.null_order == utility_.settings.default_null_order &&
         prepared.registry_version == utility_.session.registry_version &&
         prepared.KnowsAttributes(utility_.transaction());
}

PreparedPlan StatementPreparer::Prepare(const ast::Statement& statement, std::span<const Value> parameters) {
  return PrepareTyped(statement, DeclaredTypes(parameters));
}

bool StatementPreparer::has_changed_catalog() const {
  const auto& all = utility_.databases.all();
  return std::any_of(all.begin(), all.end(), [](const DatabaseView& database) {
    return database.catalog->HasChanges(*database.transaction);
  });
}

void StatementPreparer::SplitTargetNames(ast::Statement& statement) const {
  scaup::SplitTargetNames(statement, utility_.databases);
}

void StatementPreparer::CreateCollectionFor(const ast::Statement& statement) {
  const bool is_explained = statement.kind == ast::StatementKind::kExplain;
  const ast::Statement& inner = is_explained ? *statement.As<ast::ExplainStatement>().statement : statement;
  for (const ast::NamedTable* name : CollectionsMadeBy(inner)) {
    const DatabaseView* other =
        !name->database.empty() ? &utility_.databases.Require(name->database, name->position)
        : name->schema.empty()  ? nullptr
                                : utility_.databases.FirstOfTwo(name->schema, *utility_.home, name->position);
    const std::string schema = other != nullptr && name->database.empty() ? "" : name->schema;
    const DatabaseView& database = other != nullptr ? *other : *utility_.home;
    if (database.catalog->FindRelation(*database.transaction, schema, name->name) != nullptr) continue;
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
    create.table.database = other != nullptr ? other->name : "";
    create.table.schema = schema;
    create.table.name = name->name;
    create.table.position = name->position;
    const BinderContext binder_context = MakeBinderContext();
    RunUtilityStatement(utility_, *Binder(binder_context).Bind(create));
  }
}

PreparedPlan StatementPreparer::Prepare(const ast::Statement& statement,
                                        const std::vector<ast::TypeName>& types) {
  const BinderContext binder_context = MakeBinderContext();
  return PrepareTyped(statement, Binder(binder_context).BindParameterTypes(types));
}

PreparedPlan StatementPreparer::PrepareTyped(const ast::Statement& statement,
                                             std::span<const LogicalType> types) {
  PreparedPlan prepared;
  prepared.catalog_version = catalog_version_;
  prepared.home = utility_.databases.home().name;
  prepared.search_path = SearchPathText(utility_.settings);
  prepared.time_zone = utility_.settings.time_zone;
  prepared.unknown_keys = utility_.settings.unknown_keys;
  prepared.null_order = utility_.settings.default_null_order;
  prepared.registry_version = utility_.session.registry_version;
  // A view that calls a function of the program is temporary, which shows when it is bound.
  const bool may_call_program =
      statement.kind == ast::StatementKind::kCreateView && utility_.session.registry_version != 0;
  const SearchPath* const path = SearchPath::Of(utility_.transaction());
  const bool is_temporary_first =
      path != nullptr && !path->named().empty() && IsTemporarySchema(path->named().front());
  if (MakesTemporary(statement) || may_call_program || is_temporary_first)
    utility_.session.temporary.Enter(*utility_.databases.main().transaction);
  const BinderContext binder_context = MakeBinderContext();
  Binder binder(binder_context);
  utility_.session.hosted.ForgetCalls();
  BoundStatementPtr bound = binder.Bind(statement, types);
  // Definitions, as CREATE VIEW, may call functions that cannot run here.
  if (HasPlan(*bound)) utility_.session.hosted.RequireCalls();
  prepared.follows_given_types = binder.follows_given_types();
  prepared.declared_types.assign(types.begin(), types.end());
  prepared.parameter_types = binder.parameter_types();
  prepared.known_attributes = binder.known_attributes();
  prepared.locked_tables = binder.locked_tables();
  if (HasPlan(*bound)) {
    prepared.plan = Planner().Plan(std::move(bound));
  } else {
    prepared.direct = std::move(bound);
  }
  // A collection that was created for preparing may be rolled back, and rows that the columns depend on may
  // change. Version 0, which no catalog has, marks the plan as stale for the next execution.
  if (has_changed_catalog() || has_run_queries_ || binder.uses_variables() || HoldsItsAnswer(statement.kind))
    prepared.catalog_version = 0;
  return prepared;
}

std::vector<TypeEntryRef> StatementPreparer::TypesWithin(const PreparedPlan& prepared) const {
  std::vector<LogicalType> types = prepared.parameter_types;
  if (prepared.plan) types.insert(types.end(), prepared.plan->types.begin(), prepared.plan->types.end());
  return scaup::TypesWithin(utility_.catalog(), utility_.transaction(), types);
}

void StatementPreparer::FollowTypes(const std::vector<TypeEntryRef>& entries,
                                    std::vector<LogicalType>& types) const {
  for (const TypeEntryRef& entry : entries) {
    const TypeEntryRef present = PresentType(utility_.catalog(), utility_.transaction(), *entry);
    // Binding reports that the type is missing.
    if (!present) continue;
    for (LogicalType& type : types) type = ExchangedType(type, entry->type, present->type);
  }
}

std::vector<LogicalType> StatementPreparer::ArgumentTypes(const std::vector<ast::ExpressionPtr>& arguments,
                                                          std::span<const Value> parameters) {
  const BinderContext binder_context = MakeBinderContext();
  return Binder(binder_context).TypesOfArguments(arguments, DeclaredTypes(parameters));
}

std::vector<Value> StatementPreparer::EvaluateArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                                        std::span<const LogicalType> types,
                                                        std::span<const Value> parameters) {
  const BinderContext binder_context = MakeBinderContext();
  std::vector<Value> values;
  for (ExpressionPtr& argument :
       Binder(binder_context).BindArguments(arguments, types, DeclaredTypes(parameters))) {
    SubstituteParameters(argument, parameters, *utility_.context.functions.time_zone);
    values.push_back(EvaluateConstant(utility_.context.functions, *argument));
  }
  return values;
}

}  // namespace scaup
