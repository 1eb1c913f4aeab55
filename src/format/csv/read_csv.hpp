// The table function read_csv, and its use by COPY FROM and FROM 'x.csv'.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/csv_options.hpp"
#include "format/csv/csv_sniffer.hpp"
#include "format/files/file_relation.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// The function read_csv(path, ...). Its callbacks also scan a relation that BindCsv returns.
TableFunction MakeReadCsv();

/// Finds the dialect and the columns of files, and how they are one relation. Throws Error(kIo) for missing
/// or unreadable files and Error(kBinder) for options that do not fit them. There is at least one path.
std::unique_ptr<BoundTableFunction> BindCsv(const FunctionContext& context,
                                            const std::vector<std::string>& paths, const CsvOptions& options,
                                            FileRelationOptions relation = {});

/// A CSV file and what its beginning tells.
struct SniffedCsv {
  TextFile file;
  CsvSniffed sniffed;
};
SniffedCsv SniffCsvFile(const FunctionContext& context, const std::string& path, const CsvOptions& options);

/// Whether a name in FROM has an ending of CSV files: .csv .tsv .tbl .txt, each also with .gz, .zst or .bz2;
/// or is that of a pipe: - and /dev/stdin for the standard input, /dev/fd/N.
bool LooksLikeCsvPath(std::string_view path);

}  // namespace scaup
