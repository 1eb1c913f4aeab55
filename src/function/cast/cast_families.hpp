// The families of casts; each finds the kernel for two types that cast_function.cpp assigns to it.
#pragma once

#include "function/cast_function.hpp"

namespace scaup {

CastFunction FindBooleanCast(const LogicalType& from, const LogicalType& to);  ///< BOOLEAN <-> integers
CastFunction FindIntegerCast(const LogicalType& from,
                             const LogicalType& to);  ///< integers -> integers, REAL, DOUBLE
CastFunction FindFloatingCast(const LogicalType& from,
                              const LogicalType& to);  ///< REAL, DOUBLE -> integers, each other
CastFunction FindDecimalCast(const LogicalType& from,
                             const LogicalType& to);  ///< DECIMAL, integers -> DECIMAL
CastFunction FindDecimalToNumberCast(const LogicalType& from,
                                     const LogicalType& to);  ///< DECIMAL -> integers, floating
CastFunction FindFloatingToDecimalCast(const LogicalType& from, const LogicalType& to);
CastFunction FindCastToNumeric(const LogicalType& from,
                               const LogicalType& to);  ///< integers, DECIMAL, floating -> NUMERIC
CastFunction FindCastFromNumeric(const LogicalType& from, const LogicalType& to);  ///< and back
CastFunction FindTemporalCast(const LogicalType& from,
                              const LogicalType& to);  ///< DATE, TIME, TIMESTAMP, INTERVAL
CastFunction FindNestedCast(const LogicalType& from,
                            const LogicalType& to);  ///< lists and structs, to each other, VARCHAR <-> them
CastFunction FindUnionCast(const LogicalType& from, const LogicalType& to);  ///< all from and to unions
CastFunction FindRangeCast(const LogicalType& from,
                           const LogicalType& to);  ///< ranges, from and to VARCHAR, too
CastFunction FindEnumCast(const LogicalType& from, const LogicalType& to);      ///< VARCHAR <-> enums
CastFunction FindParsingCast(const LogicalType& from, const LogicalType& to);   ///< VARCHAR -> others
CastFunction FindPrintingCast(const LogicalType& from, const LogicalType& to);  ///< others -> VARCHAR

CastFunction FindZonedCast(
    const LogicalType& from,
    const LogicalType& to);  ///< TIMESTAMPTZ <-> DATE, TIME, TIMESTAMP, TIMETZ; TIME <-> TIMETZ
CastFunction FindJsonCast(const LogicalType& from, const LogicalType& to);  ///< JSON <-> JSONB
/// JSONB -> numbers and BOOLEAN.
CastFunction FindJsonbScalarCast(const LogicalType& from, const LogicalType& to);

/// The kernels of VARCHAR -> JSON, VARCHAR -> JSONB, and JSON or JSONB -> VARCHAR.
void CastTextToJson(const CastCall& call, Vector& source, size_t count, Vector& result);
void CastTextToJsonb(const CastCall& call, Vector& source, size_t count, Vector& result);
void ShareText(const CastCall& call, Vector& source, size_t count, Vector& result);

CastFunction FindBitCast(const LogicalType& from, const LogicalType& to);  ///< BIT <-> integers, BLOB

/// The kernels of VARCHAR -> NUMERIC and BIT, and back.
void CastTextToStored(const CastCall& call, Vector& source, size_t count, Vector& result);
void CastStoredToText(const CastCall& call, Vector& source, size_t count, Vector& result);

}  // namespace scaup
