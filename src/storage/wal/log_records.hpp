// What a frame of the log says: the changes of one commit, one record each, to bytes and back.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/byte_stream.hpp"
#include "scaup/type.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// A column as CREATE TABLE gave it.
struct LoggedColumn {
  std::string name;
  LogicalType type;
  bool not_null = false;
  std::string default_text;  ///< SQL of the default; "" if none
  friend bool operator==(const LoggedColumn&, const LoggedColumn&) = default;
};

struct CreateSchemaRecord {
  std::string name;
};
struct DropSchemaRecord {
  std::string name;
};
struct CreateTableRecord {
  std::string schema;
  std::string table;
  std::vector<LoggedColumn> columns;
};
struct DropTableRecord {
  std::string schema;
  std::string table;
};
struct InsertRowsRecord {
  std::string schema;
  std::string table;
  DataChunk rows;
};
/// Row groups that the commit has written to the database file already: only where they stand.
struct AppendRowGroupsRecord {
  std::string schema;
  std::string table;
  std::span<const std::byte> row_groups;  ///< opaque here; borrowed from the frame's payload
};

/// The numbers stand in files and never change: a record's kind is its place here plus one.
using LogRecord = std::variant<CreateSchemaRecord, DropSchemaRecord, CreateTableRecord, DropTableRecord,
                               InsertRowsRecord, AppendRowGroupsRecord>;
enum class LogRecordKind : uint8_t {
  kCreateSchema = 1,
  kDropSchema = 2,
  kCreateTable = 3,
  kDropTable = 4,
  kInsertRows = 5,
  kAppendRowGroups = 6,
};

/// Collects the records of one commit, in the order in which they are to be done again. One thread at a time.
class LogRecordWriter {
 public:
  void CreateSchema(std::string_view name);
  void DropSchema(std::string_view name);
  void CreateTable(std::string_view schema, std::string_view table, std::span<const LoggedColumn> columns);
  void DropTable(std::string_view schema, std::string_view table);
  /// The chunk keeps its rows; its sequences become flat.
  void InsertRows(std::string_view schema, std::string_view table, DataChunk& rows);
  void AppendRowGroups(std::string_view schema, std::string_view table,
                       std::span<const std::byte> row_groups);

  bool empty() const { return writer_.size() == 0; }
  /// The payload of the commit's frame; valid until the next call.
  std::span<const std::byte> payload() const { return writer_.bytes(); }
  /// Begins the next commit, keeping the memory.
  void Clear() { writer_.Clear(); }

 private:
  void Begin(LogRecordKind kind, std::string_view name);
  void Begin(LogRecordKind kind, std::string_view schema, std::string_view table);

  ByteWriter writer_;
};

/// Reads the records of a payload, which must outlive it. One thread at a time.
class LogRecordReader {
 public:
  /// `source` is the log's path, for messages.
  LogRecordReader(std::span<const std::byte> payload, std::string_view source);
  /// Nothing at the end. Throws Error(kIo, XX001) for what LogRecordWriter cannot have written.
  std::optional<LogRecord> Next();

 private:
  ByteReader reader_;
};

}  // namespace scaup
