// Hash filter: a Bloom filter over hashes, for keys of which most were never seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/memory/memory_tracker.hpp"

namespace scaup {

/// A Bloom filter whose bits for a hash lie in one word, so that a test reads one cache line (Lang, Neumann,
/// Kemper, Boncz: Performance-Optimal Filtering: Bloom Overtakes Cuckoo at High Throughput, VLDB 2019). At
/// 16 bits for each hash about 1 % of other hashes pass. One thread at a time.
class HashFilter {
 public:
  /// Reserves `size_bytes`, a power of two of at least 8, from `memory`.
  HashFilter(MemoryTracker& memory, size_t size_bytes) : reservation_(memory) {
    reservation_.Resize(size_bytes);
    words_.resize(size_bytes / sizeof(uint64_t));
  }
  void Add(uint64_t hash) { words_[WordOf(hash)] |= BitsOf(hash); }
  /// False if the hash was certainly never added.
  bool MayContain(uint64_t hash) const { return (words_[WordOf(hash)] & BitsOf(hash)) == BitsOf(hash); }

 private:
  size_t WordOf(uint64_t hash) const { return (hash >> 24) & (words_.size() - 1); }
  static uint64_t BitsOf(uint64_t hash) {
    const auto bit = [hash](unsigned shift) { return uint64_t{1} << ((hash >> shift) & 63); };
    return bit(0) | bit(6) | bit(12) | bit(18);
  }

  MemoryReservation reservation_;
  std::vector<uint64_t> words_;
};

}  // namespace scaup
