// IndexPlace: where a checkpoint has put an index in the file.
#pragma once

#include <cstdint>
#include <vector>

#include "storage/file/extent.hpp"

namespace scaup {

/// The location of an index in a checkpoint.
struct IndexPlace {
  Extents directory;  ///< of its parts; empty if it has none
  uint64_t entry_count = 0;
  std::vector<uint64_t> block_ids;  ///< all blocks of the file that it needs, ascending

  void Write(ByteWriter& writer) const;
  /// Throws Error(kIo, XX001) for contradictory values.
  static IndexPlace Read(ByteReader& reader);
};

}  // namespace scaup
