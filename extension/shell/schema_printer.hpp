// Writes the CREATE TABLE statements of a database's tables.
#pragma once

#include <string>

namespace scaup::shell {

class Shell;

/// Of the table called so in any schema, or of all tables when the name is empty. False when it failed; the
/// reason was printed.
bool PrintSchema(Shell& shell, const std::string& table);

}  // namespace scaup::shell
