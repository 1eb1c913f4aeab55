// Parses named values of options.
#include "format/text/option_map.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "format/text/option_values.hpp"

namespace scaup {

namespace {

class MapParser {
 public:
  MapParser(const std::string& option, std::string_view text) : option_(option), text_(text) {}

  OptionMap ParseAll() {
    OptionMap map = ParseMap();
    SkipSpace();
    if (at_ != text_.size()) Throw();
    return map;
  }

 private:
  [[noreturn]] void Throw() {
    ThrowBadOption(option_, "names with values in braces, such as {a: 1, b: 'text'}", std::string(text_));
  }

  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) at_++;
  }
  bool Take(char c) {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] != c) return false;
    at_++;
    return true;
  }

  OptionMap ParseMap() {
    CheckStack();
    OptionMap map;
    map.is_map = true;
    if (!Take('{')) Throw();
    if (Take('}')) return map;
    do {
      bool is_quoted = false;
      std::string name = ParseWord(is_quoted);
      if (!Take(':')) Throw();
      map.values.emplace_back(std::move(name), ParseValue());
    } while (Take(','));
    if (!Take('}')) Throw();
    return map;
  }

  OptionMap ParseValue() {
    SkipSpace();
    if (at_ < text_.size() && text_[at_] == '{') return ParseMap();
    OptionMap value;
    bool is_quoted = false;
    value.text = ParseWord(is_quoted);
    if (!is_quoted && LowerCase(*value.text) == "null") value.text = std::nullopt;
    return value;
  }

  /// Parses a word, a number or a quoted text, in which the quote is doubled.
  std::string ParseWord(bool& is_quoted) {
    SkipSpace();
    if (at_ == text_.size()) Throw();
    const char quote = text_[at_];
    is_quoted = quote == '\'' || quote == '"';
    std::string word;
    if (!is_quoted) {
      const size_t end = std::min(text_.find_first_of("{}:, \n\t", at_), text_.size());
      word = text_.substr(at_, end - at_);
      at_ = end;
      if (word.empty()) Throw();
      return word;
    }
    for (at_++; at_ < text_.size(); at_++) {
      if (text_[at_] == quote && (at_ + 1 == text_.size() || text_[at_ + 1] != quote)) {
        at_++;
        return word;
      }
      if (text_[at_] == quote) at_++;
      word += text_[at_];
    }
    Throw();
  }

  const std::string& option_;
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

OptionMap ParseOptionMap(const std::string& option, std::string_view text) {
  return MapParser(option, text).ParseAll();
}

}  // namespace scaup
