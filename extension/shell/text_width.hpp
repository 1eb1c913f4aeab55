// How wide text is on a terminal, and how to cut and pad it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scaup::shell {

/// The text as it may go to a terminal: control characters and bytes that are not UTF-8 become \n, \t, \x1B
/// and the like, so that data can neither break a table nor command the terminal.
std::string EscapeForTerminal(std::string_view text);

/// Columns that escaped text takes: 2 for East Asian wide characters and emoji, 0 for combining ones.
size_t DisplayWidth(std::string_view text);

/// The longest beginning that is at most `width` columns wide; never splits a character from its combining
/// marks.
std::string_view CutToWidth(std::string_view text, size_t width);

/// Escaped text cut with an ellipsis where it is wider than `width`, else unchanged.
std::string FitToWidth(const std::string& text, size_t width, std::string_view ellipsis);

/// Columns of the terminal behind the file descriptor: $COLUMNS, else what the terminal says, else 0.
size_t TerminalWidth(int descriptor);

}  // namespace scaup::shell
