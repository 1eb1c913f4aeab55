// What stands in the catalog: schemas, tables with their constraints, indexes, sequences, views and types.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/sequence_state.hpp"
#include "document/document_projection.hpp"
#include "scaup/type.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table.hpp"

namespace scaup {

/// GENERATED ... AS IDENTITY. The numbers are in files.
enum class IdentityKind : uint8_t { kNone = 0, kAlways = 1, kByDefault = 2 };

struct ColumnDefinition {
  std::string name;
  LogicalType type;
  bool not_null = false;
  /// SQL of the default; "" if none. Bound anew by every INSERT that needs it. Of an identity column it is
  /// nextval of the column's sequence.
  std::string default_text;
  std::string generated_text = {};  ///< SQL of GENERATED ALWAYS AS (...) STORED; "" if it is not generated
  IdentityKind identity = IdentityKind::kNone;
  std::string comment = {};  ///< COMMENT ON; "" if none, here and below
  /// The projection of documents that a column of a collection's entry reads, as one statement sees it. Not
  /// in files.
  std::optional<DocumentProjection> projection = std::nullopt;
};

// --- Constraints. Columns are known by their names.

struct CheckConstraint {
  std::string name;
  std::string text;  ///< SQL of the condition
  std::string comment = {};
};

/// UNIQUE or PRIMARY KEY. An index of the same name serves it; the columns of a primary key are NOT NULL.
struct UniqueConstraint {
  std::string name;
  std::vector<std::string> columns;
  bool is_primary = false;
  /// Null in definitions that are of no table yet.
  std::shared_ptr<TableIndex> index = {};
  std::string comment = {};
  std::string index_comment = {};  ///< of the index that serves it
};

/// The fate of rows that refer to one that is deleted or gets another key. The numbers are in files.
enum class ReferentialAction : uint8_t {
  kNoAction = 0,
  kRestrict = 1,
  kCascade = 2,
  kSetNull = 3,
  kSetDefault = 4
};

/// FOREIGN KEY: columns[i] refers to referenced_columns[i], which are unique together.
struct ForeignKey {
  std::string name;
  std::vector<std::string> columns;
  std::string referenced_schema;
  std::string referenced_table;
  std::vector<std::string> referenced_columns;
  ReferentialAction on_delete = ReferentialAction::kNoAction;
  ReferentialAction on_update = ReferentialAction::kNoAction;
  std::string comment = {};
};

struct TableConstraints {
  std::vector<CheckConstraint> checks;
  std::vector<UniqueConstraint> uniques;
  std::vector<ForeignKey> foreign_keys;

  bool empty() const { return checks.empty() && uniques.empty() && foreign_keys.empty(); }
  bool HasName(std::string_view name) const;
};

// --- Entries

/// Tables, indexes, sequences, views and types of a schema share one name space.
enum class CatalogEntryKind : uint8_t {
  kSchema = 1,
  kTable = 2,
  kIndex = 3,
  kSequence = 4,
  kView = 5,
  kType = 6
};

/// "table", "index", ...
std::string_view KindName(CatalogEntryKind kind);
/// The SQLSTATE where a name is one of these already: 42P07, of types 42710.
const char* DuplicateState(CatalogEntryKind kind);

/// A thing with a name. Immutable; shared by the catalog and by the statements that use it.
struct CatalogEntry {
  CatalogEntry(CatalogEntryKind kind_in, std::string name_in) : kind(kind_in), name(std::move(name_in)) {}
  virtual ~CatalogEntry() = default;
  CatalogEntryKind kind;
  std::string name;
  std::string comment = {};
};
using CatalogEntryRef = std::shared_ptr<const CatalogEntry>;
/// As that of the kind, but for collections, which are tables to the catalog: "collection", "element table".
std::string_view KindName(const CatalogEntry& entry);
/// "a table", "an index", ...
std::string KindWithArticle(const CatalogEntry& entry);

struct TableEntry final : CatalogEntry {
  TableEntry(std::string schema_in, std::string name_in, std::vector<ColumnDefinition> columns_in,
             std::shared_ptr<Table> storage_in, TableConstraints constraints_in = {})
      : CatalogEntry(CatalogEntryKind::kTable, std::move(name_in)),
        schema(std::move(schema_in)),
        columns(std::move(columns_in)),
        constraints(std::move(constraints_in)),
        storage(std::move(storage_in)) {}
  std::string schema;
  std::vector<ColumnDefinition> columns;
  TableConstraints constraints;
  std::shared_ptr<Table> storage;

  /// JSON documents: the one column of the storage are their records, and statements read paths of them
  /// (src/document).
  bool is_collection() const { return storage != nullptr && storage->attributes() != nullptr; }
  /// A collection of the objects in arrays of another one's documents; it follows their changes, and takes
  /// none of its own. Its storage has columns behind the records: kElementDocumentColumn and so on.
  bool is_element_table() const { return storage != nullptr && storage->element_source() != nullptr; }
  /// Position of a column by its exact name.
  std::optional<size_t> FindColumn(std::string_view column) const;
  /// 0, 1, ... for each.
  std::vector<size_t> AllColumns() const;
  /// The columns as storage reads them: those of the storage, then projections.
  TableColumns StorageColumns() const;
  /// Null if there is none.
  const UniqueConstraint* primary_key() const;
};
using TableEntryRef = std::shared_ptr<const TableEntry>;
/// The one column of a collection: the records.
ColumnDefinition CollectionColumn();
/// The columns of an element table.
std::vector<ColumnDefinition> ElementTableColumns();

/// The numbers are in files.
enum class IndexKind : uint8_t {
  kOrdered = 0,
  kUnique = 1,
  kText = 2,  ///< of the words of a column, or of strings of documents
};
/// The name that stands for all paths of documents.
inline constexpr std::string_view kWholeDocument = "*";

/// An index over columns of a table. Stands in the table's schema.
struct IndexEntry final : CatalogEntry {
  IndexEntry(std::string schema_in, std::string name_in, std::string table_in,
             std::vector<std::string> columns_in, IndexKind kind_in, bool is_of_constraint_in)
      : CatalogEntry(CatalogEntryKind::kIndex, std::move(name_in)),
        schema(std::move(schema_in)),
        table(std::move(table_in)),
        columns(std::move(columns_in)),
        kind(kind_in),
        is_of_constraint(is_of_constraint_in) {}
  std::string schema;
  std::string table;
  /// Columns; for a text index of a collection its paths, or kWholeDocument alone.
  std::vector<std::string> columns;
  IndexKind kind;
  bool is_unique() const { return kind == IndexKind::kUnique; }
  /// Serves the table's UniqueConstraint of the same name, and comes and goes with it.
  bool is_of_constraint;
  /// Part of the table's storage. Null until the catalog has it.
  std::shared_ptr<TableIndex> index = {};
};
using IndexEntryRef = std::shared_ptr<const IndexEntry>;

struct SequenceEntry final : CatalogEntry {
  SequenceEntry(std::string schema_in, std::string name_in, SequenceOptions options_in,
                std::shared_ptr<SequenceState> state_in)
      : CatalogEntry(CatalogEntryKind::kSequence, std::move(name_in)),
        schema(std::move(schema_in)),
        options(options_in),
        state(std::move(state_in)) {}
  std::string schema;
  SequenceOptions options;
  /// The column that owns it, which it is dropped with; "" if none. The table is of the same schema.
  std::string owner_table;
  std::string owner_column;
  /// Shared with other versions of the entry, as values are not taken back with a transaction.
  std::shared_ptr<SequenceState> state;
};
using SequenceEntryRef = std::shared_ptr<const SequenceEntry>;

/// A table or view that a view reads.
struct ViewSource {
  std::string schema;
  std::string name;
  /// The columns that it had when the view was made: the view sees no others, so that * stays what it was.
  std::vector<std::string> columns;
  /// The columns that the view uses.
  std::vector<std::string> used_columns;
};

/// A named query. It is bound anew wherever it is used.
struct ViewEntry final : CatalogEntry {
  struct Column {
    std::string name;
    LogicalType type;
    std::string comment = {};
  };
  ViewEntry(std::string schema_in, std::string name_in, std::vector<Column> columns_in, std::string text_in,
            std::vector<ViewSource> sources_in)
      : CatalogEntry(CatalogEntryKind::kView, std::move(name_in)),
        schema(std::move(schema_in)),
        columns(std::move(columns_in)),
        text(std::move(text_in)),
        sources(std::move(sources_in)) {}
  std::string schema;
  std::vector<Column> columns;
  std::string text;  ///< SQL of the query
  std::vector<ViewSource> sources;

  /// Null unless the view reads it.
  const ViewSource* FindSource(std::string_view source_schema, std::string_view source_name) const;
};
using ViewEntryRef = std::shared_ptr<const ViewEntry>;

/// CREATE TYPE ... AS ENUM.
struct TypeEntry final : CatalogEntry {
  TypeEntry(std::string schema_in, std::string name_in, LogicalType type_in)
      : CatalogEntry(CatalogEntryKind::kType, std::move(name_in)),
        schema(std::move(schema_in)),
        type(std::move(type_in)) {}
  std::string schema;
  LogicalType type;  ///< kEnum; columns have copies of it
  /// By its address the same in all versions of a type, also under other names. Not in files.
  struct Identity {};
  std::shared_ptr<const Identity> identity = std::make_shared<const Identity>();
};
using TypeEntryRef = std::shared_ptr<const TypeEntry>;

/// name1_name2_suffix as PostgreSQL names what the user did not: t_pkey, t_a_b_key, t_a_check, t_a_fkey,
/// t_a_idx, t_a_seq.
std::string GeneratedName(std::string_view table, const std::vector<std::string>& columns,
                          std::string_view suffix);

}  // namespace scaup
