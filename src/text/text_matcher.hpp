// Whether texts have what a query asks for, and how well.
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

/// Tests one row after the other: Begin(), AddText() for each of its texts, then Matches() or Score(). One
/// thread.
class TextMatcher {
 public:
  /// The query is borrowed.
  explicit TextMatcher(const TextQuery& query);

  void Begin();
  /// A phrase does not go on from one text to the next.
  void AddText(std::string_view text);
  /// True once no further text can change that the row matches.
  bool is_sure() const { return is_sure_; }
  bool Matches() const { return is_sure_ || Evaluate(query_.root()); }
  /// 0 where the row does not match. Otherwise for each word and phrase that the query asks for, those behind
  /// NOT aside, what BM25 gives without regard to other rows: t * (k + 1) / (t + k * (1 - b + b * n / 100)),
  /// where it occurs t times among the row's n words, k is 1.2 and b is 0.75. REQUIRES: all texts were added
  /// with `stops_early` false.
  double Score() const;
  /// Whether AddText may stop reading once the row is known to match.
  void set_stops_early(bool stops_early) { stops_early_ = stops_early; }

 private:
  /// A phrase of the query; bit i stands for its first i + 1 words.
  struct Phrase {
    uint64_t last;  // The bit of all of them.
    bool is_wanted;
    uint64_t progress = 0;  // Beginnings that end with the word at `position`.
    uint64_t before = 0;    // Those that end with the word before.
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
  std::vector<Phrase> phrases_;  // By their numbers.
  std::vector<Word> words_;      // Sorted; whole words first.
  size_t whole_count_ = 0;
  std::array<bool, 256> begins_{};  // By the first bytes of words.
  bool is_monotone_ = true;         // No NOT: what matches goes on to match.
  bool stops_early_ = false;
  WordReader reader_;
  uint64_t position_ = 0;
  uint64_t length_ = 0;
  bool is_sure_ = false;
  bool found_more_ = false;
};

}  // namespace scaup
