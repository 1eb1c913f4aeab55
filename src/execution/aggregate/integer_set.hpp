// Integer set: the distinct values of a key that lie close together, a bit each.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Values of one integer type of at most 64 bits, and NULL. Bits stand in pages of 65,536 neighbouring
/// values, made when the first of them comes, so that values may lie in several heaps. One thread at a time.
class IntegerSet {
 public:
  /// Takes its memory from `memory`, which is borrowed, at most `most_bytes`.
  IntegerSet(PhysicalType type, MemoryTracker& memory, size_t most_bytes);
  /// Whether there are sets of this type.
  static bool Holds(PhysicalType type);

  /// Adds `count` values. False if they lie too far apart for bits to pay, or memory is short: only some of
  /// them may then be in the set, which has all that came before.
  bool TryAdd(Vector& values, size_t count);
  /// Adds all values of a set of the same type; false as above.
  bool TryMerge(const IntegerSet& other);

  /// Its values can be read in parts that begin at 0, 1, ...
  size_t part_count() const { return pages_.size() + 1; }
  /// Where Read goes on.
  struct Position {
    size_t part = 0;
    size_t word = 0;
  };
  /// Writes up to 1024 values of the position's part to `output` (after Reset); returns how many, 0 at the
  /// end of the part.
  size_t Read(Position& position, Vector& output) const;

 private:
  static constexpr size_t kPageBits = 16;
  static constexpr size_t kPageWords = (size_t{1} << kPageBits) / 64;
  struct Page {
    uint64_t words[kPageWords] = {};
  };

  template <typename T>
  bool AddValues(Vector& values, size_t count);
  template <typename T>
  size_t ReadValues(const Position& position, uint64_t word, T* out) const;
  /// The page of keys `number` << kPageBits and above; null if it would be too far away, or one too many.
  Page* MakePage(uint64_t number);
  bool Pays() const;

  PhysicalType type_;
  size_t most_bytes_;
  MemoryReservation memory_;
  uint64_t first_page_ = 0;  // The number of pages_[0].
  std::vector<std::unique_ptr<Page>> pages_;
  size_t page_count_ = 0;
  uint64_t value_count_ = 0;
  bool has_null_ = false;
};

}  // namespace scaup
