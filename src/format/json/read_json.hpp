// The table functions read_json and read_json_documents, and their use by COPY FROM.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "format/json/json_options.hpp"
#include "format/json/json_rows.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// The function read_json_documents(paths, ...). Its callbacks also scan a relation that BindJson returns.
TableFunction MakeReadJsonDocuments();
/// DuckDB's read_json_objects: the same with a column `json`.
TableFunction MakeReadJsonObjects();
/// read_json(paths, ...): the members of objects as columns, whose types are found out.
TableFunction MakeReadJson();

/// Finds the layouts of files; the output is set to the text of each value. Throws Error(kIo) for missing or
/// unreadable files.
std::unique_ptr<BoundJson> BindJson(const FunctionContext& context, const std::vector<std::string>& paths,
                                    const JsonOptions& options);

}  // namespace scaup
