// A scanner that knows where SQL text has quotes, comments and parameters.
#include "parameter_names.hpp"

#include <algorithm>
#include <cctype>

#include "edge.hpp"

namespace scaup::adbc {

namespace {

bool BeginsName(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool ContinuesName(char c) { return BeginsName(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Scanner {
 public:
  explicit Scanner(std::string_view sql) : sql_(sql) {}

  NumberedText Scan() {
    while (at_ < sql_.size()) Step();
    if (!numbered_.names.empty() && has_numbers_)
      ThrowInvalidArgument("the statement has parameters with names, such as $" + numbered_.names[0] +
                           ", and with numbers: use one kind");
    return std::move(numbered_);
  }

 private:
  char Peek(size_t ahead) const { return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0'; }
  void Copy(size_t end) {
    end = std::min(end, sql_.size());
    numbered_.sql += sql_.substr(at_, end - at_);
    at_ = end;
  }
  size_t EndOfName(size_t begin) const {
    size_t end = begin;
    while (end < sql_.size() && ContinuesName(sql_[end])) end++;
    return end;
  }
  size_t Behind(std::string_view text, size_t from) const {
    const size_t found = sql_.find(text, from);
    return found == std::string_view::npos ? sql_.size() : found + text.size();
  }

  void Step() {
    const char c = sql_[at_];
    if (c == '\'') return Copy(EndOfQuoted('\'', false));
    if (c == '"') return Copy(EndOfQuoted('"', false));
    if ((c == 'e' || c == 'E') && Peek(1) == '\'') {
      Copy(at_ + 1);
      return Copy(EndOfQuoted('\'', true));
    }
    if (c == '-' && Peek(1) == '-') return Copy(Behind("\n", at_));
    if (c == '/' && Peek(1) == '*') return Copy(EndOfComment());
    if (c == '$') return Dollar();
    // A name may have dollars after its first character.
    size_t end = at_ + 1;
    if (ContinuesName(c)) {
      while (end < sql_.size() && (ContinuesName(sql_[end]) || sql_[end] == '$')) end++;
    }
    Copy(end);
  }

  size_t EndOfQuoted(char quote, bool has_escapes) const {
    for (size_t i = at_ + 1; i < sql_.size(); i++) {
      if (has_escapes && sql_[i] == '\\') {
        i++;
      } else if (sql_[i] == quote) {
        return i + 1;  // A doubled quote begins another quoted text, which is as good.
      }
    }
    return sql_.size();
  }

  /// Comments may be nested.
  size_t EndOfComment() const {
    size_t depth = 0;
    for (size_t i = at_; i + 1 < sql_.size(); i++) {
      const std::string_view two = sql_.substr(i, 2);
      if (two != "/*" && two != "*/") continue;
      depth += two == "/*" ? 1 : -1;
      if (depth == 0) return i + 2;
      i++;
    }
    return sql_.size();
  }

  void Dollar() {
    const size_t end = EndOfName(at_ + 1);
    const std::string name(sql_.substr(at_ + 1, end - at_ - 1));
    const bool is_number = !name.empty() && !BeginsName(name[0]);
    if (is_number) {
      has_numbers_ = true;
      return Copy(end);
    }
    if (end < sql_.size() && sql_[end] == '$') {
      const std::string tag(sql_.substr(at_, end + 1 - at_));
      return Copy(Behind(tag, end + 1));
    }
    if (name.empty()) return Copy(end);
    auto& names = numbered_.names;
    const auto found = std::find(names.begin(), names.end(), name);
    const size_t number = static_cast<size_t>(found - names.begin()) + 1;
    if (found == names.end()) names.push_back(name);
    std::string text = "$" + std::to_string(number);
    text.resize(std::max(text.size(), end - at_), ' ');
    numbered_.sql += text;
    at_ = end;
  }

  const std::string_view sql_;
  size_t at_ = 0;
  bool has_numbers_ = false;
  NumberedText numbered_;
};

}  // namespace

NumberedText NumberParameters(std::string_view sql) { return Scanner(sql).Scan(); }

}  // namespace scaup::adbc
