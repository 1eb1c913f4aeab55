// Types of the protocol: PostgreSQL's numbers for SQL types, and back.
#pragma once

#include <cstdint>
#include <optional>

#include "scaup/postgres_type.hpp"
#include "scaup/type.hpp"

namespace scaup::server {

// The numbers that the code treats specially; PostgreSQL's.
inline constexpr uint32_t kBoolOid = 16, kByteaOid = 17, kCharOid = 18, kNameOid = 19, kInt8Oid = 20,
                          kInt2Oid = 21, kInt2VectorOid = 22, kInt4Oid = 23, kTextOid = 25, kOidOid = 26,
                          kOidVectorOid = 30, kJsonOid = 114, kFloat4Oid = 700, kFloat8Oid = 701,
                          kUnknownOid = 705, kBpcharOid = 1042, kVarcharOid = 1043, kDateOid = 1082,
                          kTimeOid = 1083, kTimestampOid = 1114, kTimestampTzOid = 1184, kIntervalOid = 1186,
                          kNumericOid = 1700, kTimeTzOid = 1266, kBitOid = 1560, kVarbitOid = 1562,
                          kUuidOid = 2950, kRecordOid = 2249, kJsonbOid = 3802;

/// Returns how a client sees the type of a column. TINYINT is int2, HUGEINT is numeric, enums are text, lists
/// are arrays of their innermost element, structs are records.
PostgresType TypeForClient(const LogicalType& type);
/// Returns the type of a parameter with this number; kNull if the statement has to tell: for unknown and
/// for numbers that Scaup does not know.
LogicalType TypeOfParameter(uint32_t oid);
/// Returns the range or multirange with this number; nullopt if it is that of another type.
std::optional<LogicalType> RangeWithOid(uint32_t oid);
/// Returns the element's number if `oid` is an array's, otherwise 0.
uint32_t ElementOid(uint32_t oid);
/// Returns the number of the array of this element.
uint32_t ArrayOid(uint32_t element);
/// Returns the innermost element of a list; the type itself if it is no list.
const LogicalType& InnermostElement(const LogicalType& type);

}  // namespace scaup::server
