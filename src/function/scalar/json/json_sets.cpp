// JSON values as rows: json_each, json_array_elements, json_object_keys, and their JSONB variants.
#include "common/throw.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/json/json_path.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "type/text/json_text.hpp"

namespace scaup {
namespace {

struct SetData final : FunctionData {
  std::string name;  // of the function, for error messages
};

std::unique_ptr<FunctionData> BindJsonSet(ScalarFunction& function, std::span<const BindArgument>) {
  auto data = std::make_unique<SetData>();
  data->name = function.name;
  return data;
}

/// Calls add(iterator, slots) for every member or element of each row's value, which must be of the given
/// kind.
template <typename Add>
void ForEachPart(const ScalarCall& call, DataChunk& arguments, Vector& result, JsonKind kind, Add&& add) {
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t, std::string_view json, std::string& slots) {
                if (JsonKindOf(json) != kind) {
                  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                             "cannot call " + static_cast<const SetData&>(*call.data).name + " on a " +
                                 (kind == JsonKind::kArray ? "non-array" : "non-object"));
                }
                for (JsonIterator parts(json); parts.Next();) add(parts, slots);
                return true;
              });
}

/// Appends a value as a string slot: as JSON, or as text, where null becomes NULL.
void AppendValue(std::string_view json, bool as_text, std::string& scratch, std::string& slots) {
  scratch.clear();
  if (!as_text) {
    AppendStringSlot(json, slots);
  } else if (AppendJsonAsText(json, scratch)) {
    AppendStringSlot(scratch, slots);
  } else {
    AppendNullSlot(TypeId::kVarchar, slots);
  }
}

void AppendName(const JsonIterator& member, std::string& scratch, std::string& slots) {
  scratch.clear();
  AppendJsonUnescaped(member.quoted_name(), scratch);
  AppendStringSlot(scratch, slots);
}

template <bool kAsText>
void Elements(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::string scratch;
  ForEachPart(call, arguments, result, JsonKind::kArray, [&](const JsonIterator& part, std::string& slots) {
    AppendValue(part.value(), kAsText, scratch, slots);
  });
}

template <bool kAsText>
void Each(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& member = call.return_type.element();
  std::string scratch, fields;
  ForEachPart(call, arguments, result, JsonKind::kObject, [&](const JsonIterator& part, std::string& slots) {
    fields.clear();
    AppendName(part, scratch, fields);
    AppendValue(part.value(), kAsText, scratch, fields);
    AppendNestedSlot(member, fields, slots);
  });
}

void Keys(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::string scratch;
  ForEachPart(call, arguments, result, JsonKind::kObject,
              [&](const JsonIterator& part, std::string& slots) { AppendName(part, scratch, slots); });
}

}  // namespace

ScalarFunctionList JsonSetFunctions() {
  ScalarFunctionList list;
  for (const TypeId json : {TypeId::kJson, TypeId::kJsonb}) {
    const bool is_jsonb = json == TypeId::kJsonb;
    const auto add = [&](const char* name, const LogicalType& element, const char* column,
                         ScalarKernel kernel, const char* description, const char* argument) {
      const std::string full_name = (is_jsonb ? "jsonb_" : "json_") + std::string(name);
      list.push_back({.name = full_name,
                      .argument_types = {json},
                      .return_type = LogicalType::List(element),
                      .kernel = kernel,
                      .description = description,
                      .example = full_name + "('" + argument + "')",
                      .bind = &BindJsonSet,
                      .returns_set = true,
                      .set_column = column});
    };
    const auto member = [](TypeId value) {
      return LogicalType::Struct({{"key", TypeId::kVarchar}, {"value", value}});
    };
    add("each", member(json), "", &Each<false>, "A row for each member of an object: its key and its value.",
        "{\"a\": 1, \"b\": [2]}");
    add("each_text", member(TypeId::kVarchar), "", &Each<true>, "The same with values as text.",
        "{\"a\": \"x\", \"b\": null}");
    add("array_elements", json, "value", &Elements<false>, "A row for each element of an array.",
        "[1, {\"a\": 2}]");
    add("array_elements_text", TypeId::kVarchar, "value", &Elements<true>, "The same with elements as text.",
        "[1, \"x\", null]");
    add("object_keys", TypeId::kVarchar, "", &Keys, "A row for each key of an object.",
        "{\"a\": 1, \"b\": 2}");
  }
  return list;
}

}  // namespace scaup
