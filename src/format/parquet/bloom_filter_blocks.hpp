// The bits of split-block Bloom filters that stand for a hash.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// The block of a hash in a filter: of each of its eight words, one bit is set.
class BloomBlock {
 public:
  static constexpr size_t kBytes = 32;
  static constexpr size_t kWords = 8;

  BloomBlock(uint64_t hash, size_t filter_bytes)
      : offset_(static_cast<size_t>(((hash >> 32) * (filter_bytes / kBytes)) >> 32) * kBytes),
        key_(static_cast<uint32_t>(hash)) {}

  size_t WordOffset(size_t word) const { return offset_ + word * sizeof(uint32_t); }
  uint32_t WordBit(size_t word) const { return uint32_t{1} << (key_ * kSalts[word] >> 27); }

 private:
  static constexpr uint32_t kSalts[kWords] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                              0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
  size_t offset_;
  uint32_t key_;
};

}  // namespace scaup
