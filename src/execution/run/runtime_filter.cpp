// Runtime filters: bounds of integer keys, and bitmaps of keys or of hashes.
#include "execution/run/runtime_filter.hpp"

#include <algorithm>
#include <bit>

#include "common/hash.hpp"
#include "common/throw.hpp"
#include "type/text/string_ref.hpp"

namespace scaup {

namespace {

template <typename T>
void Widen(const UnifiedView& keys, size_t count, int64_t& least, int64_t& greatest) {
  const auto values = keys.As<T>();
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row)) continue;
    least = std::min<int64_t>(least, values[row]);
    greatest = std::max<int64_t>(greatest, values[row]);
  }
}

}  // namespace

void RuntimeFilter::Add(const UnifiedView& keys, size_t count) {
  switch (type_) {
    case PhysicalType::kInt16: return Widen<int16_t>(keys, count, least_, greatest_);
    case PhysicalType::kInt32: return Widen<int32_t>(keys, count, least_, greatest_);
    case PhysicalType::kInt64: return Widen<int64_t>(keys, count, least_, greatest_);
    case PhysicalType::kUInt16: return Widen<uint16_t>(keys, count, least_, greatest_);
    case PhysicalType::kUInt32: return Widen<uint32_t>(keys, count, least_, greatest_);
    default: return;
  }
}

void RuntimeFilter::Merge(const RuntimeFilter& other) {
  least_ = std::min(least_, other.least_);
  greatest_ = std::max(greatest_, other.greatest_);
}

bool RuntimeFilter::BeginBitmap(size_t row_count) {
  SCAUP_ASSERT(has_keys() || is_text());
  constexpr uint64_t kMostValues = uint64_t{1} << 23;  // 1 MiB of bits.
  if (is_text_) {
    constexpr uint64_t kBitsOfKey = 16;  // About one in 16 probe rows without a partner passes.
    if (row_count == 0 || row_count > kMostValues / kBitsOfKey) return false;
    bitmap_ = std::make_shared<std::vector<uint64_t>>(std::bit_ceil(row_count * kBitsOfKey / 64 + 1));
    return true;
  }
  const uint64_t span = static_cast<uint64_t>(greatest_) - static_cast<uint64_t>(least_);
  // A bitmap with more than half of its bits set rejects too few rows to pay for the test.
  if (span >= kMostValues || row_count > (span + 1) / 2) return false;
  bitmap_ = std::make_shared<std::vector<uint64_t>>(span / 64 + 1);
  return true;
}

template <typename T>
void RuntimeFilter::AddToBitmapOf(const UnifiedView& keys, size_t count) {
  const auto values = keys.As<T>();
  uint64_t* words = bitmap_->data();
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row)) continue;
    const uint64_t bit = static_cast<uint64_t>(values[row]) - static_cast<uint64_t>(least_);
    words[bit / 64] |= uint64_t{1} << (bit % 64);
  }
}

template <typename T>
size_t RuntimeFilter::SelectByBitmapOf(const UnifiedView& keys, size_t count, sel_t* selected) const {
  const auto values = keys.As<T>();
  const uint64_t* words = bitmap_->data();
  const uint64_t span = static_cast<uint64_t>(greatest_) - static_cast<uint64_t>(least_);
  size_t kept = 0;
  // The loop is free of branches: a key out of the range tests word 0, and is_inside masks the result.
  for (size_t row = 0; row < count; row++) {
    const uint64_t bit = static_cast<uint64_t>(values[row]) - static_cast<uint64_t>(least_);
    const bool is_inside = bit <= span;
    const uint64_t word = words[is_inside ? bit / 64 : 0];
    selected[kept] = static_cast<sel_t>(row);
    kept += is_inside && ((word >> (bit % 64)) & 1) != 0 && values.IsValid(row);
  }
  return kept;
}

void RuntimeFilter::AddHashes(const UnifiedView& keys, size_t count) {
  const auto values = keys.As<StringRef>();
  const size_t mask = bitmap_->size() * 64 - 1;
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row)) continue;
    const uint64_t bit = HashBytes(values[row].data(), values[row].size()) & mask;
    (*bitmap_)[bit / 64] |= uint64_t{1} << (bit % 64);
  }
}

size_t RuntimeFilter::SelectHashes(const UnifiedView& keys, size_t count, sel_t* selected) const {
  const auto values = keys.As<StringRef>();
  const size_t mask = bitmap_->size() * 64 - 1;
  size_t kept = 0;
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row)) continue;
    const uint64_t bit = HashBytes(values[row].data(), values[row].size()) & mask;
    selected[kept] = static_cast<sel_t>(row);
    kept += ((*bitmap_)[bit / 64] >> (bit % 64)) & 1;
  }
  return kept;
}

void RuntimeFilter::AddToBitmap(const UnifiedView& keys, size_t count) {
  if (is_text_) return AddHashes(keys, count);
  switch (type_) {
    case PhysicalType::kInt16: return AddToBitmapOf<int16_t>(keys, count);
    case PhysicalType::kInt32: return AddToBitmapOf<int32_t>(keys, count);
    case PhysicalType::kInt64: return AddToBitmapOf<int64_t>(keys, count);
    case PhysicalType::kUInt16: return AddToBitmapOf<uint16_t>(keys, count);
    case PhysicalType::kUInt32: return AddToBitmapOf<uint32_t>(keys, count);
    default: return;
  }
}

size_t RuntimeFilter::SelectByBitmap(const UnifiedView& keys, size_t count, sel_t* selected) const {
  SCAUP_ASSERT(has_bitmap());
  if (is_text_) return SelectHashes(keys, count, selected);
  switch (type_) {
    case PhysicalType::kInt16: return SelectByBitmapOf<int16_t>(keys, count, selected);
    case PhysicalType::kInt32: return SelectByBitmapOf<int32_t>(keys, count, selected);
    case PhysicalType::kUInt16: return SelectByBitmapOf<uint16_t>(keys, count, selected);
    case PhysicalType::kUInt32: return SelectByBitmapOf<uint32_t>(keys, count, selected);
    default: return SelectByBitmapOf<int64_t>(keys, count, selected);
  }
}

}  // namespace scaup
