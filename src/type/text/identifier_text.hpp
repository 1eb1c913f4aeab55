// Identifiers as SQL writes them.
#pragma once

#include <string>
#include <string_view>

namespace scaup {

/// Returns an identifier as quote_ident does: in double quotes unless it is a plain lower-case word that is
/// no keyword.
std::string IdentifierText(std::string_view name);
/// Returns whether the SQL of an expression is a name, a call or stands in brackets: PostgreSQL puts all
/// others in brackets of their own.
bool IsOperandText(std::string_view text);

}  // namespace scaup
