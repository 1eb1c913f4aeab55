// The table function read_parquet, and its use by COPY FROM and FROM 'x.parquet'.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "format/files/file_list.hpp"
#include "format/parquet/parquet_scan.hpp"

namespace scaup {

/// The function read_parquet(paths, ...), and parquet_scan, which is the same. Their callbacks also scan what
/// BindParquet returns.
TableFunction MakeReadParquet();
TableFunction MakeParquetScan();

struct ReadParquetOptions {
  FileColumnOptions file_columns;
  bool union_by_name = false;
  bool file_row_number = false;
  ParquetOptions parquet;
};

/// Reads the footers of the files, and finds the columns of the relation. Throws Error(kIo) for missing,
/// unreadable or damaged files, Error(kBinder) for files that do not fit together.
std::unique_ptr<BoundParquet> BindParquet(const FunctionContext& context,
                                          const std::vector<std::string>& paths,
                                          const ReadParquetOptions& options);

/// Makes the relation have exactly these columns, found by name, and cast to their types. Throws
/// Error(kBinder, 42703) for one that is not there.
void SelectParquetColumns(BoundParquet& bound, const std::vector<std::string>& names,
                          const std::vector<LogicalType>& types);

/// Whether a name in FROM has an ending of Parquet files: .parquet, .parq.
bool LooksLikeParquetPath(std::string_view path);

}  // namespace scaup
