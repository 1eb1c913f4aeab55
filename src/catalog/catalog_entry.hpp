// Entries of the catalog: schemas, tables with their constraints, indexes, sequences, views and types.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/sequence_state.hpp"
#include "catalog/trigger_definition.hpp"
#include "document/document_projection.hpp"
#include "scaup/type.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table.hpp"

namespace scaup {

class TableIndex;
class VisibleAttributes;

/// GENERATED ... AS IDENTITY. The numbers are in files.
enum class IdentityKind : uint8_t { kNone = 0, kAlways = 1, kByDefault = 2 };

/// The name of a domain; empty for none.
struct DomainName {
  std::string schema;
  std::string name;

  bool empty() const { return name.empty(); }
  friend bool operator==(const DomainName&, const DomainName&) = default;
};

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
  DomainName domain = {};    ///< whose rules the values follow; `type` is the type below it
  /// The name of the collation that its texts have, maybe by the domain; "" for that of the database. See
  /// FindStoredCollation.
  std::string collation = {};
  /// The SQL of what an index on an expression, under a collation, or a partial index is over, and of its
  /// condition, "" if it has none, in a hidden column, which holds the values. `generated_text` computes the
  /// value from both: it is NULL where the condition does not hold. Statements do not see the column, and its
  /// name is for EXPLAIN alone.
  std::string key_text = {};
  std::string condition_text = {};
  bool is_hidden() const { return !key_text.empty(); }
  /// The projection of documents that a column of a collection's entry reads, as one statement sees it. Not
  /// in files.
  std::optional<DocumentProjection> projection = std::nullopt;
};

// --- Constraints. Columns are known by their names.

struct CheckConstraint {
  std::string name;
  std::string text;  ///< SQL of the condition
  std::string comment = {};
  /// False for NOT VALID: rows from before the constraint may break it.
  bool is_validated = true;
};

/// When a key is checked: at the end of each statement, or at the commit.
struct Deferral {
  bool is_deferrable = false;  ///< SET CONSTRAINTS may choose
  bool is_deferred = false;    ///< at the commit, unless SET CONSTRAINTS says otherwise
  friend bool operator==(const Deferral&, const Deferral&) = default;
};

/// UNIQUE or PRIMARY KEY. An index of the same name serves it; the columns of a primary key are NOT NULL.
struct UniqueConstraint {
  std::string name;
  std::vector<std::string> columns;
  bool is_primary = false;
  /// The index; null in definitions that belong to no table yet.
  std::shared_ptr<TableIndex> index = {};
  std::string comment = {};
  std::string index_comment = {};  ///< comment on the index
  Deferral deferral = {};
};

/// The action on rows that refer to a row that is deleted or gets another key. The numbers are in files.
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
  Deferral deferral = {};
  bool is_validated = true;  ///< as for CheckConstraint
};

struct TableConstraints {
  std::vector<CheckConstraint> checks;
  std::vector<UniqueConstraint> uniques;
  std::vector<ForeignKey> foreign_keys;
  /// Triggers, sorted by their names, which is the order in which they fire. Their names are no constraints'.
  std::vector<TriggerDefinition> triggers = {};

  bool empty() const { return checks.empty() && uniques.empty() && foreign_keys.empty(); }
  bool HasName(std::string_view name) const;
};

// --- Entries

/// Tables, indexes, sequences, views, types and domains of a schema share one name space.
enum class CatalogEntryKind : uint8_t {
  kSchema = 1,
  kTable = 2,
  kIndex = 3,
  kSequence = 4,
  kView = 5,
  kType = 6,
  kFunction = 7,  ///< in a name space of its own
  kDomain = 8,
};

/// Returns "table", "index" and so on.
std::string_view KindName(CatalogEntryKind kind);
/// Returns the SQLSTATE for a name that is taken by an entry of this kind: 42710 for types, otherwise 42P07.
const char* DuplicateState(CatalogEntryKind kind);

/// A named entry. Immutable, on any thread; shared by the catalog and by the statements that use it.
struct CatalogEntry {
  CatalogEntry(CatalogEntryKind kind_in, std::string name_in) : kind(kind_in), name(std::move(name_in)) {}
  virtual ~CatalogEntry() = default;
  CatalogEntryKind kind;
  std::string name;
  std::string comment = {};
};
using CatalogEntryRef = std::shared_ptr<const CatalogEntry>;
/// Returns an entry as one of its kind, such as TableEntry; null if it is of another kind, or null.
template <typename Entry>
std::shared_ptr<const Entry> EntryAs(CatalogEntryRef entry) {
  if (!entry || entry->kind != Entry::kEntryKind) return nullptr;
  return std::static_pointer_cast<const Entry>(std::move(entry));
}
/// Returns the name of the kind, or "collection" or "element table", which are tables to the catalog.
std::string_view KindName(const CatalogEntry& entry);
/// Returns "a table", "an index" and so on.
std::string KindWithArticle(const CatalogEntry& entry);

/// ON COMMIT of a temporary table: what becomes of it at the end of each transaction.
enum class CommitAction : uint8_t { kPreserveRows, kDeleteRows, kDrop };

/// Whether a table has the rows of a materialized view. The numbers are in files.
enum class Materialization : uint8_t {
  kNone = 0,  ///< it is a plain table
  kPopulated = 1,
  kEmpty = 2,  ///< WITH NO DATA: it cannot be read before a REFRESH
};

struct TableEntry final : CatalogEntry {
  static constexpr CatalogEntryKind kEntryKind = CatalogEntryKind::kTable;
  TableEntry(std::string schema_in, std::string name_in, std::vector<ColumnDefinition> columns_in,
             std::shared_ptr<Table> storage_in, TableConstraints constraints_in = {})
      : CatalogEntry(kEntryKind, std::move(name_in)),
        schema(std::move(schema_in)),
        columns(std::move(columns_in)),
        constraints(std::move(constraints_in)),
        storage(std::move(storage_in)) {}
  std::string schema;
  std::vector<ColumnDefinition> columns;
  TableConstraints constraints;
  std::shared_ptr<Table> storage;
  /// Not in files, where there are no temporary tables.
  CommitAction on_commit = CommitAction::kPreserveRows;
  Materialization materialization = Materialization::kNone;
  /// Returns whether it is a materialized view. A ViewEntry called QueryNameOf(name) has the query.
  bool is_materialized() const { return materialization != Materialization::kNone; }

  /// Returns whether it is a collection of JSON documents. The only column of its storage has their records,
  /// and statements read paths of them (src/document).
  bool is_collection() const { return storage != nullptr && storage->attributes() != nullptr; }
  /// Returns whether it is an element table: a collection of the objects in arrays of another one's
  /// documents. It follows their changes and cannot be changed itself. Its storage has columns behind the
  /// records, such as kElementDocumentColumn.
  bool is_element_table() const { return storage != nullptr && storage->element_source() != nullptr; }
  /// Returns the attributes of a collection that `transaction` sees.
  VisibleAttributes AttributesSeenBy(const Transaction& transaction) const;
  /// Returns the position of a column by its exact name, also of a hidden one.
  std::optional<size_t> FindColumn(std::string_view column) const;
  /// Returns the position of a column that statements may name.
  std::optional<size_t> FindVisibleColumn(std::string_view column) const;
  /// Returns the positions of the columns that are not hidden.
  std::vector<size_t> VisibleColumns() const;
  /// Returns whether it has hidden columns.
  bool has_hidden_columns() const;
  /// Returns the positions of all columns: 0, 1 and so on.
  std::vector<size_t> AllColumns() const;
  /// Returns the columns as storage reads them: those of the storage, then projections.
  TableColumns StorageColumns() const;
  /// Returns what an index over the columns is over: for each column itself, or the hidden column that holds
  /// what texts have in common which are equal under its collation.
  std::vector<std::string> KeyColumns(const std::vector<std::string>& of) const;
  /// Returns the primary key; null if there is none.
  const UniqueConstraint* primary_key() const;
};
using TableEntryRef = std::shared_ptr<const TableEntry>;
/// Returns the SQL of what a hidden column holds for an index over a column, or over an expression in
/// brackets, under a collation that makes different texts equal.
std::string CollationKeyText(const std::string& sql);
/// Returns the SQL in such a text; other texts as they are.
std::string CollatedText(const std::string& key_text);
/// Returns whether texts of the column are equal that differ, so that indexes are over CollationKeyText.
bool HasCollationKey(const ColumnDefinition& column);
/// Returns the column that a hidden one has the collation keys of; null if it has something else.
const ColumnDefinition* ColumnOfKey(const std::vector<ColumnDefinition>& columns,
                                    const ColumnDefinition& hidden);
/// Returns the only column of a collection, its records.
ColumnDefinition CollectionColumn();
/// Returns the columns of an element table.
std::vector<ColumnDefinition> ElementTableColumns();

/// The numbers are in files.
enum class IndexKind : uint8_t {
  kOrdered = 0,
  kUnique = 1,
  kText = 2,  ///< of the words of a column, or of strings of documents
};
/// The name in a text index that means all paths of documents.
inline constexpr std::string_view kWholeDocument = "*";

/// An index over columns of a table, in the table's schema.
struct IndexEntry final : CatalogEntry {
  static constexpr CatalogEntryKind kEntryKind = CatalogEntryKind::kIndex;
  IndexEntry(std::string schema_in, std::string name_in, std::string table_in,
             std::vector<std::string> columns_in, IndexKind kind_in, bool is_of_constraint_in)
      : CatalogEntry(kEntryKind, std::move(name_in)),
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
  /// Whether it serves the table's UniqueConstraint of the same name. It is created and dropped with that.
  bool is_of_constraint;
  /// The index in the table's storage. Null until the entry is in the catalog.
  std::shared_ptr<TableIndex> index = {};
};
using IndexEntryRef = std::shared_ptr<const IndexEntry>;

struct SequenceEntry final : CatalogEntry {
  static constexpr CatalogEntryKind kEntryKind = CatalogEntryKind::kSequence;
  SequenceEntry(std::string schema_in, std::string name_in, SequenceOptions options_in,
                std::shared_ptr<SequenceState> state_in)
      : CatalogEntry(kEntryKind, std::move(name_in)),
        schema(std::move(schema_in)),
        options(options_in),
        state(std::move(state_in)) {}
  std::string schema;
  SequenceOptions options;
  /// The column that owns it and with which it is dropped; "" if there is none. The table is in the same
  /// schema.
  std::string owner_table;
  std::string owner_column;
  /// The counter, shared by all versions of the entry, as a rollback takes no values back.
  std::shared_ptr<SequenceState> state;
};
using SequenceEntryRef = std::shared_ptr<const SequenceEntry>;

/// A table or view that a view reads.
struct ViewSource {
  std::string schema;
  std::string name;
  /// The columns that it had when the view was made. The view sees no others, so the meaning of * does not
  /// change.
  std::vector<std::string> columns;
  /// The columns that the view uses.
  std::vector<std::string> used_columns;
};

/// WITH CHECK OPTION of a view: which rows may be written through it. The numbers are in files.
enum class ViewCheckOption : uint8_t {
  kNone = 0,
  kLocal = 1,     ///< those that satisfy the view's condition
  kCascaded = 2,  ///< and those of all views below
};

/// A view: a named query, which is bound anew at each use.
struct ViewEntry final : CatalogEntry {
  static constexpr CatalogEntryKind kEntryKind = CatalogEntryKind::kView;
  struct Column {
    std::string name;
    LogicalType type;
    std::string comment = {};
    std::string collation = {};  ///< as ColumnDefinition has it
  };
  ViewEntry(std::string schema_in, std::string name_in, std::vector<Column> columns_in, std::string text_in,
            std::vector<ViewSource> sources_in)
      : CatalogEntry(kEntryKind, std::move(name_in)),
        schema(std::move(schema_in)),
        columns(std::move(columns_in)),
        text(std::move(text_in)),
        sources(std::move(sources_in)) {}
  std::string schema;
  std::vector<Column> columns;
  std::string text;  ///< SQL of the query
  std::vector<ViewSource> sources;
  ViewCheckOption check_option = ViewCheckOption::kNone;
  /// The materialized view whose query it is, a table of its schema; "" if it is a view of its own.
  std::string materialized = {};

  /// Returns the source of that name; null if the view does not read it.
  const ViewSource* FindSource(std::string_view source_schema, std::string_view source_name) const;
};
using ViewEntryRef = std::shared_ptr<const ViewEntry>;

/// An enum, made by CREATE TYPE ... AS ENUM.
struct TypeEntry final : CatalogEntry {
  static constexpr CatalogEntryKind kEntryKind = CatalogEntryKind::kType;
  TypeEntry(std::string schema_in, std::string name_in, LogicalType type_in)
      : CatalogEntry(kEntryKind, std::move(name_in)),
        schema(std::move(schema_in)),
        type(std::move(type_in)) {}
  std::string schema;
  LogicalType type;  ///< kEnum; columns have copies of it
  /// The identity of the type: all its versions, under whatever name, share one object and so one address.
  /// Not in files.
  struct Identity {};
  std::shared_ptr<const Identity> identity = std::make_shared<const Identity>();
};
using TypeEntryRef = std::shared_ptr<const TypeEntry>;

/// Returns the name of the view that is the query of a materialized view. Nobody takes it for a view of that
/// name: it has a line end.
std::string QueryNameOf(const std::string& materialized);

/// A domain: a type whose values follow rules.
struct DomainEntry final : CatalogEntry {
  static constexpr CatalogEntryKind kEntryKind = CatalogEntryKind::kDomain;
  DomainEntry(std::string schema_in, std::string name_in, LogicalType type_in)
      : CatalogEntry(kEntryKind, std::move(name_in)),
        schema(std::move(schema_in)),
        type(std::move(type_in)) {}
  std::string schema;
  LogicalType type;  ///< no domain, and without enums
  DomainName base;   ///< the domain that it was made of, whose rules hold as well
  std::string default_text;
  bool not_null = false;
  std::vector<CheckConstraint> checks;  ///< the value is called VALUE
  std::string collation = {};           ///< as of a column
};
using DomainEntryRef = std::shared_ptr<const DomainEntry>;

/// Returns a name as PostgreSQL chooses it, such as t_pkey, t_a_b_key, t_a_check, t_a_fkey, t_a_idx or
/// t_a_seq.
std::string GeneratedName(std::string_view table, const std::vector<std::string>& columns,
                          std::string_view suffix);

}  // namespace scaup
