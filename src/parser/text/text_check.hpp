// Checks the SQL text before anything reads it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace scaup {

/// PostgreSQL's scanner reads a row of operator characters to its end at each "/*", "+" and "-" in it, which
/// takes minutes where thousands of them stand in a row. The offset of such a row, or nothing. Text within
/// quotes counts as well: only rows far beyond what anybody writes are found.
std::optional<size_t> FindSlowOperators(std::string_view text);

}  // namespace scaup
