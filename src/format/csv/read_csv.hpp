// The table function read_csv, and its use by COPY FROM and FROM 'x.csv'.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "format/csv/csv_options.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// The function read_csv(path, ...). Its callbacks also scan a relation that BindCsv returns.
TableFunction MakeReadCsv();

/// Finds the files (a path, or a pattern of * and ?), their dialect and columns. Throws Error(kIo) for
/// missing or unreadable files and Error(kBinder) for options that do not fit them.
std::unique_ptr<BoundTableFunction> BindCsv(const FunctionContext& context, const std::string& path_or_glob,
                                            const CsvOptions& options);

/// Whether a name in FROM has an ending of CSV files: .csv .tsv .tbl .txt, each also with .gz.
bool LooksLikeCsvPath(std::string_view path);

}  // namespace scaup
