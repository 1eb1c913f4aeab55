// Checks the SQL text before anything reads it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace scaup {

/// The offset of the first byte that is not part of valid UTF-8, or nothing.
std::optional<size_t> FindInvalidUtf8(std::string_view text);

}  // namespace scaup
