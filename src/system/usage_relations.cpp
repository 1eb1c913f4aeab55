// information_schema: which objects use which, by name, and the name of the database.
#include "function/pg_objects.hpp"
#include "system/system_relations.hpp"

namespace scaup {
namespace {

ListingRows CatalogNameRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  rows.Add({{"catalog_name", TextValue(context.listing.DatabaseSize().name)}});
  return rows.Take();
}

constexpr SystemRelation kCatalogName = {"information_schema.information_schema_catalog_name", "catalog_name",
                                         CatalogNameRows, "The name of the database."};

ListingRows ViewTableRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = context.listing.DatabaseSize().name;
  for (const ViewListing& view : context.listing.Views()) {
    for (const ViewListing::Source& source : view.sources) {
      rows.Add({{"view_catalog", TextValue(database)},
                {"view_schema", TextValue(view.schema)},
                {"view_name", TextValue(view.name)},
                {"table_catalog", TextValue(database)},
                {"table_schema", TextValue(source.schema)},
                {"table_name", TextValue(source.name)}});
    }
  }
  return rows.Take();
}

constexpr SystemRelation kViewTableUsage = {
    "information_schema.view_table_usage",
    "view_catalog view_schema view_name table_catalog table_schema table_name", ViewTableRows,
    "The tables and views that views read."};

ListingRows ColumnDomainRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = context.listing.DatabaseSize().name;
  for (const TableListing& table : context.listing.Relations()) {
    for (const ColumnListing& column : table.columns) {
      if (column.domain.empty()) continue;
      rows.Add({{"domain_catalog", TextValue(database)},
                {"domain_schema", TextValue(column.domain_schema)},
                {"domain_name", TextValue(column.domain)},
                {"table_catalog", TextValue(database)},
                {"table_schema", TextValue(table.schema)},
                {"table_name", TextValue(table.name)},
                {"column_name", TextValue(column.name)}});
    }
  }
  return rows.Take();
}

constexpr SystemRelation kColumnDomainUsage = {
    "information_schema.column_domain_usage",
    "domain_catalog domain_schema domain_name table_catalog table_schema table_name column_name",
    ColumnDomainRows, "The columns of domains."};

}  // namespace

std::vector<TableFunction> UsageRelations() {
  return {MakeSystemRelation<kCatalogName>(), MakeSystemRelation<kViewTableUsage>(),
          MakeSystemRelation<kColumnDomainUsage>()};
}

}  // namespace scaup
