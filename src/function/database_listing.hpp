// What system table functions may list of the database; implemented where the catalog is known.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scaup/type.hpp"

namespace scaup {

struct FunctionContext;

struct ColumnListing {
  std::string name;
  LogicalType type;
  bool not_null = false;
  std::string default_text;    ///< SQL; "" if none
  std::string generated_text;  ///< SQL of a generated column; "" if it is none
  enum class Identity : uint8_t { kNone, kAlways, kByDefault } identity = Identity::kNone;
  std::string comment = {};  ///< "" if none, here and below
};

struct ConstraintListing {
  enum class Kind : uint8_t { kCheck, kUnique, kPrimaryKey, kForeignKey } kind = Kind::kCheck;
  std::string name;
  std::vector<std::string> columns;  ///< none of kCheck
  std::string check_text;            ///< SQL of the condition
  // Of kForeignKey: what it refers to, the constraint of that table, and "CASCADE", "NO ACTION", ...
  std::string referenced_schema;
  std::string referenced_table;
  std::vector<std::string> referenced_columns;
  std::string on_delete;
  std::string on_update;
  std::string comment;
};

struct IndexListing {
  std::string name;
  std::vector<std::string> columns;
  bool is_unique = false;
  bool is_primary = false;
  std::string definition;  ///< CREATE INDEX ...
  std::string comment;
};

struct TableListing {
  std::string schema;
  std::string name;
  uint64_t row_count = 0;
  bool is_view = false;        ///< whose rows nobody has counted
  bool is_collection = false;  ///< whose columns are the paths that its documents had
  std::vector<ColumnListing> columns;
  std::vector<ConstraintListing> constraints;
  std::vector<IndexListing> indexes;  ///< those of constraints, too
  std::string comment;
};

/// Tables of a listing by name, for those who look for many. Borrows them.
class TablesByName {
 public:
  explicit TablesByName(const std::vector<TableListing>& tables) {
    for (const TableListing& table : tables) tables_.emplace(Name(table.schema, table.name), &table);
  }
  /// Null if there is none.
  const TableListing* Find(std::string_view schema, std::string_view name) const {
    const auto found = tables_.find({schema, name});
    return found == tables_.end() ? nullptr : found->second;
  }

 private:
  using Name = std::pair<std::string_view, std::string_view>;  // Schema, table.
  std::map<Name, const TableListing*> tables_;
};

struct SequenceListing {
  std::string schema;
  std::string name;
  std::string type;  ///< "bigint", ...
  int64_t start = 1;
  int64_t minimum = 1;
  int64_t maximum = 1;
  int64_t increment = 1;
  int64_t cache = 1;
  bool cycle = false;
  std::optional<int64_t> last_value;  ///< unset while none was taken
  std::string owner_table;            ///< "" if none
  std::string owner_column;
  std::string comment;
};

struct ViewListing {
  std::string schema;
  std::string name;
  std::string query;  ///< SQL
  std::vector<ColumnListing> columns;
  std::string comment;
};

/// A statement that the session has prepared by PREPARE.
struct PreparedListing {
  std::string name;
  std::string text;         ///< of PREPARE
  int64_t prepared_micros;  ///< since 1970-01-01 (UTC)
  std::vector<LogicalType> parameter_types;
};

/// An enum.
struct TypeListing {
  std::string schema;
  std::string name;
  LogicalType type;
  std::string comment = {};
};

/// One column of one row group, as it is kept.
struct StorageSegmentListing {
  uint64_t row_group = 0;  ///< from 0
  size_t column = 0;       ///< of the table, from 0
  uint64_t row_count = 0;
  std::string encoding;
  uint64_t size_bytes = 0;
  std::vector<uint64_t> block_ids;     ///< of the file, in order; none in memory
  std::optional<std::string> minimum;  ///< as text; unset: not known, or no value but NULL
  std::optional<std::string> maximum;
  uint64_t null_count = 0;
  bool is_persistent = false;  ///< in the file already
};

/// A key path of a collection's documents, with one type of its values.
struct AttributeListing {
  std::string path;
  std::string type;             ///< "BIGINT", "VARCHAR[]", "NULL", ...
  uint64_t count = 0;           ///< how many documents have it
  uint64_t path_count = 0;      ///< how many have the path, with a value of whatever type, or an object
  uint64_t physical_count = 0;  ///< of them, those whose values are in columns
  uint64_t distinct_count = 0;  ///< how many values, as estimated
  // Bounds of values that documents have or had; null where there are none. Of long strings the beginning.
  std::optional<std::string> minimum;
  std::optional<std::string> maximum;

  /// Where its values are; "dirty": some here, some there (Sinew, SIGMOD 2014, section 3.1.4).
  std::string place() const {
    if (physical_count == count) return "physical";
    return physical_count == 0 ? "reservoir" : "dirty";
  }
};

/// The documents of a collection.
struct CollectionListing {
  uint64_t document_count = 0;
  std::vector<AttributeListing> attributes;  ///< in the order in which they were first met
};

struct DatabaseSizeListing {
  std::string name;
  std::string path;  ///< "" in memory
  uint64_t database_size_bytes = 0;
  uint64_t block_size_bytes = 0;
  uint64_t total_blocks = 0;
  uint64_t used_blocks = 0;
  uint64_t free_blocks = 0;
  uint64_t log_size_bytes = 0;
  uint64_t memory_usage_bytes = 0;
  uint64_t memory_limit_bytes = 0;
  std::string checkpoint_error;  ///< why the last one that was made by itself failed; "" if it did not
};

/// A consistent look at the catalog. Borrowed for the time of a statement; const access from any thread.
class DatabaseListing {
 public:
  virtual ~DatabaseListing() = default;
  virtual std::vector<std::string> Schemas() const = 0;
  /// "" if there is none.
  virtual std::string SchemaComment(const std::string& schema) const {
    (void)schema;
    return "";
  }
  /// Without views. Sorted by schema, then name, like all others.
  virtual std::vector<TableListing> Tables() const = 0;
  virtual std::vector<SequenceListing> Sequences() const { return {}; }
  virtual std::vector<ViewListing> Views() const { return {}; }
  virtual std::vector<PreparedListing> PreparedStatements() const { return {}; }
  virtual std::vector<TypeListing> Types() const { return {}; }
  /// Tables and views.
  std::vector<TableListing> Relations() const;
  /// Counts by reading all documents. Throws Error(kCatalog, 42809) for what is no collection.
  virtual CollectionListing Attributes(const FunctionContext& context, const std::string& schema,
                                       const std::string& collection) const {
    (void)context, (void)schema, (void)collection;
    return {};
  }
  /// By row group, then column. The table is one of Tables(); none if it is gone meanwhile.
  virtual std::vector<StorageSegmentListing> StorageSegments(const std::string& schema,
                                                             const std::string& table) const {
    (void)schema, (void)table;
    return {};
  }
  virtual DatabaseSizeListing DatabaseSize() const { return {}; }
  /// The problems found, a sentence for each; none if all is well. May read the whole file.
  virtual std::vector<std::string> IntegrityProblems() const { return {}; }
};

}  // namespace scaup
