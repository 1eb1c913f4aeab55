// The scan of Arrow files as a table function: batches to threads.
#pragma once

#include <memory>
#include <vector>

#include "format/arrow/file/arrow_file.hpp"
#include "format/files/file_relation.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// Arrow files bound for a scan.
struct BoundArrowFiles : BoundFiles {
  std::vector<std::shared_ptr<const ArrowFile>> files;
};

std::unique_ptr<TableFunctionShared> CreateArrowFileShared(const TableFunctionCall& call);
std::unique_ptr<TableFunctionLocal> CreateArrowFileLocal(const TableFunctionCall& call,
                                                         TableFunctionShared& shared);
/// Reads the next rows. Throws the error of the earliest damage, whichever thread meets one first.
void NextArrowFileChunk(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
                        DataChunk& output);

}  // namespace scaup
