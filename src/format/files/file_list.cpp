// Expands patterns, and reads columns out of paths.
#include "format/files/file_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/file/file_system.hpp"
#include "common/throw.hpp"
#include "type/text/utf8_text.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

constexpr std::string_view kNullPartition = "__HIVE_DEFAULT_PARTITION__";

using Partitions = std::vector<std::pair<std::string, std::optional<std::string>>>;

[[noreturn]] void ThrowBadPath(const std::string& function, const char* what) {
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
             fmt::format("the path of {} must {}", function, what));
}

int HexDigit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const char lower = static_cast<char>(digit | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Replaces %XX, by which characters that paths cannot have are written.
std::string Unescape(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 && HexDigit(text[i + 2]) >= 0) {
      result += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

/// Writes as %XX what a path cannot have, or would mean something in one.
std::string Escape(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    const bool is_safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                         c == '_' || c == '.' || c == '~' || c == '-';
    if (is_safe) {
      result += c;
    } else {
      const auto byte = static_cast<uint8_t>(c);
      result += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return result;
}

/// The files of a pattern. A path is one whether it is there or not, unless it `must_exist`.
std::vector<std::string> Match(FileSystem& files, const std::string& pattern, bool must_exist) {
  std::vector<std::string> found = files.Glob(pattern);
  const bool is_path = found.size() == 1 && found[0] == pattern;
  if (is_path && !must_exist) return found;
  // The path "file/." does not exist, which tells files from folders.
  std::erase_if(found, [&](const std::string& path) {
    return files.Exists(path + "/.") || (is_path && !files.Exists(path));
  });
  return found;
}

/// A dash stands for the standard input, as for other programs.
std::string PathOfName(const std::string& name) { return name == "-" ? "/dev/stdin" : name; }

bool HaveSameKeys(const Partitions& a, const Partitions& b) {
  return std::ranges::equal(a, b, {}, &Partitions::value_type::first, &Partitions::value_type::first);
}

/// The first of these types of which all values are, as DuckDB does.
LogicalType TypeOfPartitions(const std::vector<Partitions>& files, size_t key) {
  for (const TypeId id : {TypeId::kBigInt, TypeId::kDate, TypeId::kTimestamp}) {
    const bool fits = std::ranges::all_of(files, [&](const Partitions& partitions) {
      Value value;
      return !partitions[key].second || ParseValue(*partitions[key].second, id, value);
    });
    if (fits) return id;
  }
  return TypeId::kVarchar;
}

}  // namespace

std::vector<std::string> FindFiles(const FunctionContext& context, const std::string& function,
                                   const Value& argument, MissingFiles missing) {
  if (argument.is_null()) ThrowBadPath(function, "not be NULL");
  std::vector<Value> patterns = {argument};
  if (argument.type().id() == TypeId::kList) patterns = argument.GetElements();
  if (patterns.empty()) ThrowBadPath(function, "not be an empty list");
  std::vector<std::string> paths;
  for (const Value& pattern : patterns) {
    if (pattern.is_null()) ThrowBadPath(function, "not be NULL");
    if (pattern.type().id() != TypeId::kVarchar) ThrowBadPath(function, "be a text or a list of texts");
    const std::vector<std::string> found =
        Match(context.files, PathOfName(pattern.GetString()), missing == MissingFiles::kIgnore);
    if (found.empty() && missing == MissingFiles::kRefuse) {
      ThrowError(ErrorKind::kIo, sqlstate::kUndefinedFile,
                 fmt::format("no file matches \"{}\"", pattern.GetString()));
    }
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return paths;
}

Partitions HivePartitions(std::string_view path) {
  Partitions partitions;
  for (size_t begin = 0;;) {
    const size_t slash = path.find('/', begin);
    if (slash == std::string_view::npos) return partitions;
    const std::string_view folder = path.substr(begin, slash - begin);
    begin = slash + 1;
    const size_t equals = folder.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    std::string key = Unescape(folder.substr(0, equals)), value = Unescape(folder.substr(equals + 1));
    if (!IsText(key) || !IsText(value)) continue;
    if (value == kNullPartition) {
      partitions.emplace_back(std::move(key), std::nullopt);
    } else {
      partitions.emplace_back(std::move(key), std::move(value));
    }
  }
}

std::string PartitionFolder(std::string_view key, const std::optional<std::string>& value) {
  return Escape(key) + "=" + (value ? Escape(*value) : std::string(kNullPartition));
}

FileColumns MakeFileColumns(const std::vector<std::string>& paths, const FileColumnOptions& options) {
  FileColumns columns;
  columns.values.resize(paths.size());
  if (options.filename) {
    columns.names.push_back(*options.filename);
    columns.types.push_back(TypeId::kVarchar);
    for (size_t i = 0; i < paths.size(); i++) columns.values[i].push_back(Value::Varchar(paths[i]));
  }
  if (options.hive_partitioning == false) return columns;
  std::vector<Partitions> files;
  for (const std::string& path : paths) {
    files.push_back(HivePartitions(path));
    if (HaveSameKeys(files.front(), files.back())) continue;
    if (!options.hive_partitioning) return columns;
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("the paths \"{}\" and \"{}\" have different partitions", paths[0], path));
  }
  for (size_t key = 0; key < files[0].size(); key++) {
    const LogicalType type =
        options.hive_types_autocast ? TypeOfPartitions(files, key) : LogicalType(TypeId::kVarchar);
    columns.names.push_back(files[0][key].first);
    columns.types.push_back(type);
    for (size_t i = 0; i < files.size(); i++) {
      Value value(type);
      if (files[i][key].second) ParseValue(*files[i][key].second, type, value);
      columns.values[i].push_back(std::move(value));
    }
  }
  return columns;
}

}  // namespace scaup
