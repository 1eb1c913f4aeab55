// Selection: finds the value at a given index of the sorted order without sorting or moving the values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "common/check.hpp"
#include "common/memory/arena.hpp"
#include "function/aggregate/value_order.hpp"

namespace scaup {

/// Finds the value at an index of the sorted order in one pass over runs of values (Floyd and Rivest, CACM
/// 18(3), 1975). Two bounds from a sample enclose the value almost certainly; only the values between them
/// are partitioned. Use one object per search; it borrows the runs. `T` is a number; NaN is above all other
/// values.
template <typename T>
class PlaceSelection {
 public:
  struct Run {
    const T* values;
    size_t count;
  };
  /// A value, and the next one in order if there is one.
  struct Found {
    T value;
    std::optional<T> next;
  };
  /// For fewer values, plain partitioning is faster.
  static constexpr uint64_t kLeastCount = 1 << 15;

  /// `runs` have `count` values in total.
  PlaceSelection(const std::vector<Run>& runs, uint64_t count, Arena& scratch)
      : runs_(runs), count_(count), scratch_(scratch) {}

  /// The value at `index`; nullopt if the sample was misleading. REQUIRES: index < count, and count is at
  /// least kLeastCount.
  std::optional<Found> At(uint64_t index) {
    SCAUP_ASSERT(index < count_ && count_ >= kLeastCount);
    if (!ChooseBounds(index) || !LookThrough() || index < below_count_) return std::nullopt;
    std::optional<Found> found = Pick(index - below_count_);
    // Values above the upper bound were not collected.
    if (found && !found->next && index + 1 != count_) return std::nullopt;
    return found;
  }

 private:
  static constexpr size_t kMostSamples = 1 << 15;
  static constexpr size_t kPieceValues = 4096;
  using Limits = std::numeric_limits<T>;
  static constexpr T kLowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  static constexpr T kHighest = Limits::has_infinity ? Limits::infinity() : Limits::max();

  /// Picks the value at `place`, counted from the lower bound.
  std::optional<Found> Pick(uint64_t place) {
    const uint64_t first_between = low_count_, first_high = low_count_ + between_count_;
    if (place < first_between) return Found{low_, place + 1 < first_between ? low_ : BehindLow()};
    T* const end = between_ + between_count_;
    if (place < first_high) {
      T* const at = between_ + (place - first_between);
      std::nth_element(between_, at, end);
      return Found{*at, at + 1 == end ? FirstHigh() : *std::min_element(at + 1, end)};
    }
    if (place >= first_high + high_count_) return std::nullopt;
    if (place + 1 < first_high + high_count_) return Found{high_, high_};
    return Found{high_, std::nullopt};
  }

  /// Chooses the bounds from values at random positions.
  bool ChooseBounds(uint64_t index) {
    const uint64_t stride = std::max<uint64_t>(16, count_ / kMostSamples + 1);
    std::vector<T> sample;
    sample.reserve(count_ / stride + 1);
    uint64_t random = 1, skipped = 0;  // part of the stride before the next position
    for (const Run& run : runs_) {
      uint64_t begin = stride - skipped;
      for (; begin <= run.count; begin += stride) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        const uint64_t back = (random >> 33) % std::min(begin, stride);
        sample.push_back(run.values[begin - 1 - back]);
      }
      skipped = run.count + stride - begin;
    }
    if (sample.empty()) return false;
    std::sort(sample.begin(), sample.end(), [](const T& a, const T& b) { return OrderedBefore(a, b); });
    // Four standard deviations of the index in the sample; one is at most half the root of its size.
    const size_t middle = static_cast<size_t>(static_cast<double>(index) / static_cast<double>(count_) *
                                              static_cast<double>(sample.size()));
    size_t margin = 4;
    while (margin * margin < 4 * sample.size()) margin++;
    low_ = middle < margin ? kLowest : sample[middle - margin];
    high_ = middle + margin >= sample.size() ? kHighest : sample[middle + margin];
    // A little more than the expected number of values between the bounds.
    most_between_ = std::min(count_, 4 * margin * stride) + kPieceValues;
    return low_ == low_ && high_ == high_;  // neither is NaN
  }

  bool LookThrough() {
    between_ = reinterpret_cast<T*>(scratch_.Allocate(most_between_ * sizeof(T), 16));
    for (const Run& run : runs_) {
      for (size_t begin = 0; begin < run.count; begin += kPieceValues) {
        if (between_count_ + kPieceValues > most_between_) return false;
        LookThroughPiece(run.values + begin, std::min(kPieceValues, run.count - begin));
      }
    }
    if (low_ == high_) high_count_ = 0;  // already counted as low
    return true;
  }
  /// Counts and collects without branches, which would be unpredictable. NaN is not counted.
  void LookThroughPiece(const T* values, size_t count) {
    const T low = low_, high = high_;
    T* out = between_ + between_count_;
    uint64_t below = 0, at_low = 0, at_high = 0;
    for (size_t i = 0; i < count; i++) {
      const T value = values[i];
      below += value < low ? 1 : 0;
      at_low += value == low ? 1 : 0;
      at_high += value == high ? 1 : 0;
      *out = value;
      out += static_cast<int>(low < value) & static_cast<int>(value < high);
    }
    below_count_ += below;
    low_count_ += at_low;
    high_count_ += at_high;
    between_count_ = static_cast<size_t>(out - between_);
  }

  /// The first value above the lower bound.
  std::optional<T> BehindLow() const {
    if (between_count_ != 0) return *std::min_element(between_, between_ + between_count_);
    return FirstHigh();
  }
  std::optional<T> FirstHigh() const { return high_count_ == 0 ? std::nullopt : std::optional(high_); }

  const std::vector<Run>& runs_;
  const uint64_t count_;
  Arena& scratch_;
  T low_{}, high_{};
  uint64_t below_count_ = 0, low_count_ = 0, high_count_ = 0;
  T* between_ = nullptr;  // values strictly between the bounds
  size_t between_count_ = 0;
  size_t most_between_ = 0;
};

}  // namespace scaup
