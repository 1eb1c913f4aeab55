// LIKE patterns, compiled once and matched against many texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// A compiled LIKE pattern: % matches any text, _ any single character, and an escape character makes the
/// next one literal. Immutable after Compile; thread-safe.
class LikePattern {
 public:
  /// Compiles a pattern. Returns false if it ends with its escape character. `escape` is one character, or
  /// empty for none.
  static bool Compile(std::string_view pattern, std::string_view escape, LikePattern& result);
  bool Matches(std::string_view text) const;

  /// The text with which every match begins; the whole text if is_exact().
  const std::string& prefix() const { return segments_.front().text; }
  bool is_exact() const { return shape_ == Shape::kExact; }
  /// The longest text that occurs in every match at any position; empty if none is known.
  const std::string& part() const { return part_; }
  /// Whether every text that contains part() matches.
  bool is_contains() const { return shape_ == Shape::kContains; }

 private:
  /// The part of a pattern between two %: literal bytes, with placeholder bytes where a _ stands.
  struct Segment {
    std::string text;
    std::vector<bool> is_any;  ///< by byte of `text`; empty if there is no _
  };
  enum class Shape { kExact, kPrefix, kSuffix, kContains, kSegments };

  static bool MatchAt(const Segment& segment, std::string_view text, size_t offset, size_t& end);
  bool MatchSegments(std::string_view text) const;
  bool FindSegment(const Segment& segment, std::string_view text, size_t from, size_t& end) const;

  Shape shape_ = Shape::kExact;
  std::string part_;
  std::vector<Segment> segments_;  // n + 1 segments for n runs of %
};

}  // namespace scaup
