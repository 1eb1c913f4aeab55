// Functions that a program offers, as overloads beside the built-in ones.
#include "main/session/registered_functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "main/database/database_instance.hpp"
#include "main/session/program_function.hpp"
#include "main/session/registered_tables.hpp"

namespace scaup {

RegisteredObjects::RegisteredObjects(DatabaseInstance& database)
    : languages(database.languages(), database.settings().Current().calls_stored_functions,
                database.shared_memory()) {}

void RegisteredFunctions::Create(FunctionDefinition definition, std::shared_ptr<MemoryTracker> memory) {
  if (definition.name.empty() || !definition.body || (definition.is_variadic && definition.arguments.empty()))
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "a function needs a name, a body, and an argument whose type further ones have");
  const std::string name = FoldedName(definition.name);
  const FunctionRegistry& builtin = FunctionRegistry::Builtin();
  if (!builtin.ScalarOverloads(name).empty() || !builtin.AggregateOverloads(name).empty())
    ThrowError(ErrorKind::kCatalog, "42723",
               fmt::format("\"{}\" is a built-in function: choose another name", name));
  ScalarFunction function = MakeProgramFunction(name, std::move(definition), std::move(memory));
  std::vector<ScalarFunction> functions = functions_;
  std::erase_if(functions, [&](const ScalarFunction& other) {
    return other.name == name && other.argument_types == function.argument_types &&
           other.varargs == function.varargs;
  });
  functions.push_back(std::move(function));
  SetFunctions(std::move(functions));
}

bool RegisteredFunctions::Remove(std::string_view name) {
  std::vector<ScalarFunction> functions = functions_;
  const std::string folded = FoldedName(name);
  if (std::erase_if(functions, [&](const auto& function) { return function.name == folded; }) == 0)
    return false;
  SetFunctions(std::move(functions));
  return true;
}

void RegisteredFunctions::SetFunctions(std::vector<ScalarFunction> functions) {
  registry_ = std::make_shared<const FunctionRegistry>(FunctionRegistry::Builtin().With(functions));
  functions_ = std::move(functions);
  version_++;
}

}  // namespace scaup
