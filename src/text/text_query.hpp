// Full-text queries: words, phrases, prefixes and their combinations.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// A word of a query, case-folded (word_reader.hpp).
struct TextTerm {
  std::string word;
  bool is_prefix = false;  ///< matches any word with this prefix
};

/// A node of a query.
struct TextQueryNode {
  enum class Kind { kPhrase, kAnd, kOr, kNot };
  Kind kind = Kind::kPhrase;
  std::vector<TextQueryNode> children = {};  ///< kAnd, kOr: at least two; kNot: one
  std::vector<TextTerm> terms = {};          ///< kPhrase: at least one; the words follow one another
  size_t phrase = 0;  ///< kPhrase: its number in the query, from 0 in the order of the text
};

/// A parsed query. Immutable. Its syntax:
///   words      `full text`: both occur, in any order
///   a phrase   `"full text"`: one follows the other; so do the words of a text without spaces: `e-mail`
///   a prefix   `inde*`, also within a phrase
///   operators  `a OR b`, `a AND b`, `NOT a` or `-a`, parentheses; AND is optional and binds tighter
/// The operators are words in upper case.
class TextQuery {
 public:
  static constexpr size_t kMaxDepth = 100;
  static constexpr size_t kMaxPhraseLength = 64;
  static constexpr size_t kMaxWords = 1024;

  /// Parses a query. Throws Error(42601) that names the position where `text` is malformed, and Error(54000)
  /// beyond the limits.
  static TextQuery Parse(std::string_view text);
  const TextQueryNode& root() const { return root_; }

 private:
  TextQueryNode root_;
};

}  // namespace scaup
