// Names and texts in the quotes of SQL.
#pragma once

#include <string>
#include <string_view>

namespace scaup {

/// "name", in double quotes whatever it is.
std::string QuotedIdentifier(std::string_view name);
/// 'text', as a string literal.
std::string QuotedText(std::string_view text);

}  // namespace scaup
