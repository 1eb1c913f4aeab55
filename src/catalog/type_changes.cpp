// Creating, replacing and dropping enums, and the columns that use them.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/catalog_writer.hpp"
#include "catalog/dependent_changes.hpp"
#include "catalog/enum_use.hpp"
#include "catalog/function_changes.hpp"
#include "catalog/table_definition.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowInUse(const TypeEntry& type, const std::string& who) {
  ThrowError(
      ErrorKind::kCatalog, sqlstate::kDependentObjects,
      fmt::format("cannot drop type \"{}\" because {} depends on it; use DROP TYPE ... CASCADE to drop "
                  "that too",
                  type.name, who));
}

/// Throws Error(kCatalog, 42710) if the name is taken, by an entry of whatever kind.
void CheckTypeIsFree(const CatalogWriter& writer, const TypeEntry& type) {
  const CatalogEntryRef existing =
      writer.catalog().FindRelation(writer.transaction(), type.schema, type.name);
  if (!existing) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
             fmt::format("{} \"{}\" already exists", KindName(existing->kind), type.name));
}

template <typename Columns>
void TouchTypesOf(CatalogWriter& writer, const Columns& columns) {
  const bool has_enum =
      std::any_of(columns.begin(), columns.end(), [](const auto& column) { return HasEnum(column.type); });
  // Most tables have no enum, and the search goes through all schemas.
  if (!has_enum) return;
  for (const TypeEntryRef& type : writer.catalog().ListAll<TypeEntry>(writer.transaction())) {
    if (AnyColumnUses(columns, type->type)) writer.Put(type);
  }
}

}  // namespace

void TouchTypes(CatalogWriter& writer, const TableEntry& table) {
  TouchTypesOf(writer, table.columns);
  for (const ColumnDefinition& column : table.columns) {
    if (column.domain.empty()) continue;
    const DomainName& name = column.domain;
    // While a database is opened, the log may name a domain that was dropped later.
    if (auto domain = writer.catalog().Find<DomainEntry>(writer.transaction(), name.schema, name.name))
      writer.Put(domain);
  }
}

void TouchTypes(CatalogWriter& writer, const ViewEntry& view) { TouchTypesOf(writer, view.columns); }

void CreateType(Catalog& catalog, Transaction& transaction, const TypeEntryRef& type) {
  CatalogWriter writer(catalog, transaction);
  writer.FindSchema(type->schema);
  CheckTypeIsFree(writer, *type);
  ByteWriter record = ChangeRecord(LogRecordKind::kCreateType);
  WriteTypeDefinition(*type, record);
  writer.Put(type);
  writer.Note(type->schema, std::move(record));
}

void ReplaceType(Catalog& catalog, Transaction& transaction, const TypeEntry& old, const TypeEntryRef& type) {
  CatalogWriter writer(catalog, transaction);
  ByteWriter record = ChangeRecord(LogRecordKind::kReplaceType, old.schema, old.name);
  WriteTypeDefinition(*type, record);
  if (old.schema != type->schema || old.name != type->name) CheckTypeIsFree(writer, *type);
  writer.Replace(old, type);
  for (const TableEntryRef& table : TablesUsing(catalog, transaction, old.type)) {
    // Columns have copies of the type, so every column that uses it gets the new one.
    auto changed = std::make_shared<TableEntry>(*table);
    for (ColumnDefinition& column : changed->columns)
      column.type = ExchangedType(column.type, old.type, type->type);
    writer.Put(changed);
    for (const IndexEntryRef& index : IndexesOf(catalog, transaction, *changed))
      RenameTableIndex(transaction, index->index, *changed, index->name, index->columns);
  }
  for (const ViewEntryRef& view : ViewsUsing(catalog, transaction, old.type)) {
    auto changed = std::make_shared<ViewEntry>(*view);
    for (ViewEntry::Column& column : changed->columns)
      column.type = ExchangedType(column.type, old.type, type->type);
    writer.Put(changed);
  }
  for (const FunctionEntryRef& function : AllFunctions(catalog, transaction)) {
    auto changed = std::make_shared<FunctionEntry>(*function);
    changed->result_type = ExchangedType(function->result_type, old.type, type->type);
    bool is_same = changed->result_type == function->result_type;
    for (size_t i = 0; i < changed->arguments.size(); i++) {
      LogicalType& argument = changed->arguments[i].type;
      argument = ExchangedType(argument, old.type, type->type);
      is_same = is_same && argument == function->arguments[i].type;
    }
    if (is_same) continue;
    CatalogSet& functions = *writer.FindSchema(function->schema)->functions;
    functions.Put(transaction, FunctionKey(*function), nullptr);
    functions.Put(transaction, FunctionKey(*changed), changed);
  }
  writer.Note(type->schema, std::move(record));
}

void DropType(Catalog& catalog, Transaction& transaction, const TypeEntry& type) {
  CatalogWriter writer(catalog, transaction);
  const auto tables = TablesUsing(catalog, transaction, type.type);
  if (!tables.empty()) {
    const auto& columns = tables[0]->columns;
    const auto column = std::find_if(columns.begin(), columns.end(), [&](const auto& candidate) {
      return UsesType(candidate.type, type.type);
    });
    ThrowInUse(type, fmt::format("column \"{}\" of table \"{}\"", column->name, tables[0]->name));
  }
  const auto views = ViewsUsing(catalog, transaction, type.type);
  if (!views.empty()) ThrowInUse(type, fmt::format("view \"{}\"", views[0]->name));
  writer.Remove(type);
  writer.Note(type.schema, ChangeRecord(LogRecordKind::kDropType, type.schema, type.name));
}

}  // namespace scaup
