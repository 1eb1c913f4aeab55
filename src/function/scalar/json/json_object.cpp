// json_object and jsonb_object of lists of texts: an object of names and values, all of which are strings.
#include "common/throw.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/json/json_path.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

using Texts = std::vector<std::optional<std::string>>;

[[noreturn]] void ThrowShape(const char* message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kArrayElementError, message);
}

/// Builds the objects of a call's rows.
class TextObject {
 public:
  explicit TextObject(bool is_jsonb) : is_jsonb_(is_jsonb) {}

  void Begin() { text_ = "{"; }
  void Add(const std::optional<std::string>& name, const std::optional<std::string>& value) {
    if (!name) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kNullValueNotAllowed,
                 "null value not allowed for object key");
    }
    if (text_.size() > 1) text_ += ", ";
    AppendJsonString(*name, text_);
    text_ += " : ";
    if (value) {
      AppendJsonString(*value, text_);
    } else {
      text_ += "null";
    }
  }
  std::string_view End() {
    text_ += '}';
    if (!is_jsonb_) return text_;
    if (!NormalizeJson(text_, normal_)) ThrowJsonError(text_, true);
    return normal_;
  }

 private:
  bool is_jsonb_;
  std::string text_, normal_;
};

void OfPairs(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TextObject object(call.return_type.id() == TypeId::kJsonb);
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& list) {
    const Texts texts = ReadTexts(list.view());
    if (texts.size() % 2 != 0) ThrowShape("array must have even number of elements");
    object.Begin();
    for (size_t i = 0; i < texts.size(); i += 2) object.Add(texts[i], texts[i + 1]);
    return result.AddString(object.End());
  });
}

/// A list of lists of a name and a value.
void OfRows(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType row_type = LogicalType::List(TypeId::kVarchar);
  TextObject object(call.return_type.id() == TypeId::kJsonb);
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& list) {
    object.Begin();
    for (std::string_view rest = list.view(); !rest.empty();) {
      const std::string_view slot = TakeSlot(row_type, rest);
      const Texts texts = IsNullSlot(slot) ? Texts() : ReadTexts(ReadNestedSlot(row_type, slot));
      if (texts.size() != 2) ThrowShape("array must have two columns");
      object.Add(texts[0], texts[1]);
    }
    return result.AddString(object.End());
  });
}

void OfTwoLists(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TextObject object(call.return_type.id() == TypeId::kJsonb);
  MapBinary<StringRef, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& name_list, const StringRef& value_list) {
        const Texts names = ReadTexts(name_list.view()), values = ReadTexts(value_list.view());
        if (names.size() != values.size()) ThrowShape("mismatched array dimensions");
        object.Begin();
        for (size_t i = 0; i < names.size(); i++) object.Add(names[i], values[i]);
        return result.AddString(object.End());
      });
}

}  // namespace

ScalarFunctionList JsonObjectFunctions() {
  const LogicalType texts = LogicalType::List(TypeId::kVarchar);
  ScalarFunctionList list;
  for (const TypeId json : {TypeId::kJson, TypeId::kJsonb}) {
    const std::string name = json == TypeId::kJson ? "json_object" : "jsonb_object";
    const auto add = [&](std::vector<LogicalType> types, ScalarKernel kernel, const char* description,
                         const char* argument) {
      list.push_back({.name = name,
                      .argument_types = std::move(types),
                      .return_type = json,
                      .kernel = kernel,
                      .description = description,
                      .example = name + argument});
    };
    add({texts}, &OfPairs, "An object of names and values in turn, which are strings.",
        "(ARRAY['a', '1', 'b', '2'])");
    add({LogicalType::List(texts)}, &OfRows, "An object of lists of a name and a value, which are strings.",
        "(ARRAY[['a', '1'], ['b', '2']])");
    add({texts, texts}, &OfTwoLists, "An object of names and as many values, which are strings.",
        "(ARRAY['a', 'b'], ARRAY['1', '2'])");
  }
  return list;
}

}  // namespace scaup
