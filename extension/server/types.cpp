// PostgreSQL's numbers of types.
#include "types.hpp"

namespace scaup::server {

namespace {

struct Row {
  uint32_t oid;
  uint32_t array;
  TypeId id;  ///< of a parameter; kNull if the statement has to tell
};
constexpr Row kRows[] = {
    {kBoolOid, 1000, TypeId::kBoolean},
    {kByteaOid, 1001, TypeId::kBlob},
    {kCharOid, 1002, TypeId::kVarchar},
    {kNameOid, 1003, TypeId::kVarchar},
    {kInt8Oid, 1016, TypeId::kBigInt},
    {kInt2Oid, 1005, TypeId::kSmallInt},
    {kInt4Oid, 1007, TypeId::kInteger},
    {kTextOid, 1009, TypeId::kVarchar},
    {kOidOid, 1028, TypeId::kBigInt},
    {kJsonOid, 199, TypeId::kJson},
    {kFloat4Oid, 1021, TypeId::kReal},
    {kFloat8Oid, 1022, TypeId::kDouble},
    {kBpcharOid, 1014, TypeId::kVarchar},
    {kVarcharOid, 1015, TypeId::kVarchar},
    {kDateOid, 1182, TypeId::kDate},
    {kTimeOid, 1183, TypeId::kTime},
    {kTimestampOid, 1115, TypeId::kTimestamp},
    {kTimestampTzOid, 1185, TypeId::kTimestampTz},
    {kIntervalOid, 1187, TypeId::kInterval},
    {kNumericOid, 1231, TypeId::kNumeric},
    {kUuidOid, 2951, TypeId::kUuid},
    {kRecordOid, 2287, TypeId::kNull},
    {kJsonbOid, 3807, TypeId::kJsonb},
    {kTimeTzOid, 1270, TypeId::kTimeTz},
    {kBitOid, 1561, TypeId::kBit},
    {kVarbitOid, 1563, TypeId::kBit},
};

struct RangeRow {
  uint32_t oid, array;
  uint32_t multirange, multirange_array;
  TypeId bound;
};
constexpr RangeRow kRangeRows[] = {
    {3904, 3905, 4451, 6150, TypeId::kInteger},   {3906, 3907, 4532, 6151, TypeId::kNumeric},
    {3908, 3909, 4533, 6152, TypeId::kTimestamp}, {3910, 3911, 4534, 6153, TypeId::kTimestampTz},
    {3912, 3913, 4535, 6155, TypeId::kDate},      {3926, 3927, 4536, 6157, TypeId::kBigInt},
};

}  // namespace

std::optional<LogicalType> RangeWithOid(uint32_t oid) {
  for (const RangeRow& row : kRangeRows) {
    if (row.oid == oid) return RangeType(row.bound);
    if (row.multirange == oid) return MultirangeType(row.bound);
  }
  return std::nullopt;
}

uint32_t ElementOid(uint32_t oid) {
  for (const RangeRow& row : kRangeRows) {
    if (row.array == oid) return row.oid;
    if (row.multirange_array == oid) return row.multirange;
  }
  for (const Row& row : kRows) {
    if (row.array == oid) return row.oid;
  }
  return 0;
}

uint32_t ArrayOid(uint32_t element) {
  for (const RangeRow& row : kRangeRows) {
    if (row.oid == element) return row.array;
    if (row.multirange == element) return row.multirange_array;
  }
  for (const Row& row : kRows) {
    if (row.oid == element) return row.array;
  }
  return ArrayOid(kTextOid);
}

const LogicalType& InnermostElement(const LogicalType& type) {
  const LogicalType* element = &type;
  while (element->id() == TypeId::kList && !IsMap(*element)) element = &element->element();
  return *element;
}

PostgresType TypeForClient(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kNull:
    case TypeId::kEnum: return {kTextOid, -1, -1};
    case TypeId::kTinyInt:
    case TypeId::kUTinyInt: return {kInt2Oid, 2, -1};
    case TypeId::kUSmallInt: return {kInt4Oid, 4, -1};
    case TypeId::kUInteger: return {kInt8Oid, 8, -1};
    case TypeId::kHugeInt:
    case TypeId::kUBigInt:
    case TypeId::kNumeric: return {kNumericOid, -1, -1};
    case TypeId::kJsonb: return {kJsonbOid, -1, -1};
    case TypeId::kStruct: return {IsUnion(type) ? kTextOid : kRecordOid, -1, -1};
    case TypeId::kList: {
      if (IsMap(type)) return {kTextOid, -1, -1};
      // The lists of pg_index and pg_proc that PostgreSQL writes without braces and commas.
      if (ModifierBits(type) != 0)
        return {type.element() == TypeId::kSmallInt ? kInt2VectorOid : kOidVectorOid, -1, -1};
      const PostgresType element = TypeForClient(InnermostElement(type));
      return {ArrayOid(element.oid), -1, element.modifier};
    }
    default: return PostgresTypeOf(type);
  }
}

LogicalType TypeOfParameter(uint32_t oid) {
  if (const auto range = RangeWithOid(oid)) return *range;
  if (const auto range = RangeWithOid(ElementOid(oid))) return LogicalType::List(*range);
  for (const Row& row : kRows) {
    if (row.oid == oid) return row.id;
    if (row.array == oid && row.id != TypeId::kNull) return LogicalType::List(row.id);
  }
  return TypeId::kNull;
}

}  // namespace scaup::server
