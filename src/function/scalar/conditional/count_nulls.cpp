// num_nulls and num_nonnulls: how many of the arguments are NULL, or are not.
#include <vector>

#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

template <bool kCountsNulls>
void CountArguments(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  std::vector<UnifiedView> views;
  for (size_t i = 0; i < arguments.column_count(); i++) views.push_back(arguments.column(i).View(count));
  int32_t* out = result.MutableData<int32_t>();
  for (size_t row = 0; row < count; row++) {
    out[row] = 0;
    for (const UnifiedView& view : views) out[row] += view.IsValid(row) != kCountsNulls ? 1 : 0;
  }
}

std::unique_ptr<FunctionData> BindAny(ScalarFunction& function, std::span<const BindArgument> arguments) {
  for (size_t i = 0; i < arguments.size(); i++) {
    const LogicalType& type = arguments[i].type;
    function.argument_types[i] = type.id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : type;
  }
  return nullptr;
}

}  // namespace

ScalarFunctionList CountNullsFunctions() {
  ScalarFunction function{.name = "num_nulls",
                          .return_type = TypeId::kInteger,
                          .kernel = &CountArguments<true>,
                          .description = "How many of the arguments are NULL.",
                          .example = "num_nulls(1, NULL, 2)",
                          .varargs = kAnyType,
                          .bind = &BindAny,
                          .nulls = NullHandling::kSpecial,
                          .can_fail = false,
                          .any_types = true};
  ScalarFunction of_others = function;
  of_others.name = "num_nonnulls";
  of_others.kernel = &CountArguments<false>;
  of_others.description = "How many of the arguments are not NULL.";
  of_others.example = "num_nonnulls(1, NULL, 2)";
  return {function, of_others};
}

}  // namespace scaup
