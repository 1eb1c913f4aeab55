// Applies the records of a log, each as the statement that wrote it did.
#include "main/database/log_replay.hpp"

#include <fmt/format.h>

#include <utility>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/function_changes.hpp"
#include "common/throw.hpp"
#include "storage/table/table_log.hpp"
#include "storage/wal/log_record_kind.hpp"

namespace scaup {

namespace {

/// Makes a table that the file or the log defines.
std::shared_ptr<Table> CreateLogged(Catalog& catalog, Transaction& transaction,
                                    const TableDefinition& definition, MemoryTracker& memory,
                                    const std::string& path) {
  auto table = MakeStorage(catalog, transaction, definition, memory, path);
  CreateTable(catalog, transaction, EntryOf(definition, table));
  return table;
}

}  // namespace

TableEntryRef EntryOf(const TableDefinition& definition, std::shared_ptr<Table> storage) {
  auto table = std::make_shared<TableEntry>(definition.schema, definition.name, definition.columns,
                                            std::move(storage), definition.constraints);
  table->comment = definition.comment;
  table->materialization = definition.materialization;
  return table;
}

std::shared_ptr<Table> MakeStorage(Catalog& catalog, const Transaction& transaction,
                                   const TableDefinition& definition, MemoryTracker& memory,
                                   const std::string& path) {
  auto table =
      catalog.MakeTable(definition.types(), memory, definition.table_id, definition.MakeAttributes());
  if (!definition.elements_of) return table;
  const auto& [collection_id, elements_path] = *definition.elements_of;
  const TableEntryRef collection = FindTableOfStorage(catalog, transaction, collection_id);
  // An element table takes its documents from the storage of its collection, so the collection must exist
  // first.
  if (!collection || !collection->is_collection()) {
    ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted,
               fmt::format("\"{}\" is damaged: there is no collection of which element table \"{}\" is", path,
                           definition.name));
  }
  // The source is set before the catalog has the table: afterwards any thread may read it without a lock.
  table->SetElementSource({collection->storage, collection_id, elements_path});
  return table;
}

LogReplay::LogReplay(Catalog& catalog, TransactionManager& transactions, MemoryTracker& memory,
                     std::string path)
    : catalog_(catalog), transactions_(transactions), memory_(memory), path_(std::move(path)) {
  const auto transaction = transactions_.Begin();
  // The log names tables by id, since their names may change.
  for (const auto& schema : catalog_.Schemas(*transaction)) {
    for (const auto& table : catalog_.List<TableEntry>(*transaction, *schema))
      tables_[table->storage->id()] = table->storage;
  }
  transactions_.Rollback(*transaction);
}

void LogReplay::Apply(std::span<const std::byte> payload) {
  ByteReader reader(payload, path_);
  const auto transaction = transactions_.Begin();
  // One frame is one commit, so a frame is repeated by one transaction. The checks of constraints passed
  // before the crash and are skipped.
  transaction->SetReplay();
  try {
    while (reader.remaining() != 0) ApplyRecord(*transaction, reader);
  } catch (...) {
    transactions_.Rollback(*transaction);
    throw;
  }
  transactions_.Commit(*transaction);
}

void LogReplay::ApplyRecord(Transaction& transaction, ByteReader& reader) {
  switch (static_cast<LogRecordKind>(reader.ReadU8("kind of record"))) {
    case LogRecordKind::kCreateSchema:
      return CreateSchema(catalog_, transaction, std::string(reader.ReadString("name of a schema")));
    case LogRecordKind::kDropSchema:
      return DropSchema(catalog_, transaction, std::string(reader.ReadString("name of a schema")), true);
    case LogRecordKind::kCreateTable: {
      const TableDefinition definition = ReadTableDefinition(reader);
      tables_[definition.table_id] = CreateLogged(catalog_, transaction, definition, memory_, path_);
      return;
    }
    case LogRecordKind::kDropTable: {
      const std::string schema(reader.ReadString("name of a schema"));
      return DropTable(catalog_, transaction, schema, std::string(reader.ReadString("name of a table")),
                       true);
    }
    case LogRecordKind::kReplaceTable: return ReplaceTable(transaction, reader);
    case LogRecordKind::kCreateIndex: return CreateIndex(catalog_, transaction, ReadIndexDefinition(reader));
    case LogRecordKind::kDropIndex: {
      const std::string schema(reader.ReadString("name of a schema"));
      return DropIndex(catalog_, transaction, schema, std::string(reader.ReadString("name of an index")));
    }
    case LogRecordKind::kRenameIndex: {
      const std::string schema(reader.ReadString("name of a schema"));
      const auto index =
          catalog_.Find<IndexEntry>(transaction, schema, reader.ReadString("name of an index"));
      const std::string name(reader.ReadString("name of an index"));
      if (!index) reader.Fail("name of an index", "there is no such index");
      return RenameIndex(catalog_, transaction, *index, name);
    }
    case LogRecordKind::kCreateSequence:
      return CreateSequence(catalog_, transaction, ReadSequenceDefinition(reader));
    case LogRecordKind::kDropSequence: {
      const std::string schema(reader.ReadString("name of a schema"));
      return DropSequence(catalog_, transaction, schema,
                          std::string(reader.ReadString("name of a sequence")));
    }
    case LogRecordKind::kReplaceSequence: {
      const SequenceEntryRef old = FindSequence(transaction, reader);
      SequenceEntryRef sequence = ReadSequenceDefinition(reader);
      if (!old) reader.Fail("name of a sequence", "there is no such sequence");
      return ReplaceSequence(catalog_, transaction, *old, std::move(sequence));
    }
    case LogRecordKind::kSequencePosition: {
      const SequenceEntryRef sequence = FindSequence(transaction, reader);
      const SequenceState::Position position = ReadSequencePosition(reader);
      // The transaction may have dropped the sequence after its use.
      if (sequence) sequence->state->Set(position);
      return;
    }
    case LogRecordKind::kCreateView: return CreateView(catalog_, transaction, ReadViewDefinition(reader));
    case LogRecordKind::kDropView: {
      const ViewEntryRef view = FindView(transaction, reader);
      if (!view) reader.Fail("name of a view", "there is no such view");
      return DropViews(catalog_, transaction, {view}, true);
    }
    case LogRecordKind::kReplaceView: {
      const ViewEntryRef old = FindView(transaction, reader);
      const ViewEntryRef view = ReadViewDefinition(reader);
      if (!old) reader.Fail("name of a view", "there is no such view");
      return ReplaceView(catalog_, transaction, *old, view);
    }
    case LogRecordKind::kComment: {
      const CommentTarget target = ReadCommentTarget(reader);
      return SetComment(catalog_, transaction, target, std::string(reader.ReadString("comment")));
    }
    case LogRecordKind::kCreateType: return CreateType(catalog_, transaction, ReadTypeDefinition(reader));
    case LogRecordKind::kDropType: return DropType(catalog_, transaction, *RequireType(transaction, reader));
    case LogRecordKind::kReplaceType: {
      const TypeEntryRef old = RequireType(transaction, reader);
      return ReplaceType(catalog_, transaction, *old, ReadTypeDefinition(reader));
    }
    case LogRecordKind::kCreateDomain:
      return CreateDomain(catalog_, transaction, ReadDomainDefinition(reader));
    case LogRecordKind::kDropDomain:
      return DropDomain(catalog_, transaction, *RequireDomain(transaction, reader));
    case LogRecordKind::kReplaceDomain: {
      const DomainEntryRef old = RequireDomain(transaction, reader);
      return ReplaceDomain(catalog_, transaction, *old, ReadDomainDefinition(reader));
    }
    case LogRecordKind::kCreateFunction:
      return CreateFunction(catalog_, transaction, ReadFunctionDefinition(reader));
    case LogRecordKind::kDropFunction:
      return DropFunction(catalog_, transaction, *RequireFunction(transaction, reader));
    case LogRecordKind::kReplaceFunction: {
      const FunctionEntryRef old = RequireFunction(transaction, reader);
      return ReplaceFunction(catalog_, transaction, *old, ReadFunctionDefinition(reader));
    }
    case LogRecordKind::kInsert: return ReplayInsert(RequireTable(reader), transaction, reader);
    case LogRecordKind::kDelete: return ReplayDelete(RequireTable(reader), transaction, reader);
    case LogRecordKind::kUpdate: return ReplayUpdate(RequireTable(reader), transaction, reader);
    case LogRecordKind::kAttributes: return ReplayAttributes(RequireTable(reader), reader);
  }
  reader.Fail("kind of record", "there is no such kind");
}

Table& LogReplay::RequireTable(ByteReader& reader) const {
  const auto table = tables_.find(reader.ReadU64("id of a table"));
  if (table == tables_.end()) reader.Fail("id of a table", "there is no such table");
  return *table->second;
}

SequenceEntryRef LogReplay::FindSequence(Transaction& transaction, ByteReader& reader) {
  const std::string schema(reader.ReadString("name of a schema"));
  return catalog_.Find<SequenceEntry>(transaction, schema, reader.ReadString("name of a sequence"));
}

ViewEntryRef LogReplay::FindView(Transaction& transaction, ByteReader& reader) {
  const std::string schema(reader.ReadString("name of a schema"));
  return catalog_.Find<ViewEntry>(transaction, schema, reader.ReadString("name of a view"));
}

FunctionEntryRef LogReplay::RequireFunction(Transaction& transaction, ByteReader& reader) {
  const std::string schema(reader.ReadString("name of a schema"));
  FunctionEntryRef function =
      FindFunction(catalog_, transaction, schema, reader.ReadString("name of a function"));
  if (!function) reader.Fail("name of a function", "there is no such function");
  return function;
}

TypeEntryRef LogReplay::RequireType(Transaction& transaction, ByteReader& reader) {
  const std::string schema(reader.ReadString("name of a schema"));
  TypeEntryRef type = catalog_.Find<TypeEntry>(transaction, schema, reader.ReadString("name of a type"));
  if (!type) reader.Fail("name of a type", "there is no such type");
  return type;
}

DomainEntryRef LogReplay::RequireDomain(Transaction& transaction, ByteReader& reader) {
  const std::string schema(reader.ReadString("name of a schema"));
  DomainEntryRef domain =
      catalog_.Find<DomainEntry>(transaction, schema, reader.ReadString("name of a domain"));
  if (!domain) reader.Fail("name of a domain", "there is no such domain");
  return domain;
}

void LogReplay::ReplaceTable(Transaction& transaction, ByteReader& reader) {
  TableReplacement replacement;
  const std::string schema(reader.ReadString("name of a schema"));
  replacement.old = catalog_.Find<TableEntry>(transaction, schema, reader.ReadString("name of a table"));
  if (!replacement.old) reader.Fail("name of a table", "there is no such table");
  replacement.renamed_columns.resize(reader.ReadCount("renamed columns", 2));
  for (auto& [from, to] : replacement.renamed_columns) {
    from = reader.ReadString("name of a column");
    to = reader.ReadString("name of a column");
  }
  const TableDefinition definition = ReadTableDefinition(reader);
  // A known id means that only the definition has changed. For a new id, ALTER TABLE has rewritten the
  // rows, and their inserts follow in the same frame.
  std::shared_ptr<Table>& storage = tables_[definition.table_id];
  if (!storage) storage = MakeStorage(catalog_, transaction, definition, memory_, path_);
  replacement.table = EntryOf(definition, storage);
  // The statement has passed its checks. What CASCADE drops here is what it dropped then.
  replacement.cascade = true;
  scaup::ReplaceTable(catalog_, transaction, replacement);
}

}  // namespace scaup
