// Records of commits to bytes and back: the kind, then names, then what the kind needs.
#include "storage/wal/log_records.hpp"

#include <utility>

#include <fmt/format.h>

#include "type/logical_type_bytes.hpp"
#include "vector/chunk_bytes.hpp"

namespace scaup {

namespace {

std::string ReadSchemaName(ByteReader& reader) { return std::string(reader.ReadString("name of a schema")); }
std::string ReadTableName(ByteReader& reader) { return std::string(reader.ReadString("name of a table")); }

std::vector<LoggedColumn> ReadColumns(ByteReader& reader) {
  // The least that a column takes: two empty strings, a type, a flag.
  constexpr size_t kColumnBytes = 6;
  std::vector<LoggedColumn> columns(reader.ReadCount("number of columns", kColumnBytes));
  for (LoggedColumn& column : columns) {
    column.name = reader.ReadString("name of a column");
    column.type = ReadLogicalType(reader);
    column.not_null = reader.ReadBool("NOT NULL of a column");
    column.default_text = reader.ReadString("default of a column");
  }
  return columns;
}

}  // namespace

void LogRecordWriter::Begin(LogRecordKind kind, std::string_view name) {
  writer_.WriteU8(static_cast<uint8_t>(kind));
  writer_.WriteString(name);
}

void LogRecordWriter::Begin(LogRecordKind kind, std::string_view schema, std::string_view table) {
  Begin(kind, schema);
  writer_.WriteString(table);
}

void LogRecordWriter::CreateSchema(std::string_view name) { Begin(LogRecordKind::kCreateSchema, name); }
void LogRecordWriter::DropSchema(std::string_view name) { Begin(LogRecordKind::kDropSchema, name); }

void LogRecordWriter::CreateTable(std::string_view schema, std::string_view table,
                                  std::span<const LoggedColumn> columns) {
  Begin(LogRecordKind::kCreateTable, schema, table);
  writer_.WriteVarint(columns.size());
  for (const LoggedColumn& column : columns) {
    writer_.WriteString(column.name);
    WriteLogicalType(writer_, column.type);
    writer_.WriteBool(column.not_null);
    writer_.WriteString(column.default_text);
  }
}

void LogRecordWriter::DropTable(std::string_view schema, std::string_view table) {
  Begin(LogRecordKind::kDropTable, schema, table);
}

void LogRecordWriter::InsertRows(std::string_view schema, std::string_view table, DataChunk& rows) {
  Begin(LogRecordKind::kInsertRows, schema, table);
  WriteChunk(writer_, rows);
}

void LogRecordWriter::AppendRowGroups(std::string_view schema, std::string_view table,
                                      std::span<const std::byte> row_groups) {
  Begin(LogRecordKind::kAppendRowGroups, schema, table);
  writer_.WriteSizedBytes(row_groups);
}

LogRecordReader::LogRecordReader(std::span<const std::byte> payload, std::string_view source)
    : reader_(payload, fmt::format("a commit in the log \"{}\"", source)) {}

std::optional<LogRecord> LogRecordReader::Next() {
  if (reader_.remaining() == 0) return std::nullopt;
  const uint8_t kind = reader_.ReadU8("kind of a record");
  std::string schema = ReadSchemaName(reader_);
  switch (static_cast<LogRecordKind>(kind)) {
    case LogRecordKind::kCreateSchema: return CreateSchemaRecord{std::move(schema)};
    case LogRecordKind::kDropSchema: return DropSchemaRecord{std::move(schema)};
    case LogRecordKind::kCreateTable: {
      std::string table = ReadTableName(reader_);
      return CreateTableRecord{std::move(schema), std::move(table), ReadColumns(reader_)};
    }
    case LogRecordKind::kDropTable: return DropTableRecord{std::move(schema), ReadTableName(reader_)};
    case LogRecordKind::kInsertRows: {
      std::string table = ReadTableName(reader_);
      return InsertRowsRecord{std::move(schema), std::move(table), ReadChunk(reader_)};
    }
    case LogRecordKind::kAppendRowGroups: {
      std::string table = ReadTableName(reader_);
      return AppendRowGroupsRecord{std::move(schema), std::move(table),
                                   reader_.ReadSizedBytes("row groups of a table")};
    }
  }
  reader_.Fail("kind of a record", fmt::format("there is no kind {}", kind));
}

}  // namespace scaup
