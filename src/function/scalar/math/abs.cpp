// abs and sign.
#include <cmath>

#include "function/scalar/operators/arithmetic.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/number/int128.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

template <typename T>
void Abs(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  MapUnary<T, T>(arguments.column(0), arguments.size(), result, [&](T value) -> T {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fabs(value);
    } else {
      T negated;
      if (value >= 0) return value;
      if (__builtin_sub_overflow(T{0}, value, &negated)) ThrowNumberOutOfRange(call.return_type);
      return negated;
    }
  });
}

template <typename T, typename R>
void Sign(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<T, R>(arguments.column(0), arguments.size(), result,
                 [](T value) -> R { return static_cast<R>((value > 0) - (value < 0)); });
}

std::optional<ValueRange> AbsRange(std::span<const std::optional<ValueRange>> arguments,
                                   std::span<const LogicalType>, const LogicalType&) {
  if (!arguments[0] || arguments[0]->minimum == kInt128Min) return std::nullopt;
  const auto [minimum, maximum, may_be_null] = *arguments[0];
  if (minimum >= 0) return arguments[0];
  if (maximum <= 0) return ValueRange{-maximum, -minimum, may_be_null};
  return ValueRange{0, std::max(maximum, -minimum), may_be_null};
}

void AbsOfUnsigned(const ScalarCall&, DataChunk& arguments, Vector& result) {
  result.Reference(arguments.column(0));
}

ScalarKernel PickAbs(PhysicalType type) {
  switch (type) {
    case PhysicalType::kUInt8:
    case PhysicalType::kUInt16:
    case PhysicalType::kUInt32:
    case PhysicalType::kUInt64: return &AbsOfUnsigned;
    case PhysicalType::kInt8: return &Abs<int8_t>;
    case PhysicalType::kInt16: return &Abs<int16_t>;
    case PhysicalType::kInt32: return &Abs<int32_t>;
    case PhysicalType::kInt64: return &Abs<int64_t>;
    case PhysicalType::kInt128: return &Abs<int128_t>;
    case PhysicalType::kFloat: return &Abs<float>;
    default: return &Abs<double>;
  }
}

ScalarKernel PickDecimalSign(PhysicalType type) {
  switch (type) {
    case PhysicalType::kInt16: return &Sign<int16_t, int16_t>;
    case PhysicalType::kInt32: return &Sign<int32_t, int16_t>;
    case PhysicalType::kInt64: return &Sign<int64_t, int16_t>;
    default: return &Sign<int128_t, int16_t>;
  }
}

std::unique_ptr<FunctionData> BindDecimalAbs(ScalarFunction& function,
                                             std::span<const BindArgument> arguments) {
  const LogicalType type = DecimalOfArgument(arguments[0]);
  function.argument_types = {type};
  function.return_type = type;
  function.kernel = PickAbs(PhysicalTypeOf(type));
  function.can_fail = false;
  return nullptr;
}

std::unique_ptr<FunctionData> BindDecimalSign(ScalarFunction& function,
                                              std::span<const BindArgument> arguments) {
  const LogicalType type = DecimalOfArgument(arguments[0]);
  function.argument_types = {type};
  function.kernel = PickDecimalSign(PhysicalTypeOf(type));
  return nullptr;
}

}  // namespace

ScalarFunctionList AbsFunctions() {
  ScalarFunctionList list;
  const char* description = "The number without its sign.";
  for (const TypeId id : {TypeId::kTinyInt, TypeId::kSmallInt, TypeId::kInteger, TypeId::kBigInt,
                          TypeId::kHugeInt, TypeId::kUTinyInt, TypeId::kUSmallInt, TypeId::kUInteger,
                          TypeId::kUBigInt, TypeId::kReal, TypeId::kDouble}) {
    const LogicalType type = id;
    list.push_back({.name = "abs",
                    .argument_types = {type},
                    .return_type = type,
                    .kernel = PickAbs(PhysicalTypeOf(type)),
                    .description = description,
                    .example = "abs(-3)",
                    .can_fail = type.IsInteger() && !IsUnsigned(id),
                    .range = type.IsInteger() ? &AbsRange : nullptr});
  }
  list.push_back({.name = "abs",
                  .argument_types = {kAnyDecimal},
                  .return_type = kAnyDecimal,
                  .description = description,
                  .example = "abs(-3.5)",
                  .bind = &BindDecimalAbs,
                  .range = &AbsRange});
  list.push_back({.name = "sign",
                  .argument_types = {TypeId::kDouble},
                  .return_type = TypeId::kDouble,
                  .kernel = &Sign<double, double>,
                  .description = "-1, 0 or 1; of NaN, 0.",
                  .example = "sign(-3.5)",
                  .can_fail = false});
  list.push_back({.name = "sign",
                  .argument_types = {kAnyDecimal},
                  .return_type = LogicalType::Decimal(1, 0),
                  .description = "-1, 0 or 1; of NaN, 0.",
                  .example = "sign(-3.5)",
                  .bind = &BindDecimalSign,
                  .can_fail = false});
  return list;
}

}  // namespace scaup
