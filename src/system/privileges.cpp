// information_schema: what users may do. The only user owns everything, and may do all that PostgreSQL's
// owners may.
#include <fmt/format.h>

#include <span>

#include "function/pg_objects.hpp"
#include "system/system_relations.hpp"

namespace scaup {
namespace {

constexpr const char* kTablePrivileges[] = {"INSERT",   "SELECT",     "UPDATE", "DELETE",
                                            "TRUNCATE", "REFERENCES", "TRIGGER"};
constexpr const char* kColumnPrivileges[] = {"INSERT", "SELECT", "UPDATE", "REFERENCES"};

using GrantedRow = std::vector<std::pair<std::string_view, Value>>;

/// The columns that all lists of privileges have.
GrantedRow Granted(const char* privilege) {
  return {{"grantor", TextValue(kPgOwner)},
          {"grantee", TextValue(kPgOwner)},
          {"privilege_type", TextValue(privilege)},
          {"is_grantable", TextValue("YES")}};
}

/// Calls `visit` with each table and view.
template <typename Visit>
void ForEachRelation(const FunctionContext& context, const Visit& visit) {
  for (const TableListing& table : context.listing.Tables()) {
    if (!table.is_materialized) visit(table.schema, table.name, table.columns);
  }
  for (const ViewListing& view : context.listing.Views()) visit(view.schema, view.name, view.columns);
}

ListingRows TablePrivilegeRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = context.listing.DatabaseSize().name;
  ForEachRelation(context, [&](const std::string& schema, const std::string& name, const auto&) {
    for (const char* privilege : kTablePrivileges) {
      GrantedRow row = Granted(privilege);
      row.emplace_back("table_catalog", TextValue(database));
      row.emplace_back("table_schema", TextValue(schema));
      row.emplace_back("table_name", TextValue(name));
      row.emplace_back("with_hierarchy", TextValue(std::string_view(privilege) == "SELECT" ? "YES" : "NO"));
      rows.Add(std::move(row));
    }
  });
  return rows.Take();
}

ListingRows ColumnPrivilegeRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = context.listing.DatabaseSize().name;
  ForEachRelation(context, [&](const std::string& schema, const std::string& name, const auto& columns) {
    for (const ColumnListing& column : columns) {
      for (const char* privilege : kColumnPrivileges) {
        GrantedRow row = Granted(privilege);
        row.emplace_back("table_catalog", TextValue(database));
        row.emplace_back("table_schema", TextValue(schema));
        row.emplace_back("table_name", TextValue(name));
        row.emplace_back("column_name", TextValue(column.name));
        rows.Add(std::move(row));
      }
    }
  });
  return rows.Take();
}

ListingRows RoutinePrivilegeRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = context.listing.DatabaseSize().name;
  const PgObjects objects(context.listing);
  for (const FunctionListing& function : objects.functions()) {
    const int64_t oid = objects.Oid(PgObjectKind::kFunction, function.schema, function.signature);
    GrantedRow row = Granted("EXECUTE");
    for (const char* catalog : {"specific_catalog", "routine_catalog"})
      row.emplace_back(catalog, TextValue(database));
    for (const char* schema : {"specific_schema", "routine_schema"})
      row.emplace_back(schema, TextValue(function.schema));
    row.emplace_back("specific_name", TextValue(fmt::format("{}_{}", function.name, oid)));
    row.emplace_back("routine_name", TextValue(function.name));
    rows.Add(std::move(row));
  }
  return rows.Take();
}

constexpr const char* kOfTables =
    "grantor grantee table_catalog table_schema table_name privilege_type is_grantable with_hierarchy";
constexpr const char* kOfColumns =
    "grantor grantee table_catalog table_schema table_name column_name privilege_type is_grantable";
constexpr const char* kOfRoutines =
    "grantor grantee specific_catalog specific_schema specific_name routine_catalog routine_schema "
    "routine_name privilege_type is_grantable";

constexpr SystemRelation kTablePrivilege = {"information_schema.table_privileges", kOfTables,
                                            TablePrivilegeRows, "What the only user may do with tables."};
constexpr SystemRelation kRoleTableGrant = {"information_schema.role_table_grants", kOfTables,
                                            TablePrivilegeRows, "What the only user may do with tables."};
constexpr SystemRelation kColumnPrivilege = {"information_schema.column_privileges", kOfColumns,
                                             ColumnPrivilegeRows, "What the only user may do with columns."};
constexpr SystemRelation kRoleColumnGrant = {"information_schema.role_column_grants", kOfColumns,
                                             ColumnPrivilegeRows, "What the only user may do with columns."};
constexpr SystemRelation kRoutinePrivilege = {"information_schema.routine_privileges", kOfRoutines,
                                              RoutinePrivilegeRows,
                                              "The functions that the only user may call."};
constexpr SystemRelation kRoleRoutineGrant = {"information_schema.role_routine_grants", kOfRoutines,
                                              RoutinePrivilegeRows,
                                              "The functions that the only user may call."};

ListingRows EnabledRoleRows(const FunctionContext&, const BoundListing& bound) {
  SystemRows rows(bound);
  rows.Add({{"role_name", TextValue(kPgOwner)}});
  return rows.Take();
}

constexpr SystemRelation kEnabledRoles = {"information_schema.enabled_roles", "role_name", EnabledRoleRows,
                                          "The only user."};

}  // namespace

std::vector<TableFunction> PrivilegeRelations() {
  return {MakeSystemRelation<kTablePrivilege>(),   MakeSystemRelation<kRoleTableGrant>(),
          MakeSystemRelation<kColumnPrivilege>(),  MakeSystemRelation<kRoleColumnGrant>(),
          MakeSystemRelation<kRoutinePrivilege>(), MakeSystemRelation<kRoleRoutineGrant>(),
          MakeSystemRelation<kEnabledRoles>()};
}

}  // namespace scaup
