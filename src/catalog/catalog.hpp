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

/// Entries by name, each with its versions. Thread-safe.
class CatalogSet : public std::enable_shared_from_this<CatalogSet> {
 public:
  /// Null if the transaction sees none.
  CatalogEntryRef Find(const Transaction& transaction, std::string_view name) const;
  std::vector<CatalogEntryRef> List(const Transaction& transaction) const;
  /// Puts `entry` (null: a deletion) as the newest version of `name`. Throws Error(kTransaction, 40001) when
  /// another transaction changed that name meanwhile.
  void Put(Transaction& transaction, const std::string& name, CatalogEntryRef entry);
  /// From now on nobody else may Put: the set goes away with `transaction`, which has taken all entries out.
  /// Throws Error(kTransaction, 40001) when another transaction put something in meanwhile.
  void Close(Transaction& transaction);

 private:
  struct Version {
    Timestamp timestamp;
    CatalogEntryRef entry;
  };
  class ChangeUndo;
  class CloseUndo;
  mutable Mutex mutex_;
  Timestamp closed_by_ SCAUP_GUARDED_BY(mutex_) = 0;  // The transaction that closed it; 0 if it is open.
  // Versions ascending.
  std::map<std::string, std::vector<Version>, std::less<>> entries_ SCAUP_GUARDED_BY(mutex_);
};

struct SchemaEntry final : CatalogEntry {
  explicit SchemaEntry(std::string name_in)
      : CatalogEntry(CatalogEntryKind::kSchema, std::move(name_in)),
        relations(std::make_shared<CatalogSet>()) {}
  std::shared_ptr<CatalogSet> relations;  ///< tables, indexes, sequences, views and types
};
using SchemaEntryRef = std::shared_ptr<const SchemaEntry>;

/// Schemas of one database; begins with "main". Thread-safe. Positions of errors are added by the binder.
class Catalog {
 public:
  static constexpr const char* kDefaultSchema = "main";
  /// `store`: the file that keeps the tables' rows; null for a database in memory.
  explicit Catalog(TransactionManager& transactions, std::shared_ptr<BlockStore> store = nullptr);

  /// The storage of a new table of this database. `attributes`: of a collection.
  std::shared_ptr<Table> MakeTable(std::vector<LogicalType> types, MemoryTracker& memory,
                                   std::shared_ptr<AttributeDictionary> attributes = nullptr);
  /// The storage of a table that is loaded.
  std::shared_ptr<Table> MakeTable(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id,
                                   std::shared_ptr<AttributeDictionary> attributes = nullptr);

  /// Null if there is none. An empty schema name means the default one.
  SchemaEntryRef FindSchema(const Transaction& transaction, std::string_view schema) const;
  /// A table, index, sequence, view or type.
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
  /// All sorted by name.
  std::vector<TableEntryRef> Tables(const Transaction& transaction, const SchemaEntry& schema) const;
  std::vector<IndexEntryRef> Indexes(const Transaction& transaction, const SchemaEntry& schema) const;
  std::vector<SequenceEntryRef> Sequences(const Transaction& transaction, const SchemaEntry& schema) const;
  std::vector<ViewEntryRef> Views(const Transaction& transaction, const SchemaEntry& schema) const;
  std::vector<TypeEntryRef> Types(const Transaction& transaction, const SchemaEntry& schema) const;
  /// The types that are among these, or within one of them.
  std::vector<TypeEntryRef> TypesWithin(const Transaction& transaction,
                                        const std::vector<LogicalType>& types) const;
  /// The version that the transaction sees of a type, whatever it is called now; null if it was dropped.
  TypeEntryRef PresentType(const Transaction& transaction, const TypeEntry& type) const;
  /// Tables of all schemas with a column of that type, or of one that has it within.
  std::vector<TableEntryRef> TablesUsing(const Transaction& transaction, const LogicalType& type) const;
  std::vector<ViewEntryRef> ViewsUsing(const Transaction& transaction, const LogicalType& type) const;
  /// Views of all schemas that read a table or view.
  std::vector<ViewEntryRef> ViewsOver(const Transaction& transaction, std::string_view schema,
                                      std::string_view name) const;
  /// The indexes of a table, those that serve constraints included.
  std::vector<IndexEntryRef> IndexesOf(const Transaction& transaction, const TableEntry& table) const;
  std::vector<SequenceEntryRef> SequencesOf(const Transaction& transaction, const TableEntry& table) const;
  /// The table whose storage has that id; null if there is none.
  TableEntryRef FindTableOfStorage(const Transaction& transaction, uint64_t table_id) const;
  /// Element tables of a collection, in the order in which they were made.
  std::vector<TableEntryRef> ElementTablesOf(const Transaction& transaction, const TableEntry& table) const;

  /// A foreign key that refers to a table.
  struct Reference {
    TableEntryRef from;
    size_t foreign_key;  ///< in from->constraints
    const ForeignKey& key() const { return from->constraints.foreign_keys[foreign_key]; }
  };
  /// Foreign keys in tables of all schemas that refer to a table, its own included.
  std::vector<Reference> ReferencesTo(const Transaction& transaction, const TableEntry& table) const;

  /// All throw Error(kCatalog): 42P06 / 42P07 for what exists, 3F000 / 42P01 for what does not, 2BP01 for
  /// what others depend on, when there is no CASCADE.
  void CreateSchema(Transaction& transaction, const std::string& schema);
  void DropSchema(Transaction& transaction, const std::string& schema, bool cascade);
  /// With the indexes of its constraints. Returns the entry as it is in the catalog.
  TableEntryRef CreateTable(Transaction& transaction, TableEntryRef table);
  /// With its indexes and sequences. CASCADE drops foreign keys that refer to it, views over it, and its
  /// element tables.
  void DropTable(Transaction& transaction, const std::string& schema, const std::string& table,
                 bool cascade = false);
  /// Drops several tables, which may refer to one another.
  void DropTables(Transaction& transaction, const std::vector<TableEntryRef>& tables, bool cascade);

  /// ALTER TABLE: `table` is the newest version of what was `old`, perhaps with another name, schema or
  /// storage. Its other indexes, its sequences and the foreign keys of other tables follow its names; indexes
  /// over columns that are gone go, too. New unique constraints are checked (23505). Foreign keys whose
  /// columns are no longer unique go with CASCADE, and so do views over columns that are gone. Views have
  /// been replaced by such that use the new names, as their texts are not understood here: 0A000 where one
  /// uses an old name, or a column of another type.
  struct Replacement {
    TableEntryRef old;
    TableEntryRef table;
    std::vector<std::pair<std::string, std::string>> renamed_columns;  ///< from, to
    bool cascade = false;
  };
  TableEntryRef ReplaceTable(Transaction& transaction, const Replacement& replacement);

  /// Over all rows; see Table::CreateIndex.
  void CreateIndex(Transaction& transaction, const IndexEntryRef& index);
  /// One that serves no constraint.
  void RenameIndex(Transaction& transaction, const IndexEntry& old, const std::string& name);
  /// 2BP01 for one that serves a constraint.
  void DropIndex(Transaction& transaction, const std::string& schema, const std::string& index);

  void CreateView(Transaction& transaction, const ViewEntryRef& view);
  /// CREATE OR REPLACE VIEW and ALTER VIEW ... RENAME: 0A000 where another view uses the old name. What the
  /// new one reads may get its name later in the transaction.
  void ReplaceView(Transaction& transaction, const ViewEntry& old, const ViewEntryRef& view);
  /// 2BP01 where other views read one of them, without CASCADE, which drops these, too.
  void DropViews(Transaction& transaction, const std::vector<ViewEntryRef>& views, bool cascade);

  /// 42710 for a name that is taken.
  void CreateType(Transaction& transaction, const TypeEntryRef& type);
  /// ALTER TYPE, perhaps with another name or schema. Columns of tables and views change with the type. Rows
  /// do not: unless labels keep their places (KeepsLabelPlaces), the caller is to give the tables new rows.
  void ReplaceType(Transaction& transaction, const TypeEntry& old, const TypeEntryRef& type);
  /// 2BP01 for one that tables or views use.
  void DropType(Transaction& transaction, const TypeEntry& type);

  void CreateSequence(Transaction& transaction, SequenceEntryRef sequence);
  /// 2BP01 for one that is owned, without CASCADE.
  void DropSequence(Transaction& transaction, const std::string& schema, const std::string& sequence,
                    bool cascade = false);
  /// ALTER SEQUENCE, with another name, perhaps.
  void ReplaceSequence(Transaction& transaction, const SequenceEntry& old, SequenceEntryRef sequence);
  /// Called by a transaction that took values or set one: its commit writes where the counter stands then.
  void NoteSequenceUse(Transaction& transaction, const SequenceEntryRef& sequence);

  /// COMMENT ON; "" takes the comment away. Throws Error(kCatalog) for what there is not.
  void SetComment(Transaction& transaction, const CommentTarget& target, const std::string& comment);

  /// Goes up with every committed change, just before transactions begin that see it: a plan bound in a
  /// transaction fits as long as this is what it was before that transaction began.
  uint64_t version() const { return version_.load(); }
  /// Whether the transaction has changed something that is not committed: plans made before do not fit.
  bool HasChanges(const Transaction& transaction) const;

 private:
  class VersionUndo;
  /// `dropped`: the storage that nobody may change any more, and its table.
  void NoteChange(Transaction& transaction, ByteWriter record, std::shared_ptr<Table> dropped = nullptr,
                  std::string_view dropped_name = {});
  SchemaEntryRef FindSchemaOrThrow(const Transaction& transaction, std::string_view schema) const;
  void CheckIsFree(const Transaction& transaction, const SchemaEntry& schema, const std::string& name) const;
  // What the changes do to the sets, without a record.
  /// The table with indexes for its unique constraints, as far as the `old` one (or null) does not have them;
  /// what is no longer needed is dropped.
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

/// Whether a type is another, or has it within.
bool UsesType(const LogicalType& type, const LogicalType& used);
/// The type with another in the place of one that it is, or has within.
LogicalType ExchangedType(const LogicalType& type, const LogicalType& from, const LogicalType& to);
/// Whether all labels of an enum stand where they stood before it was changed, maybe under other names.
bool KeepsLabelPlaces(const LogicalType& old, const LogicalType& type);

}  // namespace scaup
