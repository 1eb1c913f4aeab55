// Lists the catalog for the system table functions.
#pragma once

#include "catalog/catalog.hpp"
#include "function/table/database_listing.hpp"

namespace scaup {

/// What one transaction sees. Borrows both; used while a statement runs.
class CatalogListing final : public DatabaseListing {
 public:
  CatalogListing(const Catalog& catalog, const Transaction& transaction)
      : catalog_(catalog), transaction_(transaction) {}
  std::vector<std::string> Schemas() const override;
  std::vector<TableListing> Tables() const override;

 private:
  const Catalog& catalog_;
  const Transaction& transaction_;
};

}  // namespace scaup
