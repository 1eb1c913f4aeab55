// The JSON scan as a table function: chunks to threads, documents to rows, errors in file order.
#pragma once

#include <memory>

#include "format/json/json_rows.hpp"
#include "function/table_function.hpp"

namespace scaup {

std::unique_ptr<TableFunctionShared> CreateJsonShared(const TableFunctionCall& call);
std::unique_ptr<TableFunctionLocal> CreateJsonLocal(const TableFunctionCall& call,
                                                    TableFunctionShared& shared);
/// Reads the next rows. Throws the error of the earliest bad document, whichever thread meets one first, with
/// its file and line.
void NextJsonChunk(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
                   DataChunk& output);

}  // namespace scaup
