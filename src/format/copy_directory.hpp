// The options of COPY TO that make its target a directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "format/files/new_directory.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// How rows are spread over the files of a directory.
struct CopyDirectory {
  ExistingFiles existing = ExistingFiles::kRefuse;
  std::vector<size_t> partition_columns;  ///< by which folders are named, from the outer to the inner
  bool writes_partition_columns = false;  ///< into the files, too
  bool is_per_thread = false;             ///< each thread writes a file of its own
  uint64_t file_bytes = 0;                ///< a file of so many bytes gets no more rows; 0: any number
  std::string file_pattern;               ///< of names, with extension: "data_{i}.parquet"
};

using CopyOptionValues = std::vector<std::pair<std::string, Value>>;

/// Takes out of `given` the options that are about a directory: PARTITION_BY, WRITE_PARTITION_COLUMNS,
/// OVERWRITE, OVERWRITE_OR_IGNORE, APPEND, FILENAME_PATTERN, FILE_EXTENSION, PER_THREAD_OUTPUT and
/// FILE_SIZE_BYTES. nullopt if the target is a file. `extension` is the format's, without a dot. Throws
/// Error(kBinder): 42601 for a repeated one, 22023 for an invalid value, 42703 for an unknown column.
std::optional<CopyDirectory> TakeDirectoryOptions(CopyOptionValues& given,
                                                  const std::vector<std::string>& columns,
                                                  const std::string& extension);

/// The columns of the rows that are in the files: all but those of partitions, as a rule.
std::vector<size_t> WrittenColumns(const std::optional<CopyDirectory>& directory, size_t column_count);

}  // namespace scaup
