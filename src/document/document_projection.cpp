// The type a path has of itself.
#include "document/document_projection.hpp"

#include <algorithm>

namespace scaup {

namespace {

constexpr uint32_t Bit(AttributeType type) { return 1U << static_cast<unsigned>(type); }

/// Whether there are some, and none but these.
bool AreOnly(uint32_t types, uint32_t allowed) { return types != 0 && (types & ~allowed) == 0; }

LogicalType TypeOfArrays(uint32_t types) {
  using enum AttributeType;
  types &= ~Bit(kEmptyArray);
  if (AreOnly(types, Bit(kBooleanArray))) return LogicalType::List(TypeId::kBoolean);
  if (AreOnly(types, Bit(kIntegerArray))) return LogicalType::List(TypeId::kBigInt);
  if (AreOnly(types, Bit(kIntegerArray) | Bit(kDoubleArray))) return LogicalType::List(TypeId::kDouble);
  if (AreOnly(types, Bit(kStringArray))) return LogicalType::List(TypeId::kVarchar);
  return TypeId::kJson;
}

}  // namespace

LogicalType DefaultTypeOf(const AttributeDictionary& dictionary, PathId path) {
  using enum AttributeType;
  uint32_t types = 0;
  for (const AttributeId id : dictionary.AttributesOf(path)) types |= Bit(dictionary.attribute(id).type);
  const std::vector<PathId> children = dictionary.ChildrenOf(path);
  const bool has_members = std::any_of(children.begin(), children.end(), [&](PathId child) {
    return !dictionary.AttributesBelow(child).empty();
  });
  types &= ~Bit(kNull);
  if (has_members) return TypeId::kJson;
  if (types == 0) return TypeId::kVarchar;
  if (AreOnly(types, Bit(kBoolean))) return TypeId::kBoolean;
  if (AreOnly(types, Bit(kString))) return TypeId::kVarchar;
  if (AreOnly(types, Bit(kInteger))) return TypeId::kBigInt;
  if (AreOnly(types, Bit(kInteger) | Bit(kHugeInteger))) return TypeId::kHugeInt;
  if (AreOnly(types, Bit(kInteger) | Bit(kHugeInteger) | Bit(kDouble) | Bit(kNumber))) return TypeId::kDouble;
  if (AreOnly(types, Bit(kEmptyArray) | Bit(kBooleanArray) | Bit(kIntegerArray) | Bit(kDoubleArray) |
                         Bit(kStringArray) | Bit(kArray)))
    return TypeOfArrays(types);
  return TypeId::kJson;
}

}  // namespace scaup
