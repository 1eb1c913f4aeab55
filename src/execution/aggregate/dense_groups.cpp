// Dense groups: computing slots from keys.
#include "execution/aggregate/dense_groups.hpp"

#include <algorithm>

#include "execution/rows/visit_integer.hpp"

namespace scaup {

namespace {

/// A directory of this size leaves most of a core's cache to the groups.
constexpr uint64_t kMostDenseSlots = 32768;

/// Two's complement in 64 bits, so that differences wrap around correctly.
template <typename T>
uint64_t Widen(T value) {
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

}  // namespace

template <typename T>
std::optional<DenseGroups::Range> DenseGroups::RangeOf(Vector& key, size_t count) {
  const auto view = key.ViewAs<T>(count);
  bool any = false;
  T least{}, greatest{};
  for (size_t i = 0; i < count; i++) {
    if (!view.IsValid(i)) continue;
    least = any ? std::min(least, view[i]) : view[i];
    greatest = any ? std::max(greatest, view[i]) : view[i];
    any = true;
  }
  const uint64_t span = Widen(greatest) - Widen(least);
  if (span >= kMostDenseSlots) return std::nullopt;
  const uint64_t margin = span / 4 + 1;
  return Range{Widen(least) - margin, span + 1 + 2 * margin + 1};
}

std::optional<DenseGroups> DenseGroups::TryMake(std::span<Vector> keys, size_t count) {
  if (keys.empty() || count == 0) return std::nullopt;
  DenseGroups groups;
  uint64_t slots = 1;
  for (Vector& key : keys) {
    std::optional<Range> range;
    VisitInteger(PhysicalTypeOf(key.type()), [&]<typename T>() { range = RangeOf<T>(key, count); });
    if (!range || slots * range->size > kMostDenseSlots) return std::nullopt;
    slots *= range->size;
    groups.ranges_.push_back(*range);
  }
  groups.rows_.resize(slots + 1);
  return groups;
}

template <typename T>
void DenseGroups::AddKey(Vector& key, size_t count, const Range& range) {
  const uint64_t last = range.size - 1;
  const auto add = [&](size_t i, uint64_t index) {
    outside_[i] |= index >= last;
    slots_[i] = slots_[i] * static_cast<uint32_t>(range.size) + static_cast<uint32_t>(index);
  };
  if (key.is_flat() && key.Validity() == nullptr) {
    const T* values = key.Data<T>();
    for (size_t i = 0; i < count; i++) add(i, Widen(values[i]) - range.first);
    return;
  }
  const auto view = key.ViewAs<T>(count);
  for (size_t i = 0; i < count; i++) {
    if (view.IsValid(i)) {
      add(i, Widen(view[i]) - range.first);
    } else {
      slots_[i] = slots_[i] * static_cast<uint32_t>(range.size) + static_cast<uint32_t>(last);
    }
  }
}

size_t DenseGroups::Find(std::span<Vector> keys, size_t count, std::byte** rows) {
  std::fill(slots_, slots_ + count, 0);
  std::fill(outside_, outside_ + count, 0);
  for (size_t i = 0; i < keys.size(); i++) {
    VisitInteger(PhysicalTypeOf(keys[i].type()),
                 [&]<typename T>() { AddKey<T>(keys[i], count, ranges_[i]); });
  }
  const auto nowhere = static_cast<uint32_t>(rows_.size() - 1);
  size_t missing = 0;
  for (size_t i = 0; i < count; i++) {
    slots_[i] = outside_[i] != 0 ? nowhere : slots_[i];
    rows[i] = rows_[slots_[i]];
    missing += rows[i] == nullptr;
  }
  found_ += count - missing;
  missed_ += missing;
  return missing;
}

void DenseGroups::Note(size_t count, std::byte* const* rows) {
  for (size_t i = 0; i < count; i++) rows_[slots_[i]] = rows[i];
  rows_.back() = nullptr;
}

}  // namespace scaup
