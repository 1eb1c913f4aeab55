// A LIKE pattern, taken apart once and matched against many texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// A pattern of LIKE: % is any text, _ any one character, an escape character takes the next one literally.
/// Immutable after Compile; any thread may match.
class LikePattern {
 public:
  /// False when the pattern ends with its escape character. `escape` is one character, or empty for none.
  static bool Compile(std::string_view pattern, std::string_view escape, LikePattern& result);
  bool Matches(std::string_view text) const;

  /// The text that every match begins with; all of the text when is_exact().
  const std::string& prefix() const { return segments_.front().text; }
  bool is_exact() const { return shape_ == Shape::kExact; }
  /// The longest text that is somewhere in every match; empty where none is known that may be anywhere.
  const std::string& part() const { return part_; }
  /// Whether every text matches that has part() in it.
  bool is_contains() const { return shape_ == Shape::kContains; }

 private:
  /// A run between two %: literal bytes, with the offsets in it where a _ stands (each such byte is a
  /// placeholder).
  struct Segment {
    std::string text;
    std::vector<bool> is_any;  ///< by byte of `text`; empty when there is no _
  };
  enum class Shape { kExact, kPrefix, kSuffix, kContains, kSegments };

  static bool MatchAt(const Segment& segment, std::string_view text, size_t offset, size_t& end);
  bool MatchSegments(std::string_view text) const;
  bool FindSegment(const Segment& segment, std::string_view text, size_t from, size_t& end) const;

  Shape shape_ = Shape::kExact;
  std::string part_;
  std::vector<Segment> segments_;  // n + 1 segments for n runs of %.
};

}  // namespace scaup
