// The table function read_arrow, and its use by COPY FROM and FROM 'x.arrow'.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/arrow/file/arrow_file_scan.hpp"

namespace scaup {

/// The function read_arrow(paths, ...). Its callbacks also scan what BindArrowFiles returns.
TableFunction MakeReadArrow();

/// Reads the schemas of the files, and finds the columns of the relation. Throws Error(kIo) for missing,
/// unreadable or damaged files, Error(kBinder) for files that do not fit together.
std::unique_ptr<BoundArrowFiles> BindArrowFiles(const FunctionContext& context,
                                                const std::vector<std::string>& paths,
                                                const FileRelationOptions& options);

/// Returns whether a name in FROM has an ending of Arrow files: .arrow, .arrows, .feather, .ipc.
bool LooksLikeArrowPath(std::string_view path);
/// Returns whether a path has the ending of files in the streaming format: .arrows.
bool LooksLikeArrowStreamPath(std::string_view path);

}  // namespace scaup
