// Matches texts against a query and scores them.
#include "text/text_matcher.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr double kSaturation = 1.2;
constexpr double kLengthWeight = 0.75;
constexpr double kTypicalLength = 100;

}  // namespace

TextMatcher::TextMatcher(const TextQuery& query) : query_(query) {
  AddPhrases(query.root(), true);
  std::sort(words_.begin(), words_.end(), [](const Word& a, const Word& b) {
    return a.is_prefix != b.is_prefix ? b.is_prefix : a.word < b.word;
  });
  for (const Word& word : words_) {
    whole_count_ += !word.is_prefix;
    begins_[static_cast<uint8_t>(word.word[0])] = true;
  }
}

void TextMatcher::AddPhrases(const TextQueryNode& node, bool is_wanted) {
  if (node.kind == TextQueryNode::Kind::kNot) {
    is_monotone_ = false;
    is_wanted = false;
  }
  for (const TextQueryNode& child : node.children) AddPhrases(child, is_wanted);
  if (node.kind != TextQueryNode::Kind::kPhrase) return;
  const auto phrase = static_cast<uint32_t>(phrases_.size());
  for (size_t i = 0; i < node.terms.size(); i++) AddTerm(node.terms[i], {phrase, uint64_t{1} << i});
  phrases_.push_back({uint64_t{1} << (node.terms.size() - 1), is_wanted});
}

void TextMatcher::AddTerm(const TextTerm& term, const Use& use) {
  const auto known = std::find_if(words_.begin(), words_.end(), [&](const Word& word) {
    return word.word == term.word && word.is_prefix == term.is_prefix;
  });
  if (known != words_.end()) {
    known->uses.push_back(use);
  } else {
    words_.push_back({term.word, term.is_prefix, {use}});
  }
}

void TextMatcher::Begin() {
  for (Phrase& phrase : phrases_) phrase.position = phrase.count = 0;
  position_ = 1;
  length_ = 0;
  is_sure_ = false;
}

void TextMatcher::AddText(std::string_view text) {
  if (is_sure_ && stops_early_) return;
  // Leaves a gap, so that no word of this text follows the last word of the previous one.
  position_ += 2;
  for (reader_.Begin(text); reader_.Next(); position_++) {
    length_++;
    const std::string_view word = reader_.word();
    if (!begins_[static_cast<uint8_t>(word[0])]) continue;
    found_more_ = false;
    const auto whole_end = words_.begin() + static_cast<std::ptrdiff_t>(whole_count_);
    const auto whole = std::lower_bound(words_.begin(), whole_end, word,
                                        [](const Word& each, std::string_view w) { return each.word < w; });
    if (whole != whole_end && whole->word == word) Meet(*whole);
    for (auto each = whole_end; each != words_.end(); ++each) {
      if (word.starts_with(each->word)) Meet(*each);
    }
    if (!found_more_ || !is_monotone_ || is_sure_) continue;
    is_sure_ = Evaluate(query_.root());
    if (is_sure_ && stops_early_) return;
  }
}

void TextMatcher::Meet(const Word& word) {
  for (const Use& use : word.uses) {
    Phrase& phrase = phrases_[use.phrase];
    if (phrase.position != position_) {
      phrase.before = phrase.position + 1 == position_ ? phrase.progress : 0;
      phrase.progress = 0;
      phrase.position = position_;
    }
    phrase.progress |= use.bit & (phrase.before << 1 | 1);
    if ((phrase.progress & use.bit & phrase.last) == 0) continue;
    found_more_ = found_more_ || phrase.count == 0;
    phrase.count++;
  }
}

bool TextMatcher::Evaluate(const TextQueryNode& node) const {
  const auto holds = [&](const TextQueryNode& child) { return Evaluate(child); };
  switch (node.kind) {
    case TextQueryNode::Kind::kAnd: return std::all_of(node.children.begin(), node.children.end(), holds);
    case TextQueryNode::Kind::kOr: return std::any_of(node.children.begin(), node.children.end(), holds);
    case TextQueryNode::Kind::kNot: return !Evaluate(node.children.front());
    case TextQueryNode::Kind::kPhrase: break;
  }
  return phrases_[node.phrase].count != 0;
}

double TextMatcher::Score() const {
  SCAUP_ASSERT(!stops_early_);
  if (!Matches()) return 0;
  const double length = 1 - kLengthWeight + kLengthWeight * static_cast<double>(length_) / kTypicalLength;
  double score = 0;
  for (const Phrase& phrase : phrases_) {
    if (!phrase.is_wanted) continue;
    const auto count = static_cast<double>(phrase.count);
    score += count * (kSaturation + 1) / (count + kSaturation * length);
  }
  return score;
}

}  // namespace scaup
