// The files that a table function reads: paths, patterns, lists of them, and what their names say.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "function/function_context.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// How paths and patterns without a file are treated.
enum class MissingFiles : uint8_t { kRefuse, kIgnore };

/// The files of an argument: a path, a pattern of *, ** and ?, or a list of both; those of a pattern are
/// sorted, without folders. Throws Error(kBinder) for NULL, for other types and for an empty list, Error(kIo,
/// 58P01) if nothing matches and that is refused.
std::vector<std::string> FindFiles(const FunctionContext& context, const std::string& function,
                                   const Value& argument, MissingFiles missing = MissingFiles::kRefuse);

/// The parts key=value of a path, as Hive names folders; nullopt stands for NULL.
std::vector<std::pair<std::string, std::optional<std::string>>> HivePartitions(std::string_view path);

/// The name of such a folder. Characters other than A-Z a-z 0-9 _ . ~ - are written as %XX.
std::string PartitionFolder(std::string_view key, const std::optional<std::string>& value);

struct FileColumnOptions {
  std::optional<std::string> filename = std::nullopt;  ///< the name of the column of paths; nullopt for none
  std::optional<bool> hive_partitioning = std::nullopt;  ///< nullopt: where all paths have the same keys
  bool hive_types_autocast = true;
};

/// Columns that have one value for each file: the file's name, and the partitions in its path.
struct FileColumns {
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  /// By file, then by column.
  std::vector<std::vector<Value>> values;
};
/// Throws Error(kBinder) if partitions are wanted and the paths have different keys.
FileColumns MakeFileColumns(const std::vector<std::string>& paths, const FileColumnOptions& options);

}  // namespace scaup
