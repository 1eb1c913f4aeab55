// The check that every method of a public handle begins with: whether the handle was moved from.
#pragma once

#include <memory>
#include <string>

#include "common/throw.hpp"

namespace scaup {

/// Returns the state behind a handle, which messages call `name`. Throws Error(kUsage, 55000) if there is
/// none.
template <typename Pointer>
auto& RequireState(const Pointer& state, const char* name) {
  if (!state) {
    ThrowError(ErrorKind::kUsage, sqlstate::kObjectNotInPrerequisiteState,
               std::string("this ") + name + " was moved from: use the one that it was moved to");
  }
  return *state;
}

}  // namespace scaup
