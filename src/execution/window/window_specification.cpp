// Frames as the window operator has them: when they are alike.
#include "execution/window/window_specification.hpp"

namespace scaup {

namespace {

bool EqualBounds(const FrameBoundSpecification& a, const FrameBoundSpecification& b) {
  return a.kind == b.kind && a.limit == b.limit && a.offset == b.offset && a.offset_column == b.offset_column;
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

}  // namespace scaup
