// The table function read_parquet, and its use by COPY FROM and FROM 'x.parquet'.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "format/files/file_relation.hpp"
#include "format/parquet/parquet_scan.hpp"

namespace scaup {

/// The function read_parquet(paths, ...), and parquet_scan, which is the same. Their callbacks also scan what
/// BindParquet returns.
TableFunction MakeReadParquet();
TableFunction MakeParquetScan();

struct ReadParquetOptions {
  FileRelationOptions relation;
  ParquetOptions parquet;
};

/// Reads the footers of the files, and finds the columns of the relation. Throws Error(kIo) for missing,
/// unreadable or damaged files, Error(kBinder) for files that do not fit together.
std::unique_ptr<BoundParquet> BindParquet(const FunctionContext& context,
                                          const std::vector<std::string>& paths,
                                          const ReadParquetOptions& options);

/// Whether a name in FROM has an ending of Parquet files: .parquet, .parq.
bool LooksLikeParquetPath(std::string_view path);

}  // namespace scaup
