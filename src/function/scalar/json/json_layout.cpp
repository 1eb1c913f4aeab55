// jsonb_pretty, json_pretty, json_strip_nulls and jsonb_strip_nulls: JSON values with another layout.
#include "function/scalar/json/json_layout.hpp"

#include "common/stack_bound.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "type/text/json_text.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr size_t kIndentation = 4;

void AppendLine(size_t depth, std::string& out) {
  out += '\n';
  out.append(depth * kIndentation, ' ');
}

void AppendIndented(std::string_view json, size_t depth, EmptyLayout empty, std::string& out) {
  const JsonKind kind = JsonKindOf(json);
  if (kind != JsonKind::kArray && kind != JsonKind::kObject) {
    out += TrimJson(json);
    return;
  }
  CheckStack();
  const bool is_object = kind == JsonKind::kObject;
  out += is_object ? '{' : '[';
  bool is_empty = true;
  for (JsonIterator parts(json); parts.Next(); is_empty = false) {
    if (!is_empty) out += ',';
    AppendLine(depth + 1, out);
    if (is_object) {
      out += parts.quoted_name();
      out += ": ";
    }
    AppendIndented(parts.value(), depth + 1, empty, out);
  }
  if (!is_empty || empty == EmptyLayout::kLines) AppendLine(depth, out);
  out += is_object ? '}' : ']';
}

/// Appends a value without those members of objects that are null; elements of arrays stay.
void AppendWithoutNulls(std::string_view json, std::string_view space, std::string& out) {
  const JsonKind kind = JsonKindOf(json);
  if (kind != JsonKind::kArray && kind != JsonKind::kObject) {
    out += TrimJson(json);
    return;
  }
  CheckStack();
  const bool is_object = kind == JsonKind::kObject;
  out += is_object ? '{' : '[';
  bool is_first = true;
  for (JsonIterator parts(json); parts.Next();) {
    if (is_object && JsonKindOf(parts.value()) == JsonKind::kNull) continue;
    if (!is_first) (out += ',') += space;
    is_first = false;
    if (is_object) ((out += parts.quoted_name()) += ':') += space;
    AppendWithoutNulls(parts.value(), space, out);
  }
  out += is_object ? '}' : ']';
}

template <EmptyLayout kEmpty>
void Pretty(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string text;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& json) {
    text.clear();
    AppendIndentedJson(json.view(), kEmpty, text);
    return result.AddString(text);
  });
}

template <bool kIsJsonb>
void StripNulls(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string text;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& json) {
    text.clear();
    AppendWithoutNulls(json.view(), kIsJsonb ? " " : "", text);
    return result.AddString(text);
  });
}

}  // namespace

void AppendCompactJson(std::string_view json, std::string& out) {
  out.reserve(out.size() + json.size());
  bool in_string = false;
  for (size_t i = 0; i < json.size(); i++) {
    const char c = json[i];
    if (in_string) {
      out += c;
      if (c == '\\') out += json[++i];
      in_string = c != '"';
    } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
      out += c;
      in_string = c == '"';
    }
  }
}

void AppendIndentedJson(std::string_view json, EmptyLayout empty, std::string& out) {
  AppendIndented(json, 0, empty, out);
}

ScalarFunctionList JsonLayoutFunctions() {
  constexpr TypeId kJson = TypeId::kJson, kJsonb = TypeId::kJsonb, kText = TypeId::kVarchar;
  ScalarFunctionList list;
  const auto add = [&](const char* name, TypeId type, TypeId returned, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {type},
                    .return_type = returned,
                    .kernel = kernel,
                    .description = description,
                    .example = example});
  };
  const char* pretty = "The value as text, each element and member on a line of its own.";
  add("jsonb_pretty", kJsonb, kText, &Pretty<EmptyLayout::kLines>, pretty, "jsonb_pretty('{\"a\": [1]}')");
  add("json_pretty", kJson, kText, &Pretty<EmptyLayout::kBrackets>, pretty, "json_pretty('{\"a\": []}')");
  const char* strip = "The value without the members of objects that are null.";
  add("json_strip_nulls", kJson, kJson, &StripNulls<false>, strip,
      "json_strip_nulls('{\"a\": null, \"b\": [null]}')");
  add("jsonb_strip_nulls", kJsonb, kJsonb, &StripNulls<true>, strip,
      "jsonb_strip_nulls('{\"a\": null, \"b\": [null]}')");
  return list;
}

}  // namespace scaup
