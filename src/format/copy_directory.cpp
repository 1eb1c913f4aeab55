// Parses the options of COPY TO that make its target a directory.
#include "format/copy_directory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "format/text/write_options.hpp"

namespace scaup {

namespace {

struct DirectoryOptions {
  CopyDirectory directory;
  std::optional<std::string> partition_by;
  std::vector<std::string> existing;  // the options that say what becomes of files that are there
  std::string pattern;
  std::optional<std::string> extension;
};

void SetExisting(DirectoryOptions& options, const std::string& name, const Value& value,
                 ExistingFiles existing) {
  if (!BooleanOption(name, value)) return;
  options.directory.existing = existing;
  options.existing.push_back(name);
}

void SetPartitionBy(DirectoryOptions& options, const std::string& name, const Value& value) {
  options.partition_by = TextOption(name, value);
}
void SetWritePartitionColumns(DirectoryOptions& options, const std::string& name, const Value& value) {
  options.directory.writes_partition_columns = BooleanOption(name, value);
}
void SetOverwrite(DirectoryOptions& options, const std::string& name, const Value& value) {
  SetExisting(options, name, value, ExistingFiles::kReplace);
}
void SetOverwriteOrIgnore(DirectoryOptions& options, const std::string& name, const Value& value) {
  SetExisting(options, name, value, ExistingFiles::kOverwrite);
}
void SetAppend(DirectoryOptions& options, const std::string& name, const Value& value) {
  SetExisting(options, name, value, ExistingFiles::kKeep);
}
/// A pattern is searched for in paths, so what has a meaning there cannot be part of a name.
void CheckName(const std::string& name, const std::string& text) {
  if (text.empty() || text.find_first_of("/*?") != std::string::npos || text.find('\0') != std::string::npos)
    ThrowBadOption(name, "a part of a file's name, without / * and ?", text);
}
void SetPattern(DirectoryOptions& options, const std::string& name, const Value& value) {
  options.pattern = TextOption(name, value);
  CheckName(name, options.pattern);
}
void SetExtension(DirectoryOptions& options, const std::string& name, const Value& value) {
  options.extension = TextOption(name, value);
  CheckName(name, *options.extension);
}
void SetPerThread(DirectoryOptions& options, const std::string& name, const Value& value) {
  options.directory.is_per_thread = BooleanOption(name, value);
}
void SetFileBytes(DirectoryOptions& options, const std::string& name, const Value& value) {
  options.directory.file_bytes = SizeOption(name, value);
}

constexpr WriteOption<DirectoryOptions> kDirectoryOptions[] = {
    {"partition_by", SetPartitionBy},
    {"write_partition_columns", SetWritePartitionColumns},
    {"overwrite", SetOverwrite},
    {"overwrite_or_ignore", SetOverwriteOrIgnore},
    {"append", SetAppend},
    {"filename_pattern", SetPattern},
    {"file_extension", SetExtension},
    {"per_thread_output", SetPerThread},
    {"file_size_bytes", SetFileBytes},
};

bool IsDirectoryOption(const std::pair<std::string, Value>& option) {
  return std::ranges::any_of(kDirectoryOptions, [&](const WriteOption<DirectoryOptions>& known) {
    return LowerCase(option.first) == known.name;
  });
}

bool Replaces(const std::string& option) {
  const std::string name = LowerCase(option);
  return name == "overwrite" || name == "overwrite_or_ignore";
}

/// The column that a name means: in any case, as everywhere in file options.
size_t FindColumn(const std::string& name, const std::vector<std::string>& columns) {
  const auto found = std::ranges::find(columns, LowerCase(name), LowerCase);
  if (found == columns.end()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
               fmt::format("column \"{}\" of PARTITION_BY does not exist", name));
  }
  return static_cast<size_t>(found - columns.begin());
}

void SetColumns(const std::string& partition_by, const std::vector<std::string>& columns,
                CopyDirectory& directory) {
  std::vector<size_t>& positions = directory.partition_columns;
  for (const std::string& name : NameListOption("partition_by", partition_by)) {
    const size_t column = FindColumn(name, columns);
    if (std::ranges::find(positions, column) != positions.end()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
                 fmt::format("PARTITION_BY has the column \"{}\" twice", name));
    }
    positions.push_back(column);
  }
  if (positions.size() < columns.size() || directory.writes_partition_columns) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
             "all columns are in PARTITION_BY, so none is left to write: leave one out or give the option "
             "WRITE_PARTITION_COLUMNS");
}

void CheckTogether(const DirectoryOptions& options) {
  if (options.existing.size() > 1) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("options {} and {} exclude each other", options.existing[0], options.existing[1]));
  }
  const CopyDirectory& directory = options.directory;
  if (options.partition_by && directory.is_per_thread) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "options PARTITION_BY and PER_THREAD_OUTPUT exclude each other");
  }
  const bool has_several = directory.is_per_thread || directory.file_bytes != 0;
  if (has_several && !NamesEachFile(directory.file_pattern)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "FILENAME_PATTERN needs a {i} or a {uuid}, as there may be several files");
  }
}

std::string DefaultPattern(ExistingFiles existing) {
  // Statements that add files at the same time must not choose the same name.
  return existing == ExistingFiles::kKeep ? "data_{uuid}" : "data_{i}";
}

}  // namespace

std::optional<CopyDirectory> TakeDirectoryOptions(CopyOptionValues& given,
                                                  const std::vector<std::string>& columns,
                                                  const std::string& extension) {
  CopyOptionValues taken;
  for (const auto& option : given) {
    if (IsDirectoryOption(option)) taken.push_back(option);
  }
  if (taken.empty()) return std::nullopt;
  std::erase_if(given, IsDirectoryOption);
  auto options = ParseWriteOptions<DirectoryOptions>("COPY", kDirectoryOptions, taken);
  CopyDirectory& directory = options.directory;
  if (!options.partition_by && !directory.is_per_thread && directory.file_bytes == 0) {
    // A single file is replaced in any case.
    if (std::ranges::all_of(taken, [](const auto& option) { return Replaces(option.first); }))
      return std::nullopt;
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("option {} is for directories: it needs PARTITION_BY, PER_THREAD_OUTPUT or "
                           "FILE_SIZE_BYTES",
                           taken[0].first));
  }
  if (options.pattern.empty()) options.pattern = DefaultPattern(directory.existing);
  directory.file_pattern = options.pattern + "." + options.extension.value_or(extension);
  CheckTogether(options);
  if (options.partition_by) SetColumns(*options.partition_by, columns, directory);
  return std::move(directory);
}

std::vector<size_t> WrittenColumns(const std::optional<CopyDirectory>& directory, size_t column_count) {
  std::vector<size_t> columns;
  for (size_t i = 0; i < column_count; i++) {
    const bool is_partition =
        directory && std::ranges::find(directory->partition_columns, i) != directory->partition_columns.end();
    if (!is_partition || directory->writes_partition_columns) columns.push_back(i);
  }
  return columns;
}

}  // namespace scaup
