// Finds the columns of files that are one relation.
#include "format/files/file_relation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/throw.hpp"
#include "format/text/option_values.hpp"
#include "function/cast_function.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

constexpr const char* kRowNumberName = "file_row_number";

/// The columns of a file by name in lower case, as SQL finds them; the first of equal names.
std::map<std::string, size_t> ColumnsByName(const StoredFile& file) {
  std::map<std::string, size_t> columns;
  for (size_t i = 0; i < file.names.size(); i++) columns.emplace(LowerCase(file.names[i]), i);
  return columns;
}

/// The type that has the values of both; where there is none, as with lists of different elements, an error.
LogicalType UnitedType(const LogicalType& a, const LogicalType& b, const std::string& column,
                       const std::string& path) {
  if (a == b) return a;
  if (const auto common = CommonType(a, b)) return *common;
  ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
             fmt::format("could not read \"{}\": its column \"{}\" is of type {}, and {} in files before it",
                         path, column, b.ToString(), a.ToString()));
}

/// The columns of the relation that are stored in files.
class StoredColumns {
 public:
  StoredColumns(bool are_texts, BoundFiles& bound) : are_texts_(are_texts), bound_(bound) {}

  /// Takes names and types from the first file; names that are there twice get a number.
  void AddFirst(const StoredFile& file) {
    for (size_t i = 0; i < file.names.size(); i++) Add(file.names[i], file.types[i]);
  }
  /// Adds the columns that are new, and widens the types of the others.
  void Unite(const StoredFile& file) {
    for (size_t i = 0; i < file.names.size(); i++) {
      const auto known = positions_.find(LowerCase(file.names[i]));
      if (known == positions_.end()) {
        Add(file.names[i], file.types[i]);
      } else {
        LogicalType& type = bound_.column_types[known->second];
        type = are_texts_ && !CommonType(type, file.types[i])
                   ? LogicalType(TypeId::kVarchar)
                   : UnitedType(type, file.types[i], file.names[i], file.path);
      }
    }
  }
  /// Finds the columns in a file.
  std::vector<FileColumn> Locate(const StoredFile& file, bool may_be_missing,
                                 const std::string& first_path) const {
    const std::map<std::string, size_t> there = ColumnsByName(file);
    std::vector<FileColumn> columns;
    for (size_t i = 0; i < bound_.column_names.size(); i++) {
      FileColumn column;
      const auto found = there.find(LowerCase(sources_[i]));
      const LogicalType& type = bound_.column_types[i];
      if (found == there.end() && !may_be_missing) {
        ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                   fmt::format("could not read \"{}\": it does not have the column \"{}\" of \"{}\"; set "
                               "union_by_name to read files of different columns",
                               file.path, bound_.column_names[i], first_path));
      }
      if (found == there.end()) {
        column.constant = Value(type);
      } else {
        column.source = FileColumn::Source::kStored;
        column.column = repeated_[i] ? i : found->second;
        const LogicalType& stored = file.types[column.column];
        if (!are_texts_ && !(stored == type) && !FindCast(stored, type))
          UnitedType(type, stored, sources_[i], file.path);
      }
      columns.push_back(std::move(column));
    }
    return columns;
  }
  /// The columns' names in the files.
  const std::vector<std::string>& names() const { return sources_; }

 private:
  void Add(const std::string& stored, const LogicalType& type) {
    std::string name = stored;
    for (int number = 1; positions_.contains(LowerCase(name)); number++)
      name = fmt::format("{}_{}", stored, number);
    repeated_.push_back(name != stored);
    sources_.push_back(stored);
    positions_.emplace(LowerCase(name), bound_.column_names.size());
    bound_.column_names.push_back(std::move(name));
    bound_.column_types.push_back(type);
  }

  const bool are_texts_;
  BoundFiles& bound_;
  std::map<std::string, size_t> positions_;
  std::vector<std::string> sources_;  // the names in the files
  std::vector<bool> repeated_;        // whether only the first file tells where it is
};

/// Adds the columns that paths have. A column of a file of the same name gives way to it.
void AddFileColumns(const FileColumns& columns, BoundFiles& bound) {
  for (size_t i = 0; i < columns.names.size(); i++) {
    const auto known = std::ranges::find(bound.column_names, LowerCase(columns.names[i]), LowerCase);
    const auto position = static_cast<size_t>(known - bound.column_names.begin());
    if (known == bound.column_names.end()) {
      bound.column_names.push_back(columns.names[i]);
      bound.column_types.emplace_back();
      for (std::vector<FileColumn>& sources : bound.sources) sources.emplace_back();
    }
    bound.column_types[position] = columns.types[i];
    for (size_t file = 0; file < bound.sources.size(); file++)
      bound.sources[file][position] = {FileColumn::Source::kConstant, 0, columns.values[file][i]};
  }
}

}  // namespace

std::map<std::string, LogicalType> FileRelationArguments() {
  return {{"filename", TypeId::kNull},
          {"hive_partitioning", TypeId::kBoolean},
          {"hive_types_autocast", TypeId::kBoolean},
          {"union_by_name", TypeId::kBoolean},
          {kRowNumberName, TypeId::kBoolean}};
}

std::map<std::string, LogicalType> TextRelationArguments() {
  std::map<std::string, LogicalType> arguments = FileRelationArguments();
  arguments.erase(kRowNumberName);
  return arguments;
}

std::vector<std::pair<std::string, Value>> TakeRelationOptions(const TableFunctionArguments& arguments,
                                                               FileRelationOptions& options) {
  std::vector<std::pair<std::string, Value>> others;
  for (const auto& [name, value] : arguments.named) {
    if (!ReadFileRelationOption(name, value, options)) others.emplace_back(name, value);
  }
  return others;
}

bool ReadFileRelationOption(const std::string& name, const Value& value, FileRelationOptions& options) {
  if (name == "filename") {
    if (value.type().id() == TypeId::kVarchar && !value.is_null()) {
      options.file_columns.filename = value.GetString();
    } else if (BooleanOption(name, value)) {
      options.file_columns.filename = "filename";
    }
  } else if (name == "hive_partitioning") {
    options.file_columns.hive_partitioning = BooleanOption(name, value);
  } else if (name == "hive_types_autocast") {
    options.file_columns.hive_types_autocast = BooleanOption(name, value);
  } else if (name == "union_by_name") {
    options.union_by_name = BooleanOption(name, value);
  } else if (name == kRowNumberName) {
    options.file_row_number = BooleanOption(name, value);
  } else {
    return false;
  }
  return true;
}

void UniteFiles(const std::vector<StoredFile>& files, const FileRelationOptions& options, BoundFiles& bound) {
  SCAUP_ASSERT(!files.empty());
  StoredColumns stored(options.are_texts, bound);
  stored.AddFirst(files[0]);
  if (options.union_by_name) {
    for (const StoredFile& file : files) stored.Unite(file);
  }
  std::vector<std::string> paths;
  for (const StoredFile& file : files) {
    bound.sources.push_back(stored.Locate(file, options.union_by_name, files[0].path));
    paths.push_back(file.path);
  }
  bound.stored_names = stored.names();
  AddFileColumns(MakeFileColumns(paths, options.file_columns), bound);
  if (options.file_row_number) {
    bound.column_names.push_back(kRowNumberName);
    bound.column_types.push_back(TypeId::kBigInt);
    for (std::vector<FileColumn>& sources : bound.sources)
      sources.push_back({FileColumn::Source::kRowNumber});
  }
  if (bound.column_names.empty()) {
    ThrowError(ErrorKind::kIo, sqlstate::kBadCopyFileFormat,
               fmt::format("could not read \"{}\": it has no columns", paths[0]));
  }
}

namespace {

/// The column that a file has by exactly this name; otherwise the one that SQL finds by it.
std::vector<std::string>::const_iterator FindStored(const BoundFiles& bound, const std::string& name) {
  const auto stored = std::ranges::find(bound.stored_names, name);
  if (stored != bound.stored_names.end())
    return bound.column_names.begin() + (stored - bound.stored_names.begin());
  return std::ranges::find(bound.column_names, LowerCase(name), LowerCase);
}

}  // namespace

void SelectFileColumns(const std::string& first_path, const std::vector<std::string>& names,
                       const std::vector<LogicalType>& types, BoundFiles& bound) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < names.size(); i++) {
    const auto found = FindStored(bound, names[i]);
    if (found == bound.column_names.end()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                 fmt::format("could not read \"{}\": it has no column \"{}\"", first_path, names[i]));
    }
    positions.push_back(static_cast<size_t>(found - bound.column_names.begin()));
    const LogicalType& stored = bound.column_types[positions.back()];
    if (!(stored == types[i]) && !FindCast(stored, types[i])) {
      ThrowError(
          ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
          fmt::format("could not read \"{}\": its column \"{}\" is of type {}, which cannot be cast to {}",
                      first_path, names[i], stored.ToString(), types[i].ToString()));
    }
  }
  for (std::vector<FileColumn>& sources : bound.sources) {
    std::vector<FileColumn> columns;
    for (size_t i = 0; i < positions.size(); i++) {
      columns.push_back(sources[positions[i]]);
      FileColumn& column = columns.back();
      if (column.source == FileColumn::Source::kConstant && column.constant.is_null())
        column.constant = Value(types[i]);
    }
    sources = std::move(columns);
  }
  bound.column_names = names;
  bound.column_types = types;
  bound.columns.clear();
}

}  // namespace scaup
