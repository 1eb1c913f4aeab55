// Lists the catalog for the system table functions.
#pragma once

#include "catalog/database_views.hpp"
#include "common/settings/client_settings.hpp"
#include "function/database_listing.hpp"
#include "main/database/database_instance.hpp"

namespace scaup {

class Cursors;
class NamedStatements;

/// Lists what one transaction sees, and what its session has prepared. Made for one statement; used by one
/// thread at a time. Borrows everything.
class CatalogListing final : public DatabaseListing {
 public:
  /// `database` is the home of `databases`.
  CatalogListing(DatabaseInstance& database, const DatabaseViews& databases, const NamedStatements& named,
                 const class Cursors& cursors, const Settings& settings)
      : database_(database),
        databases_(databases),
        catalog_(database.catalog()),
        transaction_(*databases.home().transaction),
        named_(named),
        cursors_(cursors),
        default_schema_(PreferredDefaultSchema(settings)) {}
  std::vector<std::string> Schemas() const override;
  std::string_view DefaultSchema() const override { return default_schema_; }
  std::string SchemaComment(const std::string& schema) const override;
  std::vector<TableListing> Tables() const override;
  std::vector<SequenceListing> Sequences() const override;
  std::vector<ViewListing> Views() const override;
  std::vector<PreparedListing> PreparedStatements() const override;
  std::vector<CursorListing> Cursors() const override;
  std::vector<TypeListing> Types() const override;
  std::vector<FunctionListing> Functions() const override;
  CollectionListing Attributes(const FunctionContext& context, const std::string& schema,
                               const std::string& collection) const override;
  std::vector<StorageSegmentListing> StorageSegments(const std::string& schema,
                                                     const std::string& table) const override;
  DatabaseSizeListing DatabaseSize() const override;
  std::vector<std::string> Databases() const override;
  std::vector<MemoryListing> Memory() const override;
  std::vector<std::string> IntegrityProblems() const override;

 private:
  /// The name that lists have for a schema.
  std::string Shown(const std::string& schema) const;

  DatabaseInstance& database_;
  const DatabaseViews& databases_;
  const Catalog& catalog_;
  Transaction& transaction_;
  const NamedStatements& named_;
  const class Cursors& cursors_;
  std::string_view default_schema_;
};

}  // namespace scaup
