// Text width: measures, escapes and truncates text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scaup::shell {

/// Escapes control characters and invalid UTF-8 as \n, \t, \x1B and the like, so that data can neither break
/// a table nor control the terminal.
std::string EscapeForTerminal(std::string_view text);

/// Returns the display columns of escaped text: 2 for East Asian wide characters and emoji, 0 for combining
/// characters, 1 for others.
size_t DisplayWidth(std::string_view text);

/// Returns the longest prefix of at most `width` display columns. Never splits a character from its combining
/// marks.
std::string_view CutToWidth(std::string_view text, size_t width);

/// Truncates escaped text with an ellipsis if it is wider than `width` display columns.
std::string FitToWidth(const std::string& text, size_t width, std::string_view ellipsis);

/// Returns the width of the terminal at a file descriptor: $COLUMNS if set, else the terminal's own answer,
/// else 0.
size_t TerminalWidth(int descriptor);

}  // namespace scaup::shell
