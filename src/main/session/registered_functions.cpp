// Functions that a program offers, as overloads beside the built-in ones.
#include "main/session/registered_functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "main/database/database_instance.hpp"
#include "main/session/program_aggregate.hpp"
#include "main/session/program_function.hpp"
#include "main/session/registered_tables.hpp"

namespace scaup {

RegisteredObjects::RegisteredObjects(DatabaseInstance& database)
    : languages(database.languages(), database.settings().Current().calls_stored_functions,
                database.shared_memory()) {}

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

template <typename Function>
void RemoveNamed(std::vector<Function>& functions, const std::string& name) {
  std::erase_if(functions, [&](const Function& other) { return other.name == name; });
}

}  // namespace

void RegisteredFunctions::Create(FunctionDefinition definition, std::shared_ptr<MemoryTracker> memory) {
  if (definition.name.empty() || !definition.body || (definition.is_variadic && definition.arguments.empty()))
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "a function needs a name, a body, and an argument whose type further ones have");
  const std::string name = OwnName(definition.name);
  ScalarFunction function = MakeProgramFunction(name, std::move(definition), std::move(memory));
  std::vector<ScalarFunction> functions = functions_;
  std::vector<AggregateFunction> aggregates = aggregates_;
  std::erase_if(functions, [&](const ScalarFunction& other) {
    return other.name == name && other.argument_types == function.argument_types &&
           other.varargs == function.varargs;
  });
  RemoveNamed(aggregates, name);
  functions.push_back(std::move(function));
  SetFunctions(std::move(functions), std::move(aggregates));
}

void RegisteredFunctions::Create(AggregateDefinition definition, std::shared_ptr<MemoryTracker> memory) {
  const std::string name = OwnName(definition.name);
  AggregateFunction aggregate = MakeProgramAggregate(name, std::move(definition), std::move(memory));
  std::vector<ScalarFunction> functions = functions_;
  std::vector<AggregateFunction> aggregates = aggregates_;
  RemoveNamed(functions, name);
  std::erase_if(aggregates, [&](const AggregateFunction& other) {
    return other.name == name && other.argument_types == aggregate.argument_types;
  });
  aggregates.push_back(std::move(aggregate));
  SetFunctions(std::move(functions), std::move(aggregates));
}

bool RegisteredFunctions::Remove(std::string_view name) {
  std::vector<ScalarFunction> functions = functions_;
  std::vector<AggregateFunction> aggregates = aggregates_;
  const std::string folded = FoldedName(name);
  const auto has_name = [&](const auto& function) { return function.name == folded; };
  if (std::erase_if(functions, has_name) + std::erase_if(aggregates, has_name) == 0) return false;
  SetFunctions(std::move(functions), std::move(aggregates));
  return true;
}

void RegisteredFunctions::SetFunctions(std::vector<ScalarFunction> functions,
                                       std::vector<AggregateFunction> aggregates) {
  registry_ =
      std::make_shared<const FunctionRegistry>(FunctionRegistry::Builtin().With(functions, aggregates));
  functions_ = std::move(functions);
  aggregates_ = std::move(aggregates);
  version_++;
}

}  // namespace scaup
