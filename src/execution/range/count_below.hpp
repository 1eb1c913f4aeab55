// CountBelow: binary searches for many values at once.
#pragma once

#include <algorithm>

#include "common/memory/large_vector.hpp"

namespace scaup {

/// Counts, for each of `count` wanted values, the ascending numbers that are less, or with `kWithEqual` not
/// greater. All searches advance in lockstep, so that their cache misses overlap.
template <bool kWithEqual>
void CountBelow(const LargeVector<uint64_t>& numbers, const uint64_t* wanted, size_t count, uint64_t* below) {
  std::fill(below, below + count, 0);
  if (numbers.empty()) return;
  const auto is_below = [](uint64_t number, uint64_t bound) {
    return kWithEqual ? number <= bound : number < bound;
  };
  const uint64_t* data = numbers.data();
  for (size_t length = numbers.size(); length > 1;) {
    const size_t half = length / 2;
    for (size_t i = 0; i < count; i++) below[i] += is_below(data[below[i] + half - 1], wanted[i]) ? half : 0;
    length -= half;
  }
  for (size_t i = 0; i < count; i++) below[i] += is_below(data[below[i]], wanted[i]) ? 1 : 0;
}

}  // namespace scaup
