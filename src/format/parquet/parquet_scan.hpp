// The scan of Parquet files as a table function: row groups to threads, pruning, late materialization.
#pragma once

#include <memory>
#include <vector>

#include "format/files/file_relation.hpp"
#include "format/parquet/parquet_file.hpp"

namespace scaup {

/// Parquet files bound for a scan.
struct BoundParquet : BoundFiles {
  std::vector<std::shared_ptr<const ParquetFile>> files;
};

std::unique_ptr<TableFunctionShared> CreateParquetShared(const TableFunctionCall& call);
std::unique_ptr<TableFunctionLocal> CreateParquetLocal(const TableFunctionCall& call,
                                                       TableFunctionShared& shared);
/// Reads the next rows, which pass all filters. Throws the error of the earliest damage, whichever thread
/// meets one first.
void NextParquetChunk(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
                      DataChunk& output);

}  // namespace scaup
