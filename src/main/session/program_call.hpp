// Program calls: how the code of the program gets columns of ours, and what its exceptions become.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>

#include "main/statement/result_data.hpp"

namespace scaup {

/// Makes the result that a body gets, with columns named argument1, argument2, ...
QueryResult ResultOfArguments(MaterializedResult arguments, const FunctionContext& context,
                              std::shared_ptr<MemoryTracker> memory);

/// Throws Error(kIo, 38000) for an exception of the program's function `name`.
[[noreturn]] void ThrowProgramError(const std::string& name, const std::exception& error);

/// Calls code of the program for the function `name`. An Error passes as it is; other exceptions become
/// Error(kIo, 38000).
template <typename Call>
auto CallProgram(const std::string& name, Call&& call) {
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
