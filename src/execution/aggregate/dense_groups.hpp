// Dense groups: finds the rows of groups whose keys lie in small ranges, without hashing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vector/vector.hpp"

namespace scaup {

/// A cache in front of a group table, with a slot for each combination of keys in ranges guessed from the
/// first rows. It only caches where groups are; the table finds or creates groups that are new or out of
/// range. One thread at a time.
class DenseGroups {
 public:
  /// Makes ranges a little wider than those of the keys' first `count` values. Returns nothing if there are
  /// too many combinations, or if a key is no integer.
  static std::optional<DenseGroups> TryMake(std::span<Vector> keys, size_t count);

  /// rows[i] = the row of the group of keys row i, or null. Returns the number of nulls.
  size_t Find(std::span<Vector> keys, size_t count, std::byte** rows);
  /// Caches the rows of groups, after Find of the same keys.
  void Note(size_t count, std::byte* const* rows);
  /// Whether most rows have been found so far.
  bool pays() const { return missed_ <= kFreeMisses || missed_ < found_ / 8; }

 private:
  /// The range of one key.
  struct Range {
    uint64_t first;  ///< two's complement
    uint64_t size;   ///< one more than the values: the last slot is NULL's
  };
  static constexpr uint64_t kFreeMisses = 64 * 1024;

  template <typename T>
  static std::optional<Range> RangeOf(Vector& key, size_t count);
  template <typename T>
  void AddKey(Vector& key, size_t count, const Range& range);

  std::vector<Range> ranges_;
  std::vector<std::byte*> rows_;  ///< by slot; the last slot, for keys out of range, stays null
  uint32_t slots_[kVectorSize];
  uint32_t outside_[kVectorSize];
  uint64_t found_ = 0;
  uint64_t missed_ = 0;
};

}  // namespace scaup
