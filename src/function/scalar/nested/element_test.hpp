// Functions that ask whether a list has an element: the optimizer has scans look for it.
#pragma once

#include <string_view>

namespace scaup {

/// x = ANY (list): arguments x and list.
inline constexpr const char* kEqualsAnyFunction = "= any";
/// Arguments list and x. The first name is its own, the others are aliases.
inline constexpr const char* kListContainsFunctions[] = {"list_contains", "list_has", "array_contains",
                                                         "array_has"};
inline bool IsListContains(std::string_view name) {
  for (const char* known : kListContainsFunctions) {
    if (name == known) return true;
  }
  return false;
}

}  // namespace scaup
