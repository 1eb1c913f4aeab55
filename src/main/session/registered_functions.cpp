// Functions that a program offers, as overloads beside the built-in ones.
#include "main/session/registered_functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "main/database/database_instance.hpp"
#include "main/session/program_aggregate.hpp"
#include "main/session/program_function.hpp"
#include "main/session/program_table.hpp"
#include "main/session/registered_tables.hpp"
#include "system/table_function_registry.hpp"

namespace scaup {

RegisteredObjects::RegisteredObjects(DatabaseInstance& database)
    : languages(database.hosts().languages, database.settings().Current().calls_stored_functions,
                database.shared_memory()),
      file_hosts(&database.hosts().files) {}

namespace {

/// Returns the folded name. Throws 42723 for that of a built-in function.
std::string OwnName(const std::string& given) {
  std::string name = FoldedName(given);
  const FunctionRegistry& builtin = FunctionRegistry::Builtin();
  if (!builtin.ScalarOverloads(name).empty() || !builtin.AggregateOverloads(name).empty())
    ThrowError(ErrorKind::kCatalog, "42723",
               fmt::format("\"{}\" is a built-in function: choose another name", name));
  return name;
}

void RemoveNamed(std::vector<ScalarFunction>& functions, const std::string& name) {
  std::erase_if(functions, [&](const ScalarFunction& other) { return other.name == name; });
}
void RemoveNamed(std::vector<AggregateFunction>& functions, const std::string& name) {
  std::erase_if(functions, [&](const AggregateFunction& other) { return other.name == name; });
}
void RemoveNamed(std::vector<RowsFunctionRef>& functions, const std::string& name) {
  std::erase_if(functions, [&](const RowsFunctionRef& other) { return other->name() == name; });
}

}  // namespace

void RegisteredFunctions::Create(FunctionDefinition definition, std::shared_ptr<MemoryTracker> memory) {
  if (definition.name.empty() || !definition.body || (definition.is_variadic && definition.arguments.empty()))
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "a function needs a name, a body, and an argument whose type further ones have");
  const std::string name = OwnName(definition.name);
  ScalarFunction function = MakeProgramFunction(name, std::move(definition), std::move(memory));
  Kinds kinds = kinds_;
  std::erase_if(kinds.scalar, [&](const ScalarFunction& other) {
    return other.name == name && other.argument_types == function.argument_types &&
           other.varargs == function.varargs;
  });
  RemoveNamed(kinds.aggregate, name);
  RemoveNamed(kinds.rows, name);
  kinds.scalar.push_back(std::move(function));
  SetFunctions(std::move(kinds));
}

void RegisteredFunctions::Create(AggregateDefinition definition, std::shared_ptr<MemoryTracker> memory) {
  const std::string name = OwnName(definition.name);
  AggregateFunction aggregate = MakeProgramAggregate(name, std::move(definition), std::move(memory));
  Kinds kinds = kinds_;
  RemoveNamed(kinds.scalar, name);
  RemoveNamed(kinds.rows, name);
  std::erase_if(kinds.aggregate, [&](const AggregateFunction& other) {
    return other.name == name && other.argument_types == aggregate.argument_types;
  });
  kinds.aggregate.push_back(std::move(aggregate));
  SetFunctions(std::move(kinds));
}

void RegisteredFunctions::Create(TableFunctionDefinition definition, std::shared_ptr<MemoryTracker> memory) {
  const std::string name = OwnName(definition.name);
  if (TableFunctionRegistry::Builtin().Find(name) != nullptr)
    ThrowError(ErrorKind::kCatalog, "42723",
               fmt::format("\"{}\" is a built-in table function: choose another name", name));
  RowsFunctionRef function = MakeProgramTable(name, std::move(definition), std::move(memory));
  Kinds kinds = kinds_;
  RemoveNamed(kinds.scalar, name);
  RemoveNamed(kinds.aggregate, name);
  RemoveNamed(kinds.rows, name);
  kinds.rows.push_back(std::move(function));
  SetFunctions(std::move(kinds));
}

bool RegisteredFunctions::Remove(std::string_view name) {
  Kinds kinds = kinds_;
  const std::string folded = FoldedName(name);
  const auto count = [](const Kinds& of) { return of.scalar.size() + of.aggregate.size() + of.rows.size(); };
  RemoveNamed(kinds.scalar, folded);
  RemoveNamed(kinds.aggregate, folded);
  RemoveNamed(kinds.rows, folded);
  if (count(kinds) == count(kinds_)) return false;
  SetFunctions(std::move(kinds));
  return true;
}

void RegisteredFunctions::SetFunctions(Kinds kinds) {
  registry_ = std::make_shared<const FunctionRegistry>(
      FunctionRegistry::Builtin().With(kinds.scalar, kinds.aggregate, kinds.rows));
  kinds_ = std::move(kinds);
  version_++;
}

}  // namespace scaup
