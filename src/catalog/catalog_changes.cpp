// The catalog: creating, changing and dropping tables, indexes and sequences, with what depends on them.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog.hpp"
#include "catalog/table_definition.hpp"
#include "common/throw.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_documents.hpp"
#include "storage/table_index/table_index.hpp"
#include "storage/wal/log_record_kind.hpp"

namespace scaup {

namespace {

ByteWriter Record(LogRecordKind kind) {
  ByteWriter record;
  record.WriteU8(static_cast<uint8_t>(kind));
  return record;
}

ByteWriter NameRecord(LogRecordKind kind, std::string_view schema, std::string_view name) {
  ByteWriter record = Record(kind);
  record.WriteString(schema);
  record.WriteString(name);
  return record;
}

[[noreturn]] void ThrowNoRelation(CatalogEntryKind kind, const std::string& name) {
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("{} \"{}\" does not exist", KindName(kind), name));
}

[[noreturn]] void ThrowDependent(const std::string& what, const std::string& who) {
  ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
             fmt::format("cannot drop {} because {} depends on it; use CASCADE to drop that too", what, who));
}

std::string DescribeReference(const Catalog::Reference& reference) {
  return fmt::format("foreign key \"{}\" of table \"{}\"", reference.key().name, reference.from->name);
}

using Renames = std::vector<std::pair<std::string, std::string>>;

std::string Renamed(const std::string& column, const Renames& renames) {
  for (const auto& [from, to] : renames) {
    if (from == column) return to;
  }
  return column;
}

std::vector<std::string> Renamed(std::vector<std::string> columns, const Renames& renames) {
  for (std::string& column : columns) column = Renamed(column, renames);
  return columns;
}

bool IsUnique(const TableEntry& table, std::vector<std::string> columns) {
  std::sort(columns.begin(), columns.end());
  return std::any_of(table.constraints.uniques.begin(), table.constraints.uniques.end(),
                     [&](const UniqueConstraint& unique) {
                       std::vector<std::string> names = unique.columns;
                       std::sort(names.begin(), names.end());
                       return names == columns;
                     });
}

TableEntryRef WithForeignKeys(const TableEntry& table, std::vector<ForeignKey> keys) {
  auto changed = std::make_shared<TableEntry>(table);
  changed->constraints.foreign_keys = std::move(keys);
  return changed;
}

/// Restores the old names of an index at a rollback. The names are part of the storage, which has no
/// versions.
class IndexNamesUndo final : public UndoEntry {
 public:
  explicit IndexNamesUndo(std::shared_ptr<TableIndex> index)
      : index_(std::move(index)),
        name_(index_->name()),
        columns_(index_->column_names()),
        types_(index_->column_types()) {}
  void Commit(Timestamp, Timestamp) noexcept override {}
  void Rollback() noexcept override {
    index_->Rename(std::move(name_), std::move(columns_), std::move(types_));
  }

 private:
  std::shared_ptr<TableIndex> index_;
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<LogicalType> types_;
};

/// Logs the position of a sequence at the commit of a transaction that advanced it. A rollback does nothing,
/// as values are never given out twice.
class SequenceUseUndo final : public UndoEntry {
 public:
  explicit SequenceUseUndo(SequenceEntryRef sequence) : sequence_(std::move(sequence)) {}
  void Log(ByteWriter& writer) const override {
    writer.WriteBytes(
        NameRecord(LogRecordKind::kSequencePosition, sequence_->schema, sequence_->name).bytes());
    WriteSequencePosition(sequence_->state->position(), writer);
  }
  void Commit(Timestamp, Timestamp) noexcept override {}
  void Rollback() noexcept override {}

 private:
  SequenceEntryRef sequence_;
};

}  // namespace

// --- Tables
// -------------------------------------------------------------------------------------------------------------

void Catalog::RenameTableIndex(Transaction& transaction, const std::shared_ptr<TableIndex>& index,
                               const TableEntry& table, const std::string& name,
                               const std::vector<std::string>& columns) {
  if (index == nullptr) return;
  std::vector<LogicalType> types = ColumnTypes(table, columns);
  // Most changes of a table leave its indexes as they are, and an undo entry would make each of them a
  // change.
  if (index->name() == name && index->column_names() == columns && index->column_types() == types) return;
  transaction.AddUndo(std::make_unique<IndexNamesUndo>(index));
  index->Rename(name, columns, std::move(types));
}

TableEntryRef Catalog::CreateTable(Transaction& transaction, TableEntryRef table) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, table->schema);
  CheckIsFree(transaction, *schema, table->name);
  ByteWriter record = Record(LogRecordKind::kCreateTable);
  WriteTableDefinition(DefinitionOf(*table), record);
  table = WithIndexes(transaction, table, nullptr);
  schema->relations->Put(transaction, table->name, table);
  // Indexes of constraints are entries of their own, as their names are taken in the schema. They need no log
  // record, since they follow from the table.
  PutConstraintIndexes(transaction, *table);
  TouchReferenced(transaction, *table);
  TouchTypes(transaction, *table);
  NoteChange(transaction, std::move(record));
  if (table->is_element_table()) AttachElementTable(transaction, *table);
  return table;
}

/// Attaches an element table to its collection. Puts a new version of the collection's entry, so that
/// changing it at the same time is a conflict.
void Catalog::AttachElementTable(Transaction& transaction, const TableEntry& table) {
  const TableEntryRef collection =
      FindTableOfStorage(transaction, table.storage->element_source()->collection_id);
  SCAUP_CHECK(collection);
  FindSchema(transaction, collection->schema)->relations->Put(transaction, collection->name, collection);
  collection->storage->documents()->elements().Attach({transaction, collection->name}, table.storage);
}

void Catalog::DetachElementTable(Transaction& transaction, const TableEntry& table) {
  const TableEntryRef collection =
      FindTableOfStorage(transaction, table.storage->element_source()->collection_id);
  SCAUP_CHECK(collection);
  collection->storage->documents()->elements().Detach({transaction, collection->name}, table.storage);
}

TableEntryRef Catalog::WithIndexes(Transaction& transaction, const TableEntryRef& table,
                                   const TableEntry* old) {
  if (!table->storage) return table;
  TableConstraints constraints = table->constraints;
  std::vector<std::shared_ptr<TableIndex>> unused;
  if (old != nullptr && old->storage == table->storage) {
    for (const UniqueConstraint& unique : old->constraints.uniques) unused.push_back(unique.index);
  }
  if (constraints.uniques.empty() && unused.empty()) return table;
  const TableIndexList there = table->storage->indexes().List();
  for (UniqueConstraint& unique : constraints.uniques) {
    std::erase(unused, unique.index);
    // The index may belong to the storage that the table had before it was rewritten.
    if (std::find(there.begin(), there.end(), unique.index) == there.end()) unique.index = nullptr;
  }
  for (UniqueConstraint& unique : constraints.uniques) {
    if (unique.index == nullptr) {
      IndexDefinition definition = IndexDefinitionOf(*table, unique.name, unique.columns, IndexKind::kUnique);
      // An index of a dropped constraint serves a new one over the same columns. Building it again would read
      // all rows.
      const auto same = std::find_if(unused.begin(), unused.end(), [&](const auto& index) {
        return index->columns() == definition.columns;
      });
      if (same == unused.end()) {
        unique.index = table->storage->indexes().Create({transaction, table->name}, std::move(definition));
      } else {
        unique.index = *same;
        unused.erase(same);
      }
    }
    RenameTableIndex(transaction, unique.index, *table, unique.name, unique.columns);
  }
  for (const auto& index : unused) table->storage->indexes().Drop({transaction, table->name}, index);
  auto indexed = std::make_shared<TableEntry>(*table);
  indexed->constraints = std::move(constraints);
  return indexed;
}

void Catalog::PutConstraintIndexes(Transaction& transaction, const TableEntry& table) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, table.schema);
  for (const UniqueConstraint& unique : table.constraints.uniques) {
    CheckIsFree(transaction, *schema, unique.name);
    auto entry = std::make_shared<IndexEntry>(table.schema, unique.name, table.name, unique.columns,
                                              IndexKind::kUnique, true);
    entry->index = unique.index;
    entry->comment = unique.index_comment;
    schema->relations->Put(transaction, unique.name, std::move(entry));
  }
}

/// Puts a new version of every table that this one refers to, so that dropping such a table at the same time
/// is a conflict.
void Catalog::TouchReferenced(Transaction& transaction, const TableEntry& table) {
  for (const ForeignKey& key : table.constraints.foreign_keys) {
    if (key.referenced_table == table.name && key.referenced_schema == table.schema) continue;
    const SchemaEntryRef schema = FindSchemaOrThrow(transaction, key.referenced_schema);
    const CatalogEntryRef referenced = schema->relations->Find(transaction, key.referenced_table);
    if (!referenced || referenced->kind != CatalogEntryKind::kTable)
      ThrowNoRelation(CatalogEntryKind::kTable, key.referenced_table);
    schema->relations->Put(transaction, key.referenced_table, referenced);
  }
}

void Catalog::DropTable(Transaction& transaction, const std::string& schema, const std::string& table,
                        bool cascade) {
  FindSchemaOrThrow(transaction, schema);
  const TableEntryRef dropped = FindTable(transaction, schema, table);
  if (!dropped) ThrowNoRelation(CatalogEntryKind::kTable, table);
  DropTables(transaction, {dropped}, cascade);
}

void Catalog::DropTables(Transaction& transaction, const std::vector<TableEntryRef>& named, bool cascade) {
  std::vector<TableEntryRef> tables = named;
  const auto is_listed = [&](const TableEntryRef& table) {
    return std::any_of(tables.begin(), tables.end(),
                       [&](const TableEntryRef& other) { return other->storage == table->storage; });
  };
  // The list grows in the loop: element tables may have element tables themselves.
  for (size_t i = 0; i < tables.size(); i++) {
    const TableEntryRef table = tables[i];
    for (const TableEntryRef& elements : ElementTablesOf(transaction, *table)) {
      if (is_listed(elements)) continue;
      if (!cascade) {
        ThrowDependent(fmt::format("{} \"{}\"", KindName(*table), table->name),
                       fmt::format("element table \"{}\"", elements->name));
      }
      tables.push_back(elements);
    }
  }
  // Element tables are dropped before their collections, which are older and have lower ids. Replay of the
  // log needs the same order.
  std::stable_sort(tables.begin(), tables.end(), [](const TableEntryRef& a, const TableEntryRef& b) {
    const auto rank = [](const TableEntry& table) {
      return table.is_element_table() ? table.storage->id() : 0;
    };
    return rank(*a) > rank(*b);
  });
  const auto is_dropped = [&](const TableEntry& table) {
    return std::any_of(tables.begin(), tables.end(), [&](const TableEntryRef& other) {
      return other->schema == table.schema && other->name == table.name;
    });
  };
  for (const TableEntryRef& table : tables) {
    std::vector<Reference> references = ReferencesTo(transaction, *table);
    std::erase_if(references, [&](const Reference& reference) { return is_dropped(*reference.from); });
    if (!references.empty() && !cascade)
      ThrowDependent(fmt::format("table \"{}\"", table->name), DescribeReference(references[0]));
    DropViewsOver(transaction, *table, cascade);
    RemoveForeignKeys(transaction, references);
    if (table->is_element_table()) DetachElementTable(transaction, *table);
    RemoveTable(transaction, *table);
    NoteChange(transaction, NameRecord(LogRecordKind::kDropTable, table->schema, table->name), table->storage,
               table->name);
  }
}

void Catalog::RemoveForeignKeys(Transaction& transaction, const std::vector<Reference>& references) {
  for (const Reference& reference : references) {
    // The table is looked up again, as an earlier reference of the list may have changed it.
    const TableEntryRef from = FindTable(transaction, reference.from->schema, reference.from->name);
    std::vector<ForeignKey> keys = from->constraints.foreign_keys;
    std::erase_if(keys, [&](const ForeignKey& key) { return key.name == reference.key().name; });
    FindSchema(transaction, from->schema)
        ->relations->Put(transaction, from->name, WithForeignKeys(*from, std::move(keys)));
  }
}

void Catalog::RemoveTable(Transaction& transaction, const TableEntry& table) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, table.schema);
  for (const auto& index : IndexesOf(transaction, table))
    schema->relations->Put(transaction, index->name, nullptr);
  for (const auto& sequence : SequencesOf(transaction, table))
    schema->relations->Put(transaction, sequence->name, nullptr);
  schema->relations->Put(transaction, table.name, nullptr);
}

TableEntryRef Catalog::ReplaceTable(Transaction& transaction, const Replacement& replacement) {
  const TableEntry& old = *replacement.old;
  // Views are checked first, as this may refuse the change.
  CheckViews(transaction, replacement);
  const TableEntryRef table = WithIndexes(transaction, replacement.table, &old);
  const SchemaEntryRef from = FindSchemaOrThrow(transaction, old.schema);
  const SchemaEntryRef to = FindSchemaOrThrow(transaction, table->schema);
  const bool is_renamed = old.schema != table->schema || old.name != table->name;
  if (is_renamed) CheckIsFree(transaction, *to, table->name);
  ByteWriter record = NameRecord(LogRecordKind::kReplaceTable, old.schema, old.name);
  record.WriteVarint(replacement.renamed_columns.size());
  for (const auto& [before, after] : replacement.renamed_columns) {
    record.WriteString(before);
    record.WriteString(after);
  }
  WriteTableDefinition(DefinitionOf(*table), record);
  // References and dependents are not in the record: replay derives them in the same way.
  UpdateReferences(transaction, replacement);
  MoveDependents(transaction, replacement);
  if (is_renamed) from->relations->Put(transaction, old.name, nullptr);
  to->relations->Put(transaction, table->name, table);
  PutConstraintIndexes(transaction, *table);
  TouchReferenced(transaction, *table);
  TouchTypes(transaction, *table);
  NoteChange(transaction, std::move(record), old.storage != table->storage ? old.storage : nullptr, old.name);
  return table;
}

/// Moves the indexes and sequences of a table. Indexes of constraints are removed, as the new version has its
/// own.
void Catalog::MoveDependents(Transaction& transaction, const Replacement& replacement) {
  const TableEntry& table = *replacement.table;
  const SchemaEntryRef from = FindSchemaOrThrow(transaction, replacement.old->schema);
  const SchemaEntryRef to = FindSchemaOrThrow(transaction, table.schema);
  const bool moves = replacement.old->schema != table.schema;
  for (const auto& index : IndexesOf(transaction, *replacement.old)) {
    from->relations->Put(transaction, index->name, nullptr);
    const auto columns = Renamed(index->columns, replacement.renamed_columns);
    // An index of a collection is over paths of documents, which are no columns.
    const bool is_whole =
        table.is_collection() || std::all_of(columns.begin(), columns.end(), [&](const std::string& column) {
          return table.FindColumn(column).has_value();
        });
    if (index->is_of_constraint || !is_whole) continue;
    if (moves) CheckIsFree(transaction, *to, index->name);
    auto moved_index =
        std::make_shared<IndexEntry>(table.schema, index->name, table.name, columns, index->kind, false);
    moved_index->index = index->index;
    moved_index->comment = index->comment;
    // New storage needs a new index, which is built as the rows are inserted.
    if (table.storage && table.storage != replacement.old->storage) {
      moved_index->index = table.storage->indexes().Create(
          {transaction, table.name}, IndexDefinitionOf(table, index->name, columns, index->kind));
    }
    RenameTableIndex(transaction, moved_index->index, table, index->name, columns);
    to->relations->Put(transaction, index->name, std::move(moved_index));
  }
  for (const auto& sequence : SequencesOf(transaction, *replacement.old)) {
    from->relations->Put(transaction, sequence->name, nullptr);
    const std::string column = Renamed(sequence->owner_column, replacement.renamed_columns);
    if (!table.FindColumn(column)) continue;
    if (moves) CheckIsFree(transaction, *to, sequence->name);
    auto moved = std::make_shared<SequenceEntry>(*sequence);
    moved->schema = table.schema;
    moved->owner_table = table.name;
    moved->owner_column = column;
    to->relations->Put(transaction, sequence->name, std::move(moved));
  }
}

/// Updates the foreign keys of other tables, which know this one by its names.
void Catalog::UpdateReferences(Transaction& transaction, const Replacement& replacement) {
  const TableEntry& table = *replacement.table;
  std::vector<Reference> lost;
  for (const Reference& reference : ReferencesTo(transaction, *replacement.old)) {
    if (reference.from->schema == replacement.old->schema && reference.from->name == replacement.old->name)
      // The new definition has the table's own foreign keys.
      continue;
    const ForeignKey& key = reference.key();
    const auto columns = Renamed(key.referenced_columns, replacement.renamed_columns);
    if (!IsUnique(table, columns)) {
      if (!replacement.cascade)
        ThrowDependent(fmt::format("a key of table \"{}\"", replacement.old->name),
                       DescribeReference(reference));
      lost.push_back(reference);
      continue;
    }
    const TableEntryRef from = FindTable(transaction, reference.from->schema, reference.from->name);
    std::vector<ForeignKey> keys = from->constraints.foreign_keys;
    for (ForeignKey& other : keys) {
      if (other.name != key.name) continue;
      other.referenced_schema = table.schema;
      other.referenced_table = table.name;
      other.referenced_columns = columns;
    }
    FindSchema(transaction, from->schema)
        ->relations->Put(transaction, from->name, WithForeignKeys(*from, std::move(keys)));
  }
  RemoveForeignKeys(transaction, lost);
}

// --- Indexes
// -------------------------------------------------------------------------------------------------------------

void Catalog::CreateIndex(Transaction& transaction, const IndexEntryRef& index) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, index->schema);
  CheckIsFree(transaction, *schema, index->name);
  const TableEntryRef table = FindTable(transaction, index->schema, index->table);
  if (!table) ThrowNoRelation(CatalogEntryKind::kTable, index->table);
  ByteWriter record = Record(LogRecordKind::kCreateIndex);
  WriteIndexDefinition(*index, record);
  // A new version of the table makes changing it at the same time a conflict.
  schema->relations->Put(transaction, table->name, table);
  auto entry = std::make_shared<IndexEntry>(*index);
  // The index of a checkpoint was loaded before; otherwise it is built from the rows.
  if (table->storage && !entry->index) {
    entry->index = table->storage->indexes().Create(
        {transaction, table->name}, IndexDefinitionOf(*table, index->name, index->columns, index->kind));
  }
  schema->relations->Put(transaction, index->name, std::move(entry));
  NoteChange(transaction, std::move(record));
}

void Catalog::RenameIndex(Transaction& transaction, const IndexEntry& old, const std::string& name) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, old.schema);
  CheckIsFree(transaction, *schema, name);
  ByteWriter record = NameRecord(LogRecordKind::kRenameIndex, old.schema, old.name);
  record.WriteString(name);
  auto renamed = std::make_shared<IndexEntry>(old);
  renamed->name = name;
  schema->relations->Put(transaction, old.name, nullptr);
  schema->relations->Put(transaction, name, renamed);
  if (const TableEntryRef table = FindTable(transaction, old.schema, old.table))
    RenameTableIndex(transaction, renamed->index, *table, name, renamed->columns);
  NoteChange(transaction, std::move(record));
}

void Catalog::DropIndex(Transaction& transaction, const std::string& schema, const std::string& index) {
  const SchemaEntryRef found = FindSchemaOrThrow(transaction, schema);
  const IndexEntryRef dropped = FindIndex(transaction, schema, index);
  if (!dropped) ThrowNoRelation(CatalogEntryKind::kIndex, index);
  if (dropped->is_of_constraint) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
               fmt::format("cannot drop index \"{}\" because a constraint of table \"{}\" requires it; use "
                           "ALTER TABLE ... DROP CONSTRAINT",
                           index, dropped->table));
  }
  const TableEntryRef table = FindTable(transaction, schema, dropped->table);
  if (table && table->storage && dropped->index)
    table->storage->indexes().Drop({transaction, table->name}, dropped->index);
  found->relations->Put(transaction, index, nullptr);
  NoteChange(transaction, NameRecord(LogRecordKind::kDropIndex, schema, index));
}

// --- Sequences
// -----------------------------------------------------------------------------------------------------------

void Catalog::CreateSequence(Transaction& transaction, SequenceEntryRef sequence) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, sequence->schema);
  CheckIsFree(transaction, *schema, sequence->name);
  ByteWriter record = Record(LogRecordKind::kCreateSequence);
  WriteSequenceDefinition(*sequence, record);
  schema->relations->Put(transaction, sequence->name, sequence);
  NoteChange(transaction, std::move(record));
}

void Catalog::DropSequence(Transaction& transaction, const std::string& schema, const std::string& sequence,
                           bool cascade) {
  const SchemaEntryRef found = FindSchemaOrThrow(transaction, schema);
  const SequenceEntryRef dropped = FindSequence(transaction, schema, sequence);
  if (!dropped) ThrowNoRelation(CatalogEntryKind::kSequence, sequence);
  if (!dropped->owner_table.empty() && !cascade) {
    ThrowDependent(fmt::format("sequence \"{}\"", sequence),
                   fmt::format("column \"{}\" of table \"{}\"", dropped->owner_column, dropped->owner_table));
  }
  found->relations->Put(transaction, sequence, nullptr);
  NoteChange(transaction, NameRecord(LogRecordKind::kDropSequence, schema, sequence));
}

void Catalog::ReplaceSequence(Transaction& transaction, const SequenceEntry& old, SequenceEntryRef sequence) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, old.schema);
  ByteWriter record = NameRecord(LogRecordKind::kReplaceSequence, old.schema, old.name);
  WriteSequenceDefinition(*sequence, record);
  if (old.name != sequence->name) {
    CheckIsFree(transaction, *schema, sequence->name);
    schema->relations->Put(transaction, old.name, nullptr);
  }
  schema->relations->Put(transaction, sequence->name, sequence);
  NoteChange(transaction, std::move(record));
}

void Catalog::NoteSequenceUse(Transaction& transaction, const SequenceEntryRef& sequence) {
  transaction.AddUndo(std::make_unique<SequenceUseUndo>(sequence));
}

}  // namespace scaup
