// Checks SQL text before PostgreSQL's scanner reads it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace scaup {

/// Returns the offset of a run of operator characters that would take too long to scan; nullopt if there is
/// none. PostgreSQL's scanner reads such a run to its end again at each "/*", "+" and "-" in it, which takes
/// minutes if there are thousands of them. Quoted text counts as well, but only runs far beyond any real text
/// are found.
std::optional<size_t> FindSlowOperators(std::string_view text);

}  // namespace scaup
