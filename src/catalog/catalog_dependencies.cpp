// Searches through the entries of a catalog.
#include "catalog/catalog_dependencies.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "catalog/enum_use.hpp"

namespace scaup {

std::vector<IndexEntryRef> IndexesOf(const Catalog& catalog, const Transaction& transaction,
                                     const TableEntry& table) {
  const SchemaEntryRef schema = catalog.FindSchema(transaction, table.schema);
  if (!schema) return {};
  std::vector<IndexEntryRef> indexes = catalog.List<IndexEntry>(transaction, *schema);
  std::erase_if(indexes, [&](const IndexEntryRef& index) { return index->table != table.name; });
  return indexes;
}

std::vector<SequenceEntryRef> SequencesOf(const Catalog& catalog, const Transaction& transaction,
                                          const TableEntry& table) {
  const SchemaEntryRef schema = catalog.FindSchema(transaction, table.schema);
  if (!schema) return {};
  std::vector<SequenceEntryRef> sequences = catalog.List<SequenceEntry>(transaction, *schema);
  std::erase_if(sequences,
                [&](const SequenceEntryRef& sequence) { return sequence->owner_table != table.name; });
  return sequences;
}

TableEntryRef FindTableOfStorage(const Catalog& catalog, const Transaction& transaction, uint64_t table_id) {
  for (TableEntryRef& table : catalog.ListAll<TableEntry>(transaction)) {
    if (table->storage && table->storage->id() == table_id) return std::move(table);
  }
  return nullptr;
}

std::vector<TableEntryRef> ElementTablesOf(const Catalog& catalog, const Transaction& transaction,
                                           const TableEntry& table) {
  if (!table.is_collection()) return {};
  std::vector<TableEntryRef> found = catalog.ListAll<TableEntry>(transaction);
  std::erase_if(found, [&](const TableEntryRef& other) {
    return !other->is_element_table() ||
           other->storage->element_source()->collection_id != table.storage->id();
  });
  std::sort(found.begin(), found.end(), [](const TableEntryRef& a, const TableEntryRef& b) {
    return a->storage->id() < b->storage->id();
  });
  return found;
}

std::vector<ForeignKeyReference> ReferencesTo(const Catalog& catalog, const Transaction& transaction,
                                              const TableEntry& table) {
  std::vector<ForeignKeyReference> references;
  for (const TableEntryRef& from : catalog.ListAll<TableEntry>(transaction)) {
    const auto& keys = from->constraints.foreign_keys;
    for (size_t i = 0; i < keys.size(); i++) {
      if (keys[i].referenced_table == table.name && keys[i].referenced_schema == table.schema)
        references.push_back({from, i});
    }
  }
  return references;
}

std::vector<ViewEntryRef> ViewsOver(const Catalog& catalog, const Transaction& transaction,
                                    std::string_view schema, std::string_view name) {
  std::vector<ViewEntryRef> views = catalog.ListAll<ViewEntry>(transaction);
  std::erase_if(views, [&](const ViewEntryRef& view) { return view->FindSource(schema, name) == nullptr; });
  return views;
}

std::vector<TypeEntryRef> TypesWithin(const Catalog& catalog, const Transaction& transaction,
                                      const std::vector<LogicalType>& types) {
  // Most lists have no enum, and the search goes through all schemas.
  if (std::none_of(types.begin(), types.end(), HasEnum)) return {};
  std::vector<TypeEntryRef> entries = catalog.ListAll<TypeEntry>(transaction);
  std::erase_if(entries, [&](const TypeEntryRef& entry) {
    return std::none_of(types.begin(), types.end(),
                        [&](const LogicalType& type) { return UsesType(type, entry->type); });
  });
  return entries;
}

TypeEntryRef PresentType(const Catalog& catalog, const Transaction& transaction, const TypeEntry& type) {
  for (TypeEntryRef& entry : catalog.ListAll<TypeEntry>(transaction)) {
    if (entry->identity == type.identity) return std::move(entry);
  }
  return nullptr;
}

std::vector<TableEntryRef> TablesUsing(const Catalog& catalog, const Transaction& transaction,
                                       const LogicalType& type) {
  std::vector<TableEntryRef> tables = catalog.ListAll<TableEntry>(transaction);
  std::erase_if(tables, [&](const TableEntryRef& table) { return !AnyColumnUses(table->columns, type); });
  return tables;
}

std::vector<ViewEntryRef> ViewsUsing(const Catalog& catalog, const Transaction& transaction,
                                     const LogicalType& type) {
  std::vector<ViewEntryRef> views = catalog.ListAll<ViewEntry>(transaction);
  std::erase_if(views, [&](const ViewEntryRef& view) { return !AnyColumnUses(view->columns, type); });
  return views;
}

ViewEntryRef QueryOf(const Catalog& catalog, const Transaction& transaction, const TableEntry& table) {
  return table.is_materialized() ? catalog.Find<ViewEntry>(transaction, table.schema, QueryNameOf(table.name))
                                 : nullptr;
}

std::vector<TableEntryRef> TablesOfDomain(const Catalog& catalog, const Transaction& transaction,
                                          const DomainEntry& domain) {
  const DomainName name{domain.schema, domain.name};
  std::vector<TableEntryRef> tables = catalog.ListAll<TableEntry>(transaction);
  std::erase_if(tables, [&](const TableEntryRef& table) {
    return std::none_of(table->columns.begin(), table->columns.end(),
                        [&](const ColumnDefinition& column) { return column.domain == name; });
  });
  return tables;
}

std::vector<DomainEntryRef> DomainsOver(const Catalog& catalog, const Transaction& transaction,
                                        const DomainEntry& domain) {
  const DomainName name{domain.schema, domain.name};
  std::vector<DomainEntryRef> domains = catalog.ListAll<DomainEntry>(transaction);
  std::erase_if(domains, [&](const DomainEntryRef& other) { return !(other->base == name); });
  return domains;
}

}  // namespace scaup
