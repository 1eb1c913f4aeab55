// Renames columns and tables in SQL texts that the catalog stores.
#pragma once

#include <string>

#include "parser/text/token.hpp"

namespace scaup {

/// Returns the name that a token of the text stands for: unquoted, or folded to lower case; "" if it is not a
/// name.
std::string NameOfToken(const std::string& text, const Token& token);
/// Renames a column in an expression over the columns of one table.
std::string RenameColumnInText(const std::string& text, const std::string& from, const std::string& to);
/// Returns whether a text has the name of a column, as RenameColumnInText finds it.
bool NamesColumn(const std::string& text, const std::string& column);
/// Renames the table in qualified column names.
std::string RenameTableInText(const std::string& text, const std::string& from, const std::string& to);

}  // namespace scaup
