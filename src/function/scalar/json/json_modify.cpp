// The operators || and - of JSONB: concatenation, and removal of members and elements.
#include <algorithm>

#include "common/throw.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/json/json_path.hpp"
#include "type/text/json_text.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowInvalid(const char* message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue, message);
}

/// The text between the brackets of an array or object; a scalar is returned unchanged.
std::string_view Inner(std::string_view json) {
  const JsonKind kind = JsonKindOf(json);
  const bool is_scalar = kind != JsonKind::kArray && kind != JsonKind::kObject;
  return is_scalar ? json : json.substr(1, json.size() - 2);
}

/// Concatenates two values. Two objects yield one with the members of both, where the second one's have
/// precedence; other values yield an array.
void Join(std::string_view a, std::string_view b, std::string& joined) {
  const bool is_object = JsonKindOf(a) == JsonKind::kObject && JsonKindOf(b) == JsonKind::kObject;
  const auto part = [&](std::string_view json) {
    return is_object || JsonKindOf(json) != JsonKind::kObject ? Inner(json) : json;
  };
  joined = is_object ? "{" : "[";
  joined += part(a);
  if (!part(a).empty() && !part(b).empty()) joined += ", ";
  joined += part(b);
  joined += is_object ? '}' : ']';
}

void Concat(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string joined, normal;
  MapBinary<StringRef, StringRef, StringRef>(arguments.column(0), arguments.column(1), arguments.size(),
                                             result, [&](const StringRef& a, const StringRef& b) {
                                               Join(a.view(), b.view(), joined);
                                               if (!NormalizeJson(joined, normal))
                                                 ThrowJsonError(joined, true);
                                               return result.AddString(normal);
                                             });
}

/// Copies an array or object without the items for which `is_dropped` is true.
template <typename IsDropped>
void Without(std::string_view json, std::string& rest, IsDropped&& is_dropped) {
  const bool is_object = JsonKindOf(json) == JsonKind::kObject;
  rest = is_object ? "{" : "[";
  for (JsonIterator items(json); items.Next();) {
    if (is_dropped(items)) continue;
    if (rest.size() > 1) rest += ", ";
    if (is_object) {
      rest += items.quoted_name();
      rest += ": ";
    }
    rest += items.value();
  }
  rest += is_object ? '}' : ']';
}

void WithoutName(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string rest, quoted;
  MapBinary<StringRef, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& json, const StringRef& name) {
        const JsonKind kind = JsonKindOf(json.view());
        if (kind != JsonKind::kObject && kind != JsonKind::kArray) ThrowInvalid("cannot delete from scalar");
        quoted.clear();
        AppendJsonString(name.view(), quoted);  // in normal form, equal strings have equal texts
        Without(json.view(), rest, [&](const JsonIterator& item) {
          return kind == JsonKind::kObject ? item.quoted_name() == quoted : item.value() == quoted;
        });
        return result.AddString(rest);
      });
}

/// Removes the members of several names, or the strings among an array's elements.
void WithoutNames(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string rest;
  MapBinary<StringRef, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& json, const StringRef& list) {
        const JsonKind kind = JsonKindOf(json.view());
        if (kind != JsonKind::kObject && kind != JsonKind::kArray) ThrowInvalid("cannot delete from scalar");
        std::vector<std::string> names;
        for (const std::optional<std::string>& name : ReadTexts(list.view())) {
          if (name) AppendJsonString(*name, names.emplace_back());
        }
        Without(json.view(), rest, [&](const JsonIterator& item) {
          const std::string_view text = kind == JsonKind::kObject ? item.quoted_name() : item.value();
          return std::find(names.begin(), names.end(), text) != names.end();
        });
        return result.AddString(rest);
      });
}

void WithoutElement(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string rest;
  MapBinary<StringRef, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& json, int32_t index) {
        const JsonKind kind = JsonKindOf(json.view());
        if (kind == JsonKind::kObject) ThrowInvalid("cannot delete from object using integer index");
        if (kind != JsonKind::kArray) ThrowInvalid("cannot delete from scalar");
        int64_t place = index < 0 ? index + static_cast<int64_t>(JsonLength(json.view())) : index;
        Without(json.view(), rest, [&place](const JsonIterator&) { return place-- == 0; });
        return result.AddString(rest);
      });
}

}  // namespace

ScalarFunctionList JsonModifyFunctions() {
  constexpr TypeId kJsonb = TypeId::kJsonb;
  return {{.name = "||",
           .argument_types = {kJsonb, kJsonb},
           .return_type = kJsonb,
           .kernel = &Concat,
           .description = "The members of two objects in one; the elements of two arrays in one.",
           .example = "JSONB '{\"a\": 1}' || JSONB '{\"b\": 2}'"},
          {.name = "-",
           .argument_types = {kJsonb, TypeId::kVarchar},
           .return_type = kJsonb,
           .kernel = &WithoutName,
           .description = "The object without a member, or the array without a string.",
           .example = "JSONB '{\"a\": 1, \"b\": 2}' - 'a'"},
          {.name = "-",
           .argument_types = {kJsonb, LogicalType::List(TypeId::kVarchar)},
           .return_type = kJsonb,
           .kernel = &WithoutNames,
           .description = "The object without some members, or the array without some strings.",
           .example = "JSONB '{\"a\": 1, \"b\": 2, \"c\": 3}' - ARRAY['a', 'b']"},
          {.name = "-",
           .argument_types = {kJsonb, TypeId::kInteger},
           .return_type = kJsonb,
           .kernel = &WithoutElement,
           .description = "The array without an element, counted from 0 or, from the end, from -1.",
           .example = "JSONB '[10, 20, 30]' - 1"}};
}

}  // namespace scaup
