// Inspects JSON values: kind, length, members, containment.
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/json/json_path.hpp"
#include "type/text/json_text.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void TypeOf(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [](const StringRef& json) {
    return StringRef(std::string_view(JsonKindName(JsonKindOf(json.view()))));  // all names are inline
  });
}

void ArrayLength(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, int32_t>(arguments.column(0), arguments.size(), result, [](const StringRef& json) {
    const JsonKind kind = JsonKindOf(json.view());
    if (kind != JsonKind::kArray) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 kind == JsonKind::kObject ? "cannot get array length of a non-array"
                                           : "cannot get array length of a scalar");
    }
    return static_cast<int32_t>(JsonLength(json.view()));
  });
}

void IsValid(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, uint8_t>(arguments.column(0), arguments.size(), result,
                               [](const StringRef& text) -> uint8_t { return IsJsonText(text.view()); });
}

/// Whether `json` has a member of this name, has an element equal to this string, or is this string.
bool Has(std::string_view json, std::string_view name) {
  std::string text;
  const auto is_name = [&](std::string_view value) {
    if (JsonKindOf(value) != JsonKind::kString) return false;
    text.clear();
    AppendJsonUnescaped(TrimJson(value), text);
    return text == name;
  };
  switch (JsonKindOf(json)) {
    case JsonKind::kObject: return JsonMember(json, name).has_value();
    case JsonKind::kArray:
      for (JsonIterator elements(json); elements.Next();) {
        if (is_name(elements.value())) return true;
      }
      return false;
    case JsonKind::kNull:
    case JsonKind::kBoolean:
    case JsonKind::kNumber:
    case JsonKind::kString: return is_name(json);
  }
  return false;
}

void Exists(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, uint8_t>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [](const StringRef& json, const StringRef& name) -> uint8_t { return Has(json.view(), name.view()); });
}

template <bool kAll>
void ExistsMany(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, uint8_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           [](const StringRef& json, const StringRef& names) -> uint8_t {
                                             for (const auto& name : ReadTexts(names.view())) {
                                               if (name && Has(json.view(), *name) != kAll) return !kAll;
                                             }
                                             return kAll;
                                           });
}

/// Removes trailing zeros of the fraction: 1.50 equals 1.5.
std::string_view SignificantNumber(std::string_view number) {
  if (number.find('.') == std::string_view::npos) return number;
  while (number.back() == '0') number.remove_suffix(1);
  if (number.back() == '.') number.remove_suffix(1);
  return number;
}

bool AreEqualScalars(std::string_view a, std::string_view b) {
  const JsonKind kind = JsonKindOf(a);
  if (kind != JsonKindOf(b)) return false;
  return kind == JsonKind::kNumber ? SignificantNumber(a) == SignificantNumber(b) : a == b;
}

bool IsScalar(std::string_view json) {
  const JsonKind kind = JsonKindOf(json);
  return kind != JsonKind::kArray && kind != JsonKind::kObject;
}

/// Whether `a` contains `b`. Both are JSONB, so their depth is bounded.
bool Contains(std::string_view a, std::string_view b) {
  if (IsScalar(b)) return IsScalar(a) && AreEqualScalars(a, b);
  CheckStack();
  if (JsonKindOf(a) != JsonKindOf(b)) return false;
  if (JsonKindOf(b) == JsonKind::kObject) {
    for (JsonIterator members(b); members.Next();) {
      std::string name;
      AppendJsonUnescaped(members.quoted_name(), name);
      const auto member = JsonMember(a, name);
      if (!member || !Contains(*member, members.value())) return false;
    }
    return true;
  }
  for (JsonIterator wanted(b); wanted.Next();) {
    bool is_found = false;
    for (JsonIterator elements(a); !is_found && elements.Next();) {
      is_found = Contains(elements.value(), wanted.value());
    }
    if (!is_found) return false;
  }
  return true;
}

/// At the top level, an array also contains its scalar elements.
bool ContainsAtTop(std::string_view a, std::string_view b) {
  if (JsonKindOf(a) != JsonKind::kArray || !IsScalar(b)) return Contains(a, b);
  for (JsonIterator elements(a); elements.Next();) {
    if (Contains(elements.value(), b)) return true;
  }
  return false;
}

template <bool kSwapped>
void ContainsKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, uint8_t>(
      arguments.column(kSwapped ? 1 : 0), arguments.column(kSwapped ? 0 : 1), arguments.size(), result,
      [](const StringRef& a, const StringRef& b) -> uint8_t { return ContainsAtTop(a.view(), b.view()); });
}

/// Whether `json` has all that `sought` has: elements in any order, members by name, scalars as they are
/// written.
bool Covers(std::string_view json, std::string_view sought) {
  const JsonKind kind = JsonKindOf(sought);
  if (JsonKindOf(json) != kind) return false;
  if (kind == JsonKind::kString) {
    std::string a, b;
    AppendJsonUnescaped(TrimJson(json), a);
    AppendJsonUnescaped(TrimJson(sought), b);
    return a == b;
  }
  if (kind != JsonKind::kArray && kind != JsonKind::kObject) return TrimJson(json) == TrimJson(sought);
  CheckStack();
  for (JsonIterator wanted(sought); wanted.Next();) {
    bool is_found = false;
    if (kind == JsonKind::kObject) {
      std::string name;
      AppendJsonUnescaped(wanted.quoted_name(), name);
      const auto member = JsonMember(json, name);
      is_found = member && Covers(*member, wanted.value());
    } else {
      for (JsonIterator elements(json); !is_found && elements.Next();)
        is_found = Covers(elements.value(), wanted.value());
    }
    if (!is_found) return false;
  }
  return true;
}

/// Whether `json` or a value within it covers `sought`.
bool ContainsAnywhere(std::string_view json, std::string_view sought) {
  if (Covers(json, sought)) return true;
  const JsonKind kind = JsonKindOf(json);
  if (kind != JsonKind::kArray && kind != JsonKind::kObject) return false;
  CheckStack();
  for (JsonIterator parts(json); parts.Next();) {
    if (ContainsAnywhere(parts.value(), sought)) return true;
  }
  return false;
}

void JsonContains(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, uint8_t>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [](const StringRef& a, const StringRef& b) -> uint8_t { return ContainsAnywhere(a.view(), b.view()); });
}

}  // namespace

ScalarFunctionList JsonInspectFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> arguments, TypeId result,
                       ScalarKernel kernel, const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::move(arguments),
                    .return_type = result,
                    .kernel = kernel,
                    .description = description,
                    .example = example});
  };
  constexpr TypeId kJson = TypeId::kJson, kJsonb = TypeId::kJsonb, kText = TypeId::kVarchar;
  const char* kind = "What a JSON value is: object, array, string, number, boolean or null.";
  add("json_typeof", {kJson}, kText, &TypeOf, kind, "json_typeof('[1]')");
  add("jsonb_typeof", {kJsonb}, kText, &TypeOf, kind, "jsonb_typeof('1.5')");
  const char* length = "How many elements an array of JSON has.";
  add("json_array_length", {kJson}, TypeId::kInteger, &ArrayLength, length,
      "json_array_length('[1, [2, 3]]')");
  add("jsonb_array_length", {kJsonb}, TypeId::kInteger, &ArrayLength, length,
      "jsonb_array_length('[1, [2, 3]]')");
  add("json_valid", {kText}, TypeId::kBoolean, &IsValid, "Whether a text is JSON.",
      "json_valid('{\"a\": }')");
  const char* exists = "Whether an object has a member of this name, or an array such a string.";
  for (const char* name : {"?", "jsonb_exists"})
    add(name, {kJsonb, kText}, TypeId::kBoolean, &Exists, exists, "jsonb_exists('{\"a\": 1}', 'a')");
  const LogicalType texts = LogicalType::List(kText);
  for (const char* name : {"?|", "jsonb_exists_any"}) {
    add(name, {kJsonb, texts}, TypeId::kBoolean, &ExistsMany<false>, "The same for any of several names.",
        "jsonb_exists_any('{\"a\": 1}', '{a,b}')");
  }
  for (const char* name : {"?&", "jsonb_exists_all"}) {
    add(name, {kJsonb, texts}, TypeId::kBoolean, &ExistsMany<true>, "The same for all of several names.",
        "jsonb_exists_all('{\"a\": 1}', '{a,b}')");
  }
  const char* contains = "Whether one value holds all that the other one holds.";
  add("@>", {kJsonb, kJsonb}, TypeId::kBoolean, &ContainsKernel<false>, contains,
      "JSONB '{\"a\": 1, \"b\": [2, 3]}' @> '{\"b\": [3]}'");
  add("<@", {kJsonb, kJsonb}, TypeId::kBoolean, &ContainsKernel<true>, contains,
      "JSONB '{\"b\": [3]}' <@ '{\"a\": 1, \"b\": [2, 3]}'");
  add("json_contains", {kJson, kJson}, TypeId::kBoolean, &JsonContains,
      "Whether a value, or one within it, has all that another one has.",
      "json_contains('{\"a\": {\"b\": [1, 2]}}', '{\"b\": [2]}')");
  return list;
}

}  // namespace scaup
