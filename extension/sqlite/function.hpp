// Functions that SQL can call: those of the program, and those of SQLite that the engine lacks.
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "scaup/scaup.hpp"
#include "value.hpp"

/// A value as functions of the program see it. Lives as long as the call that it is an argument of.
struct sqlite3_value {
  scaup::sqlite::SqliteValue value;
  std::string text;  ///< of the last call of sqlite3_value_text() or _blob()
};

/// A call of a function of the program. Lives on the stack of the call.
struct sqlite3_context {
  sqlite3* db = nullptr;
  void* user_data = nullptr;
  scaup::sqlite::SqliteValue result;
  int error_code = SQLITE_OK;
  std::string error_message;
  std::vector<char> memory;  ///< of sqlite3_aggregate_context()
  bool has_memory = false;
};

namespace scaup::sqlite {

/// A function that the program has created. Shared by the registry and by statements that call it; calls the
/// program's destructor when the last of them is gone.
struct CreatedFunction {
  using Call = void (*)(sqlite3_context*, int, sqlite3_value**);
  using Finish = void (*)(sqlite3_context*);

  CreatedFunction() = default;
  CreatedFunction(const CreatedFunction&) = delete;
  CreatedFunction& operator=(const CreatedFunction&) = delete;
  ~CreatedFunction() {
    if (destroy != nullptr) destroy(user_data);
  }
  bool is_aggregate() const { return step != nullptr; }

  std::string name;  ///< in lower case
  int argument_count = -1;
  bool is_deterministic = false;
  void* user_data = nullptr;
  Call call = nullptr;
  Call step = nullptr;
  Finish final = nullptr;
  Finish value = nullptr;
  void (*destroy)(void*) = nullptr;
};

/// The state of a connection that calls of functions need. Outlives the engine's connection.
struct FunctionState {
  sqlite3* db = nullptr;
  std::mutex mutex;              ///< held while code of the program runs: threads of the engine take turns
  std::atomic<int> running = 0;  ///< how many calls of the program's code there are
  std::atomic<int64_t> last_rowid = 0;
  std::atomic<int64_t> changes = 0;
  std::atomic<int64_t> total_changes = 0;
};

/// The functions of one connection. Used by the thread that uses the connection.
class FunctionRegistry {
 public:
  /// Adds SQLite's own functions to the engine's connection.
  static void AddBuiltins(Connection& engine, FunctionState& state);
  /// Adds a function, or replaces the one of the same name and number of arguments.
  void Add(Connection& engine, FunctionState& state, std::shared_ptr<CreatedFunction> function);
  /// Removes a function. Does nothing if there is none.
  void Remove(const std::string& name, int argument_count);
  /// Returns the function that takes so many arguments, or null.
  const CreatedFunction* Find(const std::string& name, int argument_count) const;
  /// Returns whether there is a function of this name, whatever its arguments.
  bool HasName(const std::string& name) const;
  void Clear() { functions_.clear(); }

  /// Returns the name under which the engine knows the function.
  static std::string EngineName(const CreatedFunction& function);

 private:
  std::map<std::pair<std::string, int>, std::shared_ptr<CreatedFunction>> functions_;
};

}  // namespace scaup::sqlite
