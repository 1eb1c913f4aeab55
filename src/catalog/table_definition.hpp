// Definitions of tables, indexes, sequences, views and types, written for checkpoints and the log, and read
// back.
#pragma once

#include "catalog/catalog_entry.hpp"
#include "catalog/comment_target.hpp"
#include "common/byte_stream.hpp"
#include "storage/table_index/table_index.hpp"

namespace scaup {

/// The definition of a table, without its rows. A value; used by one thread.
struct TableDefinition {
  std::string schema;
  std::string name;
  uint64_t table_id = 0;
  bool is_collection = false;
  /// The source of an element table.
  struct ElementsOf {
    uint64_t collection_id;  ///< table_id
    std::string path;
  };
  std::optional<ElementsOf> elements_of = std::nullopt;
  Materialization materialization = Materialization::kNone;
  std::vector<ColumnDefinition> columns;
  TableConstraints constraints;
  std::string comment = {};

  std::vector<LogicalType> types() const;
  /// Returns an empty dictionary for the storage of a collection; null for tables.
  std::shared_ptr<AttributeDictionary> MakeAttributes() const;
};

// All functions that read throw Error(kIo, XX001) for damaged bytes.

TableDefinition DefinitionOf(const TableEntry& table);
void WriteTableDefinition(const TableDefinition& table, ByteWriter& writer);
TableDefinition ReadTableDefinition(ByteReader& reader);

/// Writes an index that serves no constraint. Indexes of constraints follow from the table.
void WriteIndexDefinition(const IndexEntry& index, ByteWriter& writer);
IndexEntryRef ReadIndexDefinition(ByteReader& reader);

/// Returns the types of columns of a table.
std::vector<LogicalType> ColumnTypes(const TableEntry& table, const std::vector<std::string>& columns);

/// Returns what an index is over at each of its columns, for people: the SQL of an expression, the name of
/// a column.
std::vector<std::string> ShownColumns(const TableEntry& table, const std::vector<std::string>& columns);

/// Returns the definition of an index as storage needs it. Throws Error(kCatalog, 42703) for an unknown
/// column, and Error(kCatalog, 42804) for a text index over a column that is no text.
IndexDefinition IndexDefinitionOf(const TableEntry& table, const std::string& name,
                                  const std::vector<std::string>& columns, IndexKind kind);
/// Returns that of the index which serves a unique constraint.
IndexDefinition IndexDefinitionOf(const TableEntry& table, const UniqueConstraint& unique);

/// Writes a sequence with the position of its counter.
void WriteSequenceDefinition(const SequenceEntry& sequence, ByteWriter& writer);
SequenceEntryRef ReadSequenceDefinition(ByteReader& reader);

void WriteViewDefinition(const ViewEntry& view, ByteWriter& writer);
ViewEntryRef ReadViewDefinition(ByteReader& reader);

void WriteCommentTarget(const CommentTarget& target, ByteWriter& writer);
CommentTarget ReadCommentTarget(ByteReader& reader);

/// Writes the schema, name and type of an enum.
void WriteTypeDefinition(const TypeEntry& type, ByteWriter& writer);
TypeEntryRef ReadTypeDefinition(ByteReader& reader);
void WriteDomainDefinition(const DomainEntry& domain, ByteWriter& writer);
DomainEntryRef ReadDomainDefinition(ByteReader& reader);
void WriteSequencePosition(SequenceState::Position position, ByteWriter& writer);
SequenceState::Position ReadSequencePosition(ByteReader& reader);

}  // namespace scaup
