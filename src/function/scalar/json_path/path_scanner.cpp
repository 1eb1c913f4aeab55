// Splits the text of an SQL/JSON path into tokens.
#include "function/scalar/json_path/path_scanner.hpp"

#include <array>

#include "common/throw.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup::json_path {
namespace {

constexpr std::string_view kSpace = " \t\n\r\f";
constexpr std::string_view kEndsName = "?%$.[]{}()|&!=<>@#,*:-+/\"\\ \t\n\r\f";

bool IsDigit(char byte) { return byte >= '0' && byte <= '9'; }

int HexDigit(char byte) {
  if (IsDigit(byte)) return byte - '0';
  const char lower = static_cast<char>(byte | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool IsHighSurrogate(uint32_t code) { return code >= 0xD800 && code < 0xDC00; }
bool IsLowSurrogate(uint32_t code) { return code >= 0xDC00 && code < 0xE000; }

}  // namespace

void PathScanner::Refuse(const PathToken& token) const { RefuseAt(token.begin); }

void PathScanner::RefuseAt(size_t begin) const {
  const std::string_view rest = path_.substr(begin);
  size_t end = rest.empty() ? 0 : CharacterLength(rest, 0);
  if (end == 1 && kEndsName.find(rest[0]) == std::string_view::npos)
    end = std::min(rest.find_first_of(kEndsName), rest.size());
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kSyntaxError,
             rest.empty() ? "the SQL/JSON path \"" + std::string(path_) + "\" ends too early"
                          : "the SQL/JSON path \"" + std::string(path_) + "\" is wrong at \"" +
                                std::string(rest.substr(0, end)) +
                                "\"; paths look like $.name[0] or $.list[*] ? (@.price > 10)");
}

void PathScanner::SkipSpace() {
  while (at_ < path_.size()) {
    if (kSpace.find(path_[at_]) != std::string_view::npos) {
      at_++;
    } else if (path_.substr(at_, 2) == "/*") {
      const size_t end = path_.find("*/", at_ + 2);
      if (end == std::string_view::npos) RefuseAt(at_);
      at_ = end + 2;
    } else {
      return;
    }
  }
}

PathToken PathScanner::Next() {
  SkipSpace();
  if (at_ == path_.size()) return {.begin = at_};
  const char byte = path_[at_];
  const char next = at_ + 1 < path_.size() ? path_[at_ + 1] : '\0';
  if (IsDigit(byte) || (byte == '.' && IsDigit(next))) return TakeNumber();
  if (byte == '"') return TakeString(PathTokenKind::kString);
  if (byte == '$' && next == '"') {
    at_++;
    return TakeString(PathTokenKind::kVariable);
  }
  if (byte == '$' && next != '\0' && kEndsName.find(next) == std::string_view::npos) {
    at_++;
    return TakeName(PathTokenKind::kVariable);
  }
  return byte != '\\' && kEndsName.find(byte) != std::string_view::npos ? TakeSymbol()
                                                                        : TakeName(PathTokenKind::kName);
}

PathToken PathScanner::TakeNumber() {
  PathToken token{.kind = PathTokenKind::kNumber, .begin = at_};
  const auto take_digits = [&] {
    while (at_ < path_.size() && IsDigit(path_[at_])) token.text += path_[at_++];
  };
  take_digits();
  if (at_ < path_.size() && path_[at_] == '.') {
    if (token.text.empty()) token.text = "0";
    at_++;
    if (at_ < path_.size() && IsDigit(path_[at_])) {
      token.text += '.';
      take_digits();
    }
  }
  if (at_ < path_.size() && (path_[at_] | 0x20) == 'e') {
    token.text += path_[at_++];
    if (at_ < path_.size() && (path_[at_] == '+' || path_[at_] == '-')) token.text += path_[at_++];
    if (at_ == path_.size() || !IsDigit(path_[at_])) RefuseAt(token.begin);
    take_digits();
  }
  const bool has_more = at_ < path_.size() && kEndsName.find(path_[at_]) == std::string_view::npos;
  const bool has_zeros = token.text.size() > 1 && token.text[0] == '0' && IsDigit(token.text[1]);
  if (has_more || has_zeros) RefuseAt(token.begin);
  return token;
}

PathToken PathScanner::TakeName(PathTokenKind kind) {
  PathToken token{.kind = kind, .begin = at_};
  while (at_ < path_.size()) {
    if (path_[at_] == '\\') {
      TakeEscape(token.text);
    } else if (kEndsName.find(path_[at_]) == std::string_view::npos) {
      token.text += path_[at_++];
    } else {
      break;
    }
  }
  return token;
}

PathToken PathScanner::TakeString(PathTokenKind kind) {
  PathToken token{.kind = kind, .begin = at_};
  for (at_++; at_ < path_.size() && path_[at_] != '"';) {
    if (path_[at_] == '\\') {
      TakeEscape(token.text);
    } else {
      token.text += path_[at_++];
    }
  }
  if (at_ == path_.size()) RefuseAt(token.begin);
  at_++;
  return token;
}

PathToken PathScanner::TakeSymbol() {
  constexpr std::array<std::string_view, 8> kPairs = {"&&", "||", "==", "!=", "<>", "<=", ">=", "**"};
  PathToken token{.kind = PathTokenKind::kSymbol, .begin = at_};
  const std::string_view pair = path_.substr(at_, 2);
  token.text = path_[at_];
  for (const std::string_view known : kPairs) {
    if (pair == known) token.text = pair;
  }
  at_ += token.text.size();
  return token;
}

/// Reads \n and the like, \xHH, \uHHHH (two of them for a character outside of the first plane) and \u{H...}.
void PathScanner::TakeEscape(std::string& text) {
  const size_t begin = at_++;
  if (at_ == path_.size()) RefuseAt(begin);
  const char escaped = path_[at_++];
  constexpr std::string_view kLetters = "bfnrtv", kMeanings = "\b\f\n\r\t\v";
  if (const size_t letter = kLetters.find(escaped); letter != std::string_view::npos) {
    text += kMeanings[letter];
    return;
  }
  if (escaped != 'x' && escaped != 'u') {
    text += escaped;
    return;
  }
  uint32_t code = TakeCodeUnit(escaped == 'x' ? 2 : 4);
  if (IsHighSurrogate(code) && path_.substr(at_, 2) == "\\u") {
    at_ += 2;
    const uint32_t low = TakeCodeUnit(4);
    if (!IsLowSurrogate(low)) RefuseAt(begin);
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  if (code == 0 || code > 0x10FFFF || IsHighSurrogate(code) || IsLowSurrogate(code)) RefuseAt(begin);
  AppendUtf8(code, text);
}

uint32_t PathScanner::TakeCodeUnit(size_t digits) {
  const size_t begin = at_;
  const bool has_braces = digits == 4 && at_ < path_.size() && path_[at_] == '{';
  if (has_braces) {
    digits = 6;
    at_++;
  }
  uint32_t code = 0;
  size_t taken = 0;
  for (; taken < digits && at_ < path_.size() && HexDigit(path_[at_]) >= 0; taken++)
    code = code * 16 + static_cast<uint32_t>(HexDigit(path_[at_++]));
  const bool is_whole = has_braces ? taken > 0 && at_ < path_.size() && path_[at_] == '}' : taken == digits;
  if (!is_whole) RefuseAt(begin);
  at_ += has_braces;
  return code;
}

}  // namespace scaup::json_path
