// The words of a text, in the form in which they are compared.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scaup {

/// Takes a text apart: words are runs of letters, decimal digits and combining marks (Unicode). They come
/// folded: upper and lower case of a letter are the same (Unicode's simple case folding). One thread.
class WordReader {
 public:
  /// The text is borrowed until the next Begin.
  void Begin(std::string_view text) {
    text_ = text;
    at_ = 0;
  }
  /// False behind the last word.
  bool Next();
  /// Valid until the next call of Next or Begin.
  std::string_view word() const { return word_; }
  /// Where the word ends in the text.
  size_t end() const { return at_; }

 private:
  void Read();

  std::string_view text_;
  size_t at_ = 0;
  std::string_view word_;  // In the text, or where it was folded in folded_.
  std::string folded_;
};

}  // namespace scaup
