// Registered functions: functions of the program that the statements of one connection can call.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "format/hosted/file_hosts.hpp"
#include "function/function_registry.hpp"
#include "main/session/registered_tables.hpp"
#include "main/session/session_languages.hpp"
#include "scaup/aggregate.hpp"
#include "scaup/function.hpp"
#include "scaup/table_function.hpp"

namespace scaup {

/// The functions of a connection: the built-in ones and those that the program has created. Owned by a
/// session and guarded by its mutex. Plans share the functions that they call.
class RegisteredFunctions {
 public:
  /// See Connection::CreateFunction. Results of calls are on the account `memory`.
  void Create(FunctionDefinition definition, std::shared_ptr<MemoryTracker> memory);
  /// See Connection::CreateAggregate.
  void Create(AggregateDefinition definition, std::shared_ptr<MemoryTracker> memory);
  /// See Connection::CreateTableFunction.
  void Create(TableFunctionDefinition definition, std::shared_ptr<MemoryTracker> memory);
  bool Remove(std::string_view name);

  std::shared_ptr<const FunctionRegistry> registry() const { return registry_; }
  /// Returns a number that each change makes larger.
  uint64_t version() const { return version_; }

 private:
  /// All functions of the program, by kind.
  struct Kinds {
    std::vector<ScalarFunction> scalar;
    std::vector<AggregateFunction> aggregate;
    std::vector<RowsFunctionRef> rows;
  };
  void SetFunctions(Kinds kinds);

  Kinds kinds_;
  // At first the built-in ones, which nobody owns.
  std::shared_ptr<const FunctionRegistry> registry_{std::shared_ptr<void>(), &FunctionRegistry::Builtin()};
  uint64_t version_ = 0;
};

/// Tables, functions, languages and file systems that a program offers to the statements of one connection.
struct RegisteredObjects {
  explicit RegisteredObjects(class DatabaseInstance& database);
  RegisteredTables tables;
  RegisteredFunctions functions;
  SessionLanguages languages;
  FileHosts file_hosts;
};

}  // namespace scaup
