// The catalog: schemas and their entries, each a chain of versions, so that every transaction sees one state.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/type.hpp"
#include "storage/table/table.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

struct ColumnDefinition {
  std::string name;
  LogicalType type;
  bool not_null = false;
  std::string default_text;  ///< SQL of the default; "" if none. Bound anew by every INSERT that needs it.
};

enum class CatalogEntryKind : uint8_t { kSchema = 1, kTable = 2 };

/// A thing with a name. Immutable; shared by the catalog and by the statements that use it.
struct CatalogEntry {
  CatalogEntry(CatalogEntryKind kind_in, std::string name_in) : kind(kind_in), name(std::move(name_in)) {}
  virtual ~CatalogEntry() = default;
  CatalogEntryKind kind;
  std::string name;
};
using CatalogEntryRef = std::shared_ptr<const CatalogEntry>;

struct TableEntry final : CatalogEntry {
  TableEntry(std::string schema_in, std::string name_in, std::vector<ColumnDefinition> columns_in,
             std::shared_ptr<Table> storage_in)
      : CatalogEntry(CatalogEntryKind::kTable, std::move(name_in)),
        schema(std::move(schema_in)),
        columns(std::move(columns_in)),
        storage(std::move(storage_in)) {}
  std::string schema;
  std::vector<ColumnDefinition> columns;
  std::shared_ptr<Table> storage;

  /// Position of a column by its exact name.
  std::optional<size_t> FindColumn(std::string_view column) const;
};
using TableEntryRef = std::shared_ptr<const TableEntry>;

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
  mutable std::mutex mutex_;
  Timestamp closed_by_ = 0;  // The transaction that closed it; 0 if it is open.
  std::map<std::string, std::vector<Version>, std::less<>> entries_;  // Versions ascending.
};

struct SchemaEntry final : CatalogEntry {
  explicit SchemaEntry(std::string name_in)
      : CatalogEntry(CatalogEntryKind::kSchema, std::move(name_in)), tables(std::make_shared<CatalogSet>()) {}
  std::shared_ptr<CatalogSet> tables;
};
using SchemaEntryRef = std::shared_ptr<const SchemaEntry>;

/// Schemas of one database; begins with "main". Thread-safe. Positions of errors are added by the binder.
class Catalog {
 public:
  static constexpr const char* kDefaultSchema = "main";
  /// `store`: the file that keeps the tables' rows; null for a database in memory.
  explicit Catalog(TransactionManager& transactions, std::shared_ptr<BlockStore> store = nullptr);

  /// The storage of a new table of this database.
  std::shared_ptr<Table> MakeTable(std::vector<LogicalType> types, MemoryTracker& memory);
  /// The storage of a table that is loaded.
  std::shared_ptr<Table> MakeTable(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id);

  /// Null if there is none. An empty schema name means the default one.
  SchemaEntryRef FindSchema(const Transaction& transaction, std::string_view schema) const;
  TableEntryRef FindTable(const Transaction& transaction, std::string_view schema,
                          std::string_view table) const;
  std::vector<SchemaEntryRef> Schemas(const Transaction& transaction) const;
  /// Sorted by name.
  std::vector<TableEntryRef> Tables(const Transaction& transaction, const SchemaEntry& schema) const;

  /// All throw Error(kCatalog): 42P06 / 42P07 for what exists, 3F000 / 42P01 for what does not, 2BP01 for a
  /// schema that still has tables and no CASCADE.
  void CreateSchema(Transaction& transaction, const std::string& schema);
  void DropSchema(Transaction& transaction, const std::string& schema, bool cascade);
  void CreateTable(Transaction& transaction, TableEntryRef table);
  void DropTable(Transaction& transaction, const std::string& schema, const std::string& table);

  /// Goes up with every committed change, just before transactions begin that see it: a plan bound in a
  /// transaction fits as long as this is what it was before that transaction began.
  uint64_t version() const { return version_.load(); }

 private:
  class VersionUndo;
  void NoteChange(Transaction& transaction, ByteWriter record, std::shared_ptr<Table> dropped = nullptr);

  std::shared_ptr<BlockStore> store_;
  std::atomic<uint64_t> last_table_id_{0};
  std::shared_ptr<CatalogSet> schemas_;
  std::atomic<uint64_t> version_{1};
};

/// The candidate most like `name` by edit distance, or "" if none is near: for "did you mean".
std::string MostSimilar(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace scaup
