// The catalog: schemas and their entries, each a chain of versions, so that every transaction sees one state.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "catalog/comment_target.hpp"
#include "common/lock/mutex.hpp"
#include "scaup/type.hpp"
#include "storage/table/table.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

class TableIndex;

/// Versioned entries by name. Owned jointly by its schema and by the undo entries of transactions that change
/// it. Thread-safe. Entries that it returns are immutable and live as long as they are referred to.
class CatalogSet : public std::enable_shared_from_this<CatalogSet> {
 public:
  /// Returns the entry that the transaction sees; null if there is none.
  CatalogEntryRef Find(const Transaction& transaction, std::string_view name) const;
  std::vector<CatalogEntryRef> List(const Transaction& transaction) const;
  /// Adds `entry` as the newest version of `name`; null means a deletion. Throws Error(kTransaction, 40001)
  /// if another transaction has changed that name meanwhile.
  void Put(Transaction& transaction, const std::string& name, CatalogEntryRef entry);
  /// Closes the set: `transaction`, which has removed all entries, drops it, and no other transaction may put
  /// anything in. Throws Error(kTransaction, 40001) if another transaction has put something in meanwhile.
  void Close(Transaction& transaction);

 private:
  struct Version {
    Timestamp timestamp;
    CatalogEntryRef entry;
  };
  class ChangeUndo;
  class CloseUndo;
  mutable Mutex mutex_;
  Timestamp closed_by_ SCAUP_GUARDED_BY(mutex_) = 0;  // the transaction that closed it; 0 if it is open
  // Each name's versions, the oldest first.
  std::map<std::string, std::vector<Version>, std::less<>> entries_ SCAUP_GUARDED_BY(mutex_);
};

/// A schema. Immutable, except that `relations` has versions of its own, which all versions of the entry
/// share.
struct SchemaEntry final : CatalogEntry {
  explicit SchemaEntry(std::string name_in)
      : CatalogEntry(CatalogEntryKind::kSchema, std::move(name_in)),
        relations(std::make_shared<CatalogSet>()) {}
  std::shared_ptr<CatalogSet> relations;  ///< tables, indexes, sequences, views and types
};
using SchemaEntryRef = std::shared_ptr<const SchemaEntry>;

/// The schemas of one database; a new catalog has "main". Owned by the DatabaseInstance. Thread-safe; each
/// transaction is used by one thread. The binder adds positions to errors.
class Catalog {
 public:
  static constexpr const char* kDefaultSchema = "main";
  /// Makes a catalog. `store` is the file with the rows of tables; null for a database in memory.
  explicit Catalog(TransactionManager& transactions, std::shared_ptr<BlockStore> store = nullptr);

  /// Makes the storage of a new table. `attributes` is the dictionary of a collection; null for tables.
  std::shared_ptr<Table> MakeTable(std::vector<LogicalType> types, MemoryTracker& memory,
                                   std::shared_ptr<AttributeDictionary> attributes = nullptr);
  /// Makes the storage of a table that the file or the log defines, with its id.
  std::shared_ptr<Table> MakeTable(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id,
                                   std::shared_ptr<AttributeDictionary> attributes = nullptr);

  /// Finds an entry by its name; null if there is none. An empty schema name means the default schema.
  SchemaEntryRef FindSchema(const Transaction& transaction, std::string_view schema) const;
  /// Finds a table, index, sequence, view or type.
  CatalogEntryRef FindRelation(const Transaction& transaction, std::string_view schema,
                               std::string_view name) const;
  TableEntryRef FindTable(const Transaction& transaction, std::string_view schema,
                          std::string_view table) const;
  IndexEntryRef FindIndex(const Transaction& transaction, std::string_view schema,
                          std::string_view index) const;
  SequenceEntryRef FindSequence(const Transaction& transaction, std::string_view schema,
                                std::string_view sequence) const;
  ViewEntryRef FindView(const Transaction& transaction, std::string_view schema, std::string_view view) const;
  TypeEntryRef FindType(const Transaction& transaction, std::string_view schema, std::string_view type) const;
  std::vector<SchemaEntryRef> Schemas(const Transaction& transaction) const;
  /// Lists entries, sorted by name.
  std::vector<TableEntryRef> Tables(const Transaction& transaction, const SchemaEntry& schema) const;
  std::vector<IndexEntryRef> Indexes(const Transaction& transaction, const SchemaEntry& schema) const;
  std::vector<SequenceEntryRef> Sequences(const Transaction& transaction, const SchemaEntry& schema) const;
  std::vector<ViewEntryRef> Views(const Transaction& transaction, const SchemaEntry& schema) const;
  std::vector<TypeEntryRef> Types(const Transaction& transaction, const SchemaEntry& schema) const;
  /// Returns the enums that are among these types, or within one of them.
  std::vector<TypeEntryRef> TypesWithin(const Transaction& transaction,
                                        const std::vector<LogicalType>& types) const;
  /// Returns the version of a type that the transaction sees, under whatever name; null if it was dropped.
  TypeEntryRef PresentType(const Transaction& transaction, const TypeEntry& type) const;
  /// Returns the tables of all schemas with a column of that type, or of one that contains it.
  std::vector<TableEntryRef> TablesUsing(const Transaction& transaction, const LogicalType& type) const;
  std::vector<ViewEntryRef> ViewsUsing(const Transaction& transaction, const LogicalType& type) const;
  /// Returns the views of all schemas that read a table or view.
  std::vector<ViewEntryRef> ViewsOver(const Transaction& transaction, std::string_view schema,
                                      std::string_view name) const;
  /// Returns the indexes of a table, including those of constraints.
  std::vector<IndexEntryRef> IndexesOf(const Transaction& transaction, const TableEntry& table) const;
  std::vector<SequenceEntryRef> SequencesOf(const Transaction& transaction, const TableEntry& table) const;
  /// Returns the table whose storage has that id; null if there is none.
  TableEntryRef FindTableOfStorage(const Transaction& transaction, uint64_t table_id) const;
  /// Returns the element tables of a collection, in the order in which they were made.
  std::vector<TableEntryRef> ElementTablesOf(const Transaction& transaction, const TableEntry& table) const;

  /// A foreign key that refers to a table. Valid as long as `from`, which it shares.
  struct Reference {
    TableEntryRef from;
    size_t foreign_key;  ///< in from->constraints
    const ForeignKey& key() const { return from->constraints.foreign_keys[foreign_key]; }
  };
  /// Returns the foreign keys of all tables that refer to a table, including its own.
  std::vector<Reference> ReferencesTo(const Transaction& transaction, const TableEntry& table) const;

  /// The functions below throw Error(kCatalog): 42P06 or 42P07 for an entry that exists, 3F000 or 42P01 for
  /// one that does not, and 2BP01 for one that others depend on, without CASCADE.
  void CreateSchema(Transaction& transaction, const std::string& schema);
  void DropSchema(Transaction& transaction, const std::string& schema, bool cascade);
  /// Creates a table with the indexes of its constraints. Returns the entry as it is in the catalog.
  TableEntryRef CreateTable(Transaction& transaction, TableEntryRef table);
  /// Drops a table with its indexes and sequences. CASCADE also drops foreign keys that refer to it, views
  /// over it, and its element tables.
  void DropTable(Transaction& transaction, const std::string& schema, const std::string& table,
                 bool cascade = false);
  /// Drops several tables, which may refer to one another.
  void DropTables(Transaction& transaction, const std::vector<TableEntryRef>& tables, bool cascade);

  /// ALTER TABLE: replaces `old` by `table`, perhaps with another name, schema or storage. The other indexes
  /// and sequences of the table, and the foreign keys of other tables, follow the new names. Indexes over
  /// dropped columns are dropped. New unique constraints are checked (23505). CASCADE drops foreign keys
  /// whose columns are no longer unique, and views over dropped columns. The catalog does not understand the
  /// texts of views, so the caller replaces views that use old names first; 0A000 if a view still uses an old
  /// name, or a column of another type.
  struct Replacement {
    TableEntryRef old;
    TableEntryRef table;
    std::vector<std::pair<std::string, std::string>> renamed_columns;  ///< from, to
    bool cascade = false;
  };
  TableEntryRef ReplaceTable(Transaction& transaction, const Replacement& replacement);

  /// Creates an index over all rows; see Table::CreateIndex.
  void CreateIndex(Transaction& transaction, const IndexEntryRef& index);
  /// Renames an index that serves no constraint.
  void RenameIndex(Transaction& transaction, const IndexEntry& old, const std::string& name);
  /// Drops an index; 2BP01 if it serves a constraint.
  void DropIndex(Transaction& transaction, const std::string& schema, const std::string& index);

  void CreateView(Transaction& transaction, const ViewEntryRef& view);
  /// Replaces a view, perhaps under another name: 0A000 if another view uses the old name. An entry that the
  /// new view reads may get its name later in the transaction.
  void ReplaceView(Transaction& transaction, const ViewEntry& old, const ViewEntryRef& view);
  /// Drops views. Without CASCADE, 2BP01 if another view reads one of them; with it, such views are dropped,
  /// too.
  void DropViews(Transaction& transaction, const std::vector<ViewEntryRef>& views, bool cascade);

  /// Creates an enum; 42710 if the name is taken.
  void CreateType(Transaction& transaction, const TypeEntryRef& type);
  /// ALTER TYPE: replaces an enum, perhaps under another name or schema. The columns of tables and views
  /// change with it, but rows do not: unless labels keep their positions (KeepsLabelPlaces), the caller must
  /// rewrite the rows.
  void ReplaceType(Transaction& transaction, const TypeEntry& old, const TypeEntryRef& type);
  /// Drops an enum; 2BP01 if tables or views use it.
  void DropType(Transaction& transaction, const TypeEntry& type);

  void CreateSequence(Transaction& transaction, SequenceEntryRef sequence);
  /// Drops a sequence; 2BP01 if a column owns it, without CASCADE.
  void DropSequence(Transaction& transaction, const std::string& schema, const std::string& sequence,
                    bool cascade = false);
  /// ALTER SEQUENCE: replaces a sequence, perhaps under another name.
  void ReplaceSequence(Transaction& transaction, const SequenceEntry& old, SequenceEntryRef sequence);
  /// Notes that a transaction has taken or set values, so that its commit logs the position of the counter.
  void NoteSequenceUse(Transaction& transaction, const SequenceEntryRef& sequence);

  /// COMMENT ON: sets a comment; "" removes it. Throws Error(kCatalog) if the target does not exist.
  void SetComment(Transaction& transaction, const CommentTarget& target, const std::string& comment);

  /// Returns the version, which each committed change increments just before transactions can begin that see
  /// it. A plan that was bound in a transaction fits another one if both began at the same version; see
  /// BeginVersioned.
  uint64_t version() const { return version_.load(); }
  /// Returns whether the transaction has uncommitted changes; plans made before them do not fit.
  bool HasChanges(const Transaction& transaction) const;

 private:
  class VersionUndo;
  /// Notes a change, with its log record. `dropped` is storage that other transactions must not change any
  /// more, of the table `dropped_name`.
  void NoteChange(Transaction& transaction, ByteWriter record, std::shared_ptr<Table> dropped = nullptr,
                  std::string_view dropped_name = {});
  SchemaEntryRef FindSchemaOrThrow(const Transaction& transaction, std::string_view schema) const;
  void CheckIsFree(const Transaction& transaction, const SchemaEntry& schema, const std::string& name) const;
  // The functions below change the sets, without a log record.
  /// Returns the table with indexes for its unique constraints. Takes over those of `old`, which may be null,
  /// and drops those that are no longer needed.
  TableEntryRef WithIndexes(Transaction& transaction, const TableEntryRef& table, const TableEntry* old);
  void PutConstraintIndexes(Transaction& transaction, const TableEntry& table);
  /// Renames an index and its key in the messages of errors.
  static void RenameTableIndex(Transaction& transaction, const std::shared_ptr<TableIndex>& index,
                               const TableEntry& table, const std::string& name,
                               const std::vector<std::string>& columns);
  void TouchReferenced(Transaction& transaction, const TableEntry& table);
  void RemoveTable(Transaction& transaction, const TableEntry& table);
  void AttachElementTable(Transaction& transaction, const TableEntry& table);
  void DetachElementTable(Transaction& transaction, const TableEntry& table);
  void RemoveForeignKeys(Transaction& transaction, const std::vector<Reference>& references);
  void MoveDependents(Transaction& transaction, const Replacement& replacement);
  template <typename Columns>
  void TouchTypes(Transaction& transaction, const Columns& columns);
  void TouchTypes(Transaction& transaction, const TableEntry& table);
  void TouchTypes(Transaction& transaction, const ViewEntry& view);
  void CheckTypeIsFree(const Transaction& transaction, const TypeEntry& type) const;
  void TouchSources(Transaction& transaction, const ViewEntry& view);
  void DropViewsOver(Transaction& transaction, const TableEntry& table, bool cascade);
  void CheckViews(Transaction& transaction, const Replacement& replacement);
  void UpdateReferences(Transaction& transaction, const Replacement& replacement);
  void CommentConstraintIndex(Transaction& transaction, const SchemaEntry& schema, const IndexEntry& index,
                              const std::string& comment);

  std::shared_ptr<BlockStore> store_;
  std::atomic<uint64_t> last_table_id_{0};
  std::shared_ptr<CatalogSet> schemas_;
  std::atomic<uint64_t> version_{1};
};

/// Returns whether a type is `used` or contains it.
bool UsesType(const LogicalType& type, const LogicalType& used);
/// Returns the type with `to` in the place of `from`, also within it.
LogicalType ExchangedType(const LogicalType& type, const LogicalType& from, const LogicalType& to);
/// Returns whether all labels of an enum have the positions that they had before a change, perhaps under
/// other names.
bool KeepsLabelPlaces(const LogicalType& old, const LogicalType& type);

}  // namespace scaup
