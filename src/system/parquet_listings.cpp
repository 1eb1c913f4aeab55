// Makes rows of what the footers of Parquet files say; names of columns as in DuckDB.
#include "system/parquet_listings.hpp"

#include <fmt/format.h>

#include "format/files/file_list.hpp"
#include "format/parquet/parquet_file.hpp"
#include "format/parquet/parquet_statistics.hpp"
#include "system/listing.hpp"
#include "type/text/utf8_text.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

struct BoundParquetListing final : BoundListing {
  std::vector<std::string> paths;
};

Value NumberOrNull(std::optional<int64_t> number) {
  return number ? Value::BigInt(*number) : Value(LogicalType(TypeId::kBigInt));
}
/// Offsets are 0 where there is nothing.
Value OffsetOrNull(int64_t offset) { return NumberOrNull(offset > 0 ? std::optional(offset) : std::nullopt); }
/// A text of a file, which may be no text.
Value Text(std::string_view text) {
  return Value::Varchar(IsText(text) ? std::string(text) : BlobToString(text));
}
Value NoText() { return Value(LogicalType(TypeId::kVarchar)); }

const char* UnitName(ParquetUnit unit) {
  return unit == ParquetUnit::kMillis ? "MILLIS" : unit == ParquetUnit::kMicros ? "MICROS" : "NANOS";
}

/// The meaning of a type, such as "DECIMAL(9,2)"; NULL for none.
Value MeaningText(const ParquetAnnotation& annotation) {
  switch (annotation.meaning) {
    case ParquetMeaning::kNone: return NoText();
    case ParquetMeaning::kString: return Text("STRING");
    case ParquetMeaning::kMap: return Text("MAP");
    case ParquetMeaning::kList: return Text("LIST");
    case ParquetMeaning::kEnum: return Text("ENUM");
    case ParquetMeaning::kDecimal:
      return Text(fmt::format("DECIMAL({},{})", annotation.precision, annotation.scale));
    case ParquetMeaning::kDate: return Text("DATE");
    case ParquetMeaning::kTime:
    case ParquetMeaning::kTimestamp:
      return Text(fmt::format("{}({}, {})",
                              annotation.meaning == ParquetMeaning::kTime ? "TIME" : "TIMESTAMP",
                              UnitName(annotation.unit), annotation.is_utc ? "UTC" : "local"));
    case ParquetMeaning::kInteger:
      return Text(
          fmt::format("INTEGER({}, {})", annotation.bits, annotation.is_signed ? "signed" : "unsigned"));
    case ParquetMeaning::kNull: return Text("NULL");
    case ParquetMeaning::kJson: return Text("JSON");
    case ParquetMeaning::kBson: return Text("BSON");
    case ParquetMeaning::kUuid: return Text("UUID");
    case ParquetMeaning::kFloat16: return Text("FLOAT16");
    case ParquetMeaning::kInterval: return Text("INTERVAL");
  }
  return NoText();
}

void AddSchema(const ParquetFile& file, ListingRows& rows) {
  constexpr const char* kRepetitions[] = {"REQUIRED", "OPTIONAL", "REPEATED"};
  int64_t number = 0;
  size_t leaf = 0;
  for (const ParquetSchemaElement& element : file.metadata().schema) {
    const bool is_leaf = element.type && element.child_count == 0;
    rows.push_back(
        {Text(file.path()), Text(element.name), is_leaf ? Text(ParquetTypeName(*element.type)) : NoText(),
         element.type_length != 0 ? Value::BigInt(element.type_length) : NumberOrNull(std::nullopt),
         element.repetition ? Text(kRepetitions[static_cast<size_t>(*element.repetition)]) : NoText(),
         is_leaf ? NumberOrNull(std::nullopt) : Value::BigInt(element.child_count),
         MeaningText(element.annotation), NumberOrNull(element.field_id),
         is_leaf ? Text(file.tree().leaves[leaf].type.ToString()) : NoText(), Value::BigInt(number++)});
    leaf += is_leaf ? 1 : 0;
  }
}

void AddChunk(const ParquetFile& file, size_t group_index, size_t column, ListingRows& rows) {
  const ParquetRowGroup& group = file.metadata().row_groups[group_index];
  const ParquetColumnChunk& chunk = group.columns[column];
  const auto bounds = ParquetBounds(file.tree().leaves[column], chunk);
  std::string encodings;
  for (const int32_t encoding : chunk.encodings)
    encodings += (encodings.empty() ? "" : ", ") + std::string(ParquetEncodingName(encoding));
  const ParquetStatistics statistics = chunk.statistics.value_or(ParquetStatistics());
  rows.push_back({Text(file.path()),
                  Value::BigInt(static_cast<int64_t>(group_index)),
                  Value::BigInt(group.row_count),
                  Value::BigInt(group.total_bytes),
                  Value::BigInt(static_cast<int64_t>(column)),
                  Text(file.tree().leaves[column].name),
                  Text(ParquetTypeName(chunk.type)),
                  Value::BigInt(chunk.value_count),
                  bounds ? Text(bounds->first.ToString()) : NoText(),
                  bounds ? Text(bounds->second.ToString()) : NoText(),
                  NumberOrNull(statistics.null_count),
                  NumberOrNull(statistics.distinct_count),
                  Text(CodecName(chunk.codec)),
                  Text(encodings),
                  OffsetOrNull(chunk.dictionary_offset),
                  Value::BigInt(chunk.data_offset),
                  Value::BigInt(chunk.compressed_bytes),
                  Value::BigInt(chunk.uncompressed_bytes),
                  OffsetOrNull(chunk.bloom_offset),
                  OffsetOrNull(chunk.column_index_offset),
                  OffsetOrNull(chunk.offset_index_offset)});
}

void AddChunks(const ParquetFile& file, ListingRows& rows) {
  for (size_t group = 0; group < file.metadata().row_groups.size(); group++) {
    for (size_t column = 0; column < file.tree().leaves.size(); column++) AddChunk(file, group, column, rows);
  }
}

void AddFile(const ParquetFile& file, ListingRows& rows) {
  const ParquetMetadata& metadata = file.metadata();
  rows.push_back({Text(file.path()), Text(metadata.created_by), Value::BigInt(metadata.row_count),
                  Value::BigInt(static_cast<int64_t>(metadata.row_groups.size())),
                  Value::BigInt(metadata.version), Value::BigInt(static_cast<int64_t>(file.size_bytes())),
                  Value::BigInt(static_cast<int64_t>(file.footer_bytes()))});
}

void AddKeyValues(const ParquetFile& file, ListingRows& rows) {
  for (const ParquetKeyValue& pair : file.metadata().key_values) {
    rows.push_back({Text(file.path()), Value::Blob(pair.key),
                    pair.value ? Value::Blob(*pair.value) : Value(LogicalType(TypeId::kBlob))});
  }
}

template <void (*kAdd)(const ParquetFile&, ListingRows&)>
ListingRows MakeRows(const FunctionContext& context, const BoundListing& bound) {
  ListingRows rows;
  for (const std::string& path : static_cast<const BoundParquetListing&>(bound).paths) {
    context.CheckInterrupt();
    kAdd(ParquetFile(context, path, {}), rows);
  }
  return rows;
}

std::unique_ptr<BoundParquetListing> BindPaths(const FunctionContext& context, const char* function,
                                               const TableFunctionArguments& arguments) {
  auto bound = std::make_unique<BoundParquetListing>();
  bound->paths = FindFiles(context, function, arguments.positional.at(0));
  bound->AddColumns(TypeId::kVarchar, {"file_name"});
  return bound;
}

std::unique_ptr<BoundTableFunction> BindSchema(const FunctionContext& context,
                                               const TableFunctionArguments& arguments) {
  auto bound = BindPaths(context, "parquet_schema", arguments);
  bound->AddColumns(TypeId::kVarchar, {"name", "type"});
  bound->AddColumns(TypeId::kBigInt, {"type_length"});
  bound->AddColumns(TypeId::kVarchar, {"repetition_type"});
  bound->AddColumns(TypeId::kBigInt, {"num_children"});
  bound->AddColumns(TypeId::kVarchar, {"logical_type"});
  bound->AddColumns(TypeId::kBigInt, {"field_id"});
  bound->AddColumns(TypeId::kVarchar, {"sql_type"});
  bound->AddColumns(TypeId::kBigInt, {"column_id"});
  bound->make_rows = MakeRows<AddSchema>;
  return bound;
}

std::unique_ptr<BoundTableFunction> BindChunks(const FunctionContext& context,
                                               const TableFunctionArguments& arguments) {
  auto bound = BindPaths(context, "parquet_metadata", arguments);
  bound->AddColumns(TypeId::kBigInt, {"row_group_id", "row_group_num_rows", "row_group_bytes", "column_id"});
  bound->AddColumns(TypeId::kVarchar, {"path_in_schema", "type"});
  bound->AddColumns(TypeId::kBigInt, {"num_values"});
  bound->AddColumns(TypeId::kVarchar, {"stats_min", "stats_max"});
  bound->AddColumns(TypeId::kBigInt, {"stats_null_count", "stats_distinct_count"});
  bound->AddColumns(TypeId::kVarchar, {"compression", "encodings"});
  bound->AddColumns(TypeId::kBigInt, {"dictionary_page_offset", "data_page_offset", "total_compressed_size",
                                      "total_uncompressed_size", "bloom_filter_offset", "column_index_offset",
                                      "offset_index_offset"});
  bound->make_rows = MakeRows<AddChunks>;
  return bound;
}

std::unique_ptr<BoundTableFunction> BindFiles(const FunctionContext& context,
                                              const TableFunctionArguments& arguments) {
  auto bound = BindPaths(context, "parquet_file_metadata", arguments);
  bound->AddColumns(TypeId::kVarchar, {"created_by"});
  bound->AddColumns(TypeId::kBigInt,
                    {"num_rows", "num_row_groups", "format_version", "file_size_bytes", "footer_size"});
  bound->make_rows = MakeRows<AddFile>;
  return bound;
}

std::unique_ptr<BoundTableFunction> BindKeyValues(const FunctionContext& context,
                                                  const TableFunctionArguments& arguments) {
  auto bound = BindPaths(context, "parquet_kv_metadata", arguments);
  bound->AddColumns(TypeId::kBlob, {"key", "value"});
  bound->make_rows = MakeRows<AddKeyValues>;
  return bound;
}

}  // namespace

std::vector<TableFunction> ParquetListings() {
  const LogicalType any = TypeId::kNull;
  std::vector<TableFunction> functions;
  functions.push_back(MakeListing("parquet_schema", "The elements of the schemas of Parquet files.",
                                  "SELECT name, sql_type FROM parquet_schema('data.parquet')", {any},
                                  BindSchema));
  functions.push_back(MakeListing("parquet_metadata", "The column chunks of Parquet files, with statistics.",
                                  "SELECT path_in_schema, compression FROM parquet_metadata('data.parquet')",
                                  {any}, BindChunks));
  functions.push_back(
      MakeListing("parquet_file_metadata", "What the footers of Parquet files say of the whole.",
                  "SELECT num_rows FROM parquet_file_metadata('data.parquet')", {any}, BindFiles));
  functions.push_back(
      MakeListing("parquet_kv_metadata", "The keys and values that writers left in Parquet files.",
                  "SELECT key, value FROM parquet_kv_metadata('data.parquet')", {any}, BindKeyValues));
  return functions;
}

}  // namespace scaup
