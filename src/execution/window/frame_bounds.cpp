// Frame bounds: by rows, by groups of peers and by values, and EXCLUDE.
#include "execution/window/frame_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

namespace {

/// Returns a + b, capped at the maximum.
uint64_t AddCapped(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/// Finds limits among the keys of a partition. Consecutive rows have limits close to each other.
class LimitSearch {
 public:
  LimitSearch(const RangeKeys& keys, bool finds_end) : keys_(keys), finds_end_(finds_end) {}

  /// Returns the first row of [begin, end) that is not before the limit; with finds_end, that is after it.
  uint64_t Find(const std::byte* limit, uint64_t begin, uint64_t end) {
    const bool has_hint = begin_ == begin && end_ == end;
    uint64_t low = begin, high = end;
    if (has_hint) {
      // Exponential search from the last result.
      const bool is_ahead = hint_ < end && IsBefore(hint_, limit);
      uint64_t step = 1;
      if (is_ahead) {
        low = hint_ + 1;
        while (low + step < end && IsBefore(low + step, limit)) {
          low += step + 1;
          step *= 2;
        }
        high = std::min(end, low + step + 1);
      } else {
        high = hint_;
        while (high - begin > step && !IsBefore(high - step, limit)) {
          high -= step;
          step *= 2;
        }
        low = high - begin > step ? high - step : begin;
      }
    }
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      IsBefore(middle, limit) ? low = middle + 1 : high = middle;
    }
    begin_ = begin;
    end_ = end;
    hint_ = low;
    return low;
  }

 private:
  bool IsBefore(uint64_t row, const std::byte* limit) const {
    const int order = std::memcmp(keys_.KeyOf(row), limit, keys_.key_bytes());
    return finds_end_ ? order <= 0 : order < 0;
  }

  const RangeKeys& keys_;
  const bool finds_end_;
  uint64_t begin_ = UINT64_MAX;
  uint64_t end_ = 0;
  uint64_t hint_ = 0;
};

void FindLimits(const FrameBoundSpecification& bound, const SortedRows& rows, const BlockGroups& block,
                const RangeKeys& keys, bool is_end, std::vector<uint64_t>& result) {
  DataChunk limits({keys.encoder().orders()[0].type});
  rows.Read(bound.limit, block.begin, block.count, limits.column(0));
  std::vector<std::byte> encoded(block.count * keys.key_bytes());
  keys.encoder().Encode(limits, block.count, encoded.data());
  LimitSearch search(keys, is_end);
  for (size_t i = 0; i < block.count; i++) {
    result[i] =
        search.Find(encoded.data() + i * keys.key_bytes(), block.partition_begin[i], block.partition_end[i]);
  }
}

/// The offset of each row of a block, for ROWS and GROUPS, whose offsets are not negative.
class BlockOffsets {
 public:
  BlockOffsets(const FrameBoundSpecification& bound, const SortedRows& rows, const BlockGroups& block)
      : column_(TypeId::kBigInt),
        is_column_(bound.offset_column.has_value()),
        constant_(is_column_ ? 0 : bound.offset.GetBigInt()) {
    if (is_column_) rows.Read(*bound.offset_column, block.begin, block.count, column_);
    values_ = is_column_ ? column_.Data<int64_t>() : &constant_;
  }
  BlockOffsets(const BlockOffsets&) = delete;
  BlockOffsets& operator=(const BlockOffsets&) = delete;
  uint64_t operator[](size_t row) const { return static_cast<uint64_t>(values_[is_column_ ? row : 0]); }

 private:
  Vector column_;
  bool is_column_;
  int64_t constant_;
  const int64_t* values_;
};

void OffsetRows(const FrameBoundSpecification& bound, const SortedRows& rows, const BlockGroups& block,
                bool is_end, std::vector<uint64_t>& result) {
  const BlockOffsets offsets(bound, rows, block);
  const bool is_preceding = bound.kind == FrameBoundKind::kPreceding;
  for (size_t i = 0; i < block.count; i++) {
    const uint64_t row = block.begin + i, offset = offsets[i];
    const uint64_t first = block.partition_begin[i], end = block.partition_end[i];
    if (is_preceding) {
      // An end before the first row makes the frame empty.
      result[i] = row - first >= offset ? row - offset + (is_end ? 1 : 0) : first;
    } else {
      result[i] = std::min(AddCapped(AddCapped(row, offset), is_end ? 1 : 0), end);
    }
  }
}

void OffsetGroups(const FrameBoundSpecification& bound, const SortedRows& rows, const RowGroups& groups,
                  const BlockGroups& block, bool is_end, std::vector<uint64_t>& result) {
  const BlockOffsets offsets(bound, rows, block);
  const bool is_preceding = bound.kind == FrameBoundKind::kPreceding;
  for (size_t i = 0; i < block.count; i++) {
    const uint64_t group = block.peer_group[i], offset = offsets[i];
    const uint64_t first = groups.partition_peers[block.partition[i]];
    const uint64_t end = groups.partition_peers[block.partition[i] + 1];
    uint64_t wanted;
    if (is_preceding) {
      wanted = group - first >= offset ? group - offset + (is_end ? 1 : 0) : first;
    } else {
      wanted = std::min(AddCapped(AddCapped(group, offset), is_end ? 1 : 0), end);
    }
    result[i] = groups.FirstOfPeers(wanted);
  }
}

void ComputeBound(const FrameSpecification& frame, bool is_end, const SortedRows& rows,
                  const RowGroups& groups, const BlockGroups& block, const RangeKeys* keys,
                  std::vector<uint64_t>& result) {
  const FrameBoundSpecification& bound = is_end ? frame.end : frame.start;
  result.resize(kVectorSize);
  switch (bound.kind) {
    case FrameBoundKind::kUnboundedPreceding: result = block.partition_begin; return;
    case FrameBoundKind::kUnboundedFollowing: result = block.partition_end; return;
    case FrameBoundKind::kCurrentRow:
      if (frame.unit == FrameUnit::kRows) {
        for (size_t i = 0; i < block.count; i++) result[i] = block.begin + i + (is_end ? 1 : 0);
      } else {
        result = is_end ? block.peer_end : block.peer_begin;
      }
      return;
    case FrameBoundKind::kPreceding:
    case FrameBoundKind::kFollowing: break;
  }
  switch (frame.unit) {
    case FrameUnit::kRows: return OffsetRows(bound, rows, block, is_end, result);
    case FrameUnit::kGroups: return OffsetGroups(bound, rows, groups, block, is_end, result);
    case FrameUnit::kRange: return FindLimits(bound, rows, block, *keys, is_end, result);
  }
}

/// Cuts [hole_begin, hole_end) out of range `from`; the part after the hole becomes range `to`.
void CutHole(BlockFrames& frames, size_t row, uint64_t hole_begin, uint64_t hole_end, size_t from,
             size_t to) {
  const uint64_t end = frames.ends[from][row];
  frames.ends[from][row] = std::max(frames.begins[from][row], std::min(end, hole_begin));
  frames.begins[to][row] = std::min(end, std::max(frames.begins[from][row], hole_end));
  frames.ends[to][row] = end;
}

void Exclude(FrameExclusion exclusion, const BlockGroups& block, BlockFrames& frames) {
  if (exclusion == FrameExclusion::kNoOthers) return;
  frames.range_count = exclusion == FrameExclusion::kTies ? 3 : 2;
  for (size_t r = 1; r < frames.range_count; r++) {
    frames.begins[r].resize(kVectorSize);
    frames.ends[r].resize(kVectorSize);
  }
  for (size_t i = 0; i < block.count; i++) {
    const uint64_t row = block.begin + i;
    switch (exclusion) {
      case FrameExclusion::kNoOthers: break;
      case FrameExclusion::kCurrentRow: CutHole(frames, i, row, row + 1, 0, 1); break;
      case FrameExclusion::kGroup: CutHole(frames, i, block.peer_begin[i], block.peer_end[i], 0, 1); break;
      case FrameExclusion::kTies: {
        const bool has_row = frames.begins[0][i] <= row && row < frames.ends[0][i];
        CutHole(frames, i, block.peer_begin[i], block.peer_end[i], 0, 2);
        frames.begins[1][i] = row;
        frames.ends[1][i] = has_row ? row + 1 : row;
        break;
      }
    }
  }
}

template <typename T>
bool HasNegative(const Vector& offsets, size_t count) {
  const T* values = offsets.Data<T>();
  return std::any_of(values, values + count, [](const T& value) {
    if constexpr (std::is_same_v<T, Interval>) {
      return IntervalSortKey(value) < 0;
    } else {
      return value < 0;
    }
  });
}

/// Throws if one of the first `count` offsets of a flat vector is NULL or negative.
void CheckOffsetValues(const Vector& offsets, size_t count, bool is_range, const char* name) {
  if (offsets.Validity() != nullptr && CountValid(offsets.Validity(), count) != count) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kNullValueNotAllowed,
               fmt::format("frame {} offset must not be null", name));
  }
  bool is_negative = false;
  switch (offsets.type().id()) {
    case TypeId::kBigInt: is_negative = HasNegative<int64_t>(offsets, count); break;
    case TypeId::kHugeInt:
    case TypeId::kDecimal: is_negative = HasNegative<int128_t>(offsets, count); break;
    case TypeId::kDouble: is_negative = HasNegative<double>(offsets, count); break;
    case TypeId::kInterval: is_negative = HasNegative<Interval>(offsets, count); break;
    default: ThrowInternal("offsets of frames are not of this type");
  }
  if (!is_negative) return;
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidFrameOffset,
             is_range ? "invalid preceding or following size in window function"
                      : fmt::format("frame {} offset must not be negative", name));
}

void CheckBound(QueryContext& context, const FrameBoundSpecification& bound, const SortedRows& rows,
                bool is_range, const char* name) {
  if (bound.kind != FrameBoundKind::kPreceding && bound.kind != FrameBoundKind::kFollowing) return;
  if (!bound.offset_column) {
    Vector offset(bound.offset_type);
    offset.Reset();
    offset.SetValue(0, bound.offset);
    return CheckOffsetValues(offset, 1, is_range, name);
  }
  Vector offsets(rows.types()[*bound.offset_column]);
  for (size_t begin = 0; begin < rows.row_count(); begin += kVectorSize) {
    context.functions.CheckInterrupt();
    const size_t count = std::min(kVectorSize, rows.row_count() - begin);
    rows.Read(*bound.offset_column, begin, count, offsets);
    CheckOffsetValues(offsets, count, is_range, name);
  }
}

}  // namespace

void CheckOffsets(QueryContext& context, const FrameSpecification& frame, const SortedRows& rows) {
  SCAUP_ASSERT(rows.row_count() != 0);
  const bool is_range = frame.unit == FrameUnit::kRange;
  CheckBound(context, frame.start, rows, is_range, "starting");
  CheckBound(context, frame.end, rows, is_range, "ending");
}

RangeKeys::RangeKeys(QueryContext& context, const SortedRows& rows, const FrameSpecification& frame,
                     const SortOrder& order)
    : memory_(context.memory()),
      encoder_({SortOrder{rows.types()[frame.range_key], order.descending, order.nulls_first}}) {
  SCAUP_ASSERT(frame.has_limits());
  memory_.Resize(rows.row_count() * key_bytes());
  keys_.resize(rows.row_count() * key_bytes());
  DataChunk values({rows.types()[frame.range_key]});
  for (size_t begin = 0; begin < rows.row_count(); begin += kVectorSize) {
    context.functions.CheckInterrupt();
    const size_t count = std::min(kVectorSize, rows.row_count() - begin);
    rows.Read(frame.range_key, begin, count, values.column(0));
    encoder_.Encode(values, count, keys_.data() + begin * key_bytes());
  }
}

void ComputeFrames(const FrameSpecification& frame, const SortedRows& rows, const RowGroups& groups,
                   const BlockGroups& block, const RangeKeys* keys, BlockFrames& frames) {
  frames.range_count = 1;
  ComputeBound(frame, false, rows, groups, block, keys, frames.begins[0]);
  ComputeBound(frame, true, rows, groups, block, keys, frames.ends[0]);
  for (size_t i = 0; i < block.count; i++)
    frames.ends[0][i] = std::max(frames.begins[0][i], frames.ends[0][i]);
  Exclude(frame.exclusion, block, frames);
}

}  // namespace scaup
