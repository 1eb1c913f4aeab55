// pg_catalog: the only user, by the names of several relations.
#include "function/pg_objects.hpp"
#include "system/system_relations.hpp"

namespace scaup {
namespace {

/// Returns the columns of pg_roles and pg_authid.
ListingRows RoleRows(const FunctionContext&, const BoundListing& bound) {
  SystemRows rows(bound);
  std::vector<std::pair<std::string_view, Value>> row = {
      {"oid", Value::BigInt(kPgOwnerOid)}, {"rolname", TextValue(kPgOwner)}, {"rolconnlimit", IntValue(-1)}};
  for (const char* right : {"rolsuper", "rolinherit", "rolcreaterole", "rolcreatedb", "rolcanlogin"})
    row.emplace_back(right, Value::Boolean(true));
  for (const char* right : {"rolreplication", "rolbypassrls"}) row.emplace_back(right, Value::Boolean(false));
  rows.Add(std::move(row));
  return rows.Take();
}

constexpr SystemRelation kRoles = {
    "pg_catalog.pg_roles",
    "rolname rolsuper:bool rolinherit:bool rolcreaterole:bool rolcreatedb:bool rolcanlogin:bool "
    "rolreplication:bool rolconnlimit:int rolpassword rolvaliduntil:timestamptz rolbypassrls:bool "
    "rolconfig:text[] oid:oid",
    RoleRows, "The only user."};

constexpr SystemRelation kAuthid = {
    "pg_catalog.pg_authid",
    "oid:oid rolname rolsuper:bool rolinherit:bool rolcreaterole:bool rolcreatedb:bool rolcanlogin:bool "
    "rolreplication:bool rolbypassrls:bool rolconnlimit:int rolpassword rolvaliduntil:timestamptz",
    RoleRows, "The only user."};

/// Returns the columns of pg_user and pg_shadow.
ListingRows UserRows(const FunctionContext&, const BoundListing& bound) {
  SystemRows rows(bound);
  rows.Add({{"usename", TextValue(kPgOwner)},
            {"usesysid", Value::BigInt(kPgOwnerOid)},
            {"usecreatedb", Value::Boolean(true)},
            {"usesuper", Value::Boolean(true)},
            {"userepl", Value::Boolean(false)},
            {"usebypassrls", Value::Boolean(false)}});
  return rows.Take();
}

constexpr const char* kUserColumns =
    "usename usesysid:oid usecreatedb:bool usesuper:bool userepl:bool usebypassrls:bool passwd "
    "valuntil:timestamptz useconfig:text[]";
constexpr SystemRelation kUser = {"pg_catalog.pg_user", kUserColumns, UserRows, "The only user."};
constexpr SystemRelation kShadow = {"pg_catalog.pg_shadow", kUserColumns, UserRows, "The only user."};

}  // namespace

std::vector<TableFunction> PgRoleRelations() {
  return {MakeSystemRelation<kRoles>(), MakeSystemRelation<kAuthid>(), MakeSystemRelation<kUser>(),
          MakeSystemRelation<kShadow>()};
}

}  // namespace scaup
