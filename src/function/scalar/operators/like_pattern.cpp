// LIKE patterns, compiled once and matched against many texts.
#include "function/scalar/operators/like_pattern.hpp"

#include <cstring>

#include "common/running_call.hpp"
#include "function/scalar/string/utf8.hpp"

namespace scaup {
namespace {

/// The number of bytes or segments between checks for an interrupt.
constexpr size_t kCheckedBytes = 4096;
constexpr size_t kCheckedSegments = 64;

bool Contains(std::string_view text, std::string_view part) {
  return part.empty() || memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

}  // namespace

bool LikePattern::Compile(std::string_view pattern, std::string_view escape, LikePattern& result) {
  result.segments_.assign(1, Segment{});
  bool has_any = false, in_run = false;
  for (size_t i = 0; i < pattern.size(); i++) {
    const bool escaped = !escape.empty() && pattern.substr(i, escape.size()) == escape;
    if (escaped) {
      i += escape.size();
      if (i >= pattern.size()) return false;
    }
    const char c = pattern[i];
    if (!escaped && c == '%') {
      if (!in_run) result.segments_.emplace_back();
      in_run = true;
      continue;
    }
    in_run = false;
    Segment& segment = result.segments_.back();
    const bool is_any = !escaped && c == '_';
    has_any |= is_any;
    if (is_any) segment.is_any.resize(segment.text.size(), false);
    segment.text.push_back(c);
    if (is_any || !segment.is_any.empty()) segment.is_any.push_back(is_any);
  }
  const auto& segments = result.segments_;
  result.shape_ = Shape::kSegments;
  result.part_.clear();
  for (const Segment& segment : segments) {
    if (segment.is_any.empty() && segment.text.size() > result.part_.size()) result.part_ = segment.text;
  }
  if (has_any) return true;
  if (segments.size() == 1) result.shape_ = Shape::kExact;
  if (segments.size() == 2 && segments[1].text.empty()) result.shape_ = Shape::kPrefix;
  if (segments.size() == 2 && segments[0].text.empty()) result.shape_ = Shape::kSuffix;
  // In these shapes the only text has a fixed position in every match, so searching for it elsewhere is
  // useless.
  if (result.shape_ != Shape::kSegments) result.part_.clear();
  if (segments.size() == 3 && segments[0].text.empty() && segments[2].text.empty())
    result.shape_ = Shape::kContains;
  return true;
}

bool LikePattern::Matches(std::string_view text) const {
  switch (shape_) {
    case Shape::kExact: return text == segments_[0].text;
    case Shape::kPrefix: return text.starts_with(segments_[0].text);
    case Shape::kSuffix: return text.ends_with(segments_[1].text);
    case Shape::kContains: return Contains(text, segments_[1].text);
    case Shape::kSegments: return MatchSegments(text);
  }
  return false;
}

/// Whether `segment` matches at `offset`; `end` is then the end of the match.
bool LikePattern::MatchAt(const Segment& segment, std::string_view text, size_t offset, size_t& end) {
  if (segment.is_any.empty()) {
    end = offset + segment.text.size();
    return text.substr(offset).starts_with(segment.text);
  }
  for (size_t i = 0; i < segment.text.size(); i++) {
    if (offset >= text.size()) return false;
    const bool is_any = i < segment.is_any.size() && segment.is_any[i];
    if (!is_any && text[offset] != segment.text[i]) return false;
    offset += is_any ? CharacterLength(text, offset) : 1;
  }
  end = offset;
  return true;
}

/// Finds the first position at or after `from` where `segment` matches.
bool LikePattern::FindSegment(const Segment& segment, std::string_view text, size_t from, size_t& end) const {
  if (segment.is_any.empty()) {
    const std::string_view rest = text.substr(from);
    const void* found = memmem(rest.data(), rest.size(), segment.text.data(), segment.text.size());
    if (found == nullptr) return false;
    end = from + static_cast<size_t>(static_cast<const char*>(found) - rest.data()) + segment.text.size();
    return true;
  }
  for (size_t offset = from; offset <= text.size(); offset++) {
    if (offset % kCheckedBytes == 0) RunningCall::CheckInterrupt();
    if (offset < text.size() && !BeginsCharacter(text[offset])) continue;
    if (MatchAt(segment, text, offset, end)) return true;
  }
  return false;
}

/// For the inner segments, the earliest match of each leaves the most text for the rest, so no backtracking
/// is needed.
bool LikePattern::MatchSegments(std::string_view text) const {
  size_t offset = 0;
  if (!MatchAt(segments_.front(), text, 0, offset)) return false;
  if (segments_.size() == 1) return offset == text.size();
  for (size_t i = 1; i + 1 < segments_.size(); i++) {
    if (i % kCheckedSegments == 0) RunningCall::CheckInterrupt();
    if (!FindSegment(segments_[i], text, offset, offset)) return false;
  }
  const Segment& last = segments_.back();
  if (last.text.empty()) return true;
  if (last.is_any.empty()) return text.size() - offset >= last.text.size() && text.ends_with(last.text);
  // The last segment must end at the end of the text: it begins as many characters before as it has.
  const size_t wanted = [&] {
    size_t characters = 0;
    for (size_t i = 0; i < last.text.size(); i++) {
      const bool is_any = i < last.is_any.size() && last.is_any[i];
      characters += is_any || BeginsCharacter(last.text[i]);
    }
    return characters;
  }();
  size_t start = text.size();
  for (size_t found = 0; found < wanted; found++) {
    if (start <= offset) return false;
    do start--;
    while (start > offset && !BeginsCharacter(text[start]));
  }
  size_t end;
  return MatchAt(last, text, start, end) && end == text.size();
}

}  // namespace scaup
