// The target of COPY TO: a file, its format and its writer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/file/new_file.hpp"
#include "format/copy_directory.hpp"
#include "format/text/copy_writer.hpp"
#include "function/function_context.hpp"

namespace scaup {

enum class CopyFormat : uint8_t { kCsv, kJson, kParquet, kArrow };

/// The arguments of COPY TO.
struct CopyTarget {
  std::string path;
  std::optional<CopyDirectory> directory;  ///< `path` becomes a directory of files
  CopyFormat format = CopyFormat::kCsv;
  /// Checked by the format's parser of options; "true" for an option without a value.
  std::vector<std::pair<std::string, std::string>> options;
  bool is_documents = false;  ///< the single column is a collection's JSON, written unchanged
};

/// Creates the file `path` of a target. Throws the errors of the formats' writers.
std::unique_ptr<CopyWriter> MakeCopyWriter(const FunctionContext& context, const CopyTarget& target,
                                           const NewFilePath& path, const std::vector<std::string>& names,
                                           const std::vector<LogicalType>& types);

}  // namespace scaup
