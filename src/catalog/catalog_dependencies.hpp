// Finds entries of the catalog by what they use or belong to, instead of by their names.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "catalog/catalog_entry.hpp"

namespace scaup {

class Catalog;
class Transaction;

// Each search returns what the transaction sees, of all schemas unless it says otherwise.

/// Returns the query of a materialized view; null for other tables.
ViewEntryRef QueryOf(const Catalog& catalog, const Transaction& transaction, const TableEntry& table);
/// Returns the tables with columns of a domain.
std::vector<TableEntryRef> TablesOfDomain(const Catalog& catalog, const Transaction& transaction,
                                          const DomainEntry& domain);
/// Returns the domains that were made of a domain.
std::vector<DomainEntryRef> DomainsOver(const Catalog& catalog, const Transaction& transaction,
                                        const DomainEntry& domain);
/// Returns the indexes of a table, including those of constraints.
std::vector<IndexEntryRef> IndexesOf(const Catalog& catalog, const Transaction& transaction,
                                     const TableEntry& table);
std::vector<SequenceEntryRef> SequencesOf(const Catalog& catalog, const Transaction& transaction,
                                          const TableEntry& table);
/// Returns the table whose storage has that id; null if there is none.
TableEntryRef FindTableOfStorage(const Catalog& catalog, const Transaction& transaction, uint64_t table_id);
/// Returns the element tables of a collection, in the order in which they were made.
std::vector<TableEntryRef> ElementTablesOf(const Catalog& catalog, const Transaction& transaction,
                                           const TableEntry& table);

/// A foreign key that refers to a table. Valid as long as `from`, which it shares.
struct ForeignKeyReference {
  TableEntryRef from;
  size_t foreign_key;  ///< in from->constraints
  const ForeignKey& key() const { return from->constraints.foreign_keys[foreign_key]; }
};
/// Returns the foreign keys of all tables that refer to a table, including its own.
std::vector<ForeignKeyReference> ReferencesTo(const Catalog& catalog, const Transaction& transaction,
                                              const TableEntry& table);
/// Returns the views that read a table or view.
std::vector<ViewEntryRef> ViewsOver(const Catalog& catalog, const Transaction& transaction,
                                    std::string_view schema, std::string_view name);

/// Returns the enums that are among these types, or within one of them.
std::vector<TypeEntryRef> TypesWithin(const Catalog& catalog, const Transaction& transaction,
                                      const std::vector<LogicalType>& types);
/// Returns the version of a type that the transaction sees, under whatever name; null if it was dropped.
TypeEntryRef PresentType(const Catalog& catalog, const Transaction& transaction, const TypeEntry& type);
/// Returns the tables with a column of that type, or of one that contains it.
std::vector<TableEntryRef> TablesUsing(const Catalog& catalog, const Transaction& transaction,
                                       const LogicalType& type);
std::vector<ViewEntryRef> ViewsUsing(const Catalog& catalog, const Transaction& transaction,
                                     const LogicalType& type);

}  // namespace scaup
