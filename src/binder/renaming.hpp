// Renames columns and tables in SQL text that the catalog keeps.
#pragma once

#include <string>

namespace scaup {

/// In an expression over the columns of one table: `from` wherever it stands as a column.
std::string RenameColumnInText(const std::string& text, const std::string& from, const std::string& to);
/// The table's name in front of its columns.
std::string RenameTableInText(const std::string& text, const std::string& from, const std::string& to);

}  // namespace scaup
