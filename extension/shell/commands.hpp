// The dot commands.
#pragma once

#include <string>

namespace scaup::shell {

class Shell;

/// Runs a line that begins with a dot. False when it failed; the reason was printed.
bool RunCommand(Shell& shell, const std::string& line);

}  // namespace scaup::shell
