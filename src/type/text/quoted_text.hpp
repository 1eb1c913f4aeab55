// Quoting of SQL names and strings.
#pragma once

#include <string>
#include <string_view>

namespace scaup {

/// Returns "name" in double quotes, whether it needs them or not.
std::string QuotedIdentifier(std::string_view name);
/// Returns 'text' as a string literal.
std::string QuotedText(std::string_view text);

}  // namespace scaup
