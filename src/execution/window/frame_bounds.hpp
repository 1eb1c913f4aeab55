// Frame bounds: for each row of a block, the ranges of rows that its functions see.
#pragma once

#include <vector>

#include "execution/window/sorted_rows.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// The ORDER BY column of a RANGE frame as normalized keys for binary search. Immutable.
class RangeKeys {
 public:
  /// REQUIRES: `frame` has limits.
  RangeKeys(QueryContext& context, const SortedRows& rows, const FrameSpecification& frame,
            const SortOrder& order);
  size_t key_bytes() const { return encoder_.key_bytes(); }
  const std::byte* KeyOf(size_t row) const { return keys_.data() + row * key_bytes(); }
  const SortKeyEncoder& encoder() const { return encoder_; }

 private:
  MemoryReservation memory_;
  SortKeyEncoder encoder_;
  std::vector<std::byte> keys_;
};

/// Throws 22004 or 22013 if an offset of the frame is NULL or negative. REQUIRES: there are rows; without
/// rows offsets are not checked.
void CheckOffsets(QueryContext& context, const FrameSpecification& frame, const SortedRows& rows);

/// The frames of up to 1024 rows: up to three disjoint ranges [begin, end) each, in order.
struct BlockFrames {
  static constexpr size_t kMostRanges = 3;
  size_t range_count = 1;
  std::vector<uint64_t> begins[kMostRanges];
  std::vector<uint64_t> ends[kMostRanges];

  bool IsSameAsBefore(size_t row) const {
    for (size_t r = 0; r < range_count; r++) {
      if (begins[r][row] != begins[r][row - 1] || ends[r][row] != ends[r][row - 1]) return false;
    }
    return true;
  }
};

/// `keys` is null unless the frame has limits.
void ComputeFrames(const FrameSpecification& frame, const SortedRows& rows, const RowGroups& groups,
                   const BlockGroups& block, const RangeKeys* keys, BlockFrames& frames);

}  // namespace scaup
