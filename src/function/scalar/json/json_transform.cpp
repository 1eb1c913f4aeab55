// json_transform and from_json: JSON values as the type that a structure describes.
#include <algorithm>
#include <cctype>
#include <string>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/cast_function.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "type/json_nested.hpp"
#include "type/number/number_text.hpp"
#include "type/text/json_text.hpp"
#include "type/type_rules.hpp"

namespace scaup {
namespace {

[[noreturn]] void RefuseStructure(std::string_view part) {
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
             "\"" + std::string(part) +
                 "\" describes no type; structures look like '{\"a\": \"INTEGER\", \"b\": [\"VARCHAR\"]}'");
}

/// Reads DECIMAL(10,2).
std::optional<LogicalType> ReadDecimal(std::string_view name) {
  const size_t open = name.find('('), comma = name.find(',');
  const bool has_form = open != std::string_view::npos && comma != std::string_view::npos && comma > open &&
                        name.ends_with(')');
  if (!has_form || TrimSpace(name.substr(0, open)) != "decimal") return std::nullopt;
  int8_t width = 0, scale = 0;
  const bool is_read = ParseInteger(name.substr(open + 1, comma - open - 1), width) &&
                       ParseInteger(name.substr(comma + 1, name.size() - comma - 2), scale);
  if (!is_read || width < 1 || width > 38 || scale < 0 || scale > width) return std::nullopt;
  return LogicalType::Decimal(static_cast<uint8_t>(width), static_cast<uint8_t>(scale));
}

LogicalType ReadStructure(std::string_view json) {
  CheckStack();
  switch (JsonKindOf(json)) {
    case JsonKind::kString: {
      std::string name;
      AppendJsonUnescaped(TrimJson(json), name);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      if (const auto decimal = ReadDecimal(name)) return *decimal;
      const auto type = TypeFromName(name);
      if (!type) RefuseStructure(json);
      return *type;
    }
    case JsonKind::kArray:
      if (JsonLength(json) != 1) RefuseStructure(json);
      return LogicalType::List(ReadStructure(*JsonElement(json, 0)));
    case JsonKind::kObject: {
      std::vector<StructField> fields;
      for (JsonIterator members(json); members.Next();) {
        StructField field{{}, ReadStructure(members.value())};
        AppendJsonUnescaped(members.quoted_name(), field.name);
        const auto is_same = [&](const StructField& other) { return other.name == field.name; };
        if (std::any_of(fields.begin(), fields.end(), is_same)) RefuseStructure(json);
        fields.push_back(std::move(field));
      }
      if (fields.empty()) RefuseStructure(json);
      return LogicalType::Struct(std::move(fields));
    }
    case JsonKind::kNull:
    case JsonKind::kBoolean:
    case JsonKind::kNumber: break;
  }
  RefuseStructure(json);
}

/// Throws Error(22023) for an object without one of the type's fields.
void RequireMembers(std::string_view json, const LogicalType& type) {
  CheckStack();
  const JsonKind kind = JsonKindOf(json);
  if (type.id() == TypeId::kList && kind == JsonKind::kArray) {
    if (!type.element().IsNested()) return;
    for (JsonIterator elements(json); elements.Next();) RequireMembers(elements.value(), type.element());
  }
  if (type.id() != TypeId::kStruct || kind != JsonKind::kObject) return;
  for (const StructField& field : type.fields()) {
    const auto member = JsonMember(json, field.name);
    if (!member) {
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidParameterValue,
                 "a JSON object has no member \"" + field.name +
                     "\", which the structure has; json_transform makes it NULL");
    }
    RequireMembers(*member, field.type);
  }
}

/// Casts so that what does not fit becomes NULL, and all else stays; if it is strict, with an error instead.
void TransformAs(bool is_strict, const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const LogicalType json = TypeId::kJson, &target = call.return_type;
  const LogicalType source = JsonPieceType(json, target);
  const auto cast = FindCast(source, target);
  SCAUP_CHECK(cast.has_value());
  const CastCall cast_call{call.context, source, target, !is_strict};
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  for (size_t row = 0; is_strict && row < count; row++) {
    if (values.IsValid(row)) RequireMembers(values[row].view(), target);
  }
  if (IsJson(source)) return cast->kernel(cast_call, arguments.column(0), count, result);
  Vector texts(source);
  texts.Reset();
  StringRef* out = texts.MutableData<StringRef>();
  std::string text;
  for (size_t row = 0; row < count; row++) {
    text.clear();
    if (values.IsValid(row) && AppendJsonAsText(values[row].view(), text)) {
      out[row] = texts.AddString(text);
    } else {
      texts.SetNull(row);
    }
  }
  cast->kernel(cast_call, texts, count, result);
}

void Transform(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TransformAs(false, call, arguments, result);
}
void TransformStrictly(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TransformAs(true, call, arguments, result);
}

std::unique_ptr<FunctionData> BindTransform(ScalarFunction& function,
                                            std::span<const BindArgument> arguments) {
  // An untyped literal gets its type first; then the call is bound once more.
  if (arguments[1].type.id() == TypeId::kNull) return nullptr;
  const Value* structure = arguments[1].constant;
  if (structure == nullptr || structure->is_null()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "the structure of " + function.name + " must be a constant that is not NULL");
  }
  if (!IsJsonText(structure->GetString())) RefuseStructure(structure->GetString());
  function.return_type = ReadStructure(structure->GetString());
  return nullptr;
}

}  // namespace

ScalarFunctionList JsonTransformFunctions() {
  ScalarFunctionList list;
  for (const char* name : {"json_transform", "from_json", "json_transform_strict", "from_json_strict"}) {
    const bool is_strict = std::string_view(name).ends_with("_strict");
    list.push_back(
        {.name = name,
         .argument_types = {TypeId::kJson, TypeId::kVarchar},
         .return_type = TypeId::kJson,
         .kernel = is_strict ? &TransformStrictly : &Transform,
         .description = is_strict
                            ? "A value as the type that a structure describes; what does not fit is an error."
                            : "A value as the type that a structure describes; what does not fit is NULL.",
         .example = std::string(name) +
                    "('{\"a\": 1, \"b\": [\"x\"]}', '{\"a\": \"INTEGER\", \"b\": [\"VARCHAR\"]}')",
         .bind = &BindTransform});
  }
  return list;
}

}  // namespace scaup
