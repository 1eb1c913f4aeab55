// Blocks whose bytes follow from their pointer, read from nowhere; counts, delays and fails on demand.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>

#include "common/throw.hpp"
#include "storage/file/block_pointer.hpp"

namespace scaup {

inline BlockPointer PointerOf(uint64_t block_id, uint32_t size_bytes = kFileBlockBytes, uint64_t state = 0) {
  return {block_id, size_bytes, block_id * 1000 + state};
}

/// Every eighth byte position of a block holds its checksum; so each block can be told from others.
inline void FillBlock(const BlockPointer& pointer, std::byte* target) {
  for (size_t at = 0; at + 8 <= pointer.size_bytes; at += 4096)
    std::memcpy(target + at, &pointer.checksum, 8);
}

inline bool IsBlock(const BlockPointer& pointer, std::span<const std::byte> bytes) {
  if (bytes.size() != pointer.size_bytes) return false;
  for (size_t at = 0; at + 8 <= pointer.size_bytes; at += 4096) {
    if (std::memcmp(bytes.data() + at, &pointer.checksum, 8) != 0) return false;
  }
  return true;
}

class FakeBlockSource final : public BlockSource {
 public:
  void ReadBlock(const BlockPointer& pointer, std::byte* target) override {
    read_count++;
    if (before_read) before_read(pointer);
    if (fail_block == pointer.block_id) ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted, "bad block");
    FillBlock(pointer, target);
  }

  std::atomic<size_t> read_count = 0;
  std::atomic<uint64_t> fail_block = UINT64_MAX;
  std::function<void(const BlockPointer&)> before_read;  // Set before threads start.
};

}  // namespace scaup
