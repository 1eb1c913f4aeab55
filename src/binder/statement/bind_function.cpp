// Binds CREATE, ALTER and DROP of functions and macros, and COMMENT ON FUNCTION.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/function_use.hpp"
#include "binder/scope/hosted_functions.hpp"
#include "binder/scope/literal.hpp"
#include "binder/statement/path_texts.hpp"
#include "catalog/function_changes.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

using Create = ast::CreateFunctionStatement;

[[noreturn]] void ThrowFunctionDefinition(const std::string& message, size_t position) {
  ThrowError(ErrorKind::kBinder, "42P13", message, position);
}

void CheckSchemaOf(const BindSession& session, const std::string& schema, size_t position) {
  const BinderContext& context = session.context();
  if (context.catalog.FindSchema(context.transaction, schema)) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
             fmt::format("schema \"{}\" does not exist", schema), position);
}

void AddArguments(BindSession& session, const Create& statement, FunctionEntry& function) {
  std::set<std::pair<bool, std::string>> names;
  bool has_default = false;
  for (const ast::FunctionParameter& parameter : statement.parameters) {
    FunctionArgument argument;
    argument.name = parameter.name;
    argument.type = parameter.has_type ? BindTypeName(&session, parameter.type) : LogicalType(TypeId::kNull);
    argument.mode = parameter.is_column ? ArgumentMode::kTable
                    : parameter.is_rows ? ArgumentMode::kRows
                                        : ArgumentMode::kIn;
    argument.default_text = WithSchemasOfPath(session.context(), parameter.default_text);
    if (!argument.name.empty() && !names.emplace(parameter.is_column, argument.name).second) {
      ThrowFunctionDefinition(fmt::format("parameter name \"{}\" used more than once", argument.name),
                              parameter.position);
    }
    if (has_default && argument.default_text.empty() && !parameter.is_column) {
      ThrowFunctionDefinition("input parameters after one with a default value must also have defaults",
                              parameter.position);
    }
    has_default = has_default || !argument.default_text.empty();
    function.arguments.push_back(std::move(argument));
  }
}

/// Returns the table whose rows SETOF t means; null if the name is that of a type.
TableEntryRef RowsOf(const BindSession& session, const ast::TypeName& type) {
  if (type.names.size() > 2 || type.array_dimensions > 0 || !type.modifiers.empty()) return nullptr;
  if (type.names.size() == 1 && TypeFromName(type.names[0])) return nullptr;
  const BinderContext& context = session.context();
  return context.catalog.Find<TableEntry>(context.transaction, type.names.size() > 1 ? type.names[0] : "",
                                          type.names.back());
}

/// Returns whether a function returns `trigger`, which is no type of values.
bool IsTriggerType(const ast::TypeName& type) {
  return type.names.back() == "trigger" && type.array_dimensions == 0 &&
         (type.names.size() == 1 || type.names[0] == "pg_catalog");
}

/// Throws for what the functions of triggers cannot be.
void CheckTriggerFunction(const Create& statement) {
  const size_t position = statement.name.position;
  if (!statement.parameters.empty()) {
    ThrowFunctionDefinition(
        "trigger functions cannot have declared arguments: TG_ARGV has those that CREATE TRIGGER gives",
        position);
  }
  if (statement.returns_rows || statement.is_aggregate)
    ThrowFunctionDefinition("a trigger function RETURNS trigger, without SETOF", position);
  if (statement.language != "sql") {
    ThrowNotSupported(
        "trigger functions are written in SQL: LANGUAGE SQL, with statements that name OLD and NEW",
        statement.language_position);
  }
}

void SetResult(BindSession& session, const Create& statement, FunctionEntry& function) {
  function.result = statement.returns_rows   ? FunctionResult::kRows
                    : statement.is_aggregate ? FunctionResult::kAggregate
                                             : FunctionResult::kValue;
  if (statement.is_macro) return;
  if (!statement.returns) {
    if (!statement.returns_rows)
      ThrowFunctionDefinition("function result type must be specified: write RETURNS type",
                              statement.name.position);
    return;
  }
  if (IsTriggerType(*statement.returns)) {
    function.result = FunctionResult::kTrigger;
    return;
  }
  const TableEntryRef table = RowsOf(session, *statement.returns);
  if (!table) {
    function.result_type = BindTypeName(&session, *statement.returns);
    return;
  }
  if (!statement.returns_rows || table->is_collection()) {
    ThrowNotSupported(
        fmt::format("\"{}\" is a table: a function can return SETOF of a table, or a value", table->name),
        statement.returns->position);
  }
  for (const size_t i : table->VisibleColumns())
    function.arguments.push_back({table->columns[i].name, table->columns[i].type, ArgumentMode::kTable});
}

void CheckLanguage(const Create& statement) {
  if (statement.is_macro || statement.language == "sql") return;
  if (statement.language.empty())
    ThrowFunctionDefinition("no language specified: write LANGUAGE SQL or LANGUAGE PYTHON",
                            statement.name.position);
  // A function in any other language may be stored, even if this program cannot call it. Those of PostgreSQL
  // never can be called.
  for (const std::string_view refused : {"c", "internal", "plpgsql"}) {
    if (statement.language != refused) continue;
    ThrowError(
        ErrorKind::kCatalog, sqlstate::kUndefinedObject,
        fmt::format("language \"{}\" does not exist; there are sql and those of the program, as python",
                    statement.language),
        statement.language_position);
  }
}

/// Returns whether the function is in a language that a program hosts.
bool IsHosted(const Create& statement) { return !statement.is_macro && statement.language != "sql"; }

/// Throws for what aggregates cannot be.
void CheckAggregate(const Create& statement, const FunctionEntry& function) {
  const size_t position = statement.name.position;
  if (!IsHosted(statement)) {
    ThrowFunctionDefinition("an aggregate is written in a language of the program, as LANGUAGE PYTHON",
                            position);
  }
  if (statement.returns_rows) {
    ThrowFunctionDefinition("an aggregate returns one value for each group; return a list for several",
                            position);
  }
  if (function.inputs().empty()) ThrowFunctionDefinition("an aggregate needs an argument", position);
  for (const FunctionArgument& argument : function.inputs()) {
    if (!argument.default_text.empty())
      ThrowFunctionDefinition("the arguments of an aggregate have no defaults", position);
  }
  if (!FunctionRegistry::Builtin().AggregateOverloads(function.name).empty()) {
    ThrowError(ErrorKind::kCatalog, "42723",
               fmt::format("\"{}\" is a built-in aggregate: choose another name", function.name), position);
  }
}

/// Throws 42723 if the schema has functions of that name of which some are aggregates and others are not:
/// calls could not tell them apart.
void CheckSameKind(const BindSession& session, const FunctionEntry& function, size_t position) {
  const BinderContext& context = session.context();
  for (const FunctionEntryRef& other :
       FunctionsNamed(context.catalog, context.transaction, function.schema, function.name)) {
    if (other->is_aggregate() == function.is_aggregate()) continue;
    ThrowError(ErrorKind::kCatalog, "42723",
               fmt::format("there is {} {} already; drop it first, or choose another name",
                           other->is_aggregate() ? "an aggregate" : "a function", other->signature()),
               position);
  }
}

/// Throws for what a function in a hosted language that returns rows cannot be. One that returns SETOF a type
/// has one column, of the function's name.
void SetHostedRows(const Create& statement, FunctionEntry& function) {
  if (function.columns().empty()) {
    function.arguments.push_back({function.name, function.result_type, ArgumentMode::kTable});
    function.result_type = TypeId::kNull;
  }
  const auto inputs = function.inputs();
  const auto rows = std::ranges::count(inputs, ArgumentMode::kRows, &FunctionArgument::mode);
  if (rows > 1)
    ThrowFunctionDefinition("a function takes the rows of one query: it has one argument TABLE (...)",
                            statement.name.position);
}

/// Throws 42P13 for an argument TABLE (...) of a function that cannot have one.
void CheckRowsArguments(const Create& statement, const FunctionEntry& function) {
  if (IsHosted(statement) && function.result == FunctionResult::kRows) return;
  for (const ast::FunctionParameter& parameter : statement.parameters) {
    if (!parameter.is_rows) continue;
    ThrowFunctionDefinition(
        "TABLE (...) is an argument of functions in languages of the program that return rows, as RETURNS "
        "TABLE (...) LANGUAGE PYTHON",
        parameter.position);
  }
}

/// Sets what only functions in hosted languages have.
void SetHosted(const Create& statement, FunctionEntry& function) {
  constexpr std::string_view kMap = "_map";
  function.language = FunctionLanguage::kHosted;
  function.host_language = statement.language;
  if (function.host_language.ends_with(kMap) && function.host_language.size() > kMap.size()) {
    function.is_mapped = true;
    function.host_language.resize(function.host_language.size() - kMap.size());
  }
  if (function.result == FunctionResult::kRows) SetHostedRows(statement, function);
  if (statement.body.empty()) ThrowFunctionDefinition("no function body specified", statement.name.position);
  for (const FunctionArgument& argument : function.arguments) {
    if (argument.name.empty()) {
      ThrowFunctionDefinition(
          fmt::format("the arguments of a function in {} need names", function.host_language),
          statement.name.position);
    }
  }
  function.body = statement.body;
  function.batch_rows = statement.batch_rows;
  if (statement.batch_rows != 0 && !function.is_mapped && !function.is_aggregate()) {
    ThrowFunctionDefinition(fmt::format("batch_rows needs LANGUAGE {} MAP: without MAP a call gets all rows",
                                        function.host_language),
                            statement.batch_rows_position);
  }
}

/// Checks that the body of a trigger's function is statements that it can run. What they name is looked up
/// when they run.
void SetTriggerBody(const Create& statement, FunctionEntry& function) {
  if (statement.body.empty()) ThrowFunctionDefinition("no function body specified", statement.name.position);
  try {
    for (const auto& each : Parser().Parse(statement.body)) {
      if (each->parameter_count != 0) {
        ThrowError(ErrorKind::kSyntax, sqlstate::kUndefinedParameter,
                   "trigger functions have no parameters: TG_ARGV[0] is the first argument of a trigger");
      }
      switch (each->kind) {
        case ast::StatementKind::kSelect:
        case ast::StatementKind::kInsert:
        case ast::StatementKind::kUpdate:
        case ast::StatementKind::kDelete:
        case ast::StatementKind::kMerge: break;
        default:
          ThrowNotSupported(
              "the body of a trigger function is SELECT, INSERT, UPDATE, DELETE and MERGE statements");
      }
    }
  } catch (const Error& error) {
    Error placed(error.kind(), error.sqlstate(), error.message());
    placed.SetPositionIfUnknown(statement.body_position);
    throw placed;
  }
  function.body = statement.body;
}

/// Checks that the body is one query, and cuts off what is behind it.
void SetBody(const Create& statement, FunctionEntry& function) {
  if (statement.body.empty()) ThrowFunctionDefinition("no function body specified", statement.name.position);
  try {
    const auto statements = Parser().Parse(statement.body);
    if (statements.size() != 1)
      ThrowNotSupported(
          fmt::format("the body of a function is one query, not {} statements", statements.size()));
    if (statements[0]->kind != ast::StatementKind::kSelect)
      ThrowNotSupported("the body of a function must be a query; it cannot change anything");
    for (const auto& with : statements[0]->As<ast::SelectStatement>().with) {
      if (with.change) ThrowNotSupported("the body of a function cannot change rows");
    }
    function.body = statement.body.substr(statements[0]->position, statements[0]->length);
  } catch (const Error& error) {
    Error placed(error.kind(), error.sqlstate(), error.message());
    placed.SetPositionIfUnknown(statement.body_position);
    throw placed;
  }
}

/// Binds the body over NULLs of the arguments' types, to find its errors. Those of a macro follow from its
/// calls.
void CheckBody(BindSession& session, const Create& statement, const FunctionEntryRef& function) {
  if (function->is_macro() || function->is_trigger() || !session.context().checks_bodies) return;
  FunctionUse use{function, {}, statement.body_position};
  for (const FunctionArgument& input : function->inputs()) {
    if (!input.default_text.empty()) {
      QueryLevel nothing;
      ExpressionBinder binder(session, nothing, Clause::kSelect);
      const auto syntax = Parser().ParseExpression(input.default_text, statement.name.position);
      CoerceForAssignment(session, binder.Bind(*syntax), input.type, input.name);
    }
    use.arguments.push_back(std::make_unique<ConstantExpression>(Value(input.type)));
  }
  if (function->is_hosted()) return session.context().hosted->CheckSource(function, use.position);
  if (function->result == FunctionResult::kRows) {
    BindFunctionRows(session, std::move(use));
    return;
  }
  QueryLevel level;
  ExpressionBinder binder(session, level, Clause::kSelect);
  BindFunctionValue(binder, std::move(use));
}

/// Throws 42P13 if calls of the old function would not fit the new one.
void CheckReplacement(const FunctionEntry& old, const FunctionEntry& function, size_t position) {
  const auto columns = function.columns(), old_columns = old.columns();
  const bool is_same_result =
      old.language == function.language && old.host_language == function.host_language &&
      old.result == function.result && (function.is_macro() || old.result_type == function.result_type) &&
      std::equal(columns.begin(), columns.end(), old_columns.begin(), old_columns.end(),
                 [](const FunctionArgument& a, const FunctionArgument& b) {
                   return a.name == b.name && a.type == b.type;
                 });
  if (!is_same_result && !function.is_macro()) {
    ThrowFunctionDefinition(
        fmt::format("cannot change the result of existing function {}; drop it first", old.signature()),
        position);
  }
  if (function.is_macro()) return;
  const auto inputs = function.inputs(), old_inputs = old.inputs();
  for (size_t i = 0; i < inputs.size(); i++) {
    if (old_inputs[i].name.empty() || old_inputs[i].name == inputs[i].name) continue;
    ThrowFunctionDefinition(
        fmt::format("cannot change name of input parameter \"{}\" of existing function {}; "
                    "drop it first",
                    old_inputs[i].name, old.signature()),
        position);
  }
}

/// Throws 42809 for an aggregate that is called FUNCTION, and for a function that is called AGGREGATE.
void CheckKind(const FunctionEntry& found, const ast::FunctionName& function) {
  if (function.kind == ast::FunctionKind::kRoutine) return;
  if (found.is_aggregate() == (function.kind == ast::FunctionKind::kAggregate)) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
             found.is_aggregate()
                 ? fmt::format("{} is an aggregate: write AGGREGATE for FUNCTION", found.signature())
                 : fmt::format("{} is not an aggregate: write FUNCTION for AGGREGATE", found.signature()),
             function.name.position);
}

/// Finds the functions that a name means; none if there is none and `if_exists`. Throws 42883, and 42725 if a
/// name without types has several overloads, unless `takes_all`.
std::vector<FunctionEntryRef> FindNamed(BindSession& session, const ast::FunctionName& function,
                                        bool if_exists, bool takes_all) {
  const BinderContext& context = session.context();
  const ast::NamedTable& name = function.name;
  std::vector<FunctionEntryRef> found =
      FunctionsNamed(context.catalog, context.transaction, name.schema, name.name);
  std::string types;
  if (function.types) {
    std::vector<LogicalType> wanted;
    for (const ast::TypeName& type : *function.types) {
      const bool is_any = type.names.size() == 1 && type.names[0] == "any";
      wanted.push_back(is_any ? LogicalType(TypeId::kNull) : BindTypeName(&session, type));
      types += (types.empty() ? "" : ", ") + (is_any ? "any" : wanted.back().ToString());
    }
    std::erase_if(found, [&](const FunctionEntryRef& candidate) {
      const std::vector<FunctionArgument> inputs = candidate->inputs();
      return !std::equal(
          inputs.begin(), inputs.end(), wanted.begin(), wanted.end(),
          [](const FunctionArgument& input, const LogicalType& type) { return input.type == type; });
    });
  }
  for (const FunctionEntryRef& candidate : found) CheckKind(*candidate, function);
  if (found.empty() && !if_exists) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedFunction,
               fmt::format("function {}{} does not exist", name.name,
                           function.types ? fmt::format("({})", types) : ""),
               name.position);
  }
  if (found.size() > 1 && !takes_all) {
    std::string candidates;
    for (const FunctionEntryRef& candidate : found)
      candidates += (candidates.empty() ? "" : ", ") + candidate->signature();
    ThrowError(ErrorKind::kCatalog, "42725",
               fmt::format("function name \"{}\" is not unique: there are {}; add the types of the arguments",
                           name.name, candidates),
               name.position);
  }
  return found;
}

}  // namespace

BoundStatementPtr BindCreateFunction(BindSession& session, const ast::CreateFunctionStatement& statement) {
  const BinderContext& context = session.context();
  const ast::NamedTable& name = statement.name;
  const std::string schema = CreationSchema(session, name.schema, name.position);
  CheckSchemaOf(session, schema, name.position);
  CheckLanguage(statement);
  auto function = std::make_shared<FunctionEntry>(schema, name.name);
  function->language = statement.is_macro ? FunctionLanguage::kMacro : FunctionLanguage::kSql;
  AddArguments(session, statement, *function);
  SetResult(session, statement, *function);
  switch (statement.volatility) {
    case Create::Volatility::kVolatile: function->volatility = FunctionVolatility::kVolatile; break;
    case Create::Volatility::kStable: function->volatility = FunctionVolatility::kStable; break;
    case Create::Volatility::kImmutable: function->volatility = FunctionVolatility::kImmutable; break;
  }
  function->is_strict = statement.is_strict;
  if (function->is_trigger()) CheckTriggerFunction(statement);
  if (statement.is_aggregate) CheckAggregate(statement, *function);
  CheckRowsArguments(statement, *function);
  if (IsHosted(statement)) {
    SetHosted(statement, *function);
  } else if (statement.batch_rows != 0) {
    ThrowFunctionDefinition("functions in SQL have no batch_rows", statement.batch_rows_position);
  } else if (function->is_trigger()) {
    SetTriggerBody(statement, *function);
  } else {
    SetBody(statement, *function);
  }
  auto create = std::make_unique<BoundCreateFunction>();
  create->old = FindFunction(context.catalog, context.transaction, schema, FunctionKey(*function));
  if (create->old && statement.if_not_exists) return create;
  if (create->old && !statement.or_replace) {
    ThrowError(ErrorKind::kCatalog, "42723",
               fmt::format("function {} already exists with the same arguments; use CREATE OR REPLACE",
                           create->old->signature()),
               name.position);
  }
  if (create->old) {
    CheckReplacement(*create->old, *function, name.position);
    function->comment = create->old->comment;
  }
  CheckSameKind(session, *function, name.position);
  CheckBody(session, statement, function);
  create->function = std::move(function);
  return create;
}

BoundStatementPtr BindDropFunction(BindSession& session, const ast::DropFunctionStatement& statement) {
  auto drop = std::make_unique<BoundDropFunction>();
  drop->cascade = statement.cascade;
  for (const ast::FunctionName& name : statement.names) {
    for (FunctionEntryRef& function : FindNamed(session, name, statement.if_exists, statement.is_macro)) {
      if (std::find(drop->functions.begin(), drop->functions.end(), function) == drop->functions.end())
        drop->functions.push_back(std::move(function));
    }
  }
  return drop;
}

BoundStatementPtr BindAlterFunction(BindSession& session, const ast::AlterFunctionStatement& statement) {
  const size_t position = statement.function.name.position;
  auto alter = std::make_unique<BoundCreateFunction>();
  alter->old = FindNamed(session, statement.function, false, false).at(0);
  auto changed = std::make_shared<FunctionEntry>(*alter->old);
  if (statement.comment) changed->comment = *statement.comment;
  if (statement.new_schema) {
    CheckSchemaOf(session, *statement.new_schema, position);
    if (IsTemporarySchema(*statement.new_schema) != IsTemporarySchema(changed->schema))
      ThrowNotSupported("cannot move functions into or out of the schema of temporary ones", position);
    changed->schema = *statement.new_schema;
  }
  if (statement.new_name) changed->name = *statement.new_name;
  if (statement.new_name || statement.new_schema) CheckSameKind(session, *changed, position);
  alter->takes_name = statement.new_name || statement.new_schema;
  alter->function = std::move(changed);
  return alter;
}

}  // namespace scaup
