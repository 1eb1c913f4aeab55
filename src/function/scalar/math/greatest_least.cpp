// greatest and least: the extreme of several values; NULLs are skipped.
#include "function/scalar/conditional/common_argument_type.hpp"
#include "function/scalar/conditional/value_order.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

template <typename T, bool kGreatest>
void Extreme(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  T* out = result.MutableData<T>();
  bool found[kVectorSize] = {};
  for (size_t column = 0; column < arguments.column_count(); column++) {
    const auto view = arguments.column(column).ViewAs<T>(count);
    for (size_t row = 0; row < count; row++) {
      if (!view.IsValid(row)) continue;
      const T& value = view[row];
      const bool better =
          !found[row] || (kGreatest ? ValueLess(out[row], value) : ValueLess(value, out[row]));
      if (better) out[row] = value;
      found[row] = true;
    }
  }
  for (size_t row = 0; row < count; row++) {
    if (!found[row]) {
      result.SetNull(row);
    } else if constexpr (std::is_same_v<T, StringRef>) {
      // So far, the bytes of long strings belong to the argument.
      if (!out[row].is_inline()) out[row] = result.AddString(out[row].view());
    }
  }
}

template <bool kGreatest>
std::unique_ptr<FunctionData> BindGreatestLeast(ScalarFunction& function,
                                                std::span<const BindArgument> arguments) {
  const LogicalType type = CommonArgumentType(kGreatest ? "GREATEST" : "LEAST", arguments);
  function.argument_types.assign(arguments.size(), type);
  function.return_type = type;
  function.kernel = VisitPhysicalType(PhysicalTypeOf(type),
                                      []<typename T>() -> ScalarKernel { return &Extreme<T, kGreatest>; });
  return nullptr;
}

}  // namespace

ScalarFunctionList GreatestFunctions() {
  return {{.name = "greatest",
           .description = "The largest of the arguments that are not NULL.",
           .example = "greatest(3, 7, 5)",
           .varargs = kAnyType,
           .bind = &BindGreatestLeast<true>,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true},
          {.name = "least",
           .description = "The smallest of the arguments that are not NULL.",
           .example = "least(3, 7, 5)",
           .varargs = kAnyType,
           .bind = &BindGreatestLeast<false>,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true}};
}

}  // namespace scaup
