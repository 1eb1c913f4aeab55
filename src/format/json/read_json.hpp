// The table function read_json_documents, and its use by COPY FROM.
#pragma once

#include <memory>
#include <string>

#include "format/json/json_options.hpp"
#include "format/json/json_rows.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// The function read_json_documents(path, ...). Its callbacks also scan a relation that BindJson returns.
TableFunction MakeReadJsonDocuments();

/// Finds the files (a path, or a pattern of * and ?) and their layouts; the output is set to the text of each
/// value. Throws Error(kIo) for missing or unreadable files.
std::unique_ptr<BoundJson> BindJson(const FunctionContext& context, const std::string& path_or_glob,
                                    const JsonOptions& options);

}  // namespace scaup
