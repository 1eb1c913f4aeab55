// The catalog: creating, changing and dropping enums, and what uses them.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog.hpp"
#include "catalog/table_definition.hpp"
#include "common/throw.hpp"
#include "storage/wal/log_record_kind.hpp"

namespace scaup {

namespace {

ByteWriter NameRecord(LogRecordKind kind, const TypeEntry& type) {
  ByteWriter record;
  record.WriteU8(static_cast<uint8_t>(kind));
  record.WriteString(type.schema);
  record.WriteString(type.name);
  return record;
}

template <typename Columns>
bool AnyUses(const Columns& columns, const LogicalType& used) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const auto& column) { return UsesType(column.type, used); });
}

[[noreturn]] void ThrowInUse(const TypeEntry& type, const std::string& who) {
  ThrowError(
      ErrorKind::kCatalog, sqlstate::kDependentObjects,
      fmt::format("cannot drop type \"{}\" because {} depends on it; use DROP TYPE ... CASCADE to drop "
                  "that too",
                  type.name, who));
}

/// Returns whether a type is an enum or contains one. Only enums have names.
bool HasEnum(const LogicalType& type) {
  if (type.id() == TypeId::kEnum) return true;
  if (type.id() == TypeId::kList) return HasEnum(type.element());
  if (type.id() != TypeId::kStruct) return false;
  return std::any_of(type.fields().begin(), type.fields().end(),
                     [](const StructField& field) { return HasEnum(field.type); });
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
  // Equal counts mean that labels were renamed: ALTER TYPE either renames a label or adds one.
  if (old.label_count() == type.label_count()) return true;
  for (size_t i = 0; i < old.label_count(); i++) {
    if (i >= type.label_count() || old.label(i) != type.label(i)) return false;
  }
  return true;
}

bool UsesType(const LogicalType& type, const LogicalType& used) {
  if (type == used) return true;
  if (type.id() == TypeId::kList) return UsesType(type.element(), used);
  if (type.id() != TypeId::kStruct) return false;
  return std::any_of(type.fields().begin(), type.fields().end(),
                     [&](const StructField& field) { return UsesType(field.type, used); });
}

std::vector<TypeEntryRef> Catalog::TypesWithin(const Transaction& transaction,
                                               const std::vector<LogicalType>& types) const {
  std::vector<TypeEntryRef> result;
  if (std::none_of(types.begin(), types.end(), HasEnum)) return result;
  for (const auto& schema : Schemas(transaction)) {
    for (TypeEntryRef& entry : Types(transaction, *schema)) {
      const bool is_within = std::any_of(
          types.begin(), types.end(), [&](const LogicalType& type) { return UsesType(type, entry->type); });
      if (is_within) result.push_back(std::move(entry));
    }
  }
  return result;
}

TypeEntryRef Catalog::PresentType(const Transaction& transaction, const TypeEntry& type) const {
  for (const auto& schema : Schemas(transaction)) {
    for (TypeEntryRef& entry : Types(transaction, *schema)) {
      if (entry->identity == type.identity) return std::move(entry);
    }
  }
  return nullptr;
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

std::vector<ViewEntryRef> Catalog::ViewsUsing(const Transaction& transaction, const LogicalType& type) const {
  std::vector<ViewEntryRef> result;
  for (const auto& schema : Schemas(transaction)) {
    for (ViewEntryRef& view : Views(transaction, *schema)) {
      if (AnyUses(view->columns, type)) result.push_back(std::move(view));
    }
  }
  return result;
}

/// Puts a new version of every enum among the types, so that changing or dropping it at the same time is a
/// conflict.
template <typename Columns>
void Catalog::TouchTypes(Transaction& transaction, const Columns& columns) {
  const bool has_enum =
      std::any_of(columns.begin(), columns.end(), [](const auto& column) { return HasEnum(column.type); });
  // Most tables have no enum, and the search goes through all schemas.
  if (!has_enum) return;
  for (const auto& schema : Schemas(transaction)) {
    for (const TypeEntryRef& type : Types(transaction, *schema)) {
      if (AnyUses(columns, type->type)) schema->relations->Put(transaction, type->name, type);
    }
  }
}

void Catalog::TouchTypes(Transaction& transaction, const TableEntry& table) {
  TouchTypes(transaction, table.columns);
}

void Catalog::TouchTypes(Transaction& transaction, const ViewEntry& view) {
  TouchTypes(transaction, view.columns);
}

void Catalog::CreateType(Transaction& transaction, const TypeEntryRef& type) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, type->schema);
  CheckTypeIsFree(transaction, *type);
  ByteWriter record;
  record.WriteU8(static_cast<uint8_t>(LogRecordKind::kCreateType));
  WriteTypeDefinition(*type, record);
  schema->relations->Put(transaction, type->name, type);
  NoteChange(transaction, std::move(record));
}

void Catalog::CheckTypeIsFree(const Transaction& transaction, const TypeEntry& type) const {
  const CatalogEntryRef existing = FindRelation(transaction, type.schema, type.name);
  if (!existing) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
             fmt::format("{} \"{}\" already exists", KindName(existing->kind), type.name));
}

void Catalog::ReplaceType(Transaction& transaction, const TypeEntry& old, const TypeEntryRef& type) {
  ByteWriter record = NameRecord(LogRecordKind::kReplaceType, old);
  WriteTypeDefinition(*type, record);
  if (old.schema != type->schema || old.name != type->name) {
    CheckTypeIsFree(transaction, *type);
    FindSchemaOrThrow(transaction, old.schema)->relations->Put(transaction, old.name, nullptr);
  }
  FindSchemaOrThrow(transaction, type->schema)->relations->Put(transaction, type->name, type);
  for (const TableEntryRef& table : TablesUsing(transaction, old.type)) {
    // Columns have copies of the type, so every column that uses it gets the new one.
    auto changed = std::make_shared<TableEntry>(*table);
    for (ColumnDefinition& column : changed->columns)
      column.type = ExchangedType(column.type, old.type, type->type);
    FindSchema(transaction, table->schema)->relations->Put(transaction, table->name, changed);
    for (const IndexEntryRef& index : IndexesOf(transaction, *changed))
      RenameTableIndex(transaction, index->index, *changed, index->name, index->columns);
  }
  for (const ViewEntryRef& view : ViewsUsing(transaction, old.type)) {
    auto changed = std::make_shared<ViewEntry>(*view);
    for (ViewEntry::Column& column : changed->columns)
      column.type = ExchangedType(column.type, old.type, type->type);
    FindSchema(transaction, view->schema)->relations->Put(transaction, view->name, std::move(changed));
  }
  NoteChange(transaction, std::move(record));
}

void Catalog::DropType(Transaction& transaction, const TypeEntry& type) {
  const auto tables = TablesUsing(transaction, type.type);
  if (!tables.empty()) {
    const auto& columns = tables[0]->columns;
    const auto column = std::find_if(columns.begin(), columns.end(), [&](const auto& candidate) {
      return UsesType(candidate.type, type.type);
    });
    ThrowInUse(type, fmt::format("column \"{}\" of table \"{}\"", column->name, tables[0]->name));
  }
  const auto views = ViewsUsing(transaction, type.type);
  if (!views.empty()) ThrowInUse(type, fmt::format("view \"{}\"", views[0]->name));
  FindSchemaOrThrow(transaction, type.schema)->relations->Put(transaction, type.name, nullptr);
  NoteChange(transaction, NameRecord(LogRecordKind::kDropType, type));
}

}  // namespace scaup
