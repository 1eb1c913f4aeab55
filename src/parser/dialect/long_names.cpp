// Long names: finds names of more than 63 bytes, replaces them by short ones, and restores them.
#include "parser/dialect/long_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "common/hash.hpp"
#include "type/text/json_text.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

/// The length in bytes to which the grammar truncates a name (PostgreSQL's NAMEDATALEN - 1).
constexpr size_t kMostBytes = 63;

/// Returns the content of a name or string in quotes, in which `quote` is doubled.
std::string Unquoted(std::string_view text, char quote) {
  std::string name;
  for (size_t i = 1; i + 1 < text.size(); i++) {
    name += text[i];
    if (text[i] == quote) i++;
  }
  return name;
}

std::string Folded(std::string_view word) {
  std::string name(word);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

/// Reads the escapes of U&"d\0061ta".
class UnicodeEscapes {
 public:
  UnicodeEscapes(std::string_view text, char escape) : text_(text), escape_(escape) {}

  /// Returns the decoded text; nullopt if an escape is invalid. The grammar then reports the error.
  std::optional<std::string> Decode() {
    std::string decoded;
    while (position_ < text_.size()) {
      const char c = text_[position_++];
      if (c != escape_) {
        decoded += c;
      } else if (position_ < text_.size() && text_[position_] == escape_) {
        decoded += text_[position_++];
      } else {
        const std::optional<uint32_t> code = ReadCharacter();
        if (!code) return std::nullopt;
        AppendUtf8(*code, decoded);
      }
    }
    return decoded;
  }

 private:
  /// Reads one code point, which may be an escaped surrogate pair.
  std::optional<uint32_t> ReadCharacter() {
    std::optional<uint32_t> code = ReadCode();
    if (!code || *code == 0 || *code > 0x10FFFF || IsLow(*code)) return std::nullopt;
    if (*code < 0xD800 || *code >= 0xE000) return code;
    if (position_ == text_.size() || text_[position_++] != escape_) return std::nullopt;
    const std::optional<uint32_t> low = ReadCode();
    if (!low || !IsLow(*low)) return std::nullopt;
    return 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
  }

  static bool IsLow(uint32_t code) { return code >= 0xDC00 && code < 0xE000; }

  /// Reads four hexadecimal digits, or six after a plus sign.
  std::optional<uint32_t> ReadCode() {
    size_t digits = 4;
    if (position_ < text_.size() && text_[position_] == '+') {
      digits = 6;
      position_++;
    }
    if (text_.size() - position_ < digits) return std::nullopt;
    uint32_t code = 0;
    const char* const begin = text_.data() + position_;
    const auto result = std::from_chars(begin, begin + digits, code, 16);
    if (result.ec != std::errc() || result.ptr != begin + digits) return std::nullopt;
    position_ += digits;
    return code;
  }

  std::string_view text_;
  char escape_;
  size_t position_ = 0;
};

/// A name and the number of its tokens: three if it has UESCAPE, else one.
struct FoundName {
  std::string name;
  size_t token_count = 1;
};

std::optional<FoundName> FindUnicodeName(const StatementText& text, size_t index) {
  char escape = '\\';
  FoundName found;
  if (text.IsKeyword(index + 1, "uescape") && index + 2 < text.tokens.size()) {
    const std::string_view given = text.TokenText(index + 2);
    if (given.size() != 3) return std::nullopt;
    escape = given[1];
    found.token_count = 3;
  }
  const std::string quoted = Unquoted(text.TokenText(index).substr(2), '"');
  std::optional<std::string> name = UnicodeEscapes(quoted, escape).Decode();
  if (!name) return std::nullopt;
  found.name = std::move(*name);
  return found;
}

/// Returns the name at a token if the grammar would truncate it, else nullopt.
std::optional<FoundName> FindLongName(const StatementText& text, size_t index) {
  const Token& token = text.tokens[index];
  if (token.end - token.start <= kMostBytes) return std::nullopt;
  const std::string_view word = text.TokenText(index);
  std::optional<FoundName> found;
  if (token.type == TokenType::kUnicodeIdentifier) {
    found = FindUnicodeName(text, index);
  } else if (token.type == TokenType::kIdentifier) {
    found = FoundName{word[0] == '"' ? Unquoted(word, '"') : Folded(word)};
  }
  return found && found->name.size() > kMostBytes ? found : std::nullopt;
}

/// Returns a prefix that does not occur in the statement. It is a hash of the statement, so that nobody can
/// write the prefix into a statement by chance.
std::string FreshPrefix(std::string_view sql) {
  for (uint64_t number = 0;; number++) {
    const uint64_t hash = CombineHashes(HashBytes(sql.data(), sql.size()), HashInteger(number));
    std::string prefix = fmt::format("name_{:016x}_", hash);
    if (sql.find(prefix) == std::string_view::npos) return prefix;
  }
}

}  // namespace

LongNames::LongNames(StatementText& text) {
  const auto is_long = [&](const Token& token) { return token.end - token.start > kMostBytes; };
  // Nearly all statements end here: the length of a token bounds that of its name.
  if (std::none_of(text.tokens.begin(), text.tokens.end(), is_long)) return;
  std::string rewritten;
  std::vector<Token> tokens;
  tokens.reserve(text.tokens.size());
  size_t copied = 0;
  for (size_t i = 0; i < text.tokens.size(); i++) {
    Token token = text.tokens[i];
    rewritten.append(text.text, copied, token.start - copied);
    copied = token.end;
    token.start = static_cast<uint32_t>(rewritten.size());
    if (std::optional<FoundName> found = FindLongName(text, i)) {
      const std::string_view written = text.TokenText(i);
      i += found->token_count - 1;
      token.origin_end = text.tokens[i].origin_end;
      token.type = TokenType::kIdentifier;
      copied = text.tokens[i].end;
      if (prefix_.empty()) prefix_ = FreshPrefix(text.sql);
      rewritten += StandIn(std::move(found->name), written);
    } else {
      rewritten += text.TokenText(i);
    }
    token.end = static_cast<uint32_t>(rewritten.size());
    tokens.push_back(token);
  }
  if (empty()) return;
  rewritten.append(text.text, copied);
  text.text = std::move(rewritten);
  text.tokens = std::move(tokens);
}

std::string LongNames::StandIn(std::string name, std::string_view written) {
  const auto [place, is_new] = numbers_.try_emplace(std::move(name), names_.size());
  if (is_new) names_.push_back({place->first, std::string(written)});
  return fmt::format("{}{}_", prefix_, place->second);
}

/// Copies the text, but calls append(name, restored) in place of each short name: prefix, number and "_".
template <typename Append>
std::string LongNames::Restore(std::string_view text, Append append) const {
  std::string restored;
  size_t copied = 0;
  for (;;) {
    const size_t found = empty() ? std::string_view::npos : text.find(prefix_, copied);
    restored += text.substr(copied, found - copied);
    if (found == std::string_view::npos) return restored;
    size_t number = 0;
    const char* const digits = text.data() + found + prefix_.size();
    const auto result = std::from_chars(digits, text.data() + text.size(), number);
    append(names_.at(number), restored);
    copied = static_cast<size_t>(result.ptr - text.data()) + 1;
  }
}

std::string LongNames::RestoreInJson(std::string_view json) const {
  return Restore(json, [](const Name& name, std::string& restored) {
    std::string quoted;
    AppendJsonString(name.name, quoted);
    // The JSON has quotes around the short name already.
    restored.append(quoted, 1, quoted.size() - 2);
  });
}

std::string LongNames::RestoreInMessage(std::string_view message) const {
  return Restore(message, [](const Name& name, std::string& restored) { restored += name.written; });
}

}  // namespace scaup
