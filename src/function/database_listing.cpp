// Combinations of catalog listings.
#include "function/database_listing.hpp"

#include <algorithm>
#include <tuple>

namespace scaup {

std::vector<TableListing> DatabaseListing::Relations() const {
  std::vector<TableListing> relations = Tables();
  for (ViewListing& view : Views()) {
    TableListing& relation = relations.emplace_back();
    relation.schema = std::move(view.schema);
    relation.name = std::move(view.name);
    relation.is_view = true;
    relation.columns = std::move(view.columns);
    relation.comment = std::move(view.comment);
  }
  std::stable_sort(relations.begin(), relations.end(), [](const TableListing& a, const TableListing& b) {
    return std::tie(a.schema, a.name) < std::tie(b.schema, b.name);
  });
  return relations;
}

const ConstraintListing* TablesByName::ReferencedKey(const ConstraintListing& foreign_key) const {
  const TableListing* table = Find(foreign_key.referenced_schema, foreign_key.referenced_table);
  if (table == nullptr) return nullptr;
  const std::vector<std::string>& wanted = foreign_key.referenced_columns;
  for (const ConstraintListing& key : table->constraints) {
    const bool is_key =
        key.kind == ConstraintListing::Kind::kPrimaryKey || key.kind == ConstraintListing::Kind::kUnique;
    if (is_key && std::is_permutation(key.columns.begin(), key.columns.end(), wanted.begin(), wanted.end()))
      return &key;
  }
  return nullptr;
}

}  // namespace scaup
