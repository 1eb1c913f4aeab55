// The public PostgresTypeOf.
#include "scaup/postgres_type.hpp"

#include "type/pg_type.hpp"

namespace scaup {

PostgresType PostgresTypeOf(const LogicalType& type) {
  const PgType& row = PgTypeOf(type);
  return {static_cast<uint32_t>(row.oid), row.length, PgTypeModifier(type)};
}

}  // namespace scaup
