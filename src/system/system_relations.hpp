// Relations of the schemas information_schema and pg_catalog: table functions without arguments whose names
// hold the schema, which FROM finds like tables.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "system/listing.hpp"

namespace scaup {

/// A relation as its file writes it down.
struct SystemRelation {
  const char* name;  ///< with the schema
  /// Names between spaces; VARCHAR but for "name:int", "name:bigint", "name:bool", "name:real" and
  /// "name:timestamptz".
  const char* columns;
  ListingRows (*make_rows)(const FunctionContext& context, const BoundListing& bound);
  const char* description;
};

/// Collects rows of a relation; columns that a row does not name are NULL.
class SystemRows {
 public:
  explicit SystemRows(const BoundListing& bound) : bound_(bound) {}
  void Add(std::vector<std::pair<std::string_view, Value>> values);
  ListingRows Take() { return std::move(rows_); }

 private:
  const BoundListing& bound_;
  ListingRows rows_;
};

std::unique_ptr<BoundTableFunction> BindSystemRelation(const SystemRelation& relation);

template <const SystemRelation& kRelation>
TableFunction MakeSystemRelation() {
  return MakeListing(
      kRelation.name, kRelation.description, "", {},
      [](const FunctionContext&, const TableFunctionArguments&) { return BindSystemRelation(kRelation); });
}

/// Each file's relations.
std::vector<TableFunction> InformationSchemaRelations();
std::vector<TableFunction> PgCatalogRelations();

/// Whether a table function is one of them.
bool IsSystemRelation(const TableFunction& function);
/// Whether a schema holds them, so that nothing else can be made in it.
bool IsSystemSchema(std::string_view schema);

inline constexpr const char* kInformationSchema = "information_schema";
inline constexpr const char* kPgCatalog = "pg_catalog";

}  // namespace scaup
