// AtEdge: the boundary of the library, through which only scaup::Error leaves.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "common/stack_bound.hpp"
#include "scaup/error.hpp"

namespace scaup {

/// Runs `body` for a public function and converts all exceptions to scaup::Error. Throws Error(kUsage, 54001)
/// before it begins if the stack is too full even for calls that do not recurse, such as a commit.
template <typename Body>
auto AtEdge(Body&& body) -> decltype(body()) {
  try {
    CheckStack(kRowStackReserve);
    return body();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::kOutOfMemory, "53200", "the system has no memory left");
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kInternal, "XX000", std::string("internal error: ") + error.what());
  }
}

}  // namespace scaup
