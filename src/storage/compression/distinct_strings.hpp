// DistinctStrings: numbers the distinct strings of a segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "type/text/string_ref.hpp"

namespace scaup {

/// A hash table from strings to codes 0, 1, 2, ... in order of first appearance. Borrows the bytes of the
/// strings. Used by one thread.
class DistinctStrings {
 public:
  DistinctStrings() : slots_(kFirstSlots) {}

  /// Returns the code of `value`; assigns a new one at its first occurrence.
  uint32_t CodeOf(const StringRef& value);
  const std::vector<StringRef>& strings() const { return strings_; }

 private:
  static constexpr size_t kFirstSlots = 1024;
  struct Slot {
    uint32_t hash = 0;
    uint32_t code_plus_one = 0;  // zero if unused
  };
  void Grow();

  std::vector<Slot> slots_;  // a power of two; at most half of them used
  std::vector<StringRef> strings_;
};

}  // namespace scaup
