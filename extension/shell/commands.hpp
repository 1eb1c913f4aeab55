// The dot commands.
#pragma once

#include <string>

namespace scaup::shell {

class Shell;

/// Runs a line that begins with a dot. Returns false if the command failed; it has printed the reason.
bool RunCommand(Shell& shell, const std::string& line);

}  // namespace scaup::shell
