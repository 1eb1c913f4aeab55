// The distinct values of a leaf, and the codes of all values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/parquet/write/leaf_values.hpp"

namespace scaup {

/// A dictionary in the order in which values occur first.
class ValueDictionary {
 public:
  /// `memory` is borrowed.
  explicit ValueDictionary(MemoryTracker& memory) : entries_(memory), codes_(memory), slots_(memory) {}

  /// Gives each value a code. Returns false as soon as a dictionary would not pay; the dictionary is then of
  /// no use. Throws Error(kOutOfMemory).
  bool Build(const LeafValues& values);

  size_t size() const { return size_; }
  /// The entries as in a plain page.
  const ByteBuffer& entries() const { return entries_; }
  const uint32_t* codes() const { return codes_.As<uint32_t>(); }

 private:
  template <typename T>
  bool BuildByHash(const LeafValues& values);
  template <typename T>
  bool BuildByValue(const LeafValues& values);
  /// Makes the hash table twice as large.
  void Widen();

  ByteBuffer entries_, codes_;
  ByteBuffer slots_;  // a hash table of codes
  size_t size_ = 0;
};

}  // namespace scaup
