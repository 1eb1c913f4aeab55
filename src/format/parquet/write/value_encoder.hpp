// Encodes the values of a page, as every encoding without a dictionary has them.
#pragma once

#include <cstddef>
#include <span>

#include "format/parquet/write/leaf_values.hpp"

namespace scaup {

/// Some of the values of a leaf: their numbers, and where their bytes are.
struct ValueRange {
  size_t first = 0, count = 0;
  size_t offset = 0, size_bytes = 0;
};

/// The encodings that values of a leaf may have beside the plain one, which very old readers do not know.
std::span<const ParquetEncoding> NewEncodings(const ParquetLeaf& leaf);

/// Appends values in an encoding, the plain one or one of NewEncodings.
void AppendEncoded(ParquetEncoding encoding, const LeafValues& values, const ValueRange& range,
                   ByteBuffer& out);

}  // namespace scaup
