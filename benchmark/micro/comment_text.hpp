// Text like the comments of TPC-H: pieces of sentences made from its lists of words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "type/text/string_ref.hpp"

namespace scaup {

/// A column of comments, 10 to 43 bytes each, as in lineitem. The strings point into its own text.
class CommentColumn {
 public:
  explicit CommentColumn(size_t row_count) {
    std::string pool;
    while (pool.size() < kPoolBytes) AddSentence(pool);
    std::vector<uint32_t> lengths;
    for (size_t row = 0; row < row_count; row++) {
      lengths.push_back(10 + Below(34));
      text_.append(pool, Below(kPoolBytes - 43), lengths.back());
    }
    // Where a loader would have put them: one behind the other.
    size_t offset = 0;
    for (const uint32_t length : lengths) {
      strings_.emplace_back(text_.data() + offset, length);
      offset += length;
    }
  }

  const std::vector<StringRef>& strings() const { return strings_; }
  size_t size_bytes() const { return text_.size(); }

 private:
  static constexpr uint32_t kPoolBytes = 4 << 20;

  uint32_t Below(uint32_t bound) {
    seed_ = seed_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<uint32_t>((seed_ >> 33) % bound);
  }
  template <size_t kWords>
  void AddWord(std::string& pool, const std::string_view (&words)[kWords]) {
    pool += words[Below(kWords)];
    pool += ' ';
  }
  void AddNounPhrase(std::string& pool) {
    if (Below(2) == 0) AddWord(pool, kAdverbs);
    if (Below(4) != 0) AddWord(pool, kAdjectives);
    AddWord(pool, kNouns);
  }
  void AddSentence(std::string& pool) {
    AddNounPhrase(pool);
    if (Below(3) == 0) AddWord(pool, kAuxiliaries);
    AddWord(pool, kVerbs);
    if (Below(2) == 0) AddWord(pool, kAdverbs);
    if (Below(2) == 0) {
      AddWord(pool, kPrepositions);
      pool += "the ";
      AddNounPhrase(pool);
    }
    pool.back() = ".;:?!-"[Below(6)];
    pool += ' ';
  }

  static constexpr std::string_view kNouns[] = {
      "foxes",     "ideas",      "theodolites",   "pinto beans", "instructions", "dependencies", "excuses",
      "platelets", "asymptotes", "courts",        "dolphins",    "multipliers",  "sauternes",    "warthogs",
      "frets",     "dinos",      "attainments",   "somas",       "Tiresias'",    "patterns",     "forges",
      "braids",    "frays",      "warhorses",     "dugouts",     "notornis",     "epitaphs",     "pearls",
      "tithes",    "waters",     "orbits",        "gifts",       "sheaves",      "depths",       "sentiments",
      "decoys",    "realms",     "pains",         "grouches",    "escapades",    "packages",     "requests",
      "accounts",  "deposits",   "hockey players"};
  static constexpr std::string_view kVerbs[] = {
      "sleep",  "wake",   "are",       "cajole",   "haggle", "nag",   "use",     "boost",
      "affix",  "detect", "integrate", "maintain", "nod",    "was",   "lose",    "sublate",
      "solve",  "thrash", "promise",   "engage",   "hinder", "print", "x-ray",   "breach",
      "eat",    "grow",   "impress",   "mold",     "poach",  "serve", "run",     "dazzle",
      "snooze", "doze",   "unwind",    "kindle",   "play",   "hang",  "believe", "doubt"};
  static constexpr std::string_view kAdjectives[] = {
      "furious",  "sly",     "careful", "blithe",  "quick",  "fluffy", "slow",     "quiet",
      "ruthless", "thin",    "close",   "dogged",  "daring", "brave",  "stealthy", "permanent",
      "enticing", "idle",    "busy",    "regular", "final",  "ironic", "even",     "bold",
      "silent",   "special", "pending", "express", "unusual"};
  static constexpr std::string_view kAdverbs[] = {
      "sometimes", "always",    "never",   "furiously",  "slyly",       "carefully",  "blithely",
      "quickly",   "fluffily",  "slowly",  "quietly",    "ruthlessly",  "thinly",     "closely",
      "doggedly",  "daringly",  "bravely", "stealthily", "permanently", "enticingly", "idly",
      "busily",    "regularly", "finally", "ironically", "evenly",      "boldly",     "silently"};
  static constexpr std::string_view kPrepositions[] = {
      "about",   "above",  "according to", "across",  "after",   "against", "along",   "alongside of",
      "among",   "around", "at",           "atop",    "before",  "behind",  "beneath", "beside",
      "between", "beyond", "by",           "despite", "during",  "except",  "for",     "from",
      "into",    "near",   "of",           "on",      "outside", "over",    "past",    "since",
      "through", "to",     "toward",       "under",   "until",   "up",      "upon",    "without"};
  static constexpr std::string_view kAuxiliaries[] = {"do",    "may", "might", "shall",    "will",
                                                      "would", "can", "could", "ought to", "must"};

  std::string text_;
  std::vector<StringRef> strings_;
  uint64_t seed_ = 42;
};

}  // namespace scaup
