// if: one of two values by a condition. Both are evaluated; CASE evaluates only the one that it needs.
#include "function/scalar/conditional/common_argument_type.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

template <typename T>
void If(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto condition = arguments.column(0).ViewAs<uint8_t>(count);
  const auto yes = arguments.column(1).ViewAs<T>(count);
  const auto no = arguments.column(2).ViewAs<T>(count);
  T* out = result.MutableData<T>();
  for (size_t row = 0; row < count; row++) {
    const auto& chosen = condition.IsValid(row) && condition[row] != 0 ? yes : no;
    if (!chosen.IsValid(row)) {
      result.SetNull(row);
    } else if constexpr (std::is_same_v<T, StringRef>) {
      out[row] = result.AddString(chosen[row].view());
    } else {
      out[row] = chosen[row];
    }
  }
}

std::unique_ptr<FunctionData> BindIf(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const LogicalType type = CommonArgumentType("IF", arguments, 1);
  function.argument_types = {TypeId::kBoolean, type, type};
  function.return_type = type;
  function.kernel = VisitBits(PhysicalTypeOf(type), []<typename T>() -> ScalarKernel { return &If<T>; });
  return nullptr;
}

}  // namespace

ScalarFunctionList IfFunctions() {
  return {{.name = "if",
           .argument_types = {TypeId::kBoolean, kAnyType, kAnyType},
           .description = "The second argument where the condition is true, else the third.",
           .example = "if(2 > 1, 'yes', 'no')",
           .bind = &BindIf,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true}};
}

}  // namespace scaup
