// Where an index is in the file.
#pragma once

#include <cstdint>
#include <vector>

#include "storage/file/extent.hpp"

namespace scaup {

/// The place of an index in a checkpoint.
struct IndexPlace {
  Extents directory;  ///< where its parts are; none: it has none
  uint64_t entry_count = 0;
  std::vector<uint64_t> block_ids;  ///< all blocks of the file that it needs, ascending

  void Write(ByteWriter& writer) const;
  /// Throws Error(kIo, XX001).
  static IndexPlace Read(ByteReader& reader);
};

}  // namespace scaup
