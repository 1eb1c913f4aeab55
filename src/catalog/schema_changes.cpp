// Creating and dropping schemas.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_writer.hpp"
#include "catalog/function_changes.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "type/schema_name.hpp"

namespace scaup {

void CreateSchema(Catalog& catalog, Transaction& transaction, const std::string& schema) {
  CatalogWriter writer(catalog, transaction);
  // Statements never name it so. A file may have it from the time before the default schema had this name.
  if (schema == kPublicSchemaName) {
    ThrowError(ErrorKind::kNotSupported, sqlstate::kFeatureNotSupported,
               "the database has a schema \"public\" of its own, but that is a second name of \"main\" now; "
               "export the database with the version that made it, and import it with this one");
  }
  if (catalog.FindSchema(transaction, schema)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateSchema,
               fmt::format("schema \"{}\" already exists", schema));
  }
  writer.PutSchema(schema, std::make_shared<SchemaEntry>(schema));
  ByteWriter record = ChangeRecord(LogRecordKind::kCreateSchema);
  record.WriteString(schema);
  writer.Note(schema, std::move(record));
}

/// Drops the domains of a schema, each after those that were made of it.
static void DropDomainsOf(Catalog& catalog, Transaction& transaction, const SchemaEntry& schema) {
  std::vector<DomainEntryRef> domains = catalog.List<DomainEntry>(transaction, schema);
  while (!domains.empty()) {
    const auto last = std::find_if(domains.begin(), domains.end(), [&](const DomainEntryRef& domain) {
      const DomainName name{domain->schema, domain->name};
      return std::none_of(domains.begin(), domains.end(),
                          [&](const DomainEntryRef& other) { return other->base == name; });
    });
    SCAUP_CHECK(last != domains.end());
    DropDomain(catalog, transaction, **last);
    domains.erase(last);
  }
}

void DropSchema(Catalog& catalog, Transaction& transaction, const std::string& schema, bool cascade) {
  CatalogWriter writer(catalog, transaction);
  const SchemaEntryRef found = writer.FindSchema(schema);
  const auto relations = found->relations->List(transaction);
  const auto tables = catalog.List<TableEntry>(transaction, *found);
  const auto functions = found->functions->List(transaction);
  if (relations.empty() && !functions.empty() && !cascade) {
    ThrowError(
        ErrorKind::kCatalog, sqlstate::kDependentObjects,
        fmt::format("schema \"{}\" still has functions, \"{}\" among them; use DROP SCHEMA ... CASCADE to "
                    "drop them too",
                    schema, functions[0]->name));
  }
  if (!relations.empty() && !cascade) {
    // Tables are named first: most indexes and sequences in the schema belong to one.
    const CatalogEntry& first = tables.empty() ? *relations[0] : *tables[0];
    const size_t count = tables.empty() ? relations.size() : tables.size();
    ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
               fmt::format("schema \"{}\" still has {} {}{}, \"{}\" among them; use DROP SCHEMA ... "
                           "CASCADE to drop them too",
                           schema, count, KindName(first), count == 1 ? "" : "s", first.name));
  }
  // Everything in the schema is dropped with it, in the order of dependencies. CASCADE also drops what
  // depends on it in other schemas.
  DropViews(catalog, transaction, catalog.List<ViewEntry>(transaction, *found), true);
  DropTables(catalog, transaction, tables, true);
  for (const auto& sequence : catalog.List<SequenceEntry>(transaction, *found))
    DropSequence(catalog, transaction, schema, sequence->name);
  DropDomainsOf(catalog, transaction, *found);
  for (const auto& type : catalog.List<TypeEntry>(transaction, *found)) DropType(catalog, transaction, *type);
  for (const CatalogEntryRef& function : functions)
    DropFunction(catalog, transaction, static_cast<const FunctionEntry&>(*function));
  // Another transaction may be creating an entry in the schema. Closing the sets makes one of the two fail.
  found->relations->Close(transaction);
  found->functions->Close(transaction);
  writer.PutSchema(schema, nullptr);
  ByteWriter record = ChangeRecord(LogRecordKind::kDropSchema);
  record.WriteString(schema);
  writer.Note(schema, std::move(record));
}

void ForgetSchemas(Catalog& catalog, Transaction& transaction) {
  CatalogWriter writer(catalog, transaction);
  for (const SchemaEntryRef& schema : catalog.Schemas(transaction)) {
    if (IsTemporarySchema(schema->name)) continue;
    writer.PutSchema(schema->name, nullptr);
    writer.Note(schema->name, ByteWriter());
  }
}

}  // namespace scaup
