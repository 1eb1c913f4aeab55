// Dense groups: finds the rows of groups whose keys lie in small ranges, without hashing them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vector/vector.hpp"

namespace scaup {

/// A directory in front of a group table: a slot for each combination of keys in ranges that were guessed
/// from the first rows. It only remembers where groups are; whatever lies outside, or is new, the table finds
/// or makes. One thread at a time.
class DenseGroups {
 public:
  /// Ranges a little wider than those of the keys' first `count` values; nothing where they have too many
  /// combinations, or keys are no integers.
  static std::optional<DenseGroups> TryMake(std::span<Vector> keys, size_t count);

  /// rows[i] = the row of the group of keys row i, or null. Returns how many are null.
  size_t Find(std::span<Vector> keys, size_t count, std::byte** rows);
  /// Remembers the rows of groups, after Find of the same keys.
  void Note(size_t count, std::byte* const* rows);
  /// Whether most rows were found so far.
  bool pays() const { return missed_ <= kFreeMisses || missed_ < found_ / 8; }

 private:
  struct Range {
    uint64_t first;  ///< two's complement
    uint64_t size;   ///< one more than the values: NULL comes last
  };
  static constexpr uint64_t kFreeMisses = 64 * 1024;

  template <typename T>
  static std::optional<Range> RangeOf(Vector& key, size_t count);
  template <typename T>
  void AddKey(Vector& key, size_t count, const Range& range);

  std::vector<Range> ranges_;
  std::vector<std::byte*> rows_;  ///< by slot; the last, of what lies outside, stays null
  uint32_t slots_[kVectorSize];
  uint32_t outside_[kVectorSize];
  uint64_t found_ = 0;
  uint64_t missed_ = 0;
};

}  // namespace scaup
