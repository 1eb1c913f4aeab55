// Ranges and multiranges as bytes: the places where they begin and end, their normal form, and sets of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/check.hpp"
#include "scaup/type.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

class Value;

// A range is packed as the struct of its parts (RangeType), whose memcmp order is SQL's order of ranges: the
// empty one first, then by lower bounds, of which none is the least, then by upper bounds, of which none is
// the greatest. A multirange is packed as the list of its ranges.
//
// A range begins and ends at a cut, which lies before a value or behind it: [a and a) are cuts before a, (a
// and a] cuts behind. The bytes of a cut are the slot of the value and the slot of a BOOLEAN, whether it lies
// behind, just as they stand in the range; so cuts compare as bytes, too. No bytes at all are the cut before
// all values, a NULL slot is that behind them. All that ranges do to each other is a comparison of cuts,
// whatever their bounds are, and whether these belong to them or not.

/// All values between two cuts, of which the first is less. The bytes belong to the range that was read.
struct RangeSpan {
  std::string_view lower;
  std::string_view upper;

  bool Contains(const RangeSpan& other) const { return lower <= other.lower && other.upper <= upper; }
  bool Overlaps(const RangeSpan& other) const { return lower < other.upper && other.lower < upper; }
  bool has_lower() const { return !lower.empty(); }
  bool has_upper() const;
  /// Whether the bounds belong to the range; false for one that is not there.
  bool has_lower_within() const { return has_lower() && lower.back() == 0; }
  bool has_upper_within() const { return has_upper() && upper.back() != 0; }
};

/// The slot of the value that a cut lies at. REQUIRES: it lies at one.
inline std::string_view SlotOfCut(std::string_view cut) {
  SCAUP_ASSERT(cut.size() > 2);
  return cut.substr(0, cut.size() - 2);
}

/// Sets `span` to that of a range; returns false for the empty one.
bool ReadRange(const LogicalType& range, std::string_view bytes, RangeSpan& span);
void AppendRange(const LogicalType& range, const RangeSpan& span, std::string& out);
void AppendEmptyRange(const LogicalType& range, std::string& out);
/// Appends the range from one cut to another, the empty one if the second is not greater.
void AppendRangeOrEmpty(const LogicalType& range, const RangeSpan& span, std::string& out);

/// A bound as it is given.
struct RangeBound {
  std::string_view slot;  ///< of the value; empty or NULL if there is none
  bool is_inclusive = false;
};

/// A fault of given bounds: the lower is greater than the upper one, or the next whole number or day, which
/// the range ends before, is out of range.
enum class RangeFault : uint8_t { kNone, kOrder, kOverflow };
/// Appends the range between two bounds in its normal form, unless they have a fault.
RangeFault AppendBoundedRange(const LogicalType& range, RangeBound lower, RangeBound upper, std::string& out);
[[noreturn]] void ThrowRangeFault(RangeFault fault, const LogicalType& bound);

using RangeSpans = std::vector<RangeSpan>;

/// Adds the spans of a range, one or none, or of a multirange.
void ReadSpans(const LogicalType& type, std::string_view bytes, RangeSpans& spans);
/// Sorts spans, and joins those that overlap or touch.
void MergeSpans(RangeSpans& spans);
/// Appends the bytes of a multirange, whose spans are merged.
void AppendSpans(const LogicalType& multirange, const RangeSpans& spans, std::string& out);
/// Adds what is in both sets, or in the first and not in the second. Both are merged.
void IntersectSpans(const RangeSpans& a, const RangeSpans& b, RangeSpans& out);
void SubtractSpans(const RangeSpans& a, const RangeSpans& b, RangeSpans& out);

/// Whether bytes that have the form of a struct of a range's parts are a range, or those of a list of ranges
/// a multirange.
bool IsNormalRange(const LogicalType& type, std::string_view bytes);

/// A range's text in its parts.
struct RangeText {
  bool is_empty = false;
  bool has_lower = false, has_upper = false;
  bool has_lower_within = false, has_upper_within = false;  ///< as the brackets say
  std::string lower, upper;                                 ///< without quotes and escapes
};
/// Splits "[1,10)", "empty" and so on. Returns false if it is malformed.
bool SplitRangeText(std::string_view text, RangeText& parts);
/// Splits "{[1,2),[5,7)}". Returns false if it is malformed.
bool SplitMultirangeText(std::string_view text, std::vector<RangeText>& ranges);
/// The text of a range or multirange, times in `zone`; null means UTC.
std::string RangeToText(const LogicalType& type, std::string_view bytes, const TimeZone* zone);
/// Parses a range or multirange. Returns false if the text is malformed, a bound is not of its type, or
/// bounds have a fault.
bool ParseRange(std::string_view text, const LogicalType& type, Value& result, const TimeZone* zone);
/// Casts a range to a multirange, a multirange to a list, or a struct of a range's parts to a range. Returns
/// false if the parts are no range. REQUIRES: not NULL, CastExists.
bool CastRange(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone);
/// The struct of a range's parts, or the list of those of a multirange's ranges. Its values have the same
/// bytes.
LogicalType PartsOfRange(const LogicalType& type);
/// Replaces a range or multirange by its parts; other types stay as they are, also those with ranges in them.
inline LogicalType WithoutRange(const LogicalType& type) {
  return IsRangeOrMultirange(type.id()) ? PartsOfRange(type) : type;
}

}  // namespace scaup
