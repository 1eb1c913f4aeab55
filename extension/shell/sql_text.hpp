// Names and texts as they are written in SQL.
#pragma once

#include <string>
#include <string_view>

namespace scaup::shell {

/// 'it''s'
std::string QuoteText(std::string_view text);
/// The name, in double quotes where SQL would read it as something else.
std::string QuoteName(std::string_view name);
/// The same for each part of a name such as schema.table.
std::string QuoteQualifiedName(std::string_view name);
/// The first word in lower case, comments left out: "select", or "(".
std::string FirstKeyword(std::string_view sql);

}  // namespace scaup::shell
