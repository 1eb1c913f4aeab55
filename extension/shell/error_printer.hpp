// Shows an error together with the place in the SQL text that it points to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scaup/error.hpp"

namespace scaup::shell {

/// "Error [42703]: column "x" does not exist", then, where the position is known, the line of SQL and a caret
/// below. The line is clipped to `width` columns around the caret (0: not clipped). A statement of several
/// lines, or one of a script, names the line's number, counted from `first_line`; 0 names none.
std::string FormatError(const Error& error, std::string_view sql, size_t first_line, size_t width,
                        bool colour);

/// Prints to standard error, coloured when that is a terminal and NO_COLOR is not set.
void PrintError(const Error& error, std::string_view sql, size_t first_line);
/// The same for errors of the shell itself.
void PrintShellError(const std::string& message);

}  // namespace scaup::shell
