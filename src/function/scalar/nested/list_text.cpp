// Conversion between lists and delimited texts: array_to_string, string_to_array.
#include <algorithm>

#include "function/cast_function.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "function/scalar/string/utf8.hpp"
#include "function/text_account.hpp"
#include "type/nested_text.hpp"

namespace scaup {
namespace {

/// The texts of elements, cast 1024 at a time.
class ElementTexts {
 public:
  ElementTexts(const ScalarCall& call, const LogicalType& element)
      : context_(call.context),
        type_(element),
        load_(FindSlotLoader(element)),
        cast_(FindCast(element, TypeId::kVarchar)->kernel),
        values_(element),
        texts_(LogicalType(TypeId::kVarchar)) {}

  /// Calls visit(text) with the text of every slot, in order.
  template <typename Visit>
  void ForEach(const std::vector<std::string_view>& slots, Visit&& visit) {
    for (size_t begin = 0; begin < slots.size(); begin += kVectorSize) {
      const size_t count = std::min(slots.size() - begin, kVectorSize);
      values_.Reset();
      for (size_t i = 0; i < count; i++) load_(type_, slots[begin + i], values_, i);
      if (type_.id() == TypeId::kBoolean) {  // the short form, as in the text of a list
        for (size_t i = 0; i < count; i++) visit(ShortBooleanText(values_.Data<uint8_t>()[i] != 0));
        continue;
      }
      texts_.Reset();
      const LogicalType text = TypeId::kVarchar;
      cast_({context_, type_, text}, values_, count, texts_);
      const auto view = texts_.ViewAs<StringRef>(count);
      for (size_t i = 0; i < count; i++) visit(view[i].view());
    }
  }

 private:
  const FunctionContext& context_;
  LogicalType type_;
  SlotLoader load_;
  CastKernel cast_;
  Vector values_;
  Vector texts_;
};

void ToString(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  const size_t count = arguments.size();
  const bool has_null_text = arguments.column_count() == 3;
  const auto delimiters = arguments.column(1).ViewAs<StringRef>(count);
  const auto null_texts = arguments.column(has_null_text ? 2 : 1).ViewAs<StringRef>(count);
  ElementTexts texts(call, LeafType(element));
  std::vector<std::string_view> values;
  std::vector<bool> is_null;
  TextAccount account(call.context);
  MakeStrings(arguments.column(0), count, result, [&](size_t row, std::string_view list, std::string& out) {
    if (!delimiters.IsValid(row)) return false;
    const bool shows_nulls = has_null_text && null_texts.IsValid(row);
    values.clear();
    is_null.clear();
    ForEachLeaf(element, list, [&](std::string_view slot) {
      if (IsNullSlot(slot) && !shows_nulls) return;
      is_null.push_back(IsNullSlot(slot));
      if (!is_null.back()) values.push_back(slot);
    });
    size_t next = 0;
    const auto put = [&](std::string_view text) {
      const std::string_view delimiter = next > 0 ? delimiters[row].view() : std::string_view();
      account.Expect(out, delimiter.size() + text.size());
      out += delimiter;
      out += text;
      account.Note(out);
      next++;
    };
    const auto put_nulls = [&] {
      while (next < is_null.size() && is_null[next]) put(null_texts[row].view());
    };
    texts.ForEach(values, [&](std::string_view text) {
      put_nulls();
      put(text);
    });
    put_nulls();
    return true;
  });
}

void AppendPart(std::string_view part, const StringRef* null_text, std::string& slots) {
  if (null_text != nullptr && part == null_text->view()) {
    AppendNullSlot(TypeId::kVarchar, slots);
  } else {
    AppendStringSlot(part, slots);
  }
}

/// Splits a text. In PostgreSQL's string_to_array a NULL delimiter separates all characters, an empty one
/// does not split, and an empty text has no parts. In DuckDB's string_split an empty delimiter separates all
/// characters, a NULL one does not split, and an empty text is one part.
enum class Splitting : bool { kToArray, kSplit };

template <Splitting kSplitting>
void FromString(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const bool has_null_text = arguments.column_count() == 3;
  const auto delimiters = arguments.column(1).ViewAs<StringRef>(count);
  const auto null_texts = arguments.column(has_null_text ? 2 : 1).ViewAs<StringRef>(count);
  TextAccount account(call.context);
  MakeStrings(arguments.column(0), count, result, [&](size_t row, std::string_view text, std::string& slots) {
    const StringRef* null_text = has_null_text && null_texts.IsValid(row) ? &null_texts[row] : nullptr;
    constexpr bool kIsSplit = kSplitting == Splitting::kSplit;
    if (text.empty()) {
      if (kIsSplit) AppendPart(text, null_text, slots);
      return true;
    }
    const bool is_null = !delimiters.IsValid(row);
    const std::string_view delimiter = is_null ? std::string_view() : delimiters[row].view();
    const bool by_character = kIsSplit ? !is_null && delimiter.empty() : is_null;
    while (by_character && !text.empty()) {
      const size_t size = CharacterLength(text, 0);
      AppendPart(text.substr(0, size), null_text, slots);
      account.Note(slots);
      text.remove_prefix(size);
    }
    if (by_character) return true;
    for (size_t at; !delimiter.empty() && (at = text.find(delimiter)) != std::string_view::npos;) {
      AppendPart(text.substr(0, at), null_text, slots);
      account.Note(slots);
      text.remove_prefix(at + delimiter.size());
    }
    AppendPart(text, null_text, slots);
    return true;
  });
}

std::unique_ptr<FunctionData> BindListText(ScalarFunction& function,
                                           std::span<const BindArgument> arguments) {
  return BindElements(function, arguments, {0}, {});
}

}  // namespace

ScalarFunctionList ListTextFunctions() {
  ScalarFunctionList list;
  const LogicalType text = TypeId::kVarchar, any_list = AnyListType();
  const auto add_to_string = [&](const char* name, std::vector<LogicalType> types, const char* description,
                                 const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = TypeId::kVarchar,
                    .kernel = &ToString,
                    .description = description,
                    .example = example,
                    .bind = &BindListText,
                    .nulls = NullHandling::kSpecial,
                    .can_fail = false,
                    .any_types = true});
  };
  add_to_string("array_to_string", {any_list, text}, "The texts of the elements, joined; NULLs are left out.",
                "array_to_string(ARRAY[1, 2, NULL], ', ')");
  add_to_string("list_to_string", {any_list, text}, "The texts of the elements, joined; NULLs are left out.",
                "list_to_string(ARRAY[1, 2, NULL], ', ')");
  add_to_string("array_to_string", {any_list, text, text}, "The same, with a text for NULLs.",
                "array_to_string(ARRAY[1, NULL], ', ', '-')");
  const auto add_from_string = [&](const char* name, std::vector<LogicalType> types, const char* description,
                                   const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = LogicalType::List(TypeId::kVarchar),
                    .kernel = &FromString<Splitting::kToArray>,
                    .description = description,
                    .example = example,
                    .nulls = NullHandling::kSpecial,
                    .can_fail = false});
  };
  add_from_string("string_to_array", {text, text}, "The parts of a text between delimiters.",
                  "string_to_array('a,b,c', ',')");
  for (const char* name : {"string_split", "str_split", "split"}) {
    add_from_string(name, {text, text},
                    "The parts of a text between delimiters; its characters if the delimiter is empty.",
                    "string_split('a,b,c', ',')");
    list.back().kernel = &FromString<Splitting::kSplit>;
  }
  add_from_string("string_to_array", {text, text, text}, "The same, with a text that stands for NULL.",
                  "string_to_array('a,-,c', ',', '-')");
  add_from_string("string_to_table", {text, text}, "A row for each part of a text between delimiters.",
                  "string_to_table('a,b,c', ',')");
  list.back().returns_set = true;
  add_from_string("string_to_table", {text, text, text}, "The same, with a text that stands for NULL.",
                  "string_to_table('a,-,c', ',', '-')");
  list.back().returns_set = true;
  return list;
}

}  // namespace scaup
