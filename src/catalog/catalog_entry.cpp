// Entries of the catalog: lookups, and the names of kinds.
#include "catalog/catalog_entry.hpp"

#include <algorithm>
#include <numeric>

#include "common/sqlstate.hpp"
#include "common/throw.hpp"
#include "function/scalar/collation/collation.hpp"
#include "storage/table/table_documents.hpp"
#include "type/text/identifier_text.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

bool TableConstraints::HasName(std::string_view name) const {
  const auto is_named = [name](const auto& constraint) { return constraint.name == name; };
  return std::any_of(checks.begin(), checks.end(), is_named) ||
         std::any_of(uniques.begin(), uniques.end(), is_named) ||
         std::any_of(foreign_keys.begin(), foreign_keys.end(), is_named);
}

std::string_view KindName(CatalogEntryKind kind) {
  switch (kind) {
    case CatalogEntryKind::kSchema: return "schema";
    case CatalogEntryKind::kTable: return "table";
    case CatalogEntryKind::kIndex: return "index";
    case CatalogEntryKind::kSequence: return "sequence";
    case CatalogEntryKind::kView: return "view";
    case CatalogEntryKind::kType: return "type";
    case CatalogEntryKind::kFunction: return "function";
    case CatalogEntryKind::kDomain: return "domain";
  }
  return "";
}

std::string_view KindName(const CatalogEntry& entry) {
  if (entry.kind != CatalogEntryKind::kTable) return KindName(entry.kind);
  const auto& table = static_cast<const TableEntry&>(entry);
  return table.is_materialized()    ? "materialized view"
         : table.is_element_table() ? "element table"
         : table.is_collection()    ? "collection"
                                    : KindName(entry.kind);
}

std::string QueryNameOf(const std::string& materialized) { return materialized + "\n(query)"; }

std::string KindWithArticle(const CatalogEntry& entry) {
  const std::string_view name = KindName(entry);
  return (name.front() == 'e' || name.front() == 'i' ? "an " : "a ") + std::string(name);
}

const char* DuplicateState(CatalogEntryKind kind) {
  return kind == CatalogEntryKind::kType || kind == CatalogEntryKind::kDomain ? sqlstate::kDuplicateObject
                                                                              : sqlstate::kDuplicateTable;
}

namespace {
constexpr std::string_view kBeforeCollated = "collation_key(";
}  // namespace

std::string CollationKeyText(const std::string& sql) { return std::string(kBeforeCollated) + sql + ")"; }

std::string CollatedText(const std::string& key_text) {
  if (!key_text.starts_with(kBeforeCollated)) return key_text;
  return key_text.substr(kBeforeCollated.size(), key_text.size() - kBeforeCollated.size() - 1);
}

bool HasCollationKey(const ColumnDefinition& column) {
  return !column.collation.empty() && column.type.id() == TypeId::kVarchar &&
         !FindStoredCollation(column.collation).HasPlainEquality();
}

const ColumnDefinition* ColumnOfKey(const std::vector<ColumnDefinition>& columns,
                                    const ColumnDefinition& hidden) {
  if (!hidden.is_hidden()) return nullptr;
  for (const ColumnDefinition& column : columns) {
    if (column.is_hidden() || !HasCollationKey(column)) continue;
    // Renaming a column puts quotes around its name.
    for (const std::string& name : {IdentifierText(column.name), QuotedIdentifier(column.name)}) {
      if (hidden.key_text == CollationKeyText(name)) return &column;
    }
  }
  return nullptr;
}

ColumnDefinition CollectionColumn() { return {"document", TypeId::kBlob, true, ""}; }

std::vector<ColumnDefinition> ElementTableColumns() {
  return {CollectionColumn(),
          {"document number", TypeId::kBigInt, true, ""},
          {"position", TypeId::kBigInt, true, ""}};
}

std::optional<size_t> TableEntry::FindColumn(std::string_view column) const {
  for (size_t i = 0; i < columns.size(); i++) {
    if (columns[i].name == column) return i;
  }
  return std::nullopt;
}

std::optional<size_t> TableEntry::FindVisibleColumn(std::string_view column) const {
  const auto found = FindColumn(column);
  return found && columns[*found].is_hidden() ? std::nullopt : found;
}

std::vector<size_t> TableEntry::VisibleColumns() const {
  std::vector<size_t> visible;
  for (size_t i = 0; i < columns.size(); i++) {
    if (!columns[i].is_hidden()) visible.push_back(i);
  }
  return visible;
}

bool TableEntry::has_hidden_columns() const {
  return std::any_of(columns.begin(), columns.end(),
                     [](const ColumnDefinition& column) { return column.is_hidden(); });
}

std::vector<size_t> TableEntry::AllColumns() const {
  std::vector<size_t> all(columns.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

VisibleAttributes TableEntry::AttributesSeenBy(const Transaction& transaction) const {
  return storage->documents()->SeenBy(transaction);
}

TableColumns TableEntry::StorageColumns() const {
  std::vector<DocumentProjection> projections;
  for (size_t i = storage->types().size(); i < columns.size(); i++) {
    SCAUP_CHECK(columns[i].projection);
    projections.push_back(*columns[i].projection);
  }
  return {storage->types(), std::move(projections), storage->attributes()};
}

std::vector<std::string> TableEntry::KeyColumns(const std::vector<std::string>& of) const {
  std::vector<std::string> keys;
  for (const std::string& name : of) {
    keys.push_back(name);
    const auto column = FindColumn(name);
    if (!column || columns[*column].is_hidden() || !HasCollationKey(columns[*column])) continue;
    const auto hidden = std::find_if(columns.begin(), columns.end(), [&](const ColumnDefinition& each) {
      return each.condition_text.empty() && ColumnOfKey(columns, each) == &columns[*column];
    });
    SCAUP_CHECK(hidden != columns.end());
    keys.back() = hidden->name;
  }
  return keys;
}

const UniqueConstraint* TableEntry::primary_key() const {
  for (const UniqueConstraint& unique : constraints.uniques) {
    if (unique.is_primary) return &unique;
  }
  return nullptr;
}

const ViewSource* ViewEntry::FindSource(std::string_view source_schema, std::string_view source_name) const {
  for (const ViewSource& source : sources) {
    if (source.schema == source_schema && source.name == source_name) return &source;
  }
  return nullptr;
}

std::string GeneratedName(std::string_view table, const std::vector<std::string>& columns,
                          std::string_view suffix) {
  std::string name(table);
  for (const std::string& column : columns) name += "_" + column;
  return name + "_" + std::string(suffix);
}

bool TriggerDefinition::FiresFor(uint8_t event, const TableEntry& table,
                                 const std::vector<size_t>& set_columns) const {
  if (!fires() || (events & event) == 0) return false;
  if (event != kOnUpdate || update_columns.empty()) return true;
  return std::any_of(set_columns.begin(), set_columns.end(), [&](size_t column) {
    return std::find(update_columns.begin(), update_columns.end(), table.columns[column].name) !=
           update_columns.end();
  });
}

}  // namespace scaup
