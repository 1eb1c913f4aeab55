// Greatest tree: the greatest numbers of ever longer sections of a list, to find numbers that reach a bound.
#pragma once

#include <vector>

#include "common/memory/large_vector.hpp"

namespace scaup {

/// A 16-ary tree of maxima. Level 0 is the list; each number of a higher level is the greatest of 16 numbers
/// below. Immutable; any number of threads may read it.
class GreatestTree {
 public:
  static constexpr unsigned kFanBits = 4;
  static constexpr size_t kFan = size_t{1} << kFanBits;

  explicit GreatestTree(LargeVector<uint64_t> numbers) {
    levels_.push_back(std::move(numbers));
    while (levels_.back().size() > kFan) AddLevel();
  }
  /// The bytes of a tree of so many numbers, including the list.
  static size_t Bytes(size_t count) { return (count + count / (kFan - 1) + kFan) * sizeof(uint64_t); }

  size_t level_count() const { return levels_.size(); }
  const uint64_t* level(size_t level) const { return levels_[level].data(); }

 private:
  void AddLevel() {
    const LargeVector<uint64_t>& below = levels_.back();
    LargeVector<uint64_t> level((below.size() + kFan - 1) / kFan);
    for (size_t i = 0; i < level.size(); i++) {
      uint64_t greatest = 0;
      for (size_t j = i * kFan; j < std::min((i + 1) * kFan, below.size()); j++)
        greatest = std::max(greatest, below[j]);
      level[i] = greatest;
    }
    levels_.push_back(std::move(level));
  }

  std::vector<LargeVector<uint64_t>> levels_;
};

}  // namespace scaup
