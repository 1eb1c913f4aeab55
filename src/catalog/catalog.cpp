// The catalog: finding, creating and dropping schemas and tables.
#include "catalog/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "catalog/table_definition.hpp"
#include "common/throw.hpp"
#include "storage/wal/log_record_kind.hpp"

namespace scaup {

namespace {

std::string_view OrDefault(std::string_view schema) {
  return schema.empty() ? Catalog::kDefaultSchema : schema;
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); j++) {
      const size_t substituted = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
    }
  }
  return row.back();
}

[[noreturn]] void ThrowNoSchema(std::string_view schema) {
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
             fmt::format("schema \"{}\" does not exist", schema));
}

ByteWriter SchemaRecord(LogRecordKind kind, std::string_view schema) {
  ByteWriter record;
  record.WriteU8(static_cast<uint8_t>(kind));
  record.WriteString(schema);
  return record;
}

}  // namespace

std::optional<size_t> TableEntry::FindColumn(std::string_view column) const {
  for (size_t i = 0; i < columns.size(); i++) {
    if (columns[i].name == column) return i;
  }
  return std::nullopt;
}

/// Raises the version at the commit of a change, writes the change to the log, and tells a table that was
/// dropped.
class Catalog::VersionUndo final : public UndoEntry {
 public:
  VersionUndo(std::atomic<uint64_t>& version, ByteWriter record, std::shared_ptr<Table> dropped)
      : version_(version), record_(std::move(record)), dropped_(std::move(dropped)) {}
  void Log(ByteWriter& writer) const override { writer.WriteBytes(record_.bytes()); }
  void Commit(Timestamp, Timestamp) noexcept override {
    version_++;
    if (dropped_) dropped_->MarkDropped();
  }
  void Rollback() noexcept override {}

 private:
  std::atomic<uint64_t>& version_;
  ByteWriter record_;
  std::shared_ptr<Table> dropped_;
};

void Catalog::NoteChange(Transaction& transaction, ByteWriter record, std::shared_ptr<Table> dropped) {
  transaction.AddUndo(std::make_unique<VersionUndo>(version_, std::move(record), std::move(dropped)));
}

Catalog::Catalog(TransactionManager& transactions, std::shared_ptr<BlockStore> store)
    : store_(std::move(store)), schemas_(std::make_shared<CatalogSet>()) {
  const auto transaction = transactions.Begin();
  CreateSchema(*transaction, kDefaultSchema);
  transactions.Commit(*transaction);
}

std::shared_ptr<Table> Catalog::MakeTable(std::vector<LogicalType> types, MemoryTracker& memory) {
  return std::make_shared<Table>(std::move(types), memory, ++last_table_id_, store_);
}

std::shared_ptr<Table> Catalog::MakeTable(std::vector<LogicalType> types, MemoryTracker& memory,
                                          uint64_t id) {
  if (id > last_table_id_) last_table_id_ = id;
  return std::make_shared<Table>(std::move(types), memory, id, store_);
}

SchemaEntryRef Catalog::FindSchema(const Transaction& transaction, std::string_view schema) const {
  return std::static_pointer_cast<const SchemaEntry>(schemas_->Find(transaction, OrDefault(schema)));
}

TableEntryRef Catalog::FindTable(const Transaction& transaction, std::string_view schema,
                                 std::string_view table) const {
  const SchemaEntryRef found = FindSchema(transaction, schema);
  return found ? std::static_pointer_cast<const TableEntry>(found->tables->Find(transaction, table))
               : nullptr;
}

std::vector<SchemaEntryRef> Catalog::Schemas(const Transaction& transaction) const {
  std::vector<SchemaEntryRef> result;
  for (auto& entry : schemas_->List(transaction))
    result.push_back(std::static_pointer_cast<const SchemaEntry>(entry));
  return result;
}

std::vector<TableEntryRef> Catalog::Tables(const Transaction& transaction, const SchemaEntry& schema) const {
  std::vector<TableEntryRef> result;
  for (auto& entry : schema.tables->List(transaction))
    result.push_back(std::static_pointer_cast<const TableEntry>(entry));
  return result;
}

void Catalog::CreateSchema(Transaction& transaction, const std::string& schema) {
  if (FindSchema(transaction, schema)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateSchema,
               fmt::format("schema \"{}\" already exists", schema));
  }
  schemas_->Put(transaction, schema, std::make_shared<SchemaEntry>(schema));
  NoteChange(transaction, SchemaRecord(LogRecordKind::kCreateSchema, schema));
}

void Catalog::DropSchema(Transaction& transaction, const std::string& schema, bool cascade) {
  const SchemaEntryRef found = FindSchema(transaction, schema);
  if (!found) ThrowNoSchema(schema);
  const auto tables = Tables(transaction, *found);
  if (!tables.empty() && !cascade) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
               fmt::format("schema \"{}\" still has {} table{}, \"{}\" among them; use DROP SCHEMA ... "
                           "CASCADE to drop them too",
                           schema, tables.size(), tables.size() == 1 ? "" : "s", tables[0]->name));
  }
  for (const auto& table : tables) DropTable(transaction, schema, table->name);
  found->tables->Close(transaction);
  schemas_->Put(transaction, schema, nullptr);
  NoteChange(transaction, SchemaRecord(LogRecordKind::kDropSchema, schema));
}

void Catalog::CreateTable(Transaction& transaction, TableEntryRef table) {
  const SchemaEntryRef schema = FindSchema(transaction, table->schema);
  if (!schema) ThrowNoSchema(table->schema);
  if (schema->tables->Find(transaction, table->name)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateTable,
               fmt::format("table \"{}\" already exists", table->name));
  }
  ByteWriter record;
  record.WriteU8(static_cast<uint8_t>(LogRecordKind::kCreateTable));
  WriteTableDefinition(DefinitionOf(*table), record);
  const std::string name = table->name;
  schema->tables->Put(transaction, name, std::move(table));
  NoteChange(transaction, std::move(record));
}

void Catalog::DropTable(Transaction& transaction, const std::string& schema, const std::string& table) {
  const SchemaEntryRef found = FindSchema(transaction, schema);
  if (!found) ThrowNoSchema(schema);
  const TableEntryRef dropped = FindTable(transaction, schema, table);
  if (!dropped) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
               fmt::format("table \"{}\" does not exist", table));
  }
  found->tables->Put(transaction, table, nullptr);
  ByteWriter record = SchemaRecord(LogRecordKind::kDropTable, schema);
  record.WriteString(table);
  NoteChange(transaction, std::move(record), dropped->storage);
}

std::string MostSimilar(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, name.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const size_t longer = std::max(candidate.size(), name.size()),
                 shorter = std::min(candidate.size(), name.size());
    if (longer - shorter >= best_distance) continue;
    const size_t distance = EditDistance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace scaup
