// Splits a text into case-folded words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scaup {

/// Splits a text into words: runs of letters, decimal digits and combining marks (Unicode). The words are
/// case-folded (Unicode's simple case folding). One thread at a time.
class WordReader {
 public:
  /// Begins a text, which is borrowed until the next Begin.
  void Begin(std::string_view text) {
    text_ = text;
    at_ = 0;
  }
  /// Advances to the next word; false after the last one.
  bool Next();
  /// The current word. Valid until the next call of Next or Begin.
  std::string_view word() const { return word_; }
  /// The end of the word's position in the text.
  size_t end() const { return at_; }

 private:
  void Read();

  std::string_view text_;
  size_t at_ = 0;
  std::string_view word_;  // points into text_, or into folded_ if folding changed it
  std::string folded_;
};

}  // namespace scaup
