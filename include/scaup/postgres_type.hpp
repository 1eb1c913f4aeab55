// PostgresType: how PostgreSQL's clients know the type of a column.
#pragma once

#include <cstdint>

#include "scaup/export.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// The numbers of a type in PostgreSQL's catalogs and protocol.
struct PostgresType {
  uint32_t oid = 0;
  int16_t length = -1;    ///< in bytes; -1 if it varies
  int32_t modifier = -1;  ///< such as the length of VARCHAR(n) plus 4; -1 for none
};

/// Returns the numbers of a type that is no list or struct, as pg_type and pg_attribute show them. Types that
/// PostgreSQL lacks are text, except TINYINT and HUGEINT, whose numbers are above 16383. Thread-safe.
SCAUP_API PostgresType PostgresTypeOf(const LogicalType& type);

}  // namespace scaup
