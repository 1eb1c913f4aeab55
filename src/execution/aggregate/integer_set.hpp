// Integer set: the distinct values of an integer key as bitmaps, for values that lie close together.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// A set of values of one integer type of at most 64 bits, and NULL. A page is a bitmap of 65,536
/// neighbouring values, allocated when the first of them is added, so values may form several clusters. One
/// thread at a time.
class IntegerSet {
 public:
  /// Allocates at most `most_bytes` from `memory`, which is borrowed.
  IntegerSet(PhysicalType type, MemoryTracker& memory, size_t most_bytes);
  /// Whether the type is supported.
  static bool Holds(PhysicalType type);

  /// Adds `count` values. Returns false if they lie too far apart for bitmaps to pay, or if memory is short.
  /// Some of the values may then be missing; all earlier values are in the set.
  bool TryAdd(Vector& values, size_t count);
  /// Adds all values of a set of the same type; returns false as above.
  bool TryMerge(const IntegerSet& other);

  /// The values can be read in parts that begin at 0, 1, ...
  size_t part_count() const { return pages_.size() + 1; }
  /// The position at which Read continues.
  struct Position {
    size_t part = 0;
    size_t word = 0;
  };
  /// Writes up to 1024 values of the position's part to `output` (after Reset). Returns their number, 0 at
  /// the end of the part.
  size_t Read(Position& position, Vector& output) const;

 private:
  static constexpr size_t kPageBits = 16;
  static constexpr size_t kPageWords = (size_t{1} << kPageBits) / 64;
  /// A bitmap of 65,536 neighbouring values.
  struct Page {
    uint64_t words[kPageWords] = {};
  };

  template <typename T>
  bool AddValues(Vector& values, size_t count);
  template <typename T>
  size_t ReadValues(const Position& position, uint64_t word, T* out) const;
  /// Returns a new page for the keys from `number` << kPageBits on. Null if it is too far away or does not
  /// pay.
  Page* MakePage(uint64_t number);
  bool Pays() const;

  PhysicalType type_;
  size_t most_bytes_;
  MemoryReservation memory_;
  uint64_t first_page_ = 0;  // The page number of pages_[0].
  std::vector<std::unique_ptr<Page>> pages_;
  size_t page_count_ = 0;
  uint64_t value_count_ = 0;
  bool has_null_ = false;
};

}  // namespace scaup
