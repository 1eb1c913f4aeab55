// The scan of Parquet files as a table function: row groups to threads, pruning, late materialization.
#pragma once

#include <memory>
#include <vector>

#include "format/parquet/parquet_file.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// The source in one file of a column of the relation.
struct ParquetFileColumn {
  enum class Source : uint8_t {
    kStored,    ///< column `column` of the file, cast where its type is another one
    kConstant,  ///< `constant`: of the file's name, or NULL where the file has no such column
    kRowNumber  ///< the rows of the file, counted from 0
  };
  Source source = Source::kConstant;
  size_t column = 0;
  Value constant = {};
};

struct BoundParquetFile {
  std::shared_ptr<const ParquetFile> file;
  std::vector<ParquetFileColumn> columns;  ///< by column of the relation
};

/// Parquet files bound for a scan.
struct BoundParquet : BoundTableFunction {
  std::vector<BoundParquetFile> files;
};

std::unique_ptr<TableFunctionShared> CreateParquetShared(const TableFunctionCall& call);
std::unique_ptr<TableFunctionLocal> CreateParquetLocal(const TableFunctionCall& call,
                                                       TableFunctionShared& shared);
/// Reads the next rows, which pass all filters. Throws the error of the earliest damage, whichever thread
/// meets one first.
void NextParquetChunk(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
                      DataChunk& output);

}  // namespace scaup
