// The catalog: creating, changing and dropping enums, and what uses them.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog.hpp"
#include "catalog/table_definition.hpp"
#include "common/throw.hpp"
#include "storage/wal/log_record_kind.hpp"
#include "type/logical_type_bytes.hpp"

namespace scaup {

namespace {

ByteWriter NameRecord(LogRecordKind kind, const TypeEntry& type) {
  ByteWriter record;
  record.WriteU8(static_cast<uint8_t>(kind));
  record.WriteString(type.schema);
  record.WriteString(type.name);
  return record;
}

bool Uses(const LogicalType& type, const LogicalType& used) {
  if (type == used) return true;
  if (type.id() == TypeId::kList) return Uses(type.element(), used);
  if (type.id() != TypeId::kStruct) return false;
  return std::any_of(type.fields().begin(), type.fields().end(),
                     [&](const StructField& field) { return Uses(field.type, used); });
}

template <typename Columns>
bool AnyUses(const Columns& columns, const LogicalType& used) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const auto& column) { return Uses(column.type, used); });
}

[[noreturn]] void ThrowInUse(const TypeEntry& type, const std::string& who) {
  ThrowError(
      ErrorKind::kCatalog, sqlstate::kDependentObjects,
      fmt::format("cannot drop type \"{}\" because {} depends on it; drop that first", type.name, who));
}

}  // namespace

LogicalType ExchangedType(const LogicalType& type, const LogicalType& from, const LogicalType& to) {
  if (type == from) return to;
  if (type.id() == TypeId::kList) return LogicalType::List(ExchangedType(type.element(), from, to));
  if (type.id() != TypeId::kStruct) return type;
  std::vector<StructField> fields = type.fields();
  for (StructField& field : fields) field.type = ExchangedType(field.type, from, to);
  return LogicalType::Struct(std::move(fields));
}

bool KeepsLabelPlaces(const LogicalType& old, const LogicalType& type) {
  if (old.label_count() == type.label_count()) return true;
  for (size_t i = 0; i < old.label_count(); i++) {
    if (i >= type.label_count() || old.label(i) != type.label(i)) return false;
  }
  return true;
}

std::vector<TableEntryRef> Catalog::TablesUsing(const Transaction& transaction,
                                                const LogicalType& type) const {
  std::vector<TableEntryRef> result;
  for (const auto& schema : Schemas(transaction)) {
    for (TableEntryRef& table : Tables(transaction, *schema)) {
      if (AnyUses(table->columns, type)) result.push_back(std::move(table));
    }
  }
  return result;
}

/// A new version of every enum that the table uses, so that changing or dropping it meanwhile is a conflict.
void Catalog::TouchTypes(Transaction& transaction, const TableEntry& table) {
  for (const auto& schema : Schemas(transaction)) {
    for (const TypeEntryRef& type : Types(transaction, *schema)) {
      if (AnyUses(table.columns, type->type)) schema->relations->Put(transaction, type->name, type);
    }
  }
}

void Catalog::CreateType(Transaction& transaction, const TypeEntryRef& type) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, type->schema);
  if (const CatalogEntryRef existing = schema->relations->Find(transaction, type->name)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
               fmt::format("{} \"{}\" already exists", KindName(existing->kind), type->name));
  }
  ByteWriter record = NameRecord(LogRecordKind::kCreateType, *type);
  WriteLogicalType(record, type->type);
  schema->relations->Put(transaction, type->name, type);
  NoteChange(transaction, std::move(record));
}

void Catalog::ReplaceType(Transaction& transaction, const TypeEntry& old, const TypeEntryRef& type) {
  ByteWriter record = NameRecord(LogRecordKind::kReplaceType, old);
  WriteLogicalType(record, type->type);
  FindSchemaOrThrow(transaction, old.schema)->relations->Put(transaction, type->name, type);
  if (KeepsLabelPlaces(old.type, type->type)) {
    for (const TableEntryRef& table : TablesUsing(transaction, old.type)) {
      std::vector<ColumnDefinition> columns = table->columns;
      for (ColumnDefinition& column : columns) column.type = ExchangedType(column.type, old.type, type->type);
      FindSchema(transaction, table->schema)
          ->relations->Put(transaction, table->name,
                           std::make_shared<const TableEntry>(table->schema, table->name, std::move(columns),
                                                              table->storage, table->constraints));
    }
    for (const auto& schema : Schemas(transaction)) {
      for (const ViewEntryRef& view : Views(transaction, *schema)) {
        if (!AnyUses(view->columns, old.type)) continue;
        auto changed = std::make_shared<ViewEntry>(*view);
        for (ViewEntry::Column& column : changed->columns)
          column.type = ExchangedType(column.type, old.type, type->type);
        schema->relations->Put(transaction, view->name, std::move(changed));
      }
    }
  }
  NoteChange(transaction, std::move(record));
}

void Catalog::DropType(Transaction& transaction, const TypeEntry& type) {
  const auto tables = TablesUsing(transaction, type.type);
  if (!tables.empty()) {
    const auto& columns = tables[0]->columns;
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [&](const auto& candidate) { return Uses(candidate.type, type.type); });
    ThrowInUse(type, fmt::format("column \"{}\" of table \"{}\"", column->name, tables[0]->name));
  }
  for (const auto& schema : Schemas(transaction)) {
    for (const ViewEntryRef& view : Views(transaction, *schema)) {
      if (AnyUses(view->columns, type.type)) ThrowInUse(type, fmt::format("view \"{}\"", view->name));
    }
  }
  FindSchemaOrThrow(transaction, type.schema)->relations->Put(transaction, type.name, nullptr);
  NoteChange(transaction, NameRecord(LogRecordKind::kDropType, type));
}

}  // namespace scaup
