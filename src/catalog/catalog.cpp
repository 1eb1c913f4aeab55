// The catalog: finding and listing, the storage of tables, and the version.
#include "catalog/catalog.hpp"

#include <algorithm>

#include "catalog/catalog_changes.hpp"
#include "catalog/temporary_schema.hpp"
#include "storage/buffer/block_store.hpp"
#include "storage/table/table_locks.hpp"
#include "transaction/transaction_manager.hpp"
#include "type/schema_name.hpp"

namespace scaup {

namespace {

std::string_view OrDefault(std::string_view schema) {
  return schema.empty() ? Catalog::kDefaultSchema : SchemaNamed(schema);
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
  if (type.id() == TypeId::kList) return WithElement(type, StoredType(type.element()));
  if (type.id() != TypeId::kStruct) return type;
  std::vector<StructField> fields = type.fields();
  for (StructField& field : fields) field.type = StoredType(field.type);
  return WithFields(type, std::move(fields));
}

Catalog::Catalog(TransactionManager& transactions, std::shared_ptr<BlockStore> store)
    : transactions_(transactions), store_(std::move(store)), schemas_(std::make_shared<CatalogSet>()) {
  const auto transaction = transactions.Begin();
  transaction->SetReplay();  // No change of the database: each has the schema, also one that is read-only.
  CreateSchema(*this, *transaction, kDefaultSchema);
  transactions.Commit(*transaction);
}

std::shared_ptr<Table> Catalog::MakeTable(std::string_view schema, std::vector<LogicalType> types,
                                          MemoryTracker& memory,
                                          std::shared_ptr<AttributeDictionary> attributes) {
  const uint64_t id = ++last_table_id_;
  if (IsTemporarySchema(schema)) {
    for (LogicalType& type : types) type = StoredType(type);
    auto table = std::make_shared<Table>(std::move(types), memory, id, nullptr, std::move(attributes));
    table->SetTransactions(transactions_);
    return table;
  }
  return MakeTable(std::move(types), memory, id, std::move(attributes));
}

std::shared_ptr<Table> Catalog::MakeTable(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id,
                                          std::shared_ptr<AttributeDictionary> attributes) {
  // Ids of new tables must not collide with those of loaded ones, which the log and element tables refer to.
  if (id > last_table_id_) last_table_id_ = id;
  for (LogicalType& type : types) type = StoredType(type);
  auto table = std::make_shared<Table>(std::move(types), memory, id, store_, std::move(attributes));
  table->SetTransactions(transactions_);
  return table;
}

SchemaEntryRef Catalog::FindSchema(const Transaction& transaction, std::string_view schema) const {
  if (IsTemporarySchema(schema)) {
    const TemporarySchema* temporary = TemporarySchema::Of(transaction);
    return temporary == nullptr ? nullptr : temporary->entry();
  }
  return std::static_pointer_cast<const SchemaEntry>(schemas_->Find(transaction, OrDefault(schema)));
}

CatalogEntryRef Catalog::FindRelation(const Transaction& transaction, std::string_view schema,
                                      std::string_view name) const {
  const auto find_in = [&](std::string_view one) {
    const SchemaEntryRef found = FindSchema(transaction, one);
    return found ? found->relations->Find(transaction, name) : nullptr;
  };
  if (!schema.empty()) return find_in(schema);
  if (const SearchPath* path = SearchPath::Of(transaction)) {
    for (const std::string& one : path->searched())
      if (CatalogEntryRef found = find_in(one)) return found;
    return nullptr;
  }
  // Temporary relations hide others of the same name.
  if (CatalogEntryRef found = find_in(kTemporarySchema)) return found;
  return find_in(kDefaultSchema);
}

CatalogEntryRef Catalog::FindPermanent(const Transaction& transaction, std::string_view name) const {
  const SearchPath* path = SearchPath::Of(transaction);
  if (path == nullptr) return FindRelation(transaction, kDefaultSchema, name);
  for (const std::string& schema : path->named()) {
    if (IsTemporarySchema(schema)) continue;
    if (CatalogEntryRef found = FindRelation(transaction, schema, name)) return found;
  }
  return nullptr;
}

std::vector<SchemaEntryRef> Catalog::Schemas(const Transaction& transaction) const {
  std::vector<SchemaEntryRef> result;
  for (auto& entry : schemas_->List(transaction))
    result.push_back(std::static_pointer_cast<const SchemaEntry>(entry));
  const TemporarySchema* temporary = TemporarySchema::Of(transaction);
  if (temporary != nullptr && !temporary->IsEmpty(transaction)) {
    const auto is_after = [](const SchemaEntryRef& schema) { return schema->name > kTemporarySchema; };
    result.insert(std::find_if(result.begin(), result.end(), is_after), temporary->entry());
  }
  return result;
}

void Catalog::RequireWritable(const Transaction& transaction, std::string_view schema) const {
  // Refused before anything is put: what other processes commit is repeated here at any time.
  if (store_ && !transaction.is_replay() && !IsTemporarySchema(schema)) store_->file().RequireWritable();
}

void Catalog::PutSchema(Transaction& transaction, const std::string& name, SchemaEntryRef schema) {
  schemas_->Put(transaction, name, std::move(schema));
}

}  // namespace scaup
