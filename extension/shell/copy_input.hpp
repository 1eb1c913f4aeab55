// COPY ... FROM STDIN: lets the library read the standard input of the shell.
#pragma once

#include <optional>
#include <string>

namespace scaup::shell {

/// Returns the same COPY with the standard input as its file; nullopt for any other statement.
std::optional<std::string> CopyOfInput(const std::string& sql);

}  // namespace scaup::shell
