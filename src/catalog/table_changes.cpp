// Creating, replacing and dropping tables, with what depends on them.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/catalog_writer.hpp"
#include "catalog/dependent_changes.hpp"
#include "catalog/function_entry.hpp"
#include "catalog/table_definition.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_documents.hpp"

namespace scaup {

namespace {

std::string DescribeReference(const ForeignKeyReference& reference) {
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

/// Returns whether foreign keys may refer to the columns.
bool IsUnique(const TableEntry& table, std::vector<std::string> columns) {
  std::sort(columns.begin(), columns.end());
  return std::any_of(table.constraints.uniques.begin(), table.constraints.uniques.end(),
                     [&](const UniqueConstraint& unique) {
                       if (unique.deferral.is_deferrable) return false;
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

/// Attaches an element table to its collection. Puts a new version of the collection's entry, so that
/// changing it at the same time is a conflict.
void AttachElementTable(CatalogWriter& writer, const TableEntry& table) {
  const TableEntryRef collection = FindTableOfStorage(writer.catalog(), writer.transaction(),
                                                      table.storage->element_source()->collection_id);
  SCAUP_CHECK(collection);
  writer.Put(collection);
  collection->storage->documents()->elements().Attach({writer.transaction(), collection->name},
                                                      table.storage);
}

void DetachElementTable(CatalogWriter& writer, const TableEntry& table) {
  const TableEntryRef collection = FindTableOfStorage(writer.catalog(), writer.transaction(),
                                                      table.storage->element_source()->collection_id);
  SCAUP_CHECK(collection);
  collection->storage->documents()->elements().Detach({writer.transaction(), collection->name},
                                                      table.storage);
}

TableEntryRef WithIndexes(CatalogWriter& writer, const TableEntryRef& table, const TableEntry* old) {
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
      IndexDefinition definition = IndexDefinitionOf(*table, unique);
      // An index of a dropped constraint serves a new one over the same columns. Building it again would read
      // all rows.
      const auto same = std::find_if(unused.begin(), unused.end(), [&](const auto& index) {
        return index->columns() == definition.columns && index->is_deferrable() == definition.is_deferrable;
      });
      if (same == unused.end()) {
        unique.index =
            table->storage->indexes().Create({writer.transaction(), table->name}, std::move(definition));
      } else {
        unique.index = *same;
        unused.erase(same);
      }
    }
    RenameTableIndex(writer.transaction(), unique.index, *table, unique.name,
                     table->KeyColumns(unique.columns));
  }
  for (const auto& index : unused) table->storage->indexes().Drop({writer.transaction(), table->name}, index);
  auto indexed = std::make_shared<TableEntry>(*table);
  indexed->constraints = std::move(constraints);
  return indexed;
}

void PutConstraintIndexes(CatalogWriter& writer, const TableEntry& table) {
  for (const UniqueConstraint& unique : table.constraints.uniques) {
    writer.CheckIsFree(table.schema, unique.name);
    auto entry = std::make_shared<IndexEntry>(table.schema, unique.name, table.name,
                                              table.KeyColumns(unique.columns), IndexKind::kUnique, true);
    entry->index = unique.index;
    entry->comment = unique.index_comment;
    writer.Put(entry);
  }
}

/// Puts a new version of every table that this one refers to, so that dropping such a table at the same time
/// is a conflict.
void TouchReferenced(CatalogWriter& writer, const TableEntry& table) {
  for (const ForeignKey& key : table.constraints.foreign_keys) {
    if (key.referenced_table == table.name && key.referenced_schema == table.schema) continue;
    writer.Put(writer.Find<TableEntry>(key.referenced_schema, key.referenced_table));
  }
}

/// Puts a new version of every function that a new trigger calls, so that dropping such a function at the
/// same time is a conflict.
void TouchFunctions(CatalogWriter& writer, const TableEntry& table, const TableEntry* old) {
  for (const TriggerDefinition& trigger : table.constraints.triggers) {
    if (old != nullptr &&
        std::ranges::find(old->constraints.triggers, trigger) != old->constraints.triggers.end())
      continue;
    const std::string key = FunctionKey(FunctionEntry(trigger.function_schema, trigger.function));
    const SchemaEntryRef schema = writer.FindSchema(trigger.function_schema);
    if (const CatalogEntryRef function = schema->functions->Find(writer.transaction(), key))
      schema->functions->Put(writer.transaction(), key, function);
  }
}

void RemoveForeignKeys(CatalogWriter& writer, const std::vector<ForeignKeyReference>& references) {
  for (const ForeignKeyReference& reference : references) {
    // The table is looked up again, as an earlier reference of the list may have changed it.
    const TableEntryRef from = writer.Find<TableEntry>(reference.from->schema, reference.from->name);
    std::vector<ForeignKey> keys = from->constraints.foreign_keys;
    std::erase_if(keys, [&](const ForeignKey& key) { return key.name == reference.key().name; });
    writer.Put(WithForeignKeys(*from, std::move(keys)));
  }
}

void RemoveTable(CatalogWriter& writer, const TableEntry& table) {
  for (const auto& index : IndexesOf(writer.catalog(), writer.transaction(), table)) writer.Remove(*index);
  for (const auto& sequence : SequencesOf(writer.catalog(), writer.transaction(), table))
    writer.Remove(*sequence);
  if (const ViewEntryRef query = QueryOf(writer.catalog(), writer.transaction(), table))
    writer.Remove(*query);
  writer.Remove(table);
}

/// Moves the indexes and sequences of a table. Indexes of constraints are removed, as the new version has its
/// own.
void MoveDependents(CatalogWriter& writer, const TableReplacement& replacement) {
  const TableEntry& table = *replacement.table;
  const bool moves = replacement.old->schema != table.schema;
  for (const auto& index : IndexesOf(writer.catalog(), writer.transaction(), *replacement.old)) {
    writer.Remove(*index);
    const auto columns = Renamed(index->columns, replacement.renamed_columns);
    // An index of a collection is over paths of documents, which are no columns.
    const bool is_whole =
        table.is_collection() || std::all_of(columns.begin(), columns.end(), [&](const std::string& column) {
          return table.FindColumn(column).has_value();
        });
    if (index->is_of_constraint || !is_whole) continue;
    if (moves) writer.CheckIsFree(table.schema, index->name);
    auto moved_index =
        std::make_shared<IndexEntry>(table.schema, index->name, table.name, columns, index->kind, false);
    moved_index->index = index->index;
    moved_index->comment = index->comment;
    // New storage needs a new index, which is built as the rows are inserted.
    if (table.storage && table.storage != replacement.old->storage) {
      moved_index->index = table.storage->indexes().Create(
          {writer.transaction(), table.name}, IndexDefinitionOf(table, index->name, columns, index->kind));
    }
    RenameTableIndex(writer.transaction(), moved_index->index, table, index->name, columns);
    writer.Put(moved_index);
  }
  if (const ViewEntryRef query = QueryOf(writer.catalog(), writer.transaction(), *replacement.old)) {
    auto moved = std::make_shared<ViewEntry>(*query);
    moved->schema = table.schema;
    moved->name = QueryNameOf(table.name);
    moved->materialized = table.name;
    writer.Replace(*query, moved);
  }
  for (const auto& sequence : SequencesOf(writer.catalog(), writer.transaction(), *replacement.old)) {
    writer.Remove(*sequence);
    const std::string column = Renamed(sequence->owner_column, replacement.renamed_columns);
    if (!table.FindColumn(column)) continue;
    if (moves) writer.CheckIsFree(table.schema, sequence->name);
    auto moved = std::make_shared<SequenceEntry>(*sequence);
    moved->schema = table.schema;
    moved->owner_table = table.name;
    moved->owner_column = column;
    writer.Put(moved);
  }
}

/// Updates the foreign keys of other tables, which know this one by its names.
void UpdateReferences(CatalogWriter& writer, const TableReplacement& replacement) {
  const TableEntry& table = *replacement.table;
  std::vector<ForeignKeyReference> lost;
  for (const ForeignKeyReference& reference :
       ReferencesTo(writer.catalog(), writer.transaction(), *replacement.old)) {
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
    const TableEntryRef from = writer.Find<TableEntry>(reference.from->schema, reference.from->name);
    std::vector<ForeignKey> keys = from->constraints.foreign_keys;
    for (ForeignKey& other : keys) {
      if (other.name != key.name) continue;
      other.referenced_schema = table.schema;
      other.referenced_table = table.name;
      other.referenced_columns = columns;
    }
    writer.Put(WithForeignKeys(*from, std::move(keys)));
  }
  RemoveForeignKeys(writer, lost);
}

}  // namespace

TableEntryRef CreateTable(Catalog& catalog, Transaction& transaction, TableEntryRef table) {
  CatalogWriter writer(catalog, transaction);
  writer.CheckIsFree(table->schema, table->name);
  ByteWriter record = ChangeRecord(LogRecordKind::kCreateTable);
  WriteTableDefinition(DefinitionOf(*table), record);
  table = WithIndexes(writer, table, nullptr);
  writer.Put(table);
  if (table->on_commit != CommitAction::kPreserveRows) TemporarySchema::Of(transaction)->NoteCommitAction();
  // Indexes of constraints are entries of their own, as their names are taken in the schema. They need no log
  // record, since they follow from the table.
  PutConstraintIndexes(writer, *table);
  TouchReferenced(writer, *table);
  TouchFunctions(writer, *table, nullptr);
  TouchTypes(writer, *table);
  writer.Note(table->schema, std::move(record));
  if (table->is_element_table()) AttachElementTable(writer, *table);
  return table;
}

void DropTable(Catalog& catalog, Transaction& transaction, const std::string& schema,
               const std::string& table, bool cascade) {
  CatalogWriter writer(catalog, transaction);
  DropTables(catalog, transaction, {writer.Find<TableEntry>(schema, table)}, cascade);
}

void DropTableIfExists(Catalog& catalog, Transaction& transaction, const std::string& schema,
                       const std::string& table) {
  if (const TableEntryRef found = catalog.Find<TableEntry>(transaction, schema, table))
    DropTables(catalog, transaction, {found}, false);
}

void DropTables(Catalog& catalog, Transaction& transaction, const std::vector<TableEntryRef>& named,
                bool cascade) {
  CatalogWriter writer(catalog, transaction);
  std::vector<TableEntryRef> tables = named;
  const auto is_listed = [&](const TableEntryRef& table) {
    return std::any_of(tables.begin(), tables.end(),
                       [&](const TableEntryRef& other) { return other->storage == table->storage; });
  };
  // The list grows in the loop: element tables may have element tables themselves.
  for (size_t i = 0; i < tables.size(); i++) {
    const TableEntryRef table = tables[i];
    for (const TableEntryRef& elements : ElementTablesOf(catalog, transaction, *table)) {
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
    std::vector<ForeignKeyReference> references = ReferencesTo(catalog, transaction, *table);
    std::erase_if(references,
                  [&](const ForeignKeyReference& reference) { return is_dropped(*reference.from); });
    if (!references.empty() && !cascade)
      ThrowDependent(fmt::format("table \"{}\"", table->name), DescribeReference(references[0]));
    DropViewsOver(writer, *table, cascade);
    RemoveForeignKeys(writer, references);
    if (table->is_element_table()) DetachElementTable(writer, *table);
    RemoveTable(writer, *table);
    writer.Note(table->schema, ChangeRecord(LogRecordKind::kDropTable, table->schema, table->name),
                table->storage, table->name);
  }
}

TableEntryRef ReplaceTable(Catalog& catalog, Transaction& transaction, const TableReplacement& replacement) {
  CatalogWriter writer(catalog, transaction);
  const TableEntry& old = *replacement.old;
  // Views are checked first, as this may refuse the change.
  CheckViews(writer, replacement);
  const TableEntryRef table = WithIndexes(writer, replacement.table, &old);
  writer.FindSchema(old.schema);
  if (old.schema != table->schema || old.name != table->name) writer.CheckIsFree(table->schema, table->name);
  ByteWriter record = ChangeRecord(LogRecordKind::kReplaceTable, old.schema, old.name);
  record.WriteVarint(replacement.renamed_columns.size());
  for (const auto& [before, after] : replacement.renamed_columns) {
    record.WriteString(before);
    record.WriteString(after);
  }
  WriteTableDefinition(DefinitionOf(*table), record);
  // References and dependents are not in the record: replay derives them in the same way.
  UpdateReferences(writer, replacement);
  MoveDependents(writer, replacement);
  writer.Replace(old, table);
  PutConstraintIndexes(writer, *table);
  TouchReferenced(writer, *table);
  TouchFunctions(writer, *table, &old);
  TouchTypes(writer, *table);
  writer.Note(old.schema, std::move(record), old.storage != table->storage ? old.storage : nullptr, old.name);
  return table;
}

}  // namespace scaup
