// What somebody looks for in texts: words, phrases, prefixes, and how they are combined.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// A word that is looked for, folded (word_reader.hpp).
struct TextTerm {
  std::string word;
  bool is_prefix = false;  ///< any word that begins so
};

/// A part of a query.
struct TextQueryNode {
  enum class Kind { kPhrase, kAnd, kOr, kNot };
  Kind kind = Kind::kPhrase;
  std::vector<TextQueryNode> children = {};  ///< kAnd, kOr: two and more; kNot: one
  std::vector<TextTerm> terms = {};          ///< kPhrase: words that follow one another; one and more
  size_t phrase = 0;  ///< kPhrase: its number in the query, from 0 in the order of the text
};

/// A query:
///   words      `full text`: both occur, in any order
///   a phrase   `"full text"`: one follows the other; so do the words of what is written without space:
///   `e-mail` a prefix   `inde*`, also within a phrase operators  `a OR b`, `a AND b`, `NOT a` or `-a`,
///   parentheses; AND, which may be left out, binds tighter
/// The operators are words in upper case. Immutable.
class TextQuery {
 public:
  static constexpr size_t kMaxDepth = 100;
  static constexpr size_t kMaxPhraseLength = 64;
  static constexpr size_t kMaxWords = 1024;

  /// Throws Error(42601) that says where `text` is malformed, and Error(54000) for what is above the limits.
  static TextQuery Parse(std::string_view text);
  const TextQueryNode& root() const { return root_; }

 private:
  TextQueryNode root_;
};

}  // namespace scaup
