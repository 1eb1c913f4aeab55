// The interface through which system functions list the catalog; implemented by src/main, which knows it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scaup/type.hpp"
#include "type/schema_name.hpp"

namespace scaup {

struct FunctionContext;

struct ColumnListing {
  std::string name;
  LogicalType type;
  bool not_null = false;
  std::string default_text;    ///< SQL; "" if none
  std::string generated_text;  ///< SQL; "" if the column is not generated
  enum class Identity : uint8_t { kNone, kAlways, kByDefault } identity = Identity::kNone;
  std::string comment = {};  ///< "" if none, as for all comments below
  std::string domain_schema = {};
  std::string domain = {};     ///< the name of its domain; "" if it has none
  std::string collation = {};  ///< "" for that of the database
};

struct ConstraintListing {
  enum class Kind : uint8_t { kCheck, kUnique, kPrimaryKey, kForeignKey } kind = Kind::kCheck;
  std::string name;
  std::vector<std::string> columns;  ///< of a key; those that the condition of a CHECK names
  std::string check_text;            ///< SQL of the condition
  // For kForeignKey: the referenced table and its constraint, and "CASCADE", "NO ACTION", ...
  std::string referenced_schema;
  std::string referenced_table;
  std::vector<std::string> referenced_columns;
  std::string on_delete;
  std::string on_update;
  std::string comment;
  bool is_deferrable = false;
  bool is_deferred = false;  ///< INITIALLY DEFERRED
  bool is_validated = true;
};

struct IndexListing {
  std::string name;
  std::vector<std::string> columns;
  bool is_unique = false;
  bool is_primary = false;
  std::string definition;  ///< CREATE INDEX ...
  std::string comment;
  std::vector<std::string> keys = {};  ///< SQL of each column, or of the expression whose name is ""
  std::string condition = {};          ///< SQL of a partial index's; "" if it has none
  bool is_immediate = true;            ///< false of a deferrable constraint's
};

struct TriggerListing {
  std::string name;
  bool is_before = false;
  bool is_for_each_row = false;
  bool on_insert = false;
  bool on_update = false;
  bool on_delete = false;
  std::vector<std::string> update_columns;
  std::string old_table;  ///< "" if none, as for all here
  std::string new_table;
  std::string condition;  ///< SQL of WHEN
  std::string function_schema;
  std::string function;
  std::vector<std::string> arguments;
  char mode = 'O';         ///< as in pg_trigger: O, D, A or R
  std::string action;      ///< EXECUTE FUNCTION ...
  std::string definition;  ///< CREATE TRIGGER ...
  std::string comment;
};

struct TableListing {
  std::string schema;
  std::string name;
  uint64_t row_count = 0;
  bool is_view = false;        ///< its rows are not counted
  bool is_collection = false;  ///< its columns are the paths that its documents had
  bool is_materialized = false;
  bool is_populated = true;  ///< false of a materialized view that cannot be read yet
  std::string query;         ///< SQL of a materialized view
  std::vector<ColumnListing> columns;
  std::vector<ConstraintListing> constraints;
  std::vector<IndexListing> indexes;  ///< including those of constraints
  std::vector<TriggerListing> triggers = {};
  std::string comment;
};

/// Finds tables of a listing by name, for callers that look up many. Borrows the listing.
class TablesByName {
 public:
  explicit TablesByName(const std::vector<TableListing>& tables) {
    for (const TableListing& table : tables) tables_.emplace(Name(table.schema, table.name), &table);
  }
  /// The table; null if there is none.
  const TableListing* Find(std::string_view schema, std::string_view name) const {
    const auto found = tables_.find({schema, name});
    return found == tables_.end() ? nullptr : found->second;
  }
  /// The key that a foreign key references; null if it no longer exists.
  const ConstraintListing* ReferencedKey(const ConstraintListing& foreign_key) const;

 private:
  using Name = std::pair<std::string_view, std::string_view>;  // schema, table
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
  std::optional<int64_t> last_value;  ///< unset until a value was taken
  std::string owner_table;            ///< "" if none
  std::string owner_column;
  std::string comment;
};

struct ViewListing {
  std::string schema;
  std::string name;
  std::string query;  ///< SQL
  std::vector<ColumnListing> columns;
  /// The tables and views that it reads.
  struct Source {
    std::string schema;
    std::string name;
  };
  std::vector<Source> sources = {};
  std::string comment;
  std::string_view check_option = "NONE";  ///< "LOCAL", "CASCADED"
};

/// A statement prepared by PREPARE in this session.
struct PreparedListing {
  std::string name;
  std::string text;         ///< of the PREPARE statement
  int64_t prepared_micros;  ///< since 1970-01-01 UTC
  std::vector<LogicalType> parameter_types;
};

/// An open cursor of this session.
struct CursorListing {
  std::string name;
  std::string text;  ///< of the DECLARE statement
  bool is_holdable;
  bool is_binary;
  bool is_scrollable;
  int64_t declared_micros;  ///< since 1970-01-01 UTC
};

/// An enum type.
struct TypeListing {
  std::string schema;
  std::string name;
  LogicalType type;
  std::string comment = {};
};

/// An argument of a function, or a column of its rows.
struct FunctionArgumentListing {
  std::string name;
  LogicalType type;  ///< kNull for arguments of macros
  bool is_column = false;
  std::string default_text = {};
  std::string type_text = {};  ///< TABLE (...) for the rows of a query; "" for other arguments
};

/// A function that a user has defined.
struct FunctionListing {
  std::string schema;
  std::string name;
  std::string signature;  ///< the name with what tells overloads apart
  std::vector<FunctionArgumentListing> arguments;
  std::string language = "sql";  ///< in lower case
  bool is_macro = false;
  bool returns_rows = false;
  bool is_aggregate = false;
  bool is_trigger = false;
  bool is_strict = false;
  LogicalType result_type;  ///< kNull if it has no declared type
  std::string volatility;   ///< "volatile", "stable" or "immutable"
  std::string body;
  std::string comment;
  std::string definition;  ///< the statement that creates it

  /// Whether the program runs it, in a language of its own.
  bool is_hosted() const { return !is_macro && language != "sql"; }
};

/// One column of one row group, as stored.
struct StorageSegmentListing {
  uint64_t row_group = 0;  ///< from 0
  size_t column = 0;       ///< of the table, from 0, hidden ones included
  std::string column_name;
  LogicalType type;
  uint64_t row_count = 0;
  std::string encoding;
  uint64_t size_bytes = 0;
  std::vector<uint64_t> block_ids;     ///< of the file, in order; none in memory
  std::optional<std::string> minimum;  ///< as text; unset if unknown or if all values are NULL
  std::optional<std::string> maximum;
  uint64_t null_count = 0;
  bool is_persistent = false;  ///< already in the file
};

/// A key path of a collection's documents with one type of its values.
struct AttributeListing {
  std::string path;
  std::string type;             ///< "BIGINT", "VARCHAR[]", "NULL", ...
  uint64_t count = 0;           ///< documents that have it
  uint64_t path_count = 0;      ///< documents that have the path, with a value of any type or an object
  uint64_t physical_count = 0;  ///< those of them whose values are in columns
  uint64_t distinct_count = 0;  ///< estimated number of distinct values
  // Bounds of the values that documents have or had; unset if there are none. Long strings are truncated.
  std::optional<std::string> minimum;
  std::optional<std::string> maximum;

  /// The location of its values; "dirty" means in both places (Sinew, SIGMOD 2014, section 3.1.4).
  std::string place() const {
    if (physical_count == count) return "physical";
    return physical_count == 0 ? "reservoir" : "dirty";
  }
};

/// The documents of a collection.
struct CollectionListing {
  uint64_t document_count = 0;
  std::vector<AttributeListing> attributes;  ///< in the order of first occurrence
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
  std::string checkpoint_error;  ///< why the last automatic checkpoint failed; "" if it did not
};

/// Memory of one owner.
struct MemoryListing {
  std::string owner;  ///< an operator of a running statement, or a kind of memory
  std::optional<uint64_t> transaction;
  std::optional<uint64_t> task_count;
  std::optional<uint64_t> granted_bytes;
  uint64_t used_bytes = 0;
  std::optional<uint64_t> spilled_bytes;
};

/// A domain, with the domain that it was made of, if there is one.
struct DomainListing {
  std::string schema;
  std::string name;
  LogicalType type;
  std::string base_schema;
  std::string base;
  std::string default_text;
  std::string collation = {};  ///< as of a column
  bool not_null = false;
  std::vector<std::pair<std::string, std::string>> checks;  ///< name, SQL of the condition
  std::string comment;
};

/// A consistent view of the catalog. Borrowed for the duration of a statement; any thread may call const
/// methods.
class DatabaseListing {
 public:
  virtual ~DatabaseListing() = default;
  virtual std::vector<std::string> Schemas() const = 0;
  /// The name under which lists have the default schema: that which the session prefers of the two.
  virtual std::string_view DefaultSchema() const { return kDefaultSchemaName; }
  /// The schemas that exist among those in which names without one are looked up, under their names in lists.
  struct Searched {
    std::vector<std::string> named{kDefaultSchemaName};  ///< by the setting; the first gets what is created
    /// Before them those that are searched without being named.
    std::vector<std::string> all{"pg_catalog", kDefaultSchemaName};
  };
  virtual Searched SearchedSchemas() const { return {}; }
  /// The comment; "" if there is none.
  virtual std::string SchemaComment(const std::string& schema) const {
    (void)schema;
    return "";
  }
  /// The number of the session that asks, from 1; 0 where there is none.
  virtual int32_t SessionNumber() const { return 0; }
  /// The tables without views. Sorted by schema, then name, like all lists here.
  virtual std::vector<TableListing> Tables() const = 0;
  virtual std::vector<SequenceListing> Sequences() const { return {}; }
  virtual std::vector<ViewListing> Views() const { return {}; }
  /// Tells for each column of a view whether statements can set it; nothing if they cannot change its rows.
  virtual std::vector<bool> UpdatableColumns(const FunctionContext& context, const std::string& schema,
                                             const std::string& view) const {
    (void)context, (void)schema, (void)view;
    return {};
  }
  virtual std::vector<PreparedListing> PreparedStatements() const { return {}; }
  virtual std::vector<CursorListing> Cursors() const { return {}; }
  virtual std::vector<TypeListing> Types() const { return {}; }
  virtual std::vector<DomainListing> Domains() const { return {}; }
  virtual std::vector<FunctionListing> Functions() const { return {}; }
  /// Tables and views.
  std::vector<TableListing> Relations() const;
  /// Counts attributes by reading all documents. Throws Error(kCatalog, 42809) if it is not a collection.
  virtual CollectionListing Attributes(const FunctionContext& context, const std::string& schema,
                                       const std::string& collection) const {
    (void)context, (void)schema, (void)collection;
    return {};
  }
  /// The segments by row group, then column. The table is one of Tables(); the list is empty if it was
  /// dropped meanwhile.
  virtual std::vector<StorageSegmentListing> StorageSegments(const std::string& schema,
                                                             const std::string& table) const {
    (void)schema, (void)table;
    return {};
  }
  virtual DatabaseSizeListing DatabaseSize() const { return {}; }
  /// The names of all databases that statements can name.
  virtual std::vector<std::string> Databases() const { return {DatabaseSize().name}; }
  /// Returns what lists another one of them. Valid as long as this.
  virtual const DatabaseListing& Of(const std::string& database) const {
    (void)database;
    return *this;
  }
  /// The holders of the database's memory, and of the space of its temporary file.
  virtual std::vector<MemoryListing> Memory() const { return {}; }
  /// The problems found, one sentence each; empty if there are none. May read the whole file.
  virtual std::vector<std::string> IntegrityProblems() const { return {}; }
};

}  // namespace scaup
