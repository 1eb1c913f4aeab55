// Creating, renaming and dropping indexes.
#include <fmt/format.h>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_writer.hpp"
#include "catalog/dependent_changes.hpp"
#include "catalog/table_definition.hpp"
#include "common/throw.hpp"
#include "storage/table/maintained_indexes.hpp"

namespace scaup {

namespace {

/// Restores the old names of an index at a rollback. The names are part of the storage, which has no
/// versions.
class IndexNamesUndo final : public UndoEntry {
 public:
  explicit IndexNamesUndo(std::shared_ptr<TableIndex> index)
      : index_(std::move(index)),
        name_(index_->names().index()),
        columns_(index_->names().columns()),
        types_(index_->names().column_types()) {}
  void Commit(Timestamp, Timestamp) noexcept override {}
  void Rollback() noexcept override {
    index_->names().Rename(std::move(name_), std::move(columns_), std::move(types_));
  }

 private:
  std::shared_ptr<TableIndex> index_;
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<LogicalType> types_;
};

}  // namespace

void RenameTableIndex(Transaction& transaction, const std::shared_ptr<TableIndex>& index,
                      const TableEntry& table, const std::string& name,
                      const std::vector<std::string>& columns) {
  if (index == nullptr) return;
  std::vector<LogicalType> types = ColumnTypes(table, columns);
  std::vector<std::string> shown = ShownColumns(table, columns);
  // Most changes of a table leave its indexes as they are, and an undo entry would make each of them a
  // change.
  IndexNames& names = index->names();
  if (names.index() == name && names.columns() == shown && names.column_types() == types) return;
  transaction.AddUndo(std::make_unique<IndexNamesUndo>(index));
  names.Rename(name, std::move(shown), std::move(types));
}

void CreateIndex(Catalog& catalog, Transaction& transaction, const IndexEntryRef& index) {
  CatalogWriter writer(catalog, transaction);
  writer.CheckIsFree(index->schema, index->name);
  const TableEntryRef table = writer.Find<TableEntry>(index->schema, index->table);
  ByteWriter record = ChangeRecord(LogRecordKind::kCreateIndex);
  WriteIndexDefinition(*index, record);
  // A new version of the table makes changing it at the same time a conflict.
  writer.Put(table);
  auto entry = std::make_shared<IndexEntry>(*index);
  // The index of a checkpoint was loaded before; otherwise it is built from the rows.
  if (table->storage && !entry->index) {
    entry->index = table->storage->indexes().Create(
        {transaction, table->name}, IndexDefinitionOf(*table, index->name, index->columns, index->kind));
  }
  writer.Put(entry);
  writer.Note(index->schema, std::move(record));
}

void RenameIndex(Catalog& catalog, Transaction& transaction, const IndexEntry& old, const std::string& name) {
  CatalogWriter writer(catalog, transaction);
  writer.CheckIsFree(old.schema, name);
  ByteWriter record = ChangeRecord(LogRecordKind::kRenameIndex, old.schema, old.name);
  record.WriteString(name);
  auto renamed = std::make_shared<IndexEntry>(old);
  renamed->name = name;
  writer.Replace(old, renamed);
  if (const TableEntryRef table = catalog.Find<TableEntry>(transaction, old.schema, old.table))
    RenameTableIndex(transaction, renamed->index, *table, name, renamed->columns);
  writer.Note(old.schema, std::move(record));
}

void DropIndex(Catalog& catalog, Transaction& transaction, const std::string& schema,
               const std::string& index) {
  CatalogWriter writer(catalog, transaction);
  const IndexEntryRef dropped = writer.Find<IndexEntry>(schema, index);
  if (dropped->is_of_constraint) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
               fmt::format("cannot drop index \"{}\" because a constraint of table \"{}\" requires it; use "
                           "ALTER TABLE ... DROP CONSTRAINT",
                           index, dropped->table));
  }
  const TableEntryRef table = catalog.Find<TableEntry>(transaction, schema, dropped->table);
  if (table && table->storage && dropped->index)
    table->storage->indexes().Drop({transaction, table->name}, dropped->index);
  writer.Remove(*dropped);
  writer.Note(schema, ChangeRecord(LogRecordKind::kDropIndex, schema, index));
}

}  // namespace scaup
