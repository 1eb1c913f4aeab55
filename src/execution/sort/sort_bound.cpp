// Sort bound: ranks of prefixes of keys, compared with the least rank that a task has found.
#include "execution/sort/sort_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "common/throw.hpp"
#include "type/sortable_bytes.hpp"
#include "type/text/string_ref.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

uint64_t PrefixOfText(const char* data, size_t size) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, data, std::min(size, sizeof(bytes)));
  return __builtin_bswap64(bytes);
}

/// Maps a value to a number: of two values, the one with the lesser number comes first.
template <typename T>
uint64_t PrefixOfKey(const T& value) {
  if constexpr (std::is_same_v<T, StringRef>) {
    return PrefixOfText(value.data(), value.size());
  } else if constexpr (sizeof(SortableNumber(value)) > sizeof(uint64_t)) {
    return static_cast<uint64_t>(SortableNumber(value) >> 64);
  } else {
    return SortableNumber(value);
  }
}

template <typename T>
uint64_t PrefixOfBound(const ZoneBound& bound) {
  if constexpr (std::is_same_v<T, StringRef>) {
    return static_cast<uint64_t>(bound.integer);
  } else if constexpr (std::is_floating_point_v<T>) {
    return PrefixOfKey(static_cast<T>(bound.real));
  } else if constexpr (std::is_same_v<T, Interval>) {
    return 0;
  } else {
    return PrefixOfKey(static_cast<T>(bound.integer));
  }
}

}  // namespace

bool SortBound::Serves(const LogicalType& type) {
  if (type.IsNested()) return false;
  const PhysicalType physical = PhysicalTypeOf(type);
  if (physical == PhysicalType::kString) return type.id() == TypeId::kVarchar || type.id() == TypeId::kBlob;
  return physical != PhysicalType::kInterval;
}

SortBound::SortBound(const SortOrder& order)
    : type_(PhysicalTypeOf(order.type)), flip_(order.descending ? UINT64_MAX : 0) {
  SCAUP_ASSERT(Serves(order.type));
}

void SortBound::Tighten(const SortThreshold& threshold) {
  SCAUP_ASSERT(threshold.is_set());
  const SortThreshold::Key& key = threshold.first_key();
  // A NULL comes after all other values, or has been preceded by none of them: the test passes them all.
  if (key.is_null) return;
  uint64_t rank = 0;
  VisitPhysicalType(type_, [&]<typename T>() {
    if constexpr (std::is_same_v<T, StringRef>) {
      rank = PrefixOfText(key.text.data(), key.text.size());
    } else {
      constexpr bool kIsLong = sizeof(SortableNumber(T())) > sizeof(uint64_t);
      rank = static_cast<uint64_t>(kIsLong ? key.number >> 64 : key.number);
    }
  });
  rank ^= flip_;
  uint64_t known = last_rank_.load(std::memory_order_relaxed);
  while (rank < known && !last_rank_.compare_exchange_weak(known, rank, std::memory_order_relaxed)) {
  }
}

void SortBound::Evaluate(const std::byte* values, size_t count, uint8_t* mask) const {
  const uint64_t last_rank = last_rank_.load(std::memory_order_relaxed);
  if (last_rank == UINT64_MAX) {
    std::memset(mask, 1, count);
    return;
  }
  VisitPhysicalType(type_, [&]<typename T>() {
    const T* const typed = reinterpret_cast<const T*>(values);
    for (size_t i = 0; i < count; i++) mask[i] = (PrefixOfKey(typed[i]) ^ flip_) <= last_rank;
  });
}

bool SortBound::MayPass(const ZoneBound& minimum, const ZoneBound& maximum) const {
  return RankOf(minimum, maximum) <= last_rank_.load(std::memory_order_relaxed);
}

/// Returns the rank of the zone's first value.
uint64_t SortBound::RankOf(const ZoneBound& minimum, const ZoneBound& maximum) const {
  const ZoneBound& first = flip_ == 0 ? minimum : maximum;
  uint64_t rank = 0;
  VisitPhysicalType(type_, [&]<typename T>() {
    // Behind an infinite maximum there may be NaN, which comes after it and which bounds of files leave out.
    if constexpr (std::is_floating_point_v<T>) {
      if (flip_ != 0 && std::isinf(first.real)) return;
    }
    rank = PrefixOfBound<T>(first) ^ flip_;
  });
  return rank;
}

std::string SortBound::Describe(const std::string& column) const {
  return column + (flip_ == 0 ? " among the first" : " among the last");
}

}  // namespace scaup
