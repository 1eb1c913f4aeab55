// Unary minus and plus over numbers.
#include "function/scalar/operators/arithmetic.hpp"
#include "function/scalar/scalar_functions.hpp"

namespace scaup {

std::optional<ValueRange> NegationRange(std::span<const std::optional<ValueRange>> arguments,
                                        std::span<const LogicalType>, const LogicalType&) {
  if (!arguments[0]) return std::nullopt;
  int128_t minimum, maximum;
  if (__builtin_sub_overflow(int128_t{0}, arguments[0]->maximum, &minimum) ||
      __builtin_sub_overflow(int128_t{0}, arguments[0]->minimum, &maximum)) {
    return std::nullopt;
  }
  return ValueRange{minimum, maximum, arguments[0]->may_be_null};
}

namespace {

void Identity(const ScalarCall&, DataChunk& arguments, Vector& result) {
  result.Reference(arguments.column(0));
}

std::optional<ValueRange> SameRange(std::span<const std::optional<ValueRange>> arguments,
                                    std::span<const LogicalType>, const LogicalType&) {
  return arguments[0];
}

std::unique_ptr<FunctionData> BindMinus(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const LogicalType type = DecimalOfArgument(arguments[0]);
  function.argument_types = {type};
  function.return_type = type;
  const ArithmeticKernels kernels = PickNegationKernels(PhysicalTypeOf(type));
  function.kernel = function.unchecked_kernel = kernels.unchecked;
  function.can_fail = false;
  return nullptr;
}

std::unique_ptr<FunctionData> BindPlus(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const LogicalType type = DecimalOfArgument(arguments[0]);
  function.argument_types = {type};
  function.return_type = type;
  return nullptr;
}

}  // namespace

ScalarFunctionList NegationFunctions() {
  ScalarFunctionList list;
  for (const TypeId id : {TypeId::kTinyInt, TypeId::kSmallInt, TypeId::kInteger, TypeId::kBigInt,
                          TypeId::kHugeInt, TypeId::kUTinyInt, TypeId::kUSmallInt, TypeId::kUInteger,
                          TypeId::kUBigInt, TypeId::kReal, TypeId::kDouble}) {
    const LogicalType type = id;
    const ArithmeticKernels kernels = PickNegationKernels(PhysicalTypeOf(type));
    list.push_back({.name = "-",
                    .argument_types = {type},
                    .return_type = type,
                    .kernel = kernels.checked,
                    .description = "The number with the opposite sign.",
                    .example = "- 3",
                    .can_fail = type.IsInteger(),
                    .range = type.IsInteger() ? &NegationRange : nullptr,
                    .unchecked_kernel = kernels.unchecked});
    list.push_back({.name = "+",
                    .argument_types = {type},
                    .return_type = type,
                    .kernel = &Identity,
                    .description = "The number itself.",
                    .example = "+ 3",
                    .can_fail = false,
                    .range = type.IsInteger() ? &SameRange : nullptr});
  }
  list.push_back({.name = "-",
                  .argument_types = {kAnyDecimal},
                  .return_type = kAnyDecimal,
                  .description = "The number with the opposite sign.",
                  .example = "- 3.5",
                  .bind = &BindMinus,
                  .range = &NegationRange});
  list.push_back({.name = "+",
                  .argument_types = {kAnyDecimal},
                  .return_type = kAnyDecimal,
                  .kernel = &Identity,
                  .description = "The number itself.",
                  .example = "+ 3.5",
                  .bind = &BindPlus,
                  .can_fail = false,
                  .range = &SameRange});
  return list;
}

}  // namespace scaup
