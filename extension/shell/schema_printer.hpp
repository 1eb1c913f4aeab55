// Schema printer: writes the CREATE TABLE statements of a database's tables.
#pragma once

#include <string>

namespace scaup::shell {

class Shell;

/// Prints the statements of the tables with this name in any schema, or of all tables if the name is empty.
/// Returns false if that failed; it has printed the reason.
bool PrintSchema(Shell& shell, const std::string& table);

}  // namespace scaup::shell
