// The catalog: schemas and their entries, each a chain of versions, so that every transaction sees one state.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "catalog/catalog_set.hpp"
#include "scaup/type.hpp"
#include "storage/table/table.hpp"
#include "transaction/search_path.hpp"
#include "transaction/transaction.hpp"
#include "type/schema_name.hpp"

namespace scaup {

/// The schemas of one database; a new catalog has "main". Owned by the DatabaseInstance. Thread-safe; each
/// transaction is used by one thread. This class finds and lists; catalog_changes.hpp has what creates,
/// changes and drops, and catalog_dependencies.hpp what finds entries by their use of others. The binder adds
/// positions to errors.
class Catalog {
 public:
  static constexpr const char* kDefaultSchema = kDefaultSchemaName;
  /// Makes a catalog. `store` is the file with the rows of tables; null for a database in memory.
  explicit Catalog(TransactionManager& transactions, std::shared_ptr<BlockStore> store = nullptr);

  /// Makes the storage of a new table, which is in memory if the schema is temporary. `attributes` is the
  /// dictionary of a collection; null for tables.
  std::shared_ptr<Table> MakeTable(std::string_view schema, std::vector<LogicalType> types,
                                   MemoryTracker& memory,
                                   std::shared_ptr<AttributeDictionary> attributes = nullptr);
  /// Makes the storage of a table that the file or the log defines, with its id.
  std::shared_ptr<Table> MakeTable(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id,
                                   std::shared_ptr<AttributeDictionary> attributes = nullptr);

  /// Finds an entry by its name; null if there is none. An empty schema name means the default schema, and
  /// in searches of relations those of the transaction's SearchPath; the default schema has a second name,
  /// too.
  SchemaEntryRef FindSchema(const Transaction& transaction, std::string_view schema) const;
  /// Finds a table, index, sequence, view or type.
  CatalogEntryRef FindRelation(const Transaction& transaction, std::string_view schema,
                               std::string_view name) const;
  /// Finds what has the name in the first schema of the path that has one, but for the temporary schema.
  CatalogEntryRef FindPermanent(const Transaction& transaction, std::string_view name) const;
  /// Finds an entry of one kind, such as TableEntry; null also if the name is that of another kind.
  template <typename Entry>
  std::shared_ptr<const Entry> Find(const Transaction& transaction, std::string_view schema,
                                    std::string_view name) const {
    // There are no temporary types, and a temporary table does not hide a type.
    constexpr bool kIsType = Entry::kEntryKind == CatalogEntryKind::kType;
    return EntryAs<Entry>(kIsType && schema.empty() ? FindPermanent(transaction, name)
                                                    : FindRelation(transaction, schema, name));
  }

  /// Lists entries, sorted by name; among the schemas, the temporary one if it has relations.
  std::vector<SchemaEntryRef> Schemas(const Transaction& transaction) const;
  /// Lists the entries of one kind in a schema.
  template <typename Entry>
  std::vector<std::shared_ptr<const Entry>> List(const Transaction& transaction,
                                                 const SchemaEntry& schema) const {
    std::vector<std::shared_ptr<const Entry>> result;
    for (CatalogEntryRef& relation : schema.relations->List(transaction)) {
      if (auto entry = EntryAs<Entry>(std::move(relation))) result.push_back(std::move(entry));
    }
    return result;
  }
  /// Lists the entries of one kind in all schemas, one schema after the other.
  template <typename Entry>
  std::vector<std::shared_ptr<const Entry>> ListAll(const Transaction& transaction) const {
    std::vector<std::shared_ptr<const Entry>> result;
    for (const SchemaEntryRef& schema : Schemas(transaction)) {
      for (auto& entry : List<Entry>(transaction, *schema)) result.push_back(std::move(entry));
    }
    return result;
  }

  /// Returns what manages the transactions that it is used with.
  const TransactionManager& transactions() const { return transactions_; }

  /// Returns the version, which each committed change increments just before transactions can begin that see
  /// it. A plan that was bound in a transaction fits another one if both began at the same version; see
  /// DatabaseInstance::Begin.
  uint64_t version() const { return version_.load(); }
  /// Returns whether the transaction has uncommitted changes; plans made before them do not fit.
  bool HasChanges(const Transaction& transaction) const;

  /// Throws Error(kUsage, 25006) if the transaction may not change that schema, as the database is open
  /// read-only.
  void RequireWritable(const Transaction& transaction, std::string_view schema) const;

  // CatalogWriter alone calls the two functions below.
  /// Puts a version of a schema; null means a deletion.
  void PutSchema(Transaction& transaction, const std::string& name, SchemaEntryRef schema);
  /// Notes a change, with its log record. `dropped` is storage that other transactions must not change any
  /// more, of the table `dropped_name`.
  void NoteChange(Transaction& transaction, ByteWriter record, std::shared_ptr<Table> dropped,
                  std::string_view dropped_name);

 private:
  class VersionUndo;

  const TransactionManager& transactions_;
  std::shared_ptr<BlockStore> store_;
  std::atomic<uint64_t> last_table_id_{0};
  std::shared_ptr<CatalogSet> schemas_;
  std::atomic<uint64_t> version_{1};
};

}  // namespace scaup
