// Types to bytes and back.
#include "type/type_stream.hpp"

namespace scaup {

namespace {

bool IsKnown(TypeId id) {
  switch (id) {
    case TypeId::kNull:
    case TypeId::kBoolean:
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kBigInt:
    case TypeId::kHugeInt:
    case TypeId::kReal:
    case TypeId::kDouble:
    case TypeId::kDecimal:
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kInterval: return true;
  }
  return false;
}

}  // namespace

void WriteType(const LogicalType& type, ByteWriter& writer) {
  writer.WriteU8(static_cast<uint8_t>(type.id()));
  writer.WriteU8(type.width());
  writer.WriteU8(type.scale());
}

LogicalType ReadType(ByteReader& reader) {
  const auto id = static_cast<TypeId>(reader.ReadU8("type"));
  const uint8_t width = reader.ReadU8("width of a type");
  const uint8_t scale = reader.ReadU8("scale of a type");
  if (!IsKnown(id)) reader.Fail("type", "there is no such type");
  if (id != TypeId::kDecimal) return id;
  if (width < 1 || width > 38 || scale > width) reader.Fail("type", "there is no such DECIMAL");
  return LogicalType::Decimal(width, scale);
}

}  // namespace scaup
