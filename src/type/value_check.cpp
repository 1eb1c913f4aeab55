// Validation of values that a program hands over.
#include "type/value_check.hpp"

#include <algorithm>
#include <string>

#include "common/throw.hpp"
#include "type/text/json_text.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

bool HasText(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kVarchar:
    case TypeId::kJson:
    case TypeId::kJsonb: return true;
    case TypeId::kList: return HasText(type.element());
    case TypeId::kStruct:
      return std::any_of(type.fields().begin(), type.fields().end(),
                         [](const StructField& field) { return HasText(field.type); });
    default: return false;
  }
}

void CheckJson(std::string_view text, bool is_jsonb) {
  CheckText(text, is_jsonb ? "a value of type JSONB" : "a value of type JSON");
  std::string normal;
  const bool is_json = is_jsonb ? NormalizeJson(text, normal) : IsJsonText(text);
  if (!is_json) ThrowJsonError(text, is_jsonb);
  if (!is_jsonb || normal == text) return;
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
             "a value of type JSONB is not in its form, which the cast of a text to JSONB makes");
}

}  // namespace

void CheckGivenValue(const Value& value) {
  if (value.is_null()) return;
  const LogicalType& type = value.type();
  switch (type.id()) {
    case TypeId::kVarchar: return CheckText(value.GetString(), "a text");
    case TypeId::kJson:
    case TypeId::kJsonb: return CheckJson(value.GetString(), type.id() == TypeId::kJsonb);
    case TypeId::kList:
    case TypeId::kStruct:
      if (HasText(type)) CheckGivenValues(value.GetElements());
      return;
    default: return;
  }
}

void CheckGivenValues(std::span<const Value> values) {
  for (const Value& value : values) CheckGivenValue(value);
}

}  // namespace scaup
