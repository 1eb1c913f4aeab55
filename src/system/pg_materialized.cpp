// pg_catalog: materialized views.
#include "function/pg_objects.hpp"
#include "system/system_relations.hpp"

namespace scaup {
namespace {

ListingRows MaterializedRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const TableListing& table : context.listing.Tables()) {
    if (!table.is_materialized) continue;
    rows.Add({{"schemaname", TextValue(table.schema)},
              {"matviewname", TextValue(table.name)},
              {"matviewowner", TextValue(kPgOwner)},
              {"hasindexes", Value::Boolean(!table.indexes.empty())},
              {"ispopulated", Value::Boolean(table.is_populated)},
              {"definition", TextValue(table.query)}});
  }
  return rows.Take();
}

constexpr SystemRelation kPgMaterialized = {
    "pg_catalog.pg_matviews",
    "schemaname matviewname matviewowner tablespace hasindexes:bool ispopulated:bool definition",
    MaterializedRows, "Materialized views by name."};

}  // namespace

std::vector<TableFunction> PgMaterializedRelations() { return {MakeSystemRelation<kPgMaterialized>()}; }

}  // namespace scaup
