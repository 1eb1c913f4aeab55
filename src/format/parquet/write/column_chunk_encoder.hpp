// Encodes the values of a leaf as a column chunk: dictionary, pages, statistics.
#pragma once

#include <string>
#include <vector>

#include "format/parquet/write/leaf_values.hpp"
#include "format/parquet/write/metadata_writer.hpp"
#include "format/parquet/write/parquet_write_options.hpp"

namespace scaup {

/// A column chunk that is ready to be written. Offsets count from its begin.
struct EncodedChunk {
  explicit EncodedChunk(MemoryTracker& memory) : bytes(memory) {}
  ByteBuffer bytes;
  ParquetColumnChunk metadata;
  std::vector<WrittenPage> pages;
  bool has_page_bounds = false;  ///< whether all pages with values have bounds that readers may trust
  std::string bloom_filter;      ///< empty: none
};

/// Encodes and compresses all values. Several threads may do so at the same time, for different leaves.
/// Throws Error(kOutOfMemory).
EncodedChunk EncodeColumnChunk(const LeafValues& values, const ParquetWriteOptions& options,
                               MemoryTracker& memory);

}  // namespace scaup
