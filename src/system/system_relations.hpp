// System relations: information_schema and pg_catalog, as table functions that FROM finds like tables.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "system/listing.hpp"

namespace scaup {

/// The definition of a relation.
struct SystemRelation {
  const char* name;  ///< with the schema
  /// Column names separated by blanks. The type is VARCHAR unless the name ends with one, such as ":int",
  /// ":oid" or ":text[]"; TypeOfSuffix has them all.
  const char* columns;
  ListingRows (*make_rows)(const FunctionContext& context, const BoundListing& bound);
  const char* description;
};

/// Collects the rows of a relation. Columns that a row does not mention are NULL.
class SystemRows {
 public:
  explicit SystemRows(const BoundListing& bound) : bound_(bound) {}
  void Add(std::vector<std::pair<std::string_view, Value>> values);
  ListingRows Take() { return std::move(rows_); }

 private:
  const BoundListing& bound_;
  ListingRows rows_;
};

inline Value TextValue(std::string_view text) { return Value::Varchar(std::string(text)); }
inline Value IntValue(int64_t number) { return Value::Integer(static_cast<int32_t>(number)); }

std::unique_ptr<BoundTableFunction> BindSystemRelation(const SystemRelation& relation);

template <const SystemRelation& kRelation>
TableFunction MakeSystemRelation() {
  return MakeListing(
      kRelation.name, kRelation.description, "", {},
      [](const FunctionContext&, const TableFunctionArguments&) { return BindSystemRelation(kRelation); });
}

/// The relations of each schema.
std::vector<TableFunction> InformationSchemaRelations();
std::vector<TableFunction> PgCatalogRelations();
std::vector<TableFunction> PgSettingRelations();
std::vector<TableFunction> PgFixedRelations();
std::vector<TableFunction> PgMaterializedRelations();
std::vector<TableFunction> PgTriggerRelations();
std::vector<TableFunction> PgTypeRelations();
std::vector<TableFunction> PgRoleRelations();
std::vector<TableFunction> PgDependencyRelations();
std::vector<TableFunction> PgStatisticRelations();
/// The relations of information_schema about privileges.
std::vector<TableFunction> PrivilegeRelations();
/// The relations of information_schema about what uses what.
std::vector<TableFunction> UsageRelations();
/// The relations of both schemas about what Scaup does not have.
std::vector<TableFunction> EmptyRelations();
/// The relations of pg_catalog and information_schema that list functions.
std::vector<TableFunction> FunctionRelations();

/// pg_show_all_settings(): the rows of pg_settings.
TableFunction MakePgSettingListing();
/// pg_get_keywords(): PostgreSQL's keywords.
TableFunction MakeKeywordListing();

/// Whether a table function is a system relation.
bool IsSystemRelation(const TableFunction& function);
/// Whether a schema is reserved for system relations, so that nothing can be created in it.
bool IsSystemSchema(std::string_view schema);

inline constexpr const char* kInformationSchema = "information_schema";
inline constexpr const char* kPgCatalog = "pg_catalog";

}  // namespace scaup
