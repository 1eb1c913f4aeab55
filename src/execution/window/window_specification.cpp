// Window specification: when frames are equal, and how far they extend.
#include "execution/window/window_specification.hpp"

namespace scaup {

namespace {

bool EqualBounds(const FrameBoundSpecification& a, const FrameBoundSpecification& b) {
  return a.kind == b.kind && a.limit == b.limit && a.offset == b.offset && a.offset_column == b.offset_column;
}

}  // namespace

std::optional<size_t> FrameBoundSpecification::RowDistance(size_t most) const {
  switch (kind) {
    case FrameBoundKind::kCurrentRow: return 0;
    case FrameBoundKind::kPreceding:
    case FrameBoundKind::kFollowing: {
      if (offset_column || offset.is_null()) return std::nullopt;
      const auto distance = static_cast<uint64_t>(offset.GetBigInt());
      if (distance > most) return std::nullopt;
      return distance;
    }
    case FrameBoundKind::kUnboundedPreceding:
    case FrameBoundKind::kUnboundedFollowing: return std::nullopt;
  }
  return std::nullopt;
}

bool FrameSpecification::has_limits() const {
  const auto has_offset = [](FrameBoundKind kind) {
    return kind == FrameBoundKind::kPreceding || kind == FrameBoundKind::kFollowing;
  };
  return unit == FrameUnit::kRange && (has_offset(start.kind) || has_offset(end.kind));
}

bool FrameSpecification::IsShort(size_t most) const {
  if (unit != FrameUnit::kRows || exclusion != FrameExclusion::kNoOthers) return false;
  const auto before = start.RowDistance(most), behind = end.RowDistance(most);
  // If both bounds are on the same side, the frame has even fewer rows.
  return before && behind && *before + *behind <= most;
}

bool operator==(const FrameSpecification& a, const FrameSpecification& b) {
  return a.unit == b.unit && a.exclusion == b.exclusion && a.range_key == b.range_key &&
         EqualBounds(a.start, b.start) && EqualBounds(a.end, b.end);
}

}  // namespace scaup
