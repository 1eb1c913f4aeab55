// Finds and masks the JSON objects of INSERT INTO c OBJECT {...}.
#include "parser/text/object_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
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
      } else {
        position_++;
      }
    }
    return std::move(masked_);
  }

 private:
  char At(size_t position) const { return position < sql_.size() ? sql_[position] : '\0'; }

  void SkipPast(std::string_view end, size_t from) {
    const size_t found = sql_.find(end, from);
    position_ = found == std::string_view::npos ? sql_.size() : found + end.size();
  }

  /// Skips one run of white space or one comment.
  bool SkipBlank() {
    const size_t begin = position_;
    while (position_ < sql_.size() && IsSpace(sql_[position_])) position_++;
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
        while (IsSpace(At(next))) is_next_line = is_next_line || At(next) == '\n' || At(next) == '\r', next++;
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
    if (!IsObjectWord(word)) return;
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

  static bool IsObjectWord(std::string_view word) {
    constexpr std::string_view kObject = "object";
    if (word.size() != kObject.size()) return false;
    for (size_t i = 0; i < word.size(); i++) {
      if ((word[i] | 0x20) != kObject[i]) return false;
    }
    return true;
  }

  void Mask() {
    const size_t end = EndOfObject();
    JsonFault fault;
    if (!IsJsonText(sql_.substr(position_, end - position_), &fault)) {
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
                 fmt::format("the object is not JSON: {}", fault.reason), position_ + fault.offset);
    }
    if (!masked_) masked_ = sql_;
    std::fill(masked_->begin() + static_cast<std::ptrdiff_t>(position_) + 1,
              masked_->begin() + static_cast<std::ptrdiff_t>(end) - 1, ' ');
    (*masked_)[position_] = (*masked_)[end - 1] = '\'';
    position_ = end;
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
  std::optional<std::string> masked_;
};

}  // namespace

std::optional<std::string> MaskObjects(std::string_view sql) {
  if (sql.find('{') == std::string_view::npos) return std::nullopt;
  return ObjectFinder(sql).Run();
}

}  // namespace scaup
