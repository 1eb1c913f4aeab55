// Finds and masks the JSON objects of INSERT INTO c OBJECT {...}, and bodies of functions in braces.
#include "parser/text/object_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "type/text/ascii.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

bool IsScannerSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool BeginsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool IsInWord(char c) { return BeginsWord(c) || IsDigit(c) || c == '$'; }

/// Walks through a text by the rules of PostgreSQL's scanner for the ends of strings, names and comments.
/// Unclosed ones extend to the end of the text; the scanner will report them.
class ObjectFinder {
 public:
  explicit ObjectFinder(std::string_view sql) : sql_(sql) {}

  std::optional<std::string> Run() {
    while (position_ < sql_.size()) {
      const char c = sql_[position_];
      if (SkipBlank()) continue;
      if (c == '\'') {
        SkipString(false);
      } else if (c == '"') {
        SkipPast("\"", position_ + 1);
      } else if (c == '$') {
        SkipDollar();
      } else if (BeginsWord(c)) {
        TakeWord();
      } else if (c == '{' && body_ == Body::kMayBegin && depth_ == 0) {
        MaskBody();
      } else {
        if (c == ';') body_ = Body::kBeforeCreate;
        if (c == '(') depth_++;
        if (c == ')' && depth_ > 0) depth_--;
        if (c != ';' && body_ == Body::kBeforeCreate) body_ = Body::kNone;
        position_++;
      }
    }
    return std::move(masked_);
  }

 private:
  /// The state of the search for a function's body in braces, by the words of the statement so far.
  enum class Body : uint8_t { kBeforeCreate, kBeforeFunction, kBeforeLanguage, kLanguage, kMayBegin, kNone };

  char At(size_t position) const { return position < sql_.size() ? sql_[position] : '\0'; }

  void SkipPast(std::string_view end, size_t from) {
    const size_t found = sql_.find(end, from);
    position_ = found == std::string_view::npos ? sql_.size() : found + end.size();
  }

  /// Skips one run of white space or one comment.
  bool SkipBlank() {
    const size_t begin = position_;
    while (position_ < sql_.size() && IsScannerSpace(sql_[position_])) position_++;
    if (position_ > begin) return true;
    const std::string_view rest = sql_.substr(position_);
    if (rest.starts_with("--")) {
      position_ = std::min(sql_.find_first_of("\r\n", position_), sql_.size());
      return true;
    }
    if (!rest.starts_with("/*")) return false;
    size_t depth = 0;
    do {
      const std::string_view here = sql_.substr(position_);
      const bool opens = here.starts_with("/*");
      const bool closes = here.starts_with("*/");
      if (opens) depth++;
      if (closes) depth--;
      position_ += opens || closes ? 2 : 1;
    } while (depth > 0 && position_ < sql_.size());
    return true;
  }
  void SkipBlanks() {
    while (position_ < sql_.size() && SkipBlank()) {
    }
  }

  /// Skips a string, beginning at its quote. A string with escapes continues in the next line if that begins
  /// with a quote.
  void SkipString(bool has_escapes) {
    for (position_++; position_ < sql_.size(); position_++) {
      if (has_escapes && sql_[position_] == '\\') {
        position_++;
      } else if (sql_[position_] == '\'') {
        size_t next = ++position_;
        bool is_next_line = false;
        while (IsScannerSpace(At(next)))
          is_next_line = is_next_line || At(next) == '\n' || At(next) == '\r', next++;
        if (At(position_) != '\'' && !(is_next_line && At(next) == '\'')) return;
        if (At(position_) != '\'') position_ = next;
      }
    }
  }

  /// Skips $tag$ ... $tag$, a parameter, or a lone $.
  void SkipDollar() {
    size_t end = position_ + 1;
    if (BeginsWord(At(end))) {
      while (IsInWord(At(end)) && At(end) != '$') end++;
    }
    if (At(end) != '$') {
      position_++;
      return;
    }
    SkipPast(sql_.substr(position_, end + 1 - position_), end + 1);
  }

  void TakeWord() {
    const size_t begin = position_;
    while (IsInWord(At(position_))) position_++;
    const std::string_view word = sql_.substr(begin, position_ - begin);
    if (At(position_) == '\'' && (word == "e" || word == "E")) return SkipString(true);
    if (depth_ == 0) SeeWord(word);
    if (!IsWord(word, "object")) return;
    SkipBlanks();
    while (At(position_) == '{') {
      Mask();
      const size_t end = position_;
      SkipBlanks();
      if (At(position_) == ',') {
        position_++;
        SkipBlanks();
      } else {
        position_ = end;
      }
    }
  }

  /// Follows CREATE [OR REPLACE] [TEMP] FUNCTION|AGGREGATE ... LANGUAGE name, where the name is not that of
  /// SQL.
  void SeeWord(std::string_view word) {
    switch (body_) {
      case Body::kBeforeCreate: body_ = IsWord(word, "create") ? Body::kBeforeFunction : Body::kNone; return;
      case Body::kBeforeFunction:
        if (IsWord(word, "function") || IsWord(word, "aggregate")) {
          body_ = Body::kBeforeLanguage;
          return;
        }
        for (const std::string_view before : {"or", "replace", "temp", "temporary"}) {
          if (IsWord(word, before)) return;
        }
        body_ = Body::kNone;
        return;
      case Body::kBeforeLanguage:
        if (IsWord(word, "language")) body_ = Body::kLanguage;
        for (const std::string_view other : {"as", "return", "begin"}) {
          if (IsWord(word, other)) body_ = Body::kNone;
        }
        return;
      case Body::kLanguage: body_ = IsWord(word, "sql") ? Body::kNone : Body::kMayBegin; return;
      case Body::kMayBegin:
        if (IsWord(word, "as")) body_ = Body::kNone;
        return;
      case Body::kNone: return;
    }
  }

  /// Returns whether a word is this one, which is in lower case.
  static bool IsWord(std::string_view word, std::string_view lower) {
    if (word.size() != lower.size()) return false;
    for (size_t i = 0; i < word.size(); i++) {
      if ((word[i] | 0x20) != lower[i]) return false;
    }
    return true;
  }

  /// Makes a string of the body in braces of a function that is not in SQL.
  void MaskBody() {
    const std::optional<size_t> end = EndOfBracedBody(sql_, position_);
    if (!end) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
                 "the body of the function does not end: there is no } for this {", position_);
    }
    MaskUpTo(*end);
    body_ = Body::kNone;
  }

  void MaskUpTo(size_t end) {
    if (!masked_) masked_ = sql_;
    std::fill(masked_->begin() + static_cast<std::ptrdiff_t>(position_) + 1,
              masked_->begin() + static_cast<std::ptrdiff_t>(end) - 1, ' ');
    (*masked_)[position_] = (*masked_)[end - 1] = '\'';
    position_ = end;
  }

  void Mask() {
    const size_t end = EndOfObject();
    JsonFault fault;
    if (!IsJsonText(sql_.substr(position_, end - position_), &fault)) {
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
                 fmt::format("the object is not JSON: {}", fault.reason), position_ + fault.offset);
    }
    MaskUpTo(end);
  }

  /// Returns the end of the object at `position_`, or the position at which its brackets stop matching.
  size_t EndOfObject() const {
    std::string open;
    size_t i = position_;
    for (; i < sql_.size(); i++) {
      switch (sql_[i]) {
        case '{': open += '}'; break;
        case '[': open += ']'; break;
        case '}':
        case ']':
          if (sql_[i] != open.back()) return i + 1;
          open.pop_back();
          if (open.empty()) return i + 1;
          break;
        case '"':
          for (i++; i < sql_.size() && sql_[i] != '"'; i++) i += sql_[i] == '\\' ? 1 : 0;
          break;
        default: break;
      }
    }
    return sql_.size();
  }

  std::string_view sql_;
  size_t position_ = 0;
  size_t depth_ = 0;  // of parentheses
  Body body_ = Body::kBeforeCreate;
  std::optional<std::string> masked_;
};

}  // namespace

std::optional<size_t> EndOfBracedBody(std::string_view text, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < text.size(); i++) {
    const char c = text[i];
    if (c == '{') depth++;
    if (c == '}' && --depth == 0) return i + 1;
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '\'' || c == '"') {
      const std::string three(3, c);
      const bool is_long = text.substr(i).starts_with(three);
      const std::string_view quote = is_long ? std::string_view(three) : text.substr(i, 1);
      for (i += quote.size(); i < text.size() && !text.substr(i).starts_with(quote); i++) {
        if (text[i] == '\\') i++;
        if (i < text.size() && text[i] == '\n' && !is_long) break;  // not a string, as the sign in "it's"
      }
      if (i < text.size() && text[i] != '\n') i += quote.size() - 1;
    }
  }
  return std::nullopt;
}

std::optional<std::string> MaskObjects(std::string_view sql) {
  if (sql.find('{') == std::string_view::npos) return std::nullopt;
  return ObjectFinder(sql).Run();
}

}  // namespace scaup
