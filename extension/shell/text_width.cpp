// Text width: display widths from the Unicode tables of utf8proc.
#include "text_width.hpp"

#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#include <cstdio>
#include <cstdlib>

namespace scaup::shell {

namespace {

struct Character {
  utf8proc_int32_t code_point = 0;
  size_t bytes = 1;
  bool valid = false;
};

Character NextCharacter(std::string_view text, size_t position) {
  Character character;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data() + position);
  const utf8proc_ssize_t length = static_cast<utf8proc_ssize_t>(text.size() - position);
  const utf8proc_ssize_t used = utf8proc_iterate(bytes, length, &character.code_point);
  character.valid = used > 0;
  character.bytes = used > 0 ? static_cast<size_t>(used) : 1;
  return character;
}

// Returns whether a character is escaped: control characters, line and paragraph separators, and marks that
// change the direction of writing.
bool MustEscape(utf8proc_int32_t code_point) {
  if (code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0)) return true;
  return code_point == 0x2028 || code_point == 0x2029 || (code_point >= 0x202A && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069) || code_point == 0xFEFF;
}

void AppendEscaped(utf8proc_int32_t code_point, std::string& out) {
  char buffer[16];
  switch (code_point) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  std::snprintf(buffer, sizeof(buffer), code_point < 0x100 ? "\\x%02X" : "\\u%04X",
                static_cast<unsigned>(code_point));
  out += buffer;
}

bool IsPrintableAscii(char c) { return c >= 0x20 && c < 0x7F; }

}  // namespace

std::string EscapeForTerminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t position = 0; position < text.size();) {
    if (IsPrintableAscii(text[position])) {
      out += text[position++];
      continue;
    }
    const Character character = NextCharacter(text, position);
    if (!character.valid) {
      AppendEscaped(static_cast<unsigned char>(text[position]), out);
    } else if (MustEscape(character.code_point)) {
      AppendEscaped(character.code_point, out);
    } else {
      out.append(text.substr(position, character.bytes));
    }
    position += character.bytes;
  }
  return out;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (size_t position = 0; position < text.size();) {
    if (IsPrintableAscii(text[position])) {
      ++width;
      ++position;
      continue;
    }
    const Character character = NextCharacter(text, position);
    width += character.valid ? static_cast<size_t>(utf8proc_charwidth(character.code_point)) : 1;
    position += character.bytes;
  }
  return width;
}

std::string_view CutToWidth(std::string_view text, size_t width) {
  size_t used = 0;
  size_t position = 0;
  while (position < text.size()) {
    const Character character = NextCharacter(text, position);
    const size_t own = character.valid ? static_cast<size_t>(utf8proc_charwidth(character.code_point)) : 1;
    if (used + own > width) break;
    used += own;
    position += character.bytes;
  }
  return text.substr(0, position);
}

std::string FitToWidth(const std::string& text, size_t width, std::string_view ellipsis) {
  // No character has more display columns than bytes, so a text of few bytes needs no measuring.
  if (text.size() <= width || DisplayWidth(text) <= width) return text;
  const size_t ellipsis_width = DisplayWidth(ellipsis);
  if (width <= ellipsis_width) return std::string(CutToWidth(ellipsis, width));
  std::string cut(CutToWidth(text, width - ellipsis_width));
  cut += ellipsis;
  return cut;
}

size_t TerminalWidth(int descriptor) {
  if (const char* columns = std::getenv("COLUMNS")) {
    const long width = std::strtol(columns, nullptr, 10);
    if (width > 0 && width < 100000) return static_cast<size_t>(width);
  }
  winsize size{};
  if (isatty(descriptor) && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 0;
}

}  // namespace scaup::shell
