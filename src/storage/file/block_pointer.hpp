// BlockPointer: how one block of the file refers to another, with its place and its checksum.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// The size of the blocks that the file is made of. A block of a column, 1024 values, is something else: a
/// ColumnBlock.
inline constexpr size_t kFileBlockBytes = 256 * 1024;

/// Refers to the first `size_bytes` bytes of a block of the file. The checksum stands in the pointer, not
/// beside the data. So it also detects a block that was zeroed, moved, swapped, or replaced by an older
/// version of itself.
struct BlockPointer {
  uint64_t block_id = 0;    ///< position in the file, from 0
  uint32_t size_bytes = 0;  ///< 1 to kFileBlockBytes; 0: a null pointer
  uint64_t checksum = 0;    ///< XXH3-64 of these bytes
  friend bool operator==(const BlockPointer&, const BlockPointer&) = default;
};

/// A source from which blocks are read. Thread-safe.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  /// Reads pointer.size_bytes bytes and verifies their checksum. Throws Error(kIo, XX001) with file and block
  /// if they do not match the pointer.
  virtual void ReadBlock(const BlockPointer& pointer, std::byte* target) = 0;
};

}  // namespace scaup
