// The public Appender.
#include "scaup/appender.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "document/document_parser.hpp"
#include "execution/write/table_writer.hpp"
#include "function/cast_function.hpp"
#include "main/api/moved_from.hpp"
#include "main/session/session.hpp"
#include "main/statement/appended_rows.hpp"
#include "storage/row_group/row_group_size.hpp"
#include "type/value_cast.hpp"
#include "type/value_check.hpp"

namespace scaup {

namespace {

/// Returns whether new rows have to pass more than their types and NOT NULL. Such rows go through an INSERT,
/// which checks constraints, computes columns and fires triggers.
bool HasRules(const TableEntry& table) {
  return !table.constraints.checks.empty() || !table.constraints.foreign_keys.empty() ||
         !table.constraints.triggers.empty() ||
         std::any_of(table.constraints.uniques.begin(), table.constraints.uniques.end(),
                     [](const UniqueConstraint& unique) { return unique.deferral.is_deferrable; }) ||
         std::any_of(table.columns.begin(), table.columns.end(), [](const ColumnDefinition& column) {
           return !column.generated_text.empty() || column.identity == IdentityKind::kAlways ||
                  ModifierBits(column.type) != 0 || !column.domain.empty();
         });
}

/// Returns the columns that a row has values for. Generated columns and GENERATED ALWAYS AS IDENTITY are
/// computed.
std::vector<size_t> AppendedColumns(const TableEntry& table) {
  std::vector<size_t> columns;
  for (size_t i = 0; i < table.columns.size(); i++) {
    const ColumnDefinition& column = table.columns[i];
    if (column.generated_text.empty() && column.identity != IdentityKind::kAlways) columns.push_back(i);
  }
  return columns;
}

std::vector<LogicalType> TypesOfColumns(const TableEntry& table, const std::vector<size_t>& columns) {
  std::vector<LogicalType> types;
  for (const size_t column : columns) types.push_back(table.storage->types()[column]);
  return types;
}

}  // namespace

/// The state of an appender. Owned by it and used by one thread at a time. Takes the session's mutex only to
/// begin and to insert, so that statements of the connection may run between rows.
struct Appender::State {
  State(std::shared_ptr<Session> session_in, std::shared_ptr<DatabaseInstance> database_in,
        TableEntryRef table_in)
      : session(std::move(session_in)),
        database(std::move(database_in)),
        table(std::move(table_in)),
        has_rules(HasRules(*table)),
        columns(AppendedColumns(*table)),
        types(TypesOfColumns(*table, columns)),
        chunk(types) {
    if (table->is_collection()) documents = std::make_unique<DocumentParser>(table->storage->attributes());
    const SessionLock lock(*session);
    zone = session->CurrentTimeZone();
    Begin();
  }

  /// Begins anew after a flush, or after an error that has left the columns with different numbers of rows.
  void Begin() {
    MemoryTracker& memory = session->database()->memory();
    for (Vector& vector : chunk.columns()) vector.AccountStrings(&memory);
    chunk.ResetForWriting();
    pieces.clear();
    row = column = 0;
    chunk_bytes = 0;
    // A chunk ends early if its strings are long: a full one could otherwise exceed a small memory limit.
    most_chunk_bytes = MostHeapBytes(memory) / 4;
    BeginPiece();
  }

  void BeginPiece() {
    part = nullptr;
    writer.reset();
    builder.reset();
    MemoryTracker& memory = session->database()->memory();
    // A writer's rows can become rows of the table as they are, and it writes large row groups to the file at
    // once. A builder only collects rows for an INSERT.
    if (has_rules) {
      builder = std::make_unique<RowGroupBuilder>(types, memory);
    } else {
      writer = std::make_unique<TableWriter>(session->database()->settings().Current(), memory, table);
      part = &writer->NewPart();
    }
  }

  void Put(const Value& value) {
    session->origin().RequireOwn();
    if (column == columns.size()) {
      Restart();
      ThrowError(ErrorKind::kUsage, sqlstate::kSyntaxError,
                 fmt::format("a row of table \"{}\" has {} values, but more were given", table->name,
                             columns.size()));
    }
    const ColumnDefinition& definition = table->columns[columns[column]];
    Value converted;
    if (!documents) CheckGiven(value);
    if (documents && !value.is_null()) {
      converted = RecordOf(value);
    } else if (!CastValue(value, definition.type, converted, zone.get())) {
      Restart();
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
                 fmt::format("\"{}\" does not convert to {} for column \"{}\"", value.ToString(),
                             definition.type.ToString(), definition.name));
    }
    // Tested here rather than at the flush, so that the error belongs to the row that has the NULL.
    if (converted.is_null() && definition.not_null) {
      Restart();
      ThrowError(
          ErrorKind::kConstraint, sqlstate::kNotNullViolation,
          fmt::format("null value in column \"{}\" violates its NOT NULL constraint", definition.name));
    }
    Vector& target = chunk.column(column);
    // A row that failed may have set NULL at this position before.
    if (target.Validity() != nullptr) SetValid(target.MutableValidity(), row);
    target.SetValue(row, converted);
    if (!converted.is_null() && target.physical_type() == PhysicalType::kString)
      chunk_bytes += converted.GetString().size();
    column++;
  }

  void CheckGiven(const Value& value) {
    try {
      CheckGivenValue(value);
    } catch (...) {
      Restart();
      throw;
    }
  }

  /// Returns the record of a document that is given as JSON text. Throws Error(kConversion, 22P02).
  Value RecordOf(const Value& document) {
    std::string record;
    JsonFault fault;
    const bool is_text = document.type().id() == TypeId::kVarchar || IsJson(document.type());
    const bool is_document =
        documents->Parse(is_text ? document.GetString() : document.ToString(), record, fault);
    if (is_document) return Value::Blob(std::move(record));
    Restart();
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
               fmt::format("not a document, at byte {}: {}", fault.offset + 1, fault.reason));
  }

  /// Discards the values of the current row. The appender stays usable, and the caller appends the row again.
  void Restart() { column = 0; }

  void EndRow() {
    session->origin().RequireOwn();
    if (column != columns.size()) {
      const size_t given = column;
      Restart();
      ThrowError(ErrorKind::kUsage, sqlstate::kSyntaxError,
                 fmt::format("a row of table \"{}\" has {} values, but {} were given", table->name,
                             columns.size(), given));
    }
    column = 0;
    if (++row != kVectorSize && chunk_bytes < most_chunk_bytes) return;
    try {
      TakeChunk();
    } catch (...) {
      Begin();  // Some columns of the builder may have the rows, others not.
      throw;
    }
  }

  void TakeChunk() {
    chunk.SetSize(row);
    if (row != 0 && builder) builder->Append(chunk);
    if (row != 0 && part != nullptr) part->Append(chunk);
    chunk.ResetForWriting();
    row = 0;
    chunk_bytes = 0;
  }

  /// Appends rows of Arrow arrays behind those so far. They are read by the flush, with all threads.
  void PutArrow(OwnedArrowStream stream) {
    session->origin().RequireOwn();
    RequireWholeRow("AppendArrow");
    auto arrow = std::make_shared<ArrowTable>(std::move(stream));
    // The types are checked now, so that the error belongs to this call and not to the flush.
    if (!documents) CheckColumns(*arrow);
    try {
      TakePiece();
      pieces.push_back({{}, std::move(arrow)});
    } catch (...) {
      Begin();  // Some columns may have the rows of the last chunk, others not.
      throw;
    }
  }

  void CheckColumns(const ArrowTable& arrow) const {
    const auto& given = arrow.column_types();
    if (given.size() != columns.size()) {
      ThrowError(ErrorKind::kUsage, sqlstate::kSyntaxError,
                 fmt::format("a row of table \"{}\" has {} values, but the Arrow arrays have {} columns",
                             table->name, columns.size(), given.size()));
    }
    for (size_t i = 0; i < given.size(); i++) {
      if (FindCast(given[i], types[i])) continue;
      const ColumnDefinition& definition = table->columns[columns[i]];
      ThrowError(ErrorKind::kConversion, sqlstate::kDatatypeMismatch,
                 fmt::format("Arrow column \"{}\" of type {} does not convert to {} for column \"{}\"",
                             arrow.column_names()[i], given[i].ToString(), definition.type.ToString(),
                             definition.name));
    }
  }

  void RequireWholeRow(const char* before) const {
    if (column == 0) return;
    ThrowError(ErrorKind::kUsage, sqlstate::kSyntaxError,
               fmt::format("the row has {} of {} values: end it with EndRow before {}", column,
                           columns.size(), before));
  }

  /// Inserts all rows since the last flush. After an error they are dropped, as they may have been handed
  /// over already.
  void Flush() {
    session->origin().RequireOwn();
    RequireWholeRow("Flush or Close");
    try {
      if (has_rules || !pieces.empty() || !PutRows()) InsertPieces();
    } catch (...) {
      Begin();
      throw;
    }
    Begin();
  }

  /// Ends the rows that were collected since the last piece, and returns them.
  RowGroupList TakeRowGroups() {
    FinishRows();
    return builder ? builder->TakeFinished() : writer->TakeRowGroups();
  }

  void FinishRows() {
    TakeChunk();
    if (builder) builder->Finish();
    if (part != nullptr) part->Finish();
  }

  void TakePiece() {
    RowGroupList row_groups = TakeRowGroups();
    if (!row_groups.empty()) pieces.push_back({std::move(row_groups), nullptr});
    BeginPiece();
  }

  /// Inserts the pieces by an INSERT: if the table has rules, if it has changed since the appender was made,
  /// or if Arrow arrays have yet to be converted.
  void InsertPieces() {
    TakePiece();
    if (!pieces.empty()) session->InsertAppended({table, columns, std::move(pieces)});
  }

  /// Returns the table as it is now, if rows can be inserted as they are; otherwise null. A collection may
  /// have changed, since its rows are documents whatever paths it has.
  TableEntryRef PresentTable(const Transaction& transaction) const {
    TableEntryRef present = FindAppendedTable(*database, transaction.In(&database->transactions()), *table);
    const bool is_same = documents ? present->storage == table->storage : present == table;
    return is_same ? present : nullptr;
  }

  /// Inserts the rows as they are. Returns false, with nothing changed, if the table is not as it was.
  bool PutRows() {
    const SessionLock lock(*session);
    auto& transactions = database->transactions();
    const bool is_own = !session->block().is_open();
    std::shared_ptr<Transaction> transaction;
    // An error below must undo only the rows of this flush, not earlier statements of the block.
    session->block().KeepChanges();
    try {
      session->block().BeginStatement();
      FinishRows();
      transaction = is_own ? transactions.Begin() : session->block().transaction();
      if (!PresentTable(*transaction)) {
        if (is_own) transactions.Rollback(*transaction);
        return false;
      }
      writer->Publish(*transaction);
    } catch (...) {
      if (is_own && transaction) transactions.Rollback(*transaction);
      session->block().Fail();
      throw;
    }
    // The commit is outside the try block: if it throws, it has rolled the transaction back itself.
    if (!is_own) return true;
    transactions.Commit(*transaction);
    database->CheckpointIfDue();
    return true;
  }

  std::shared_ptr<Session> session;
  std::shared_ptr<DatabaseInstance> database;  // of the table: the session's, or one that is attached
  std::shared_ptr<const TimeZone> zone;        // the session's when the appender was made
  TableEntryRef table;                         // as it was when the appender was made
  bool has_rules;
  std::vector<size_t> columns;                // table columns that a row has values for
  std::vector<LogicalType> types;             // their types
  std::unique_ptr<DocumentParser> documents;  // for collections; null for tables
  DataChunk chunk;
  size_t row = 0;
  size_t column = 0;
  size_t chunk_bytes = 0;  // size of the strings in `chunk`
  size_t most_chunk_bytes = 0;
  // The target of the chunks: a writer, which can insert them as they are, or a builder, which collects them
  // for an INSERT.
  std::unique_ptr<TableWriter> writer;
  TableWriter::Part* part = nullptr;
  std::unique_ptr<RowGroupBuilder> builder;
  std::vector<AppendedRows::Piece> pieces;  // rows before the current piece
};

namespace {

/// A table that an appender is for, and its database.
struct AppendedTable {
  std::shared_ptr<DatabaseInstance> database;
  TableEntryRef entry;  ///< null if there is none
};

/// Returns the open database of a name; "" means the one in use. Returns null if there is none.
std::shared_ptr<DatabaseInstance> FindDatabase(Session& session, const std::string& name)
    SCAUP_REQUIRES_LOCK(session.mutex) {
  const std::string& wanted = name.empty() ? session.home : name;
  const std::shared_ptr<DatabaseInstance>& main = session.database();
  if (wanted.empty() || wanted == main->transactions().database().name) return main;
  const auto attached =
      session.block().is_open() ? session.block().begun().attached : main->attached().list();
  for (size_t i = 0; attached && i < attached->size(); i++) {
    if ((*attached)[i].name == wanted) return (*attached)[i].instance;
  }
  return nullptr;
}

/// Finds a table of a database as the session's open transaction sees it, or as it is committed.
TableEntryRef FindTable(Session& session, DatabaseInstance& database, const std::string& schema,
                        const std::string& table) SCAUP_REQUIRES_LOCK(session.mutex) {
  if (session.block().is_open()) {
    const Transaction& transaction = session.block().transaction()->In(&database.transactions());
    return database.catalog().Find<TableEntry>(transaction, schema, table);
  }
  const auto transaction = database.transactions().Begin();
  TemporarySchema& temporary = session.block().temporary();
  if (temporary.is_used() && &database == session.database().get()) temporary.Enter(*transaction);
  TableEntryRef found = database.catalog().Find<TableEntry>(*transaction, schema, table);
  database.transactions().Rollback(*transaction);
  return found;
}

/// Finds a table by its name, whose schema may also be the name of a database.
AppendedTable FindTable(Session& session, const std::string& schema, const std::string& table) {
  session.origin().RequireOwn();
  const SessionLock lock(session);
  AppendedTable found{FindDatabase(session, ""), nullptr};
  if (found.database) found.entry = FindTable(session, *found.database, schema, table);
  if (found.entry || schema.empty()) return found;
  found.database = IsTemporarySchema(schema) ? session.database() : FindDatabase(session, schema);
  if (found.database) {
    const std::string own = IsTemporarySchema(schema) ? schema : "";
    found.entry = FindTable(session, *found.database, own, table);
  }
  return found;
}

AppendedTable RequireTable(Session& session, const std::string& schema, const std::string& table) {
  AppendedTable found = FindTable(session, schema, table);
  if (!found.entry) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
               fmt::format("table \"{}.{}\" does not exist", schema, table));
  }
  // The rows of an element table follow the documents of its collection.
  if (found.entry->is_element_table()) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kObjectNotInPrerequisiteState,
               fmt::format("cannot append to element table \"{}\"; append to its collection", table));
  }
  return found;
}

}  // namespace

Appender::Appender(Connection& connection, const std::string& table, const std::string& schema)
    : state_(AtEdge([&] {
        RequireState(connection.session_, "connection");
        AppendedTable found = RequireTable(*connection.session_, schema, table);
        return std::make_unique<State>(connection.session_, std::move(found.database),
                                       std::move(found.entry));
      })) {}
Appender::~Appender() {
  if (state_) LeaveIfInherited(state_, state_->session->origin());
}
Appender::Appender(Appender&&) noexcept = default;

bool Appender::takes_documents() const noexcept { return state_ != nullptr && state_->documents != nullptr; }

Appender::State& Appender::state() {
  if (!state_) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "the appender is closed, or was moved from");
  }
  return *state_;
}

Appender& Appender::Append(const Value& value) {
  AtEdge([&] { state().Put(value); });
  return *this;
}

Appender& Appender::Append(bool value) { return Append(Value::Boolean(value)); }
Appender& Appender::Append(int32_t value) { return Append(Value::Integer(value)); }
Appender& Appender::Append(int64_t value) { return Append(Value::BigInt(value)); }
Appender& Appender::Append(double value) { return Append(Value::Double(value)); }
Appender& Appender::Append(std::string_view text) { return Append(Value::Varchar(std::string(text))); }
Appender& Appender::AppendNull() { return Append(Value()); }

void Appender::AppendArrow(ArrowArrayStream* stream) {
  AtEdge([&] {
    if (stream == nullptr || stream->release == nullptr) {
      ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
                 "AppendArrow needs a stream that was not released");
    }
    // Taken first: the caller passes ownership even if the call fails.
    OwnedArrowStream owned(stream);
    state().PutArrow(std::move(owned));
  });
}

void Appender::AppendArrow(ArrowSchema* schema, ArrowArray* array) {
  AtEdge([&] {
    if (schema == nullptr || schema->release == nullptr || array == nullptr || array->release == nullptr) {
      ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
                 "AppendArrow needs a schema and an array that were not released");
    }
    OwnedArrowStream owned(schema, array);
    state().PutArrow(std::move(owned));
  });
}

void Appender::EndRow() {
  AtEdge([&] { state().EndRow(); });
}

void Appender::Flush() {
  AtEdge([&] { state().Flush(); });
}

void Appender::Close() {
  if (!state_) return;
  Flush();
  state_.reset();
}

}  // namespace scaup
