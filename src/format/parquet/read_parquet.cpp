// Binds Parquet files, and tells the optimizer what their statistics say.
#include "format/parquet/read_parquet.hpp"

#include <algorithm>

#include "format/parquet/parquet_statistics.hpp"
#include "format/text/option_values.hpp"

namespace scaup {

namespace {

/// Returns what a column's chunks tell; bounds only if all have them.
TableFunctionColumn Summarize(const BoundParquet& bound, size_t column, double row_count) {
  TableFunctionColumn summary;
  double nulls = 0, distinct = 0;
  bool has_bounds = true, all_dictionary = true;
  for (size_t file = 0; file < bound.files.size(); file++) {
    const FileColumn& source = bound.sources[file][column];
    const ParquetTree& tree = bound.files[file]->tree();
    if (source.source != FileColumn::Source::kStored) return summary;
    const ParquetNode& node = tree.columns[source.column];
    if (node.kind != ParquetNode::Kind::kLeaf || !(node.type == bound.column_types[column])) return summary;
    const ParquetLeaf& leaf = tree.leaves[node.first_leaf];
    for (const ParquetRowGroup& group : bound.files[file]->metadata().row_groups) {
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
    if (!ReadFileRelationOption(name, value, options.relation))
      options.parquet.binary_as_string = BooleanOption(name, value);
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
  std::vector<StoredFile> stored;
  uint64_t row_count = 0;
  for (const std::string& path : paths) {
    context.CheckInterrupt();
    const auto& file =
        bound->files.emplace_back(std::make_shared<const ParquetFile>(context, path, options.parquet));
    row_count += static_cast<uint64_t>(file->metadata().row_count);
    StoredFile& columns = stored.emplace_back(StoredFile{path, {}, {}});
    for (const ParquetNode& node : file->tree().columns) {
      columns.names.push_back(node.name);
      columns.types.push_back(node.type);
    }
  }
  UniteFiles(stored, options.relation, *bound);
  bound->estimated_row_count = row_count;
  for (size_t i = 0; i < bound->column_names.size(); i++)
    bound->columns.push_back(Summarize(*bound, i, static_cast<double>(row_count)));
  return bound;
}

bool LooksLikeParquetPath(std::string_view path) {
  return PathEndsWith(path, ".parquet") || PathEndsWith(path, ".parq");
}

TableFunction MakeReadParquet() {
  TableFunction function;
  function.name = "read_parquet";
  function.argument_types = {TypeId::kNull};
  function.named_arguments = FileRelationArguments();
  function.named_arguments.emplace("binary_as_string", TypeId::kBoolean);
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
