// Lists the catalog for the system table functions.
#pragma once

#include <memory>

#include "catalog/database_views.hpp"
#include "common/settings/settings.hpp"
#include "function/database_listing.hpp"
#include "main/database/database_instance.hpp"

namespace scaup {

class Cursors;
class NamedStatements;

/// Lists what one transaction sees, and what its session has prepared. Made for one statement; used by one
/// thread at a time. Borrows everything.
class CatalogListing final : public DatabaseListing {
 public:
  /// Lists the home of `databases`, which are `main` and what the transaction `begun` has of those that are
  /// attached to it.
  CatalogListing(DatabaseInstance& main, const DatabaseTransaction& begun, const DatabaseViews& databases,
                 const NamedStatements& named, const class Cursors& cursors, const Settings& settings,
                 int32_t session_number);
  ~CatalogListing() override;
  std::vector<std::string> Schemas() const override;
  std::string_view DefaultSchema() const override { return default_schema_; }
  Searched SearchedSchemas() const override;
  std::string SchemaComment(const std::string& schema) const override;
  int32_t SessionNumber() const override { return session_number_; }
  std::vector<TableListing> Tables() const override;
  std::vector<SequenceListing> Sequences() const override;
  std::vector<ViewListing> Views() const override;
  std::vector<bool> UpdatableColumns(const FunctionContext& context, const std::string& schema,
                                     const std::string& view) const override;
  std::vector<PreparedListing> PreparedStatements() const override;
  std::vector<CursorListing> Cursors() const override;
  std::vector<TypeListing> Types() const override;
  std::vector<DomainListing> Domains() const override;
  std::vector<FunctionListing> Functions() const override;
  CollectionListing Attributes(const FunctionContext& context, const std::string& schema,
                               const std::string& collection) const override;
  std::vector<StorageSegmentListing> StorageSegments(const std::string& schema,
                                                     const std::string& table) const override;
  DatabaseSizeListing DatabaseSize() const override;
  std::vector<std::string> Databases() const override;
  const DatabaseListing& Of(const std::string& database) const override;
  std::vector<MemoryListing> Memory() const override;
  std::vector<std::string> IntegrityProblems() const override;

 private:
  /// The listing of another database, whose home that is.
  struct Other;

  /// The name that lists have for a schema.
  std::string Shown(const std::string& schema) const;
  /// Lists the paths of a collection, as DESCRIBE shows them, or the columns of a table.
  std::vector<ColumnListing> ListColumns(const TableEntry& table) const;

  DatabaseInstance& main_;
  const DatabaseTransaction& begun_;
  DatabaseInstance& database_;
  const DatabaseViews& databases_;
  const Catalog& catalog_;
  Transaction& transaction_;
  const NamedStatements& named_;
  const class Cursors& cursors_;
  const Settings& settings_;
  const int32_t session_number_;
  std::string_view default_schema_;
  mutable std::vector<std::unique_ptr<Other>> others_;
};

}  // namespace scaup
