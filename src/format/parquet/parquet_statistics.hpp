// Knowledge of columns that are not read: bounds, NULLs, Bloom filters.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "format/parquet/parquet_file.hpp"
#include "type/scan_filter.hpp"
#include "vector/filter/zone_map.hpp"

namespace scaup {

/// The bounds of a column chunk as values of the leaf's type; nullopt where there are none, or none that can
/// be trusted: the deprecated ones of types whose order was not settled.
std::optional<std::pair<Value, Value>> ParquetBounds(const ParquetLeaf& leaf,
                                                     const ParquetColumnChunk& chunk);
/// The zone map of a column chunk; nullopt if the file says nothing about it. NULLs that the file does not
/// count are not counted.
std::optional<ZoneMap> ParquetZone(const ParquetLeaf& leaf, const ParquetColumnChunk& chunk,
                                   int64_t row_count);
/// Whether a row of the column chunk can pass the filter.
bool MayPass(const ParquetLeaf& leaf, const ParquetColumnChunk& chunk, int64_t row_count,
             const ScanFilter& filter);
/// For each page of the column chunk, whether a row of it can pass the filter.
std::vector<bool> PagesThatMayPass(const ParquetLeaf& leaf, const ParquetColumnIndex& index,
                                   const ScanFilter& filter);

/// A split-block Bloom filter of the values of a column chunk.
class ParquetBloomFilter {
 public:
  /// Reads the filter; null for one that this reader does not know. Throws ParquetDamage, Error(kIo).
  static std::unique_ptr<ParquetBloomFilter> Read(File& file, const ParquetColumnChunk& chunk,
                                                  MemoryTracker& memory);
  /// Whether the column chunk may have the value, of the leaf's type and not NULL.
  bool MayHave(const ParquetLeaf& leaf, const Value& value) const;

 private:
  explicit ParquetBloomFilter(MemoryTracker& memory) : memory_(memory) {}
  bool MayHaveHash(uint64_t hash) const;
  MemoryReservation memory_;
  std::vector<std::byte> bits_;
};

}  // namespace scaup
