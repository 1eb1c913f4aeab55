// Types to bytes and back.
#include "type/logical_type_bytes.hpp"

#include <fmt/format.h>

namespace scaup {

void WriteLogicalType(ByteWriter& writer, const LogicalType& type) {
  writer.WriteU8(static_cast<uint8_t>(type.id()));
  writer.WriteU8(type.width());
  writer.WriteU8(type.scale());
}

LogicalType ReadLogicalType(ByteReader& reader) {
  const uint8_t number = reader.ReadU8("number of a type");
  const uint8_t width = reader.ReadU8("width of a type");
  const uint8_t scale = reader.ReadU8("scale of a type");
  const bool is_decimal = number == static_cast<uint8_t>(TypeId::kDecimal);
  const bool is_known = number <= static_cast<uint8_t>(TypeId::kJsonb);
  const bool has_right_width = is_decimal
                                   ? width >= 1 && width <= LogicalType::kMaxDecimalWidth && scale <= width
                                   : width == 0 && scale == 0;
  if (!is_known || !has_right_width) {
    reader.Fail("type",
                fmt::format("there is none with number {}, width {}, scale {}", number, width, scale));
  }
  return is_decimal ? LogicalType::Decimal(width, scale) : LogicalType(static_cast<TypeId>(number));
}

}  // namespace scaup
