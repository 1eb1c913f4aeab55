// What stands in the file wherever one block refers to another: its place and its checksum.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// The file is made of blocks of this size. (A block of a column, 1024 values, is another thing: a
/// ColumnBlock.)
inline constexpr size_t kFileBlockBytes = 256 * 1024;

/// Refers to the first `size_bytes` bytes of a block of the file. Since the checksum of what is referred to
/// stands here and not beside it, a block that was zeroed, moved, swapped or is an old state of itself is
/// found out.
struct BlockPointer {
  uint64_t block_id = 0;    ///< place in the file, from 0
  uint32_t size_bytes = 0;  ///< 1 to kFileBlockBytes; 0: refers to nothing
  uint64_t checksum = 0;    ///< XXH3-64 of these bytes
  friend bool operator==(const BlockPointer&, const BlockPointer&) = default;
};

/// Where blocks are read from. Thread-safe.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  /// Reads pointer.size_bytes bytes and checks them. Throws Error(kIo, XX001), which names file and block, if
  /// they are not what the pointer says.
  virtual void ReadBlock(const BlockPointer& pointer, std::byte* target) = 0;
};

}  // namespace scaup
