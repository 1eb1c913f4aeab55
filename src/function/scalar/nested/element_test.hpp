// The functions that test whether a list contains an element; the optimizer turns them into scan filters.
#pragma once

#include <string_view>

namespace scaup {

/// x = ANY (list), with the arguments x and list.
inline constexpr const char* kEqualsAnyFunction = "= any";
/// Functions with the arguments list and x; the first name is the main one, the others are aliases.
inline constexpr const char* kListContainsFunctions[] = {"list_contains", "list_has", "array_contains",
                                                         "array_has"};
inline bool IsListContains(std::string_view name) {
  for (const char* known : kListContainsFunctions) {
    if (name == known) return true;
  }
  return false;
}

}  // namespace scaup
