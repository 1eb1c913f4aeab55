// The distinct strings of a segment, numbered as they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "type/text/string_ref.hpp"

namespace scaup {

/// A hash table from strings to codes 0, 1, 2, ... in order of first appearance. Borrows the strings' bytes;
/// one thread.
class DistinctStrings {
 public:
  DistinctStrings() : slots_(kFirstSlots) {}

  /// The code of `value`, a new one where it did not occur before.
  uint32_t CodeOf(const StringRef& value);
  const std::vector<StringRef>& strings() const { return strings_; }

 private:
  static constexpr size_t kFirstSlots = 1024;
  struct Slot {
    uint32_t hash = 0;
    uint32_t code_plus_one = 0;  // Zero: free.
  };
  void Grow();

  std::vector<Slot> slots_;  // A power of two of them, at most half in use.
  std::vector<StringRef> strings_;
};

}  // namespace scaup
