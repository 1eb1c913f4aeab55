// The operators -> ->> #> #>> and their functions: parts of JSON values.
#include "common/throw.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/json/json_path.hpp"
#include "type/text/json_text.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Writes a part as JSON or, with kAsText, as text; NULL if there is none.
template <bool kAsText>
void PutPart(const std::optional<std::string_view>& part, size_t row, std::string& text, Vector& result) {
  if (!part) return result.SetNull(row);
  if (!kAsText) {
    result.MutableData<StringRef>()[row] = result.AddString(*part);
    return;
  }
  text.clear();
  if (!AppendJsonAsText(*part, text)) return result.SetNull(row);
  result.MutableData<StringRef>()[row] = result.AddString(text);
}

/// Calls `find(json, argument)` for every row.
template <typename Argument, bool kAsText, typename Find>
void FindParts(DataChunk& arguments, Vector& result, Find&& find) {
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  const auto wanted = arguments.column(1).ViewAs<Argument>(count);
  std::string text;
  for (size_t row = 0; row < count; row++) {
    if (values.IsValid(row) && wanted.IsValid(row)) {
      PutPart<kAsText>(find(values[row].view(), wanted[row]), row, text, result);
    } else {
      result.SetNull(row);
    }
  }
}

template <bool kAsText>
void Member(const ScalarCall&, DataChunk& arguments, Vector& result) {
  FindParts<StringRef, kAsText>(arguments, result, [](std::string_view json, const StringRef& name) {
    return JsonMember(json, name.view());
  });
}

template <bool kAsText>
void Element(const ScalarCall&, DataChunk& arguments, Vector& result) {
  FindParts<int32_t, kAsText>(arguments, result,
                              [](std::string_view json, int32_t index) { return JsonElement(json, index); });
}

/// Follows a path. It is unpacked once per run of rows that share it, so once for a constant.
template <bool kAsText>
void Path(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::vector<std::optional<std::string>> path;
  std::optional<std::string> last_text;
  FindParts<StringRef, kAsText>(arguments, result, [&](std::string_view json, const StringRef& text) {
    if (!last_text || *last_text != text.view()) {
      path = ReadTexts(text.view());
      last_text = text.view();
    }
    return FollowJsonPath(json, path);
  });
}

/// Follows a path whose steps are separate arguments.
template <bool kAsText>
void Steps(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  std::vector<TypedView<StringRef>> views;
  for (size_t i = 0; i < arguments.column_count(); i++)
    views.push_back(arguments.column(i).ViewAs<StringRef>(count));
  std::string text;
  for (size_t row = 0; row < count; row++) {
    std::optional<std::string_view> part;
    if (views[0].IsValid(row)) part = views[0][row].view();
    for (size_t i = 1; i < views.size() && part; i++) {
      part = views[i].IsValid(row) ? FollowJsonStep(*part, views[i][row].view()) : std::nullopt;
    }
    PutPart<kAsText>(part, row, text, result);
  }
}

}  // namespace

ScalarFunctionList JsonAccessFunctions() {
  ScalarFunctionList list;
  for (const TypeId json : {TypeId::kJson, TypeId::kJsonb}) {
    const auto add = [&](const char* name, const LogicalType& argument, TypeId result, ScalarKernel kernel,
                         const char* description, const char* example) {
      list.push_back({.name = name,
                      .argument_types = {json, argument},
                      .return_type = result,
                      .kernel = kernel,
                      .description = description,
                      .example = example});
    };
    constexpr TypeId kText = TypeId::kVarchar, kNumber = TypeId::kInteger;
    const char* member = "The member of an object that has a name; NULL if there is none.";
    const char* element = "The element of an array, counted from 0 or, from the end, from -1.";
    const char* path = "What a path of names and positions leads to.";
    add("->", kText, json, &Member<false>, member, "JSON '{\"a\": {\"b\": 1}}' -> 'a'");
    add("->", kNumber, json, &Element<false>, element, "JSON '[10, 20]' -> 1");
    add("->>", kText, kText, &Member<true>, "The same as text, without quotes.",
        "JSON '{\"a\": \"x\"}' ->> 'a'");
    add("->>", kNumber, kText, &Element<true>, "The same as text, without quotes.",
        "JSON '[10, \"x\"]' ->> -1");
    const LogicalType texts = LogicalType::List(kText);
    add("#>", texts, json, &Path<false>, path, "JSON '{\"a\": [1, 2]}' #> '{a,1}'");
    add("#>>", texts, kText, &Path<true>, "The same as text, without quotes.",
        "JSON '{\"a\": [1, \"x\"]}' #>> '{a,1}'");
    const std::string prefix = json == TypeId::kJson ? "json" : "jsonb";
    const auto add_steps = [&](const char* name, TypeId result, ScalarKernel kernel, const char* example) {
      list.push_back({.name = prefix + name,
                      .argument_types = {json},
                      .return_type = result,
                      .kernel = kernel,
                      .description = "What a path leads to that is given step by step.",
                      .example = example,
                      .varargs = LogicalType(kText),
                      .nulls = NullHandling::kSpecial});
    };
    const bool is_jsonb = json == TypeId::kJsonb;
    add_steps("_extract_path", json, &Steps<false>,
              is_jsonb ? "jsonb_extract_path('{\"a\": [1, 2]}', 'a', '1')"
                       : "json_extract_path('{\"a\": [1, 2]}', 'a', '1')");
    add_steps("_extract_path_text", kText, &Steps<true>,
              is_jsonb ? "jsonb_extract_path_text('{\"a\": [1, \"x\"]}', 'a', '1')"
                       : "json_extract_path_text('{\"a\": [1, \"x\"]}', 'a', '1')");
  }
  return list;
}

}  // namespace scaup
