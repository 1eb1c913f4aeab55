// Creating, replacing and dropping domains, and the columns that are of them.
#include <fmt/format.h>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/catalog_writer.hpp"
#include "catalog/table_definition.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Throws Error(kCatalog, 42710) if the name is taken, by an entry of whatever kind.
void CheckDomainIsFree(const CatalogWriter& writer, const DomainEntry& domain) {
  const CatalogEntryRef existing =
      writer.catalog().FindRelation(writer.transaction(), domain.schema, domain.name);
  if (!existing) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
             fmt::format("{} \"{}\" already exists", KindName(existing->kind), domain.name));
}

[[noreturn]] void ThrowDomainInUse(const DomainEntry& domain, const std::string& who) {
  ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
             fmt::format("cannot drop domain \"{}\" because {} depends on it; use DROP DOMAIN ... CASCADE to "
                         "drop that too",
                         domain.name, who));
}

}  // namespace

void CreateDomain(Catalog& catalog, Transaction& transaction, const DomainEntryRef& domain) {
  CatalogWriter writer(catalog, transaction);
  writer.FindSchema(domain->schema);
  CheckDomainIsFree(writer, *domain);
  ByteWriter record = ChangeRecord(LogRecordKind::kCreateDomain);
  WriteDomainDefinition(*domain, record);
  writer.Put(domain);
  writer.Note(domain->schema, std::move(record));
}

void ReplaceDomain(Catalog& catalog, Transaction& transaction, const DomainEntry& old,
                   const DomainEntryRef& domain) {
  CatalogWriter writer(catalog, transaction);
  ByteWriter record = ChangeRecord(LogRecordKind::kReplaceDomain, old.schema, old.name);
  WriteDomainDefinition(*domain, record);
  const DomainName before{old.schema, old.name}, after{domain->schema, domain->name};
  const auto tables = TablesOfDomain(catalog, transaction, old);
  const auto domains = DomainsOver(catalog, transaction, old);
  if (!(before == after)) CheckDomainIsFree(writer, *domain);
  writer.Replace(old, domain);
  for (const TableEntryRef& table : tables) {
    // A new version of the table makes writing to it by the old rules a conflict.
    auto changed = std::make_shared<TableEntry>(*table);
    for (ColumnDefinition& column : changed->columns) {
      if (column.domain == before) column.domain = after;
    }
    writer.Put(changed);
  }
  for (const DomainEntryRef& other : domains) {
    auto changed = std::make_shared<DomainEntry>(*other);
    changed->base = after;
    writer.Put(changed);
  }
  writer.Note(domain->schema, std::move(record));
}

void DropDomain(Catalog& catalog, Transaction& transaction, const DomainEntry& domain) {
  CatalogWriter writer(catalog, transaction);
  const auto tables = TablesOfDomain(catalog, transaction, domain);
  for (const TableEntryRef& table : tables) {
    for (const ColumnDefinition& column : table->columns) {
      if (column.domain == DomainName{domain.schema, domain.name})
        ThrowDomainInUse(domain, fmt::format("column \"{}\" of table \"{}\"", column.name, table->name));
    }
  }
  const auto domains = DomainsOver(catalog, transaction, domain);
  if (!domains.empty()) ThrowDomainInUse(domain, fmt::format("domain \"{}\"", domains[0]->name));
  writer.Remove(domain);
  writer.Note(domain.schema, ChangeRecord(LogRecordKind::kDropDomain, domain.schema, domain.name));
}

}  // namespace scaup
