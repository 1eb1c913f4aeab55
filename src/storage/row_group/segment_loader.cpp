// Checks the block references in stored metadata.
#include "storage/row_group/segment_loader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

void CheckAreHeld(const Extents& extents, std::span<const uint64_t> block_ids, const std::string& path) {
  for (const Extent& extent : extents) {
    const uint64_t block_id = extent.block.block_id;
    if (std::binary_search(block_ids.begin(), block_ids.end(), block_id)) continue;
    ThrowError(
        ErrorKind::kIo, sqlstate::kDataCorrupted,
        fmt::format("database file \"{}\" is damaged: a row group refers to block {}, which is none of its",
                    path, block_id));
  }
}

}  // namespace scaup
