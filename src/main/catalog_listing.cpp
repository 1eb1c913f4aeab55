// Lists the catalog for the system table functions.
#include "main/catalog_listing.hpp"

namespace scaup {

std::vector<std::string> CatalogListing::Schemas() const {
  std::vector<std::string> names;
  for (const auto& schema : catalog_.Schemas(transaction_)) names.push_back(schema->name);
  return names;
}

std::vector<TableListing> CatalogListing::Tables() const {
  std::vector<TableListing> listings;
  for (const auto& schema : catalog_.Schemas(transaction_)) {
    for (const auto& table : catalog_.Tables(transaction_, *schema)) {
      TableListing listing;
      listing.schema = schema->name;
      listing.name = table->name;
      listing.row_count = table->storage->Snapshot(transaction_)->row_count;
      for (const auto& column : table->columns) {
        listing.columns.push_back({column.name, column.type, column.not_null, column.default_text});
      }
      listings.push_back(std::move(listing));
    }
  }
  return listings;
}

}  // namespace scaup
