// SQL text: quotes names and texts for SQL, and finds the first keyword of a statement.
#pragma once

#include <string>
#include <string_view>

namespace scaup::shell {

/// Returns the text as a string literal, such as 'it''s'.
std::string QuoteText(std::string_view text);
/// Returns the name, in double quotes if SQL would otherwise read it as something else.
std::string QuoteName(std::string_view name);
/// Quotes each part of a name such as schema.table if it needs quotes.
std::string QuoteQualifiedName(std::string_view name);
/// Returns the first word after comments, in lower case, such as "select", or "(".
std::string FirstKeyword(std::string_view sql);

}  // namespace scaup::shell
