// Cuts, ranges and sets of them as bytes.
#include "type/range_value.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "common/throw.hpp"
#include "type/packed_value.hpp"

namespace scaup {

namespace {

constexpr int8_t kEmptyRange = 0, kWithoutLower = 1, kWithLower = 2;
constexpr size_t kFlagBytes = 2, kKindBytes = 2;  // slots of BOOLEAN and TINYINT

void AppendFlag(bool flag, std::string& out) { AppendFixedSlot(static_cast<uint8_t>(flag), out); }

/// Moves the cut behind a whole number to that before the next one. Returns false if there is none.
template <typename T>
bool MoveToNext(std::string& cut) {
  const T value = ReadFixedSlot<T>(SlotOfCut(cut));
  if (value == std::numeric_limits<T>::max()) return false;
  cut.clear();
  AppendFixedSlot(static_cast<T>(value + 1), cut);
  AppendFlag(false, cut);
  return true;
}

/// Moves the cut behind a day likewise. Infinite days have no next one, and stay as they are.
bool MoveToNextDay(std::string& cut) {
  const auto days = ReadFixedSlot<int32_t>(SlotOfCut(cut));
  if (IsInfiniteDate(days)) return true;
  return IsDateInRange(days + 1) && MoveToNext<int32_t>(cut);
}

/// Whether the cut lies behind a value.
bool LiesBehind(std::string_view cut) { return !cut.empty() && !IsNullSlot(cut) && cut.back() != 0; }

/// Between whole numbers, and between days, there is one cut, for which the one before the second is taken.
bool MakeNormal(const LogicalType& bound, std::string& cut) {
  if (!LiesBehind(cut)) return true;
  switch (bound.id()) {
    case TypeId::kInteger: return MoveToNext<int32_t>(cut);
    case TypeId::kBigInt: return MoveToNext<int64_t>(cut);
    case TypeId::kDate: return MoveToNextDay(cut);
    default: return true;
  }
}

bool IsGiven(const RangeBound& bound) { return !bound.slot.empty() && !IsNullSlot(bound.slot); }

/// Whether a range's bytes are those that its parts make.
bool IsNormalOne(const LogicalType& range, std::string_view bytes) {
  if (IsNullSlot(bytes)) return false;
  const auto kind = ReadFixedSlot<int8_t>(bytes);
  std::string made;
  if (kind == kEmptyRange) {
    AppendEmptyRange(range, made);
    return made == bytes;
  }
  const LogicalType& bound = RangeBoundType(range);
  std::string_view rest = bytes.substr(kKindBytes);
  const std::string_view lower = TakeSlot(bound, rest);
  const std::string_view lower_flag = TakeSlot(TypeId::kBoolean, rest);
  const std::string_view upper = TakeSlot(bound, rest);
  if (IsNullSlot(lower_flag) || IsNullSlot(rest)) return false;
  const RangeFault fault =
      AppendBoundedRange(range, {lower, lower_flag.back() == 0}, {upper, rest.back() != 0}, made);
  return fault == RangeFault::kNone && made == bytes;
}

}  // namespace

bool RangeSpan::has_upper() const { return !IsNullSlot(upper); }

bool ReadRange(const LogicalType& range, std::string_view bytes, RangeSpan& span) {
  const auto kind = ReadFixedSlot<int8_t>(bytes);
  if (kind == kEmptyRange) return false;
  const std::string_view cuts = bytes.substr(kKindBytes);
  std::string_view rest = cuts;
  TakeSlot(RangeBoundType(range), rest);
  rest.remove_prefix(kFlagBytes);
  span.lower = kind == kWithLower ? cuts.substr(0, cuts.size() - rest.size()) : std::string_view();
  span.upper = rest;
  return true;
}

void AppendRange(const LogicalType& range, const RangeSpan& span, std::string& out) {
  SCAUP_ASSERT(span.lower < span.upper);
  AppendFixedSlot(span.has_lower() ? kWithLower : kWithoutLower, out);
  if (span.has_lower()) {
    out += span.lower;
  } else {
    AppendNullSlot(RangeBoundType(range), out);
    AppendFlag(true, out);
  }
  out += span.upper;
}

void AppendEmptyRange(const LogicalType& range, std::string& out) {
  const LogicalType& bound = RangeBoundType(range);
  AppendFixedSlot(kEmptyRange, out);
  AppendNullSlot(bound, out);
  AppendFlag(true, out);
  AppendNullSlot(bound, out);
  AppendFlag(false, out);
}

void AppendRangeOrEmpty(const LogicalType& range, const RangeSpan& span, std::string& out) {
  span.lower < span.upper ? AppendRange(range, span, out) : AppendEmptyRange(range, out);
}

RangeFault AppendBoundedRange(const LogicalType& range, RangeBound lower, RangeBound upper,
                              std::string& out) {
  const LogicalType& bound = RangeBoundType(range);
  const bool has_lower = IsGiven(lower), has_upper = IsGiven(upper);
  if (has_lower && has_upper && lower.slot > upper.slot) return RangeFault::kOrder;
  std::string begin, end;
  if (has_lower) {
    begin = lower.slot;
    AppendFlag(!lower.is_inclusive, begin);
  }
  if (has_upper) {
    end = upper.slot;
  } else {
    AppendNullSlot(bound, end);
  }
  AppendFlag(has_upper && upper.is_inclusive, end);
  const bool is_empty = begin >= end;
  if (!is_empty && !(MakeNormal(bound, begin) && MakeNormal(bound, end))) return RangeFault::kOverflow;
  if (is_empty) {
    AppendEmptyRange(range, out);
  } else {
    AppendRangeOrEmpty(range, {begin, end}, out);
  }
  return RangeFault::kNone;
}

void ThrowRangeFault(RangeFault fault, const LogicalType& bound) {
  if (fault == RangeFault::kOrder) {
    ThrowError(ErrorKind::kConversion, sqlstate::kDataException,
               "range lower bound must be less than or equal to range upper bound");
  }
  if (bound.id() == TypeId::kDate)
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "date out of range");
  ThrowOutOfRange(bound.id() == TypeId::kBigInt ? "bigint out of range" : "integer out of range");
}

void ReadSpans(const LogicalType& type, std::string_view bytes, RangeSpans& spans) {
  RangeSpan span;
  if (type.id() == TypeId::kRange) {
    if (ReadRange(type, bytes, span)) spans.push_back(span);
    return;
  }
  while (!bytes.empty()) {
    ReadRange(type.element(), ReadNestedSlot(type.element(), TakeSlot(type.element(), bytes)), span);
    spans.push_back(span);
  }
}

void MergeSpans(RangeSpans& spans) {
  std::sort(spans.begin(), spans.end(), [](const RangeSpan& a, const RangeSpan& b) {
    return std::pair(a.lower, a.upper) < std::pair(b.lower, b.upper);
  });
  size_t kept = 0;
  for (size_t i = 1; i < spans.size(); i++) {
    if (spans[i].lower <= spans[kept].upper) {
      spans[kept].upper = std::max(spans[kept].upper, spans[i].upper);
    } else {
      spans[++kept] = spans[i];
    }
  }
  if (!spans.empty()) spans.resize(kept + 1);
}

void AppendSpans(const LogicalType& multirange, const RangeSpans& spans, std::string& out) {
  for (const RangeSpan& span : spans) {
    out += kSlotValue;
    AppendRange(multirange.element(), span, out);
  }
}

void IntersectSpans(const RangeSpans& a, const RangeSpans& b, RangeSpans& out) {
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const RangeSpan common = {std::max(a[i].lower, b[k].lower), std::min(a[i].upper, b[k].upper)};
    if (common.lower < common.upper) out.push_back(common);
    a[i].upper < b[k].upper ? i++ : k++;
  }
}

void SubtractSpans(const RangeSpans& a, const RangeSpans& b, RangeSpans& out) {
  size_t first = 0;  // the first span of `b` that does not end before all that is left of `a`
  for (RangeSpan rest : a) {
    while (first < b.size() && b[first].upper <= rest.lower) first++;
    for (size_t k = first; k < b.size() && b[k].lower < rest.upper; k++) {
      if (rest.lower < b[k].lower) out.push_back({rest.lower, b[k].lower});
      rest.lower = std::min(b[k].upper, rest.upper);
    }
    if (rest.lower < rest.upper) out.push_back(rest);
  }
}

bool IsNormalRange(const LogicalType& type, std::string_view bytes) {
  if (type.id() == TypeId::kRange) return IsNormalOne(type, bytes);
  const LogicalType& range = type.element();
  std::string_view before;
  bool is_first = true;
  while (!bytes.empty()) {
    const std::string_view slot = TakeSlot(range, bytes);
    RangeSpan span;
    if (IsNullSlot(slot) || !ReadRange(range, ReadNestedSlot(range, slot), span) ||
        (!is_first && span.lower <= before))
      return false;
    before = span.upper;
    is_first = false;
  }
  return true;
}

LogicalType PartsOfRange(const LogicalType& type) {
  if (type.id() == TypeId::kRange) return LogicalType::Struct(type.fields());
  return LogicalType::List(LogicalType::Struct(type.element().fields()));
}

}  // namespace scaup
