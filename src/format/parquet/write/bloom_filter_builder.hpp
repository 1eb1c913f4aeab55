// Makes the split-block Bloom filter of a column chunk.
#pragma once

#include <string>

#include "format/parquet/write/leaf_values.hpp"

namespace scaup {

/// The filter, with its header, of the distinct values of a leaf, which `entries` has as in a plain page.
/// Empty for types whose equal values may have different bytes, and for so few values that readers need none.
std::string MakeBloomFilter(const ParquetLeaf& leaf, const ByteBuffer& entries, size_t entry_count);

}  // namespace scaup
