// Error printer: prints an error with the place in the SQL text that it is about.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scaup/error.hpp"

namespace scaup::shell {

/// Formats an error as "Error [42703]: column "x" does not exist". If its position is known, the line of SQL
/// and a caret below it follow. The line is clipped to `width` display columns around the caret; 0 means no
/// limit. Statements of several lines, and those of a script, also show the line's number, counted from
/// `first_line`; with 0 they do not.
std::string FormatError(const Error& error, std::string_view sql, size_t first_line, size_t width,
                        bool colour);

/// Prints an error to standard error, in colour if that is a terminal and NO_COLOR is not set.
void PrintError(const Error& error, std::string_view sql, size_t first_line);
/// Prints an error of the shell itself in the same way.
void PrintShellError(const std::string& message);

}  // namespace scaup::shell
