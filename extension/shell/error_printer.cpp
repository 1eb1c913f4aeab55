// Error printer: finds and clips the line of an error, and draws the caret.
#include "error_printer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "text_width.hpp"

namespace scaup::shell {

namespace {

constexpr const char* kRed = "\033[1;31m";
constexpr const char* kPlain = "\033[0m";

struct Excerpt {
  std::string line;
  size_t caret = 0;  ///< display column
};

// Escapes a text. Tabs become single spaces, so that the caret is right whatever the terminal's tab stops
// are.
std::string ShownText(std::string_view text) {
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '\t', ' ');
  return EscapeForTerminal(plain);
}

// Clips both ends of the line, so that the text around the caret remains.
Excerpt Clip(std::string_view before, std::string_view after, size_t width) {
  std::string left = ShownText(before);
  std::string right = ShownText(after);
  const size_t left_width = DisplayWidth(left);
  if (width < 8 || left_width + DisplayWidth(right) <= width) return {left + right, left_width};
  // The text after the caret gets up to a third of the width, the text before it the rest.
  const size_t right_room = std::min(DisplayWidth(right), width / 3);
  const size_t left_room = width - right_room;
  if (left_width > left_room) {
    size_t drop = left_width - (left_room - 1);
    std::string_view rest = left;
    while (drop > 0 && !rest.empty()) {
      const std::string_view cut = CutToWidth(rest, drop);
      if (cut.empty()) {  // The remaining column is half of a wide character.
        rest.remove_prefix(CutToWidth(rest, 2).size());
        break;
      }
      rest.remove_prefix(cut.size());
      drop = 0;
    }
    left = "…" + std::string(rest);
  }
  const size_t caret = DisplayWidth(left);
  return {left + FitToWidth(right, width - caret, "…"), caret};
}

}  // namespace

std::string FormatError(const Error& error, std::string_view sql, size_t first_line, size_t width,
                        bool colour) {
  std::string text = colour ? kRed : "";
  text += std::string("Error [") + error.sqlstate() + "]:";
  if (colour) text += kPlain;
  text += " " + error.message() + "\n";
  if (!error.position() || *error.position() > sql.size()) return text;
  size_t position = *error.position();
  // The end of the text is shown behind its last word rather than on an empty line.
  if (position == sql.size()) {
    const size_t last = sql.find_last_not_of(" \t\r\n");
    position = last == std::string_view::npos ? 0 : last + 1;
  }
  while (position > 0 && position < sql.size() && (static_cast<unsigned char>(sql[position]) & 0xC0) == 0x80)
    --position;
  const size_t previous = position == 0 ? std::string_view::npos : sql.rfind('\n', position - 1);
  const size_t begin = previous == std::string_view::npos ? 0 : previous + 1;
  const size_t end = std::min(sql.find('\n', position), sql.size());
  std::string label = "  ";
  const bool many_lines = sql.find('\n') != std::string_view::npos;
  if (first_line > 1 || many_lines) {
    const size_t line = std::max<size_t>(first_line, 1) +
                        static_cast<size_t>(std::count(sql.begin(), sql.begin() + begin, '\n'));
    label = "LINE " + std::to_string(line) + ": ";
  }
  const size_t room = width > label.size() + 1 ? width - label.size() - 1 : 0;
  const Excerpt excerpt =
      Clip(sql.substr(begin, position - begin), sql.substr(position, end - position), room);
  text += label + excerpt.line + "\n" + std::string(label.size() + excerpt.caret, ' ');
  text += colour ? std::string(kRed) + "^" + kPlain : "^";
  return text + "\n";
}

namespace {

bool UseColour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace

void PrintError(const Error& error, std::string_view sql, size_t first_line) {
  const std::string text = FormatError(error, sql, first_line, TerminalWidth(STDERR_FILENO), UseColour());
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

void PrintShellError(const std::string& message) {
  const char* format = UseColour() ? "\033[1;31mError:\033[0m %s\n" : "Error: %s\n";
  std::fprintf(stderr, format, message.c_str());
  std::fflush(stderr);
}

}  // namespace scaup::shell
