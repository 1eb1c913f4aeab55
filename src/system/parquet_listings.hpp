// Listings of Parquet files' metadata: parquet_schema and its like.
#pragma once

#include <vector>

#include "function/table_function.hpp"

namespace scaup {

/// Returns parquet_schema, parquet_metadata, parquet_file_metadata and parquet_kv_metadata.
std::vector<TableFunction> ParquetListings();

}  // namespace scaup
