// Binds COPY of CSV, JSON, Parquet and Arrow files from and to tables and collections.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/write/collection_changes.hpp"
#include "binder/write/insert_values.hpp"
#include "binder/write/written_row.hpp"
#include "common/throw.hpp"
#include "format/arrow/file/arrow_write_options.hpp"
#include "format/arrow/file/read_arrow.hpp"
#include "format/csv/read_csv.hpp"
#include "format/json/read_json.hpp"
#include "format/parquet/read_parquet.hpp"
#include "format/parquet/write/parquet_write_options.hpp"
#include "format/parquet/write/write_schema.hpp"
#include "format/text/option_values.hpp"
#include "function/cast_function.hpp"
#include "type/text/json_text.hpp"
#include "type/text/quoted_text.hpp"
#include "type/type_modifier.hpp"

namespace scaup {

namespace {

using GivenOptions = std::vector<std::pair<std::string, Value>>;

/// Returns the value of an option; the names of a list are quoted and separated by commas.
Value OptionValue(const ast::CopyOption& option) {
  if (!option.has_value) return Value(TypeId::kVarchar);
  if (option.values.empty()) return Value::Varchar(option.value);
  std::string list;
  for (const std::string& name : option.values) list += (list.empty() ? "" : ",") + QuotedIdentifier(name);
  return Value::Varchar(list);
}

/// Returns the columns of COPY; without a list, all that are not generated.
std::vector<size_t> CopiedColumns(const TableEntry& table, const ast::CopyStatement& statement) {
  std::vector<size_t> columns = ResolveTableColumns(table, statement.columns, {}, statement.position);
  if (statement.columns.empty()) {
    std::erase_if(columns, [&](size_t column) { return IsGenerated(table.columns[column]); });
    return columns;
  }
  for (const size_t column : columns) {
    if (!IsGenerated(table.columns[column])) continue;
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
               fmt::format("column \"{}\" is a generated column; generated columns cannot be used in COPY",
                           table.columns[column].name),
               statement.position);
  }
  return columns;
}

/// Makes the files of COPY FROM a relation.
BoundTableRefPtr MakeSource(size_t table_index, TableFunction function,
                            std::shared_ptr<const BoundTableFunction> bound) {
  return std::make_unique<BoundTableFunctionCall>(table_index, std::move(function), TableFunctionArguments(),
                                                  std::move(bound));
}

/// Binds COPY FROM files that have typed columns. They have no options but their format.
std::unique_ptr<BoundFiles> BindTypedFiles(const FunctionContext& functions, CopyFormat format,
                                           const std::string& path, const GivenOptions& given) {
  constexpr const char* kKnown[] = {"format"};
  const bool is_parquet = format == CopyFormat::kParquet;
  for (const auto& [name, value] : given) {
    if (name != kKnown[0]) ThrowUnknownOption(is_parquet ? "Parquet" : "Arrow", name, kKnown);
  }
  const std::vector<std::string> paths = FindFiles(functions, "COPY", Value::Varchar(path));
  if (is_parquet) return BindParquet(functions, paths, {});
  return BindArrowFiles(functions, paths, {});
}

/// Binds COPY FROM text files, which have the columns of the list and no others.
std::unique_ptr<BoundTableFunction> BindText(const FunctionContext& functions, const std::string& path,
                                             const CsvOptions& options) {
  FileRelationOptions relation;
  relation.file_columns.hive_partitioning = false;
  return BindCsv(functions, FindFiles(functions, "COPY", Value::Varchar(path)), options, relation);
}

bool HasTypedColumns(CopyFormat format) {
  return format == CopyFormat::kParquet || format == CopyFormat::kArrow;
}

TableFunction SourceFunction(CopyFormat format) {
  switch (format) {
    case CopyFormat::kCsv: return MakeReadCsv();
    case CopyFormat::kJson: return MakeReadJsonDocuments();
    case CopyFormat::kParquet: return MakeReadParquet();
    case CopyFormat::kArrow: return MakeReadArrow();
  }
  ThrowInternal("unknown format of COPY");
}

/// Copies from a file of any format into columns of a table; the file's columns are those of the list.
void CopyIntoTable(BindSession& session, const ast::CopyStatement& statement, CopyFormat format,
                   const GivenOptions& given, BoundInsert& insert) {
  const FunctionContext& functions = session.context().functions;
  const auto columns = CopiedColumns(*insert.table, statement);
  const std::vector<std::string> names = NamesOf(*insert.table, columns);
  std::vector<LogicalType> types = TypesOf(*insert.table, columns);
  // INSERT makes the values fit the modifiers, and finds the objects whose names stand in the file.
  for (LogicalType& type : types)
    type = ObjectNumberOf(type) == ObjectNumber::kNone ? WithoutModifier(type) : TypeId::kVarchar;
  std::shared_ptr<const BoundTableFunction> bound;
  if (format == CopyFormat::kCsv) {
    CsvOptions options = ParseCsvOptions(given, CsvUse::kCopyFrom);
    options.names = names;
    options.types = types;
    options.columns_are_exact = true;
    bound = BindText(functions, statement.path, options);
  } else if (HasTypedColumns(format)) {
    auto files = BindTypedFiles(functions, format, statement.path, given);
    SelectFileColumns(statement.path, names, types, *files);
    bound = std::move(files);
  } else {
    auto json = BindJson(functions, FindFiles(functions, "COPY", Value::Varchar(statement.path)),
                         ParseJsonOptions(given, JsonUse::kCopyFrom));
    json->output = JsonOutput::kColumns;
    json->column_names = names;
    json->column_types = types;
    bound = std::move(json);
  }
  SCAUP_CHECK(bound->column_types.size() == columns.size());
  const size_t table_index = session.NewTableIndex();
  FillValues(session, insert, columns, table_index, bound->column_types, names, statement.position);
  insert.source = MakeSource(table_index, SourceFunction(format), std::move(bound));
  AddGenerated(session, insert);
}

/// Copies each document of a JSON file into a collection.
void CopyDocuments(BindSession& session, const ast::CopyStatement& statement, const GivenOptions& given,
                   BoundInsert& insert) {
  if (!statement.columns.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("COPY of JSON into collection \"{}\" takes whole documents: leave out the list of "
                           "columns",
                           insert.table->name),
               statement.position);
  }
  const FunctionContext& functions = session.context().functions;
  auto json = BindJson(functions, FindFiles(functions, "COPY", Value::Varchar(statement.path)),
                       ParseJsonOptions(given, JsonUse::kCopyFrom));
  const ColumnDefinition& record = insert.table->columns[0];
  json->output = JsonOutput::kRecords;
  json->dictionary = insert.table->storage->attributes();
  json->column_names = {record.name};
  json->column_types = {record.type};
  const size_t table_index = session.NewTableIndex();
  insert.values.push_back(
      std::make_unique<ColumnRefExpression>(record.type, ColumnBinding{table_index, 0}, record.name));
  insert.values.back()->alias = record.name;
  insert.source = MakeSource(table_index, MakeReadJsonDocuments(), std::move(json));
}

/// Whether the rows of a file are documents: COPY of a collection writes a single column of JSON.
bool HasDocuments(CopyFormat format, const BoundTableFunction& rows) {
  return HasTypedColumns(format) && rows.column_types.size() == 1 && IsJson(rows.column_types[0]);
}

/// Makes a document of each row of a CSV, Parquet or Arrow file. Its columns are paths, named by the file or
/// by a list, unless rows are documents.
void CopyRowsAsDocuments(BindSession& session, const ast::CopyStatement& statement, CopyFormat format,
                         const GivenOptions& given, BoundInsert& insert) {
  const FunctionContext& functions = session.context().functions;
  std::unique_ptr<BoundTableFunction> rows;
  if (HasTypedColumns(format)) {
    rows = BindTypedFiles(functions, format, statement.path, given);
  } else {
    rows = BindText(functions, statement.path, ParseCsvOptions(given, CsvUse::kCopyFrom));
  }
  if (!statement.columns.empty() && statement.columns.size() != rows->column_names.size()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("COPY lists {} columns, but \"{}\" has {}", statement.columns.size(),
                           statement.path, rows->column_names.size()),
               statement.position);
  }
  std::vector<std::string> names = statement.columns;
  if (names.empty() && !HasDocuments(format, *rows)) names = rows->column_names;
  const size_t table_index = session.NewTableIndex();
  FillRecords(session, insert, names, table_index, rows->column_types, statement.position);
  insert.source = MakeSource(table_index, SourceFunction(format), std::move(rows));
}

BoundStatementPtr BindCopyFrom(BindSession& session, const ast::CopyStatement& statement, CopyFormat format,
                               const GivenOptions& given) {
  auto insert = std::make_unique<BoundInsert>();
  insert->table = FindWrittenTable(session, statement.table);
  if (!insert->table->is_collection()) {
    CopyIntoTable(session, statement, format, given, *insert);
  } else if (format == CopyFormat::kJson) {
    CopyDocuments(session, statement, given, *insert);
  } else {
    CopyRowsAsDocuments(session, statement, format, given, *insert);
  }
  insert->row_index = session.NewTableIndex();
  insert->checks = BindChecks(session.context(), *insert->table, insert->row_index);
  return insert;
}

/// COPY t (a, b) TO: binds SELECT a, b FROM t.
BoundQueryPtr SelectColumns(BindSession& session, const ast::CopyStatement& statement, TableEntryRef table) {
  const auto columns = CopiedColumns(*table, statement);
  auto select = std::make_unique<BoundSelect>();
  const size_t source_index = session.NewTableIndex();
  select->table_index = select->item_index = session.NewTableIndex();
  select->names = NamesOf(*table, columns);
  select->types = TypesOf(*table, columns);
  for (size_t i = 0; i < columns.size(); i++) {
    select->items.push_back(std::make_unique<ColumnRefExpression>(
        select->types[i], ColumnBinding{source_index, columns[i]}, select->names[i]));
    select->items.back()->alias = select->names[i];
  }
  select->from = std::make_unique<BoundBaseTable>(source_index, std::move(table));
  return select;
}

/// COPY c TO of a collection: selects the documents.
BoundQueryPtr SelectDocuments(BindSession& session, const TableEntry& collection) {
  const size_t source_index = session.NewTableIndex();
  auto use = std::make_shared<CollectionUse>(session, collection, source_index);
  session.AddCollection(use);
  auto select = std::make_unique<BoundSelect>();
  select->table_index = select->item_index = session.NewTableIndex();
  select->items.push_back(use->ReadDocument());
  select->names = {collection.columns[0].name};
  select->items.back()->alias = select->names[0];
  select->types = {select->items.back()->type()};
  select->from = std::make_unique<BoundBaseTable>(source_index, use->entry());
  return select;
}

/// COPY c (a, b) TO of a collection: binds SELECT "a", "b" FROM c.
BoundQueryPtr SelectPaths(BindSession& session, const ast::CopyStatement& statement) {
  ast::SelectStatement select;
  select.position = statement.position;
  for (const std::string& name : statement.columns) {
    auto column = std::make_unique<ast::Column>();
    column->names = {name};
    column->position = statement.position;
    select.items.push_back({std::move(column), name});
  }
  auto table = std::make_unique<ast::NamedTable>();
  table->database = statement.table.database;
  table->schema = statement.table.schema;
  table->name = statement.table.name;
  table->position = statement.table.position;
  select.from.push_back(std::move(table));
  return BindQuery(session, select, nullptr);
}

/// Returns the position at which an option is written.
size_t PositionOf(const ast::CopyStatement& statement, const std::string& name) {
  const auto found = std::ranges::find(statement.options, name, &ast::CopyOption::name);
  return found == statement.options.end() ? statement.position : found->position;
}

/// Throws the errors of options, at the option if it is wrong by itself. The error of one that `needs_others`
/// is seen only with all of them.
template <typename Parse>
void CheckWriteOptions(const ast::CopyStatement& statement, const GivenOptions& given, const Parse& parse,
                       std::string_view needs_others = {}) {
  for (size_t i = 0; i < given.size(); i++) {
    if (given[i].first == needs_others) continue;
    try {
      parse(std::span(&given[i], 1));
    } catch (Error& error) {
      error.SetPositionIfUnknown(PositionOf(statement, given[i].first));
      throw;
    }
  }
  parse(given);
}

/// Checks the options of the format.
void CheckFormatOptions(const ast::CopyStatement& statement, CopyFormat format, const GivenOptions& given) {
  switch (format) {
    case CopyFormat::kCsv: ParseCsvOptions(given, CsvUse::kCopyTo); break;
    case CopyFormat::kJson: ParseJsonOptions(given, JsonUse::kCopyTo); break;
    case CopyFormat::kParquet:
      CheckWriteOptions(statement, given, ParseParquetWriteOptions, "compression_level");
      break;
    case CopyFormat::kArrow: CheckWriteOptions(statement, given, ParseArrowWriteOptions); break;
  }
}

/// Throws if FIELD_IDS does not fit the columns that are written.
void CheckFieldIds(const CopyTarget& target, const BoundQuery& query, const GivenOptions& given) {
  const ParquetFieldIds ids = ParseParquetWriteOptions(given).field_ids;
  if (ids.columns.empty()) return;
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  for (const size_t column : WrittenColumns(target.directory, query.names.size())) {
    names.push_back(query.names[column]);
    types.push_back(query.types[column]);
  }
  std::vector<ParquetSchemaElement> schema = MakeParquetSchema(names, types);
  SetFieldIds(ids, schema);
}

/// The usual ending of files of a format, when they are written with these options.
std::string ExtensionOf(CopyFormat format, const GivenOptions& given) {
  const auto is_value = [&](const char* option, std::initializer_list<std::string_view> values) {
    return std::ranges::any_of(given, [&](const auto& one) {
      return one.first == option && !one.second.is_null() &&
             std::ranges::find(values, LowerCase(one.second.GetString())) != values.end();
    });
  };
  switch (format) {
    case CopyFormat::kParquet: return "parquet";
    case CopyFormat::kArrow: return is_value("format", {"arrows"}) ? "arrows" : "arrow";
    case CopyFormat::kCsv:
    case CopyFormat::kJson: {
      const char* const compression = is_value("compression", {"gzip", "gz"})    ? ".gz"
                                      : is_value("compression", {"zstd", "zst"}) ? ".zst"
                                                                                 : "";
      return std::string(format == CopyFormat::kCsv ? "csv" : "json") + compression;
    }
  }
  ThrowInternal("unknown format of COPY");
}

/// The rows that COPY TO writes.
BoundQueryPtr BindWrittenRows(BindSession& session, const ast::CopyStatement& statement, bool& is_documents) {
  BoundQueryPtr query;
  if (statement.query) {
    query = BindQuery(session, *statement.query, nullptr);
  } else {
    TableEntryRef table = FindTableOrThrow(session, statement.table);
    is_documents = table->is_collection() && statement.columns.empty();
    query = !table->is_collection() ? SelectColumns(session, statement, std::move(table))
            : is_documents          ? SelectDocuments(session, *table)
                                    : SelectPaths(session, statement);
  }
  for (size_t i = 0; i < query->types.size(); i++) ReadAsWritten(session, query, i);
  return query;
}

BoundStatementPtr BindCopyTo(BindSession& session, const ast::CopyStatement& statement, CopyFormat format,
                             GivenOptions given) {
  auto copy = std::make_unique<BoundCopyTo>();
  CopyTarget& target = copy->target;
  target.path = statement.path;
  target.format = format;
  copy->query = BindWrittenRows(session, statement, target.is_documents);
  target.directory = TakeDirectoryOptions(given, copy->query->names, ExtensionOf(format, given));
  CheckFormatOptions(statement, format, given);
  if (format == CopyFormat::kParquet) CheckFieldIds(target, *copy->query, given);
  for (const auto& [name, value] : given)
    target.options.emplace_back(name, value.is_null() ? "true" : value.GetString());
  const bool names_format =
      std::any_of(given.begin(), given.end(), [](const auto& option) { return option.first == "format"; });
  if (format == CopyFormat::kArrow && !names_format && LooksLikeArrowStreamPath(statement.path))
    target.options.emplace_back("format", "arrows");
  return copy;
}

}  // namespace

CopyFormat CopyFormatOf(const ast::CopyStatement& statement) {
  for (const auto& option : statement.options) {
    if (option.name != "format") continue;
    const std::string format = LowerCase(option.value);
    if (format == "csv") return CopyFormat::kCsv;
    if (format == "json") return CopyFormat::kJson;
    if (format == "parquet") return CopyFormat::kParquet;
    if (format == "arrow" || format == "arrows" || format == "feather") return CopyFormat::kArrow;
    ThrowError(
        ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
        fmt::format("option format must be csv, json, parquet, arrow or arrows, not \"{}\"", option.value),
        option.position);
  }
  if (LooksLikeParquetPath(statement.path)) return CopyFormat::kParquet;
  if (LooksLikeArrowPath(statement.path)) return CopyFormat::kArrow;
  return LooksLikeJsonPath(statement.path) ? CopyFormat::kJson : CopyFormat::kCsv;
}

BoundStatementPtr BindCopy(BindSession& session, const ast::CopyStatement& statement) {
  if (statement.is_stream) {
    ThrowNotSupported(statement.is_from
                          ? "COPY FROM STDIN needs a client of the server; elsewhere name a file: FROM 'path'"
                          : "COPY TO STDOUT needs a client of the server; elsewhere name a file: TO 'path'",
                      statement.position);
  }
  GivenOptions options;
  size_t position = statement.position;
  for (const auto& option : statement.options) {
    options.emplace_back(option.name, OptionValue(option));
    if (option.position != 0) position = option.position;
  }
  const CopyFormat format = CopyFormatOf(statement);
  try {
    return statement.is_from ? BindCopyFrom(session, statement, format, options)
                             : BindCopyTo(session, statement, format, options);
  } catch (Error& error) {
    error.SetPositionIfUnknown(options.size() == 1 ? position : statement.position);
    throw;
  }
}

}  // namespace scaup
