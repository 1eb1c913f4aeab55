// Writes the structs of Parquet files: footers, page headers, page indexes, Bloom filter headers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/parquet/parquet_metadata.hpp"

namespace scaup {

/// A data page of a column chunk that was written.
struct WrittenPage {
  uint64_t offset = 0;      ///< of its header, in the file
  uint32_t size_bytes = 0;  ///< with its header
  uint64_t first_row = 0;   ///< in the row group
  int64_t null_count = 0;
  bool has_values = false;
  std::string minimum, maximum;  ///< if it has values, and their order is known
};

void AppendParquetMetadata(const ParquetMetadata& metadata, std::string& out);
/// Only the fields of pages of version 1.
void AppendParquetPageHeader(const ParquetPageHeader& header, std::string& out);
/// Every page that has values has bounds.
void AppendParquetColumnIndex(const std::vector<WrittenPage>& pages, std::string& out);
void AppendParquetOffsetIndex(const std::vector<WrittenPage>& pages, std::string& out);
void AppendParquetBloomHeader(size_t size_bytes, std::string& out);

}  // namespace scaup
