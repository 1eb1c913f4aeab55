// nullif: NULL where two values are equal, else the first.
#include "function/scalar/conditional/common_argument_type.hpp"
#include "function/scalar/conditional/value_order.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

template <typename T>
void NullIf(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto a = arguments.column(0).ViewAs<T>(count);
  const auto b = arguments.column(1).ViewAs<T>(count);
  T* out = result.MutableData<T>();
  for (size_t row = 0; row < count; row++) {
    const bool is_null =
        !a.IsValid(row) || (b.IsValid(row) && !ValueLess(a[row], b[row]) && !ValueLess(b[row], a[row]));
    if (is_null) {
      result.SetNull(row);
    } else if constexpr (std::is_same_v<T, StringRef>) {
      out[row] = result.AddString(a[row].view());
    } else {
      out[row] = a[row];
    }
  }
}

std::unique_ptr<FunctionData> BindNullif(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const LogicalType type = CommonArgumentType("NULLIF", arguments, 0, Meeting::kCompared);
  function.argument_types = {type, type};
  function.return_type = type;
  function.kernel = VisitBits(PhysicalTypeOf(type), []<typename T>() -> ScalarKernel { return &NullIf<T>; });
  return nullptr;
}

}  // namespace

ScalarFunctionList NullIfFunctions() {
  return {{.name = "nullif",
           .argument_types = {kAnyType, kAnyType},
           .description = "NULL where both are equal, else the first.",
           .example = "nullif(3, 0)",
           .bind = &BindNullif,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true}};
}

}  // namespace scaup
