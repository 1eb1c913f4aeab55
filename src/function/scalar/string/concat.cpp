// concat and concat_ws: any number of values as one text; NULLs are skipped.
#include "function/scalar/scalar_functions.hpp"
#include "function/text_account.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// One argument as text. Booleans are not cast: concat prints them in PostgreSQL's output form, "t" and "f",
/// unlike their cast to text.
class TextArgument {
 public:
  TextArgument(Vector& argument, size_t count) : is_boolean_(argument.type().id() == TypeId::kBoolean) {
    if (is_boolean_) {
      booleans_ = argument.ViewAs<uint8_t>(count);
    } else {
      texts_ = argument.ViewAs<StringRef>(count);
    }
  }
  bool IsValid(size_t row) const { return is_boolean_ ? booleans_.IsValid(row) : texts_.IsValid(row); }
  std::string_view operator[](size_t row) const {
    return is_boolean_ ? (booleans_[row] != 0 ? "t" : "f") : texts_[row].view();
  }

 private:
  bool is_boolean_;
  TypedView<StringRef> texts_{};
  TypedView<uint8_t> booleans_{};
};

std::vector<TextArgument> ViewAll(DataChunk& arguments) {
  std::vector<TextArgument> views;
  for (size_t i = 0; i < arguments.column_count(); i++)
    views.emplace_back(arguments.column(i), arguments.size());
  return views;
}

void Concat(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto views = ViewAll(arguments);
  StringRef* out = result.MutableData<StringRef>();
  std::string joined;
  TextAccount account(call.context);
  for (size_t row = 0; row < arguments.size(); row++) {
    joined.clear();
    for (const auto& view : views) {
      if (!view.IsValid(row)) continue;
      account.Expect(joined, view[row].size());
      joined.append(view[row]);
    }
    account.Note(joined);
    out[row] = result.AddString(joined);
  }
}

void ConcatWithSeparator(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto views = ViewAll(arguments);
  StringRef* out = result.MutableData<StringRef>();
  std::string joined;
  TextAccount account(call.context);
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!views[0].IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    joined.clear();
    bool is_first = true;
    for (size_t i = 1; i < views.size(); i++) {
      if (!views[i].IsValid(row)) continue;
      account.Expect(joined, views[0][row].size() + views[i][row].size());
      if (!is_first) joined.append(views[0][row]);
      joined.append(views[i][row]);
      is_first = false;
    }
    account.Note(joined);
    out[row] = result.AddString(joined);
  }
}

std::unique_ptr<FunctionData> BindValues(ScalarFunction& function, std::span<const BindArgument> arguments) {
  function.argument_types.assign(arguments.size(), TypeId::kVarchar);
  const size_t first_value = function.name == "concat" ? 0 : 1;
  for (size_t i = first_value; i < arguments.size(); i++) {
    if (arguments[i].type.id() == TypeId::kBoolean) function.argument_types[i] = TypeId::kBoolean;
  }
  return nullptr;
}

}  // namespace

ScalarFunctionList ConcatFunctions() {
  return {{.name = "concat",
           .return_type = TypeId::kVarchar,
           .kernel = &Concat,
           .description = "All arguments as one text; NULLs are left out.",
           .example = "concat('n', NULL, 1)",
           .varargs = kAnyType,
           .bind = &BindValues,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true},
          {.name = "concat_ws",
           .argument_types = {TypeId::kVarchar},
           .return_type = TypeId::kVarchar,
           .kernel = &ConcatWithSeparator,
           .description =
               "The arguments after the first as one text, the first between them; NULLs are left out.",
           .example = "concat_ws('-', 2024, NULL, 'x')",
           .varargs = kAnyType,
           .bind = &BindValues,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true}};
}

}  // namespace scaup
