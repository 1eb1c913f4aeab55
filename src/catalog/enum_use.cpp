// Searching types for enums, and exchanging them.
#include "catalog/enum_use.hpp"

namespace scaup {

bool HasEnum(const LogicalType& type) {
  if (type.id() == TypeId::kEnum) return true;
  if (type.id() == TypeId::kList) return HasEnum(type.element());
  if (type.id() != TypeId::kStruct) return false;
  return std::any_of(type.fields().begin(), type.fields().end(),
                     [](const StructField& field) { return HasEnum(field.type); });
}

LogicalType ExchangedType(const LogicalType& type, const LogicalType& from, const LogicalType& to) {
  if (type == from) return to;
  if (type.id() == TypeId::kList) return WithElement(type, ExchangedType(type.element(), from, to));
  if (type.id() != TypeId::kStruct) return type;
  std::vector<StructField> fields = type.fields();
  for (StructField& field : fields) field.type = ExchangedType(field.type, from, to);
  return WithFields(type, std::move(fields));
}

bool KeepsLabelPlaces(const LogicalType& old, const LogicalType& type) {
  // Equal counts mean that labels were renamed: ALTER TYPE either renames a label or adds one.
  if (old.label_count() == type.label_count()) return true;
  for (size_t i = 0; i < old.label_count(); i++) {
    if (i >= type.label_count() || old.label(i) != type.label(i)) return false;
  }
  return true;
}

bool UsesType(const LogicalType& type, const LogicalType& used) {
  if (type == used) return true;
  if (type.id() == TypeId::kList) return UsesType(type.element(), used);
  if (type.id() != TypeId::kStruct) return false;
  return std::any_of(type.fields().begin(), type.fields().end(),
                     [&](const StructField& field) { return UsesType(field.type, used); });
}

}  // namespace scaup
