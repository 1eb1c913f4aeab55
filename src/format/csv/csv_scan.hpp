// The CSV scan as a table function: chunks to threads, rows to vectors, errors in file order.
#pragma once

#include <memory>
#include <vector>

#include "format/csv/csv_converter.hpp"
#include "format/csv/csv_source.hpp"
#include "format/files/file_relation.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// CSV files bound for a scan, with dialect, columns and types.
struct BoundCsv : BoundFiles {
  std::vector<TextFile> files;
  std::vector<size_t> field_counts;  ///< of the rows of each file
  CsvConversion conversion;
  bool ignore_errors = false;
  bool null_padding = false;  ///< rows may lack fields at their end
  size_t chunk_bytes = 0;     ///< 0: chosen by size and threads
};

std::unique_ptr<TableFunctionShared> CreateCsvShared(const TableFunctionCall& call);
std::unique_ptr<TableFunctionLocal> CreateCsvLocal(const TableFunctionCall& call,
                                                   TableFunctionShared& shared);
/// Reads the next rows. Throws the error of the earliest bad row, whichever thread meets one first:
/// Error(kConversion) for a value that is not of its column's type, Error(kIo, 22P04) for a malformed row.
void NextCsvChunk(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
                  DataChunk& output);

}  // namespace scaup
