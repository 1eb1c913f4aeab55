// Row layout: writing, reading and comparing columns of rows.
#include "execution/rows/row_layout.hpp"

#include <cmath>
#include <cstring>

#include "common/memory/memory_tracker.hpp"
#include "common/throw.hpp"
#include "type/time/date_time.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

size_t AlignUp(size_t value, size_t alignment) { return (value + alignment - 1) / alignment * alignment; }

template <typename T>
bool SameValue(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a == b || (std::isnan(a) && std::isnan(b));
  } else if constexpr (std::is_same_v<T, Interval>) {
    return IntervalSortKey(a) == IntervalSortKey(b);
  } else {
    return a == b;
  }
}

template <typename T>
T Load(const std::byte* address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

}  // namespace

RowLayout::RowLayout(std::vector<LogicalType> types, size_t header_bytes, std::span<const StateSpace> states)
    : types_(std::move(types)) {
  validity_offset_ = header_bytes;
  size_t offset = header_bytes + (types_.size() + 7) / 8;
  size_t alignment = 8;
  for (const LogicalType& type : types_) {
    physical_types_.push_back(PhysicalTypeOf(type));
    const size_t size = PhysicalSize(physical_types_.back());
    const bool is_wide = physical_types_.back() == PhysicalType::kInt128;
    offset = AlignUp(offset, is_wide ? 16 : std::min<size_t>(size, 8));
    alignment = is_wide ? 16 : alignment;
    offsets_.push_back(offset);
    offset += size;
    has_strings_ = has_strings_ || physical_types_.back() == PhysicalType::kString;
  }
  for (const StateSpace& state : states) {
    offset = AlignUp(offset, state.alignment);
    alignment = std::max(alignment, state.alignment);
    state_offsets_.push_back(offset);
    offset += state.size_bytes;
  }
  row_bytes_ = AlignUp(offset, alignment);
}

void RowLayout::InitializeValidity(std::byte* row) const {
  std::memset(row + validity_offset_, 0xff, (types_.size() + 7) / 8);
}

void RowLayout::Scatter(size_t column, const UnifiedView& view, const sel_t* source_rows, size_t count,
                        std::byte* const* rows, Arena& arena) const {
  const size_t offset = offsets_[column];
  const size_t validity_byte = validity_offset_ + column / 8;
  const std::byte bit{static_cast<uint8_t>(1u << (column % 8))};
  VisitBits(physical_types_[column], [&]<typename T>() {
    const auto typed = view.As<T>();
    for (size_t i = 0; i < count; i++) {
      const size_t source = source_rows[i];
      T value{};
      if (view.IsValid(source)) {
        value = typed[source];
        if constexpr (std::is_same_v<T, StringRef>) {
          if (!value.is_inline()) {
            char* copy = reinterpret_cast<char*>(arena.Allocate(value.size(), 1));
            std::memcpy(copy, value.data(), value.size());
            value = StringRef(copy, value.size());
          }
        }
      } else {
        rows[i][validity_byte] &= ~bit;
      }
      std::memcpy(rows[i] + offset, &value, sizeof(T));
    }
  });
}

void RowLayout::Gather(size_t column, const std::byte* const* rows, size_t count, Vector& result,
                       size_t result_offset) const {
  const size_t offset = offsets_[column];
  const size_t validity_byte = validity_offset_ + column / 8;
  const uint8_t bit = static_cast<uint8_t>(1u << (column % 8));
  VisitBits(physical_types_[column], [&]<typename T>() {
    T* out = result.MutableData<T>() + result_offset;
    for (size_t i = 0; i < count; i++) std::memcpy(out + i, rows[i] + offset, sizeof(T));
  });
  // The validity bytes of all rows are combined first: mostly there is no NULL, and the second loop is
  // skipped.
  uint8_t all = bit;
  for (size_t i = 0; i < count; i++) all &= static_cast<uint8_t>(rows[i][validity_byte]);
  if (all != 0) return;
  for (size_t i = 0; i < count; i++) {
    if ((static_cast<uint8_t>(rows[i][validity_byte]) & bit) == 0) result.SetNull(result_offset + i);
  }
}

size_t RowLayout::Match(size_t column, const UnifiedView& view, bool nulls_equal,
                        const std::byte* const* rows, sel_t* candidates, size_t count, sel_t* mismatches,
                        size_t& mismatch_count) const {
  const size_t offset = offsets_[column];
  return VisitBits(physical_types_[column], [&]<typename T>() {
    const auto typed = view.As<T>();
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
      const sel_t candidate = candidates[i];
      const std::byte* row = rows[candidate];
      const bool left_valid = view.IsValid(candidate), right_valid = IsValid(row, column);
      bool same;
      if (left_valid && right_valid) {
        same = SameValue(typed[candidate], Load<T>(row + offset));
      } else {
        same = nulls_equal && left_valid == right_valid;
      }
      if (same) {
        candidates[kept++] = candidate;
      } else {
        mismatches[mismatch_count++] = candidate;
      }
    }
    return kept;
  });
}

RowCollection::RowCollection(const RowLayout& layout, MemoryTracker& memory)
    : row_bytes_(layout.row_bytes()), arena_(std::make_unique<Arena>(&memory)) {
  arena_->GrowSlowly();
}

/// The first blocks (`previous` is 0) are small, for queries with few rows. Blocks then grow up to about 512
/// KiB, and no more than to a quarter of all rows, so that little memory is needed at a time.
size_t RowCollection::RowsOfBlock(size_t previous, size_t row_count) const {
  constexpr size_t kFirst = 64, kGrowthPart = 4;
  const size_t limit = std::max<size_t>(1, kMostBlockBytes / row_bytes_);
  return std::min(std::max(std::min(2 * previous, row_count / kGrowthPart), kFirst), limit);
}

size_t RowCollection::MostAddBytes(size_t count) const {
  size_t room = static_cast<size_t>(end_ - next_) / row_bytes_;
  size_t block = block_rows_.empty() ? 0 : block_rows_.back();
  size_t arena_block = arena_->next_block_bytes(), bytes = arena_block;
  size_t row_count = row_count_ + room, held_bytes = arena_->size_bytes();
  while (room < count) {
    block = RowsOfBlock(block, row_count);
    room += block;
    row_count += block;
    const size_t block_bytes = std::max(arena_block, block * row_bytes_ + 64);
    bytes += block_bytes;
    held_bytes += block_bytes;
    arena_block = arena_->BlockBytesAfter(arena_block, held_bytes);
  }
  return std::min(bytes, 2 * kMostBlockBytes + count * row_bytes_);
}

void RowCollection::AddBlock() {
  const size_t rows = RowsOfBlock(block_rows_.empty() ? 0 : block_rows_.back(), row_count_);
  next_ = arena_->Allocate(rows * row_bytes_, 64);
  end_ = next_ + rows * row_bytes_;
  blocks_.push_back(next_);
  block_rows_.push_back(rows);
}

}  // namespace scaup
