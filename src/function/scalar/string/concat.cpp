// concat and concat_ws: any number of values as one text, NULLs left out.
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

std::vector<TypedView<StringRef>> ViewAll(DataChunk& arguments) {
  std::vector<TypedView<StringRef>> views;
  for (size_t i = 0; i < arguments.column_count(); i++) {
    views.push_back(arguments.column(i).ViewAs<StringRef>(arguments.size()));
  }
  return views;
}

void Concat(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const auto views = ViewAll(arguments);
  StringRef* out = result.MutableData<StringRef>();
  std::string joined;
  for (size_t row = 0; row < arguments.size(); row++) {
    joined.clear();
    for (const auto& view : views) {
      if (view.IsValid(row)) joined.append(view[row].view());
    }
    out[row] = result.AddString(joined);
  }
}

void ConcatWithSeparator(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const auto views = ViewAll(arguments);
  StringRef* out = result.MutableData<StringRef>();
  std::string joined;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!views[0].IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    joined.clear();
    bool is_first = true;
    for (size_t i = 1; i < views.size(); i++) {
      if (!views[i].IsValid(row)) continue;
      if (!is_first) joined.append(views[0][row].view());
      joined.append(views[i][row].view());
      is_first = false;
    }
    out[row] = result.AddString(joined);
  }
}

std::unique_ptr<FunctionData> BindTexts(ScalarFunction& function, std::span<const BindArgument> arguments) {
  function.argument_types.assign(arguments.size(), TypeId::kVarchar);
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
           .bind = &BindTexts,
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
           .bind = &BindTexts,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true}};
}

}  // namespace scaup
