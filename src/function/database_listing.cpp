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

}  // namespace scaup
