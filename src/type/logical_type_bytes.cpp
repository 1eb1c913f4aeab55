// Serializes and deserializes types.
#include "type/logical_type_bytes.hpp"

#include <fmt/format.h>

#include "type/type_modifier.hpp"
#include "type/type_name.hpp"

namespace scaup {

/// The scale of a type, which only DECIMAL has, if a modifier follows.
static constexpr uint8_t kHasModifier = 255;
/// The width of a list, which only DECIMAL has, if it is a map.
static constexpr uint8_t kIsMap = 1;
/// The width of a struct, if it is a union. Its tag is written like the other fields.
static constexpr uint8_t kIsUnion = 1;

void WriteLogicalType(ByteWriter& writer, const LogicalType& type) {
  writer.WriteU8(static_cast<uint8_t>(type.id()));
  writer.WriteU8(IsMap(type) ? kIsMap : IsUnion(type) ? kIsUnion : type.width());
  if (ModifierBits(type) == 0 || type.IsNested()) {  // That of a list is for clients alone.
    writer.WriteU8(type.scale());
  } else {
    writer.WriteU8(kHasModifier);
    writer.WriteU32(ModifierBits(type));
  }
  if (type.id() == TypeId::kList) WriteLogicalType(writer, type.element());
  if (IsRangeOrMultirange(type.id())) WriteLogicalType(writer, RangeBoundType(type));
  if (type.id() == TypeId::kEnum) {
    writer.WriteString(type.enum_name());
    writer.WriteU32(static_cast<uint32_t>(type.label_count()));
    for (size_t i = 0; i < type.label_count(); i++) writer.WriteString(type.label(i));
  }
  if (type.id() != TypeId::kStruct) return;
  writer.WriteU32(static_cast<uint32_t>(type.fields().size()));
  for (const StructField& field : type.fields()) {
    writer.WriteString(field.name);
    WriteLogicalType(writer, field.type);
  }
}

static LogicalType ReadLogicalTypeAt(ByteReader& reader, size_t depth);

static LogicalType ReadEnumType(ByteReader& reader) {
  std::string name(reader.ReadString("name of an enum"));
  const uint32_t count = reader.ReadU32("number of labels");
  if (count > LogicalType::kMaxLabels) reader.Fail("type", "an enum has too many labels");
  std::vector<std::string> labels;
  for (uint32_t i = 0; i < count; i++) labels.emplace_back(reader.ReadString("label of an enum"));
  return LogicalType::Enum(std::move(name), std::move(labels));
}

static LogicalType ReadListType(ByteReader& reader, bool is_map, size_t depth) {
  const LogicalType element = ReadLogicalTypeAt(reader, depth + 1);
  if (!is_map) return LogicalType::List(element);
  if (element.id() != TypeId::kStruct || element.fields().size() != 2)
    reader.Fail("type", "a map's entries are no pairs");
  return LogicalType::Map(element.fields()[0].type, element.fields()[1].type);
}

static LogicalType ReadRangeType(ByteReader& reader, TypeId id, size_t depth) {
  const LogicalType bound = ReadLogicalTypeAt(reader, depth + 1);
  const LogicalType type = id == TypeId::kRange ? RangeType(bound) : MultirangeType(bound);
  if (!RangeTypeFromName(RangeTypeName(type)))
    reader.Fail("type", "there are no ranges between bounds of the type " + bound.ToString());
  return type;
}

static LogicalType ReadStructType(ByteReader& reader, bool is_union, size_t depth) {
  const uint32_t count = reader.ReadU32("number of fields");
  if (count == 0) reader.Fail("type", "a struct has no fields");
  std::vector<StructField> fields;
  for (uint32_t i = 0; i < count; i++) {
    std::string name(reader.ReadString("name of a field"));
    fields.push_back({std::move(name), ReadLogicalTypeAt(reader, depth + 1)});
  }
  if (!is_union) return LogicalType::Struct(std::move(fields));
  const bool has_tag = fields[0].type.id() == TypeId::kUTinyInt && fields[0].name.empty();
  if (!has_tag || fields.size() < 2 || fields.size() - 1 > LogicalType::kMaxMembers)
    reader.Fail("type", "a union has no tag, or too few or too many members");
  return UnionType({fields.begin() + 1, fields.end()});
}

/// Returns whether a type was added behind the nested types and has no parts.
static bool IsLaterPlainType(TypeId id) {
  return id == TypeId::kNumeric || id == TypeId::kBit || id == TypeId::kTimeTz || IsUnsigned(id);
}

static LogicalType ReadModifiedType(ByteReader& reader, uint8_t number, uint8_t width) {
  const uint32_t bits = reader.ReadU32("modifier of a type");
  const auto id = static_cast<TypeId>(number);
  const bool may_have_one = number <= static_cast<uint8_t>(TypeId::kJsonb) || IsLaterPlainType(id);
  if (!may_have_one || width != 0 || !IsValidModifier(id, bits))
    reader.Fail("type",
                fmt::format("there is none with number {}, width {}, modifier {}", number, width, bits));
  return WithModifierBits(id, bits);
}

LogicalType ReadLogicalType(ByteReader& reader) { return ReadLogicalTypeAt(reader, 0); }

static LogicalType ReadLogicalTypeAt(ByteReader& reader, size_t depth) {
  const uint8_t number = reader.ReadU8("number of a type");
  const uint8_t width = reader.ReadU8("width of a type");
  const uint8_t scale = reader.ReadU8("scale of a type");
  if (scale == kHasModifier) return ReadModifiedType(reader, number, width);
  const bool is_decimal = number == static_cast<uint8_t>(TypeId::kDecimal);
  const bool is_list = number == static_cast<uint8_t>(TypeId::kList);
  const bool is_struct = number == static_cast<uint8_t>(TypeId::kStruct);
  const bool is_nested = is_list || is_struct;
  const bool is_enum = number == static_cast<uint8_t>(TypeId::kEnum);
  const bool is_range = IsRangeOrMultirange(static_cast<TypeId>(number));
  const bool is_known = number <= static_cast<uint8_t>(TypeId::kJsonb) || is_nested || is_enum ||
                        IsLaterPlainType(static_cast<TypeId>(number)) || is_range;
  const bool is_marked = (is_list && width == kIsMap) || (is_struct && width == kIsUnion);
  const bool has_right_width = is_decimal
                                   ? width >= 1 && width <= LogicalType::kMaxDecimalWidth && scale <= width
                                   : (width == 0 || is_marked) && scale == 0;
  if (!is_known || !has_right_width) {
    reader.Fail("type",
                fmt::format("there is none with number {}, width {}, scale {}", number, width, scale));
  }
  if (is_enum) return ReadEnumType(reader);
  if ((is_nested || is_range) && depth >= LogicalType::kMaxNesting)
    reader.Fail("type", "it is nested too deep");
  if (is_range) return ReadRangeType(reader, static_cast<TypeId>(number), depth);
  if (is_list) return ReadListType(reader, width == kIsMap, depth);
  if (is_nested) return ReadStructType(reader, width == kIsUnion, depth);
  return is_decimal ? LogicalType::Decimal(width, scale) : LogicalType(static_cast<TypeId>(number));
}

}  // namespace scaup
