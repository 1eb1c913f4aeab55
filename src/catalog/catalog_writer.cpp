// Checks, log records and errors that changes of the catalog share.
#include "catalog/catalog_writer.hpp"

#include <fmt/format.h>

#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"

namespace scaup {

SchemaEntryRef CatalogWriter::FindSchema(std::string_view schema) const {
  SchemaEntryRef found = catalog_.FindSchema(transaction_, schema);
  if (!found) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" does not exist", schema));
  }
  return found;
}

void CatalogWriter::CheckIsFree(const std::string& schema, const std::string& name) const {
  if (const CatalogEntryRef existing = FindSchema(schema)->relations->Find(transaction_, name)) {
    ThrowError(ErrorKind::kCatalog, DuplicateState(existing->kind),
               fmt::format("{} \"{}\" already exists", KindName(*existing), name));
  }
}

void CatalogWriter::PutSchema(const std::string& name, SchemaEntryRef schema) {
  catalog_.RequireWritable(transaction_, name);
  catalog_.PutSchema(transaction_, name, std::move(schema));
}

void CatalogWriter::Note(std::string_view schema, ByteWriter record, std::shared_ptr<Table> dropped,
                         std::string_view dropped_name) {
  catalog_.RequireWritable(transaction_, schema);
  if (IsTemporarySchema(schema)) record = ByteWriter();
  catalog_.NoteChange(transaction_, std::move(record), std::move(dropped), dropped_name);
}

void CatalogWriter::ThrowMissing(CatalogEntryKind kind, const std::string& name) {
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("{} \"{}\" does not exist", KindName(kind), name));
}

ByteWriter ChangeRecord(LogRecordKind kind) {
  ByteWriter record;
  record.WriteU8(static_cast<uint8_t>(kind));
  return record;
}

ByteWriter ChangeRecord(LogRecordKind kind, std::string_view schema, std::string_view name) {
  ByteWriter record = ChangeRecord(kind);
  record.WriteString(schema);
  record.WriteString(name);
  return record;
}

void ThrowDependent(const std::string& what, const std::string& dependent) {
  ThrowError(
      ErrorKind::kCatalog, sqlstate::kDependentObjects,
      fmt::format("cannot drop {} because {} depends on it; use CASCADE to drop that too", what, dependent));
}

}  // namespace scaup
