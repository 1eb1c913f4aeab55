// Binds Parquet files: columns by name, columns of file names, and what statistics tell the optimizer.
#include "format/parquet/read_parquet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/throw.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/parquet_statistics.hpp"
#include "format/text/option_values.hpp"
#include "function/cast_function.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

constexpr const char* kRowNumberName = "file_row_number";

/// The columns of a file by name in lower case, as SQL finds them; the first of equal names.
std::map<std::string, size_t> ColumnsByName(const ParquetTree& tree) {
  std::map<std::string, size_t> columns;
  for (size_t i = 0; i < tree.columns.size(); i++) columns.emplace(LowerCase(tree.columns[i].name), i);
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
  explicit StoredColumns(BoundParquet& bound) : bound_(bound) {}

  /// Takes names and types from the first file; names that are there twice get a number.
  void AddFirst(const ParquetTree& tree) {
    for (const ParquetNode& node : tree.columns) Add(node);
  }
  /// Adds the columns that are new, and widens the types of the others.
  void Unite(const ParquetFile& file) {
    for (const ParquetNode& node : file.tree().columns) {
      const auto known = positions_.find(LowerCase(node.name));
      if (known == positions_.end()) {
        Add(node);
      } else {
        LogicalType& type = bound_.column_types[known->second];
        type = UnitedType(type, node.type, node.name, file.path());
      }
    }
  }
  /// Finds the columns in a file.
  void Locate(BoundParquetFile& file, bool may_be_missing, const std::string& first_path) const {
    const std::map<std::string, size_t> there = ColumnsByName(file.file->tree());
    for (size_t i = 0; i < bound_.column_names.size(); i++) {
      ParquetFileColumn column;
      const auto found = there.find(LowerCase(sources_[i]));
      const LogicalType& type = bound_.column_types[i];
      if (found == there.end() && !may_be_missing) {
        ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                   fmt::format("could not read \"{}\": it does not have the column \"{}\" of \"{}\"; set "
                               "union_by_name to read files of different columns",
                               file.file->path(), bound_.column_names[i], first_path));
      }
      if (found == there.end()) {
        column.constant = Value(type);
      } else {
        column.source = ParquetFileColumn::Source::kStored;
        column.column = repeated_[i] ? i : found->second;
        const LogicalType& stored = file.file->tree().columns[column.column].type;
        if (!(stored == type) && !FindCast(stored, type))
          UnitedType(type, stored, sources_[i], file.file->path());
      }
      file.columns.push_back(std::move(column));
    }
  }

 private:
  void Add(const ParquetNode& node) {
    std::string name = node.name;
    for (int number = 1; positions_.contains(LowerCase(name)); number++)
      name = fmt::format("{}_{}", node.name, number);
    repeated_.push_back(name != node.name);
    sources_.push_back(node.name);
    positions_.emplace(LowerCase(name), bound_.column_names.size());
    bound_.column_names.push_back(std::move(name));
    bound_.column_types.push_back(node.type);
  }

  BoundParquet& bound_;
  std::map<std::string, size_t> positions_;
  std::vector<std::string> sources_;  // the names in the files
  std::vector<bool> repeated_;        // whether only the first file tells where it is
};

/// Adds the columns that paths have. A column of a file of the same name gives way to it.
void AddFileColumns(const FileColumns& columns, BoundParquet& bound) {
  for (size_t i = 0; i < columns.names.size(); i++) {
    const auto known = std::ranges::find(bound.column_names, LowerCase(columns.names[i]), LowerCase);
    const auto position = static_cast<size_t>(known - bound.column_names.begin());
    if (known == bound.column_names.end()) {
      bound.column_names.push_back(columns.names[i]);
      bound.column_types.emplace_back();
      for (BoundParquetFile& file : bound.files) file.columns.emplace_back();
    }
    bound.column_types[position] = columns.types[i];
    for (size_t file = 0; file < bound.files.size(); file++)
      bound.files[file].columns[position] = {ParquetFileColumn::Source::kConstant, 0,
                                             columns.values[file][i]};
  }
}

/// Returns what a column's chunks tell; bounds only if all have them.
TableFunctionColumn Summarize(const BoundParquet& bound, size_t column, double row_count) {
  TableFunctionColumn summary;
  double nulls = 0, distinct = 0;
  bool has_bounds = true, all_dictionary = true;
  for (const BoundParquetFile& file : bound.files) {
    const ParquetFileColumn& source = file.columns[column];
    const ParquetTree& tree = file.file->tree();
    if (source.source != ParquetFileColumn::Source::kStored) return summary;
    const ParquetNode& node = tree.columns[source.column];
    if (node.kind != ParquetNode::Kind::kLeaf || !(node.type == bound.column_types[column])) return summary;
    const ParquetLeaf& leaf = tree.leaves[node.first_leaf];
    for (const ParquetRowGroup& group : file.file->metadata().row_groups) {
      const ParquetColumnChunk& chunk = group.columns[node.first_leaf];
      all_dictionary &= chunk.is_dictionary_only;
      if (chunk.statistics) {
        nulls += static_cast<double>(chunk.statistics->null_count.value_or(0));
        distinct = std::max(distinct, static_cast<double>(chunk.statistics->distinct_count.value_or(0)));
      }
      auto bounds = has_bounds ? ParquetBounds(leaf, chunk) : std::nullopt;
      has_bounds = bounds.has_value();
      if (!has_bounds) continue;
      if (!summary.bounds) {
        summary.bounds = std::move(bounds);
        continue;
      }
      const auto is_less = [&](const Value& a, const Value& b) {
        const PhysicalType type = PhysicalTypeOf(leaf.type);
        if (type == PhysicalType::kString) return a.GetString() < b.GetString();
        return leaf.type.IsFloating() ? a.GetDouble() < b.GetDouble() : a.GetInteger() < b.GetInteger();
      };
      if (is_less(bounds->first, summary.bounds->first)) summary.bounds->first = std::move(bounds->first);
      if (is_less(summary.bounds->second, bounds->second)) summary.bounds->second = std::move(bounds->second);
    }
  }
  if (!has_bounds) summary.bounds = std::nullopt;
  summary.null_fraction = row_count > 0 ? std::clamp(nulls / row_count, 0.0, 1.0) : 0;
  // Values without a dictionary are mostly different; integers not more than their range has.
  summary.distinct = distinct > 0 ? distinct : all_dictionary ? 0 : row_count;
  if (summary.bounds &&
      (bound.column_types[column].IsInteger() || bound.column_types[column].id() == TypeId::kDate)) {
    const auto range =
        static_cast<double>(summary.bounds->second.GetInteger() - summary.bounds->first.GetInteger()) + 1;
    summary.distinct = summary.distinct > 0 ? std::min(summary.distinct, range) : std::min(range, row_count);
  }
  return summary;
}

ReadParquetOptions ParseOptions(const TableFunctionArguments& arguments) {
  ReadParquetOptions options;
  for (const auto& [name, value] : arguments.named) {
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
    } else if (name == "file_row_number") {
      options.file_row_number = BooleanOption(name, value);
    } else if (name == "binary_as_string") {
      options.parquet.binary_as_string = BooleanOption(name, value);
    }
  }
  return options;
}

std::unique_ptr<BoundTableFunction> BindReadParquet(const FunctionContext& context,
                                                    const TableFunctionArguments& arguments) {
  const ReadParquetOptions options = ParseOptions(arguments);
  return BindParquet(context, FindFiles(context, "read_parquet", arguments.positional.at(0)), options);
}

}  // namespace

std::unique_ptr<BoundParquet> BindParquet(const FunctionContext& context,
                                          const std::vector<std::string>& paths,
                                          const ReadParquetOptions& options) {
  auto bound = std::make_unique<BoundParquet>();
  uint64_t row_count = 0;
  for (const std::string& path : paths) {
    context.CheckInterrupt();
    bound->files.push_back({std::make_shared<const ParquetFile>(context, path, options.parquet), {}});
    row_count += static_cast<uint64_t>(bound->files.back().file->metadata().row_count);
  }
  StoredColumns stored(*bound);
  stored.AddFirst(bound->files[0].file->tree());
  if (options.union_by_name) {
    for (const BoundParquetFile& file : bound->files) stored.Unite(*file.file);
  }
  for (BoundParquetFile& file : bound->files) stored.Locate(file, options.union_by_name, paths[0]);
  AddFileColumns(MakeFileColumns(paths, options.file_columns), *bound);
  if (options.file_row_number) {
    bound->column_names.push_back(kRowNumberName);
    bound->column_types.push_back(TypeId::kBigInt);
    for (BoundParquetFile& file : bound->files)
      file.columns.push_back({ParquetFileColumn::Source::kRowNumber});
  }
  if (bound->column_names.empty()) {
    ThrowError(ErrorKind::kIo, sqlstate::kBadCopyFileFormat,
               fmt::format("could not read \"{}\": it has no columns", paths[0]));
  }
  bound->estimated_row_count = row_count;
  for (size_t i = 0; i < bound->column_names.size(); i++)
    bound->columns.push_back(Summarize(*bound, i, static_cast<double>(row_count)));
  return bound;
}

void SelectParquetColumns(BoundParquet& bound, const std::vector<std::string>& names,
                          const std::vector<LogicalType>& types) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < names.size(); i++) {
    const auto found = std::ranges::find(bound.column_names, LowerCase(names[i]), LowerCase);
    if (found == bound.column_names.end()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                 fmt::format("could not read \"{}\": it has no column \"{}\"", bound.files[0].file->path(),
                             names[i]));
    }
    positions.push_back(static_cast<size_t>(found - bound.column_names.begin()));
    const LogicalType& stored = bound.column_types[positions.back()];
    if (!(stored == types[i]) && !FindCast(stored, types[i])) {
      ThrowError(
          ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
          fmt::format("could not read \"{}\": its column \"{}\" is of type {}, which cannot be cast to {}",
                      bound.files[0].file->path(), names[i], stored.ToString(), types[i].ToString()));
    }
  }
  for (BoundParquetFile& file : bound.files) {
    std::vector<ParquetFileColumn> columns;
    for (size_t i = 0; i < positions.size(); i++) {
      columns.push_back(file.columns[positions[i]]);
      ParquetFileColumn& column = columns.back();
      if (column.source == ParquetFileColumn::Source::kConstant && column.constant.is_null())
        column.constant = Value(types[i]);
    }
    file.columns = std::move(columns);
  }
  bound.column_names = names;
  bound.column_types = types;
  bound.columns.clear();
}

bool LooksLikeParquetPath(std::string_view path) {
  return PathEndsWith(path, ".parquet") || PathEndsWith(path, ".parq");
}

TableFunction MakeReadParquet() {
  TableFunction function;
  function.name = "read_parquet";
  function.argument_types = {TypeId::kNull};
  function.named_arguments = {{"filename", TypeId::kNull},
                              {"hive_partitioning", TypeId::kBoolean},
                              {"hive_types_autocast", TypeId::kBoolean},
                              {"union_by_name", TypeId::kBoolean},
                              {"file_row_number", TypeId::kBoolean},
                              {"binary_as_string", TypeId::kBoolean}};
  function.description = "The rows of Parquet files: a path, a pattern, or a list of them.";
  function.example = "SELECT * FROM read_parquet('data/*.parquet', filename => true)";
  function.takes_filters = true;
  function.applies_filters = true;
  function.bind = BindReadParquet;
  function.create_shared = CreateParquetShared;
  function.create_local = CreateParquetLocal;
  function.next = NextParquetChunk;
  return function;
}

TableFunction MakeParquetScan() {
  TableFunction function = MakeReadParquet();
  function.name = "parquet_scan";
  function.description = "The same as read_parquet.";
  function.example = "SELECT * FROM parquet_scan('data/*.parquet')";
  return function;
}

}  // namespace scaup
