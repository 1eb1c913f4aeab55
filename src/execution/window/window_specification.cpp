// Frames as the window operator has them: when they are alike, and which offsets they refuse.
#include "execution/window/window_specification.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "type/date_time.hpp"

namespace scaup {

namespace {

bool EqualBounds(const FrameBoundSpecification& a, const FrameBoundSpecification& b) {
  return a.kind == b.kind && a.limit == b.limit && a.offset == b.offset;
}

bool IsNegative(const Value& offset) {
  switch (offset.type().id()) {
    case TypeId::kBigInt:
    case TypeId::kHugeInt:
    case TypeId::kDecimal: return offset.GetInteger() < 0;
    case TypeId::kDouble: return offset.GetDouble() < 0;
    case TypeId::kInterval: return IntervalSortKey(offset.GetInterval()) < 0;
    default: return false;
  }
}

void CheckBound(const FrameBoundSpecification& bound, bool is_range, const char* name) {
  if (bound.kind != FrameBoundKind::kPreceding && bound.kind != FrameBoundKind::kFollowing) return;
  if (bound.offset.is_null()) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kNullValueNotAllowed,
               fmt::format("frame {} offset must not be null", name));
  }
  if (!IsNegative(bound.offset)) return;
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidFrameOffset,
             is_range ? "invalid preceding or following size in window function"
                      : fmt::format("frame {} offset must not be negative", name));
}

}  // namespace

bool FrameSpecification::has_limits() const {
  const auto has_offset = [](FrameBoundKind kind) {
    return kind == FrameBoundKind::kPreceding || kind == FrameBoundKind::kFollowing;
  };
  return unit == FrameUnit::kRange && (has_offset(start.kind) || has_offset(end.kind));
}

bool operator==(const FrameSpecification& a, const FrameSpecification& b) {
  return a.unit == b.unit && a.exclusion == b.exclusion && a.range_key == b.range_key &&
         EqualBounds(a.start, b.start) && EqualBounds(a.end, b.end);
}

void CheckFrameOffsets(const WindowSpecification& specification) {
  for (const FrameSpecification& frame : specification.frames) {
    CheckBound(frame.start, frame.unit == FrameUnit::kRange, "starting");
    CheckBound(frame.end, frame.unit == FrameUnit::kRange, "ending");
  }
}

}  // namespace scaup
