// Bit sequence: bits in temporary storage if need be, with counts of the ones before any place.
#pragma once

#include <cstdint>
#include <memory>

#include "execution/rows/random_access_rows.hpp"

namespace scaup {

/// Bits that one thread appends; after Finish any number of threads may count.
class BitSequence {
 public:
  explicit BitSequence(QueryContext& context);
  /// Appends the lowest `count` bits, at most 64.
  void Append(uint64_t bits, size_t count);
  void Finish();

  uint64_t size() const { return size_; }
  uint64_t one_count() const { return one_count_; }
  /// ones[i] = the number of ones before place places[i], which is at most size().
  void CountOnes(const uint64_t* places, size_t count, uint64_t* ones) const;

 private:
  void AppendWord();
  void Flush();

  std::unique_ptr<SpillableRows> filling_;  // Words of 64 bits, each with the number of ones before it.
  std::unique_ptr<RandomAccessRows> words_;
  DataChunk chunk_;  // Words to append.
  uint64_t word_ = 0;
  uint64_t size_ = 0;
  uint64_t one_count_ = 0;
};

}  // namespace scaup
