// Program calls: how the code of the program gets columns of ours, and what its exceptions become.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "main/statement/result_data.hpp"

namespace scaup {

/// Makes the result that a body gets, with columns named argument1, argument2, ... `numbers` are those of the
/// arguments, from 0; without them these are all arguments.
QueryResult ResultOfArguments(MaterializedResult arguments, const FunctionContext& context,
                              std::shared_ptr<MemoryTracker> memory, const std::vector<size_t>& numbers = {});

/// Throws Error(kIo, 38000) for an exception of the program's function `name`.
[[noreturn]] void ThrowProgramError(const std::string& name, const std::exception& error);

/// A function whose body this thread runs, from its construction to its destruction. The innermost one
/// counts.
class RunningFunction {
 public:
  /// Borrows the name. `context` is that of the statement; null while it is being prepared.
  RunningFunction(const std::string& name, const FunctionContext* context, bool has_effects) noexcept;
  ~RunningFunction();
  RunningFunction(const RunningFunction&) = delete;
  RunningFunction& operator=(const RunningFunction&) = delete;

  /// Returns the innermost function of this thread; null if it runs none.
  static const RunningFunction* Innermost() noexcept;
  const std::string& name() const { return name_; }
  InnerQueries* inner() const { return inner_; }
  bool has_effects() const { return has_effects_; }
  /// When the statement must have ended (FunctionContext); 0: no such time.
  int64_t deadline_micros() const { return deadline_micros_; }

 private:
  const std::string& name_;
  InnerQueries* const inner_;
  const bool has_effects_;
  const int64_t deadline_micros_;
  const RunningFunction* const outer_;
};

/// Calls code of the program for the function `name`. An Error passes as it is; other exceptions become
/// Error(kIo, 38000). `has_effects`: queries of the function may change rows.
template <typename Call>
auto CallProgram(const std::string& name, const FunctionContext* context, bool has_effects, Call&& call) {
  const RunningFunction running(name, context, has_effects);
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    ThrowProgramError(name, error);
  }
}

}  // namespace scaup
