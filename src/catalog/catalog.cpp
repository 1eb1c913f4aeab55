// The catalog: finding and listing, and schemas.
#include "catalog/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "storage/table/table_locks.hpp"
#include "storage/wal/log_record_kind.hpp"

namespace scaup {

namespace {

std::string_view OrDefault(std::string_view schema) {
  return schema.empty() ? Catalog::kDefaultSchema : schema;
}

template <typename Entry>
std::shared_ptr<const Entry> OfKind(CatalogEntryRef entry, CatalogEntryKind kind) {
  if (!entry || entry->kind != kind) return nullptr;
  return std::static_pointer_cast<const Entry>(std::move(entry));
}

template <typename Entry>
std::vector<std::shared_ptr<const Entry>> AllOfKind(const CatalogSet& set, const Transaction& transaction,
                                                    CatalogEntryKind kind) {
  std::vector<std::shared_ptr<const Entry>> result;
  for (CatalogEntryRef& entry : set.List(transaction)) {
    if (entry->kind == kind) result.push_back(std::static_pointer_cast<const Entry>(std::move(entry)));
  }
  return result;
}

ByteWriter SchemaRecord(LogRecordKind kind, std::string_view schema) {
  ByteWriter record;
  record.WriteU8(static_cast<uint8_t>(kind));
  record.WriteString(schema);
  return record;
}

}  // namespace

/// One change of the catalog as a transaction participant: logs it, increments the version at the commit, and
/// ends the drop lock of a table at a rollback.
class Catalog::VersionUndo final : public UndoEntry {
 public:
  VersionUndo(std::atomic<uint64_t>& version, ByteWriter record, std::shared_ptr<Table> dropped)
      : version_(version), record_(std::move(record)), dropped_(std::move(dropped)) {}
  void Log(ByteWriter& writer) const override { writer.WriteBytes(record_.bytes()); }
  void Commit(Timestamp, Timestamp) noexcept override { version_++; }
  void Rollback() noexcept override {
    if (dropped_) dropped_->locks().CancelDrop();
  }

 private:
  std::atomic<uint64_t>& version_;
  ByteWriter record_;
  std::shared_ptr<Table> dropped_;
};

bool Catalog::HasChanges(const Transaction& transaction) const {
  return transaction.FindLocal(this) != nullptr;
}

void Catalog::NoteChange(Transaction& transaction, ByteWriter record, std::shared_ptr<Table> dropped,
                         std::string_view dropped_name) {
  // The local marks the transaction as one that has changed the catalog. A rollback to a savepoint leaves the
  // mark, which costs such a transaction its cached plans, but no more.
  if (!HasChanges(transaction)) transaction.SetLocal(this, std::make_shared<TransactionLocal>());
  // Locked before the change is noted: if another transaction has changes to the table, this throws and
  // nothing was noted.
  if (dropped) dropped->locks().BeginDrop({transaction, dropped_name});
  transaction.AddUndo(std::make_unique<VersionUndo>(version_, std::move(record), std::move(dropped)));
}

/// Returns the type as storage knows it. For enums that is the number of the label alone, so that renaming a
/// label changes no rows.
static LogicalType StoredType(const LogicalType& type) {
  if (type.id() == TypeId::kEnum) return TypeId::kSmallInt;
  if (type.id() == TypeId::kList) return LogicalType::List(StoredType(type.element()));
  if (type.id() != TypeId::kStruct) return type;
  std::vector<StructField> fields = type.fields();
  for (StructField& field : fields) field.type = StoredType(field.type);
  return LogicalType::Struct(std::move(fields));
}

Catalog::Catalog(TransactionManager& transactions, std::shared_ptr<BlockStore> store)
    : store_(std::move(store)), schemas_(std::make_shared<CatalogSet>()) {
  const auto transaction = transactions.Begin();
  CreateSchema(*transaction, kDefaultSchema);
  transactions.Commit(*transaction);
}

std::shared_ptr<Table> Catalog::MakeTable(std::vector<LogicalType> types, MemoryTracker& memory,
                                          std::shared_ptr<AttributeDictionary> attributes) {
  const uint64_t id = ++last_table_id_;
  return MakeTable(std::move(types), memory, id, std::move(attributes));
}

std::shared_ptr<Table> Catalog::MakeTable(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id,
                                          std::shared_ptr<AttributeDictionary> attributes) {
  // Ids of new tables must not collide with those of loaded ones, which the log and element tables refer to.
  if (id > last_table_id_) last_table_id_ = id;
  for (LogicalType& type : types) type = StoredType(type);
  return std::make_shared<Table>(std::move(types), memory, id, store_, std::move(attributes));
}

SchemaEntryRef Catalog::FindSchema(const Transaction& transaction, std::string_view schema) const {
  return std::static_pointer_cast<const SchemaEntry>(schemas_->Find(transaction, OrDefault(schema)));
}

SchemaEntryRef Catalog::FindSchemaOrThrow(const Transaction& transaction, std::string_view schema) const {
  SchemaEntryRef found = FindSchema(transaction, schema);
  if (!found) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" does not exist", schema));
  }
  return found;
}

CatalogEntryRef Catalog::FindRelation(const Transaction& transaction, std::string_view schema,
                                      std::string_view name) const {
  const SchemaEntryRef found = FindSchema(transaction, schema);
  return found ? found->relations->Find(transaction, name) : nullptr;
}

TableEntryRef Catalog::FindTable(const Transaction& transaction, std::string_view schema,
                                 std::string_view table) const {
  return OfKind<TableEntry>(FindRelation(transaction, schema, table), CatalogEntryKind::kTable);
}

IndexEntryRef Catalog::FindIndex(const Transaction& transaction, std::string_view schema,
                                 std::string_view index) const {
  return OfKind<IndexEntry>(FindRelation(transaction, schema, index), CatalogEntryKind::kIndex);
}

SequenceEntryRef Catalog::FindSequence(const Transaction& transaction, std::string_view schema,
                                       std::string_view sequence) const {
  return OfKind<SequenceEntry>(FindRelation(transaction, schema, sequence), CatalogEntryKind::kSequence);
}

ViewEntryRef Catalog::FindView(const Transaction& transaction, std::string_view schema,
                               std::string_view view) const {
  return OfKind<ViewEntry>(FindRelation(transaction, schema, view), CatalogEntryKind::kView);
}

TypeEntryRef Catalog::FindType(const Transaction& transaction, std::string_view schema,
                               std::string_view type) const {
  return OfKind<TypeEntry>(FindRelation(transaction, schema, type), CatalogEntryKind::kType);
}

std::vector<SchemaEntryRef> Catalog::Schemas(const Transaction& transaction) const {
  std::vector<SchemaEntryRef> result;
  for (auto& entry : schemas_->List(transaction))
    result.push_back(std::static_pointer_cast<const SchemaEntry>(entry));
  return result;
}

std::vector<TableEntryRef> Catalog::Tables(const Transaction& transaction, const SchemaEntry& schema) const {
  return AllOfKind<TableEntry>(*schema.relations, transaction, CatalogEntryKind::kTable);
}

std::vector<IndexEntryRef> Catalog::Indexes(const Transaction& transaction, const SchemaEntry& schema) const {
  return AllOfKind<IndexEntry>(*schema.relations, transaction, CatalogEntryKind::kIndex);
}

std::vector<SequenceEntryRef> Catalog::Sequences(const Transaction& transaction,
                                                 const SchemaEntry& schema) const {
  return AllOfKind<SequenceEntry>(*schema.relations, transaction, CatalogEntryKind::kSequence);
}

std::vector<ViewEntryRef> Catalog::Views(const Transaction& transaction, const SchemaEntry& schema) const {
  return AllOfKind<ViewEntry>(*schema.relations, transaction, CatalogEntryKind::kView);
}

std::vector<TypeEntryRef> Catalog::Types(const Transaction& transaction, const SchemaEntry& schema) const {
  return AllOfKind<TypeEntry>(*schema.relations, transaction, CatalogEntryKind::kType);
}

std::vector<ViewEntryRef> Catalog::ViewsOver(const Transaction& transaction, std::string_view schema,
                                             std::string_view name) const {
  std::vector<ViewEntryRef> result;
  for (const auto& view_schema : Schemas(transaction)) {
    for (ViewEntryRef& view : Views(transaction, *view_schema)) {
      if (view->FindSource(schema, name) != nullptr) result.push_back(std::move(view));
    }
  }
  return result;
}

std::vector<IndexEntryRef> Catalog::IndexesOf(const Transaction& transaction, const TableEntry& table) const {
  const SchemaEntryRef schema = FindSchema(transaction, table.schema);
  if (!schema) return {};
  std::vector<IndexEntryRef> indexes = Indexes(transaction, *schema);
  std::erase_if(indexes, [&](const IndexEntryRef& index) { return index->table != table.name; });
  return indexes;
}

std::vector<SequenceEntryRef> Catalog::SequencesOf(const Transaction& transaction,
                                                   const TableEntry& table) const {
  const SchemaEntryRef schema = FindSchema(transaction, table.schema);
  if (!schema) return {};
  std::vector<SequenceEntryRef> sequences = Sequences(transaction, *schema);
  std::erase_if(sequences,
                [&](const SequenceEntryRef& sequence) { return sequence->owner_table != table.name; });
  return sequences;
}

std::vector<Catalog::Reference> Catalog::ReferencesTo(const Transaction& transaction,
                                                      const TableEntry& table) const {
  std::vector<Reference> references;
  for (const auto& schema : Schemas(transaction)) {
    for (const auto& from : Tables(transaction, *schema)) {
      const auto& keys = from->constraints.foreign_keys;
      for (size_t i = 0; i < keys.size(); i++) {
        if (keys[i].referenced_table == table.name && keys[i].referenced_schema == table.schema)
          references.push_back({from, i});
      }
    }
  }
  return references;
}

TableEntryRef Catalog::FindTableOfStorage(const Transaction& transaction, uint64_t table_id) const {
  for (const SchemaEntryRef& schema : Schemas(transaction)) {
    for (TableEntryRef& table : Tables(transaction, *schema)) {
      if (table->storage && table->storage->id() == table_id) return std::move(table);
    }
  }
  return nullptr;
}

std::vector<TableEntryRef> Catalog::ElementTablesOf(const Transaction& transaction,
                                                    const TableEntry& table) const {
  std::vector<TableEntryRef> found;
  if (!table.is_collection()) return found;
  for (const SchemaEntryRef& schema : Schemas(transaction)) {
    for (TableEntryRef& other : Tables(transaction, *schema)) {
      if (other->is_element_table() && other->storage->element_source()->collection_id == table.storage->id())
        found.push_back(std::move(other));
    }
  }
  std::sort(found.begin(), found.end(), [](const TableEntryRef& a, const TableEntryRef& b) {
    return a->storage->id() < b->storage->id();
  });
  return found;
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
  const SchemaEntryRef found = FindSchemaOrThrow(transaction, schema);
  const auto relations = found->relations->List(transaction);
  const auto tables = Tables(transaction, *found);
  if (!relations.empty() && !cascade) {
    // Tables are named first: most indexes and sequences in the schema belong to one.
    const CatalogEntry& first = tables.empty() ? *relations[0] : *tables[0];
    const size_t count = tables.empty() ? relations.size() : tables.size();
    ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
               fmt::format("schema \"{}\" still has {} {}{}, \"{}\" among them; use DROP SCHEMA ... "
                           "CASCADE to drop them too",
                           schema, count, KindName(first), count == 1 ? "" : "s", first.name));
  }
  // Everything in the schema is dropped with it, in the order of dependencies. CASCADE also drops what
  // depends on it in other schemas.
  DropViews(transaction, Views(transaction, *found), true);
  DropTables(transaction, tables, true);
  for (const auto& sequence : Sequences(transaction, *found))
    DropSequence(transaction, schema, sequence->name, true);
  for (const auto& type : Types(transaction, *found)) DropType(transaction, *type);
  // Another transaction may be creating an entry in the schema. Closing the set makes one of the two fail.
  found->relations->Close(transaction);
  schemas_->Put(transaction, schema, nullptr);
  NoteChange(transaction, SchemaRecord(LogRecordKind::kDropSchema, schema));
}

void Catalog::CheckIsFree(const Transaction& transaction, const SchemaEntry& schema,
                          const std::string& name) const {
  if (const CatalogEntryRef existing = schema.relations->Find(transaction, name)) {
    ThrowError(ErrorKind::kCatalog, DuplicateState(existing->kind),
               fmt::format("{} \"{}\" already exists", KindName(*existing), name));
  }
}

}  // namespace scaup
