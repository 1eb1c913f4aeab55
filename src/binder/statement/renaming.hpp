// Renames columns and tables in SQL text that the catalog keeps.
#pragma once

#include <string>

#include "parser/text/token.hpp"

namespace scaup {

/// The name that a token of the text stands for: quotes taken off, or folded to lower case; "" if it is no
/// name.
std::string NameOfToken(const std::string& text, const Token& token);
/// In an expression over the columns of one table: `from` wherever it stands as a column.
std::string RenameColumnInText(const std::string& text, const std::string& from, const std::string& to);
/// The table's name in front of its columns.
std::string RenameTableInText(const std::string& text, const std::string& from, const std::string& to);

}  // namespace scaup
