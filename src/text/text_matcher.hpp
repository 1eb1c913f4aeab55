// Matches texts against a query and scores them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_query.hpp"
#include "text/word_reader.hpp"

namespace scaup {

/// Matches a query against one row after the other: Begin(), AddText() for each of its texts, then Matches()
/// or Score(). One thread at a time.
class TextMatcher {
 public:
  /// `query` is borrowed.
  explicit TextMatcher(const TextQuery& query);

  void Begin();
  /// Adds a text of the row. A phrase does not continue from one text to the next.
  void AddText(std::string_view text);
  /// Whether the row matches whatever texts are still added.
  bool is_sure() const { return is_sure_; }
  bool Matches() const { return is_sure_ || Evaluate(query_.root()); }
  /// The BM25 score of the row without corpus statistics; 0 if the row does not match. Each word and phrase
  /// of the query, except those under NOT, contributes t * (k + 1) / (t + k * (1 - b + b * n / 100)), where
  /// it occurs t times among the row's n words, k = 1.2 and b = 0.75. REQUIRES: all texts were added with
  /// `stops_early` false.
  double Score() const;
  /// Allows AddText to stop reading once the row is known to match.
  void set_stops_early(bool stops_early) { stops_early_ = stops_early; }

 private:
  /// A phrase of the query; bit i stands for its first i + 1 words.
  struct Phrase {
    uint64_t last;  // the bit of the whole phrase
    bool is_wanted;
    uint64_t progress = 0;  // prefixes of the phrase that end with the word at `position`
    uint64_t before = 0;    // prefixes that end with the previous word
    uint64_t position = 0;
    uint64_t count = 0;
  };
  struct Use {
    uint32_t phrase;
    uint64_t bit;
  };
  struct Word {
    std::string_view word;
    bool is_prefix;
    std::vector<Use> uses;
  };

  void AddPhrases(const TextQueryNode& node, bool is_wanted);
  void AddTerm(const TextTerm& term, const Use& use);
  void Meet(const Word& word);
  bool Evaluate(const TextQueryNode& node) const;

  const TextQuery& query_;
  std::vector<Phrase> phrases_;  // by phrase number
  std::vector<Word> words_;      // sorted; whole words before prefixes
  size_t whole_count_ = 0;
  std::array<bool, 256> begins_{};  // by the first bytes of words
  bool is_monotone_ = true;         // no NOT: a match remains a match
  bool stops_early_ = false;
  WordReader reader_;
  uint64_t position_ = 0;
  uint64_t length_ = 0;
  bool is_sure_ = false;
  bool found_more_ = false;
};

}  // namespace scaup
