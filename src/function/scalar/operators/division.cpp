// / and %, mod and div: integer division truncates towards zero, a zero divisor is an error.
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/operators/arithmetic.hpp"
#include "function/scalar/operators/operands.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/number/decimal.hpp"

namespace scaup {
namespace {

enum class Division { kQuotient, kRemainder };

/// Integer division. The smallest integer divided by -1 is the only quotient that overflows.
template <Division kDivision, typename T>
void DivideIntegers(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  constexpr bool kIsSigned = static_cast<T>(-1) < T{1};
  Operands operands;
  if (!PrepareOperands(arguments, result, operands)) return;
  const size_t a_step = operands.a_is_constant ? 0 : 1, b_step = operands.b_is_constant ? 0 : 1;
  const T *a = operands.A<T>(), *b = operands.B<T>();
  T* out = result.MutableData<T>();
  const ValidityWord* validity = result.Validity();
  for (size_t row = 0; row < arguments.size(); row++) {
    const T dividend = a[row * a_step], divisor = b[row * b_step];
    if (divisor == 0) {
      if (IsValidRow(validity, row)) ThrowDivisionByZero();
      out[row] = 0;
    } else if (!kIsSigned || divisor != static_cast<T>(-1)) {
      out[row] = static_cast<T>(kDivision == Division::kQuotient ? dividend / divisor : dividend % divisor);
    } else if (kDivision == Division::kRemainder) {
      out[row] = 0;
    } else if (__builtin_sub_overflow(T{0}, dividend, &out[row]) && IsValidRow(validity, row)) {
      ThrowNumberOutOfRange(call.return_type);
    }
  }
}

template <Division kDivision, typename T>
void DivideFloats(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Operands operands;
  if (!PrepareOperands(arguments, result, operands)) return;
  const size_t a_step = operands.a_is_constant ? 0 : 1, b_step = operands.b_is_constant ? 0 : 1;
  const T *a = operands.A<T>(), *b = operands.B<T>();
  T* out = result.MutableData<T>();
  const ValidityWord* validity = result.Validity();
  for (size_t row = 0; row < arguments.size(); row++) {
    const T dividend = a[row * a_step], divisor = b[row * b_step];
    const T value = kDivision == Division::kQuotient ? dividend / divisor : std::fmod(dividend, divisor);
    out[row] = value;
    if (kDivision == Division::kRemainder && divisor != 0) continue;
    const bool ordinary = divisor != 0 && std::isfinite(value) && value != 0;
    if (ordinary || !IsValidRow(validity, row)) continue;
    if (divisor == 0) {
      if (std::isnan(dividend)) continue;  // NaN, as for any divisor
      ThrowDivisionByZero();
    }
    if (std::isinf(value) && !std::isinf(dividend)) ThrowOutOfRange("value out of range: overflow");
    if (value == 0 && dividend != 0 && !std::isinf(divisor)) ThrowOutOfRange("value out of range: underflow");
  }
}

template <Division kDivision>
ScalarKernel PickKernel(PhysicalType type) {
  switch (type) {
    case PhysicalType::kInt8: return &DivideIntegers<kDivision, int8_t>;
    case PhysicalType::kInt16: return &DivideIntegers<kDivision, int16_t>;
    case PhysicalType::kInt32: return &DivideIntegers<kDivision, int32_t>;
    case PhysicalType::kInt64: return &DivideIntegers<kDivision, int64_t>;
    case PhysicalType::kInt128: return &DivideIntegers<kDivision, int128_t>;
    case PhysicalType::kUInt8: return &DivideIntegers<kDivision, uint8_t>;
    case PhysicalType::kUInt16: return &DivideIntegers<kDivision, uint16_t>;
    case PhysicalType::kUInt32: return &DivideIntegers<kDivision, uint32_t>;
    case PhysicalType::kUInt64: return &DivideIntegers<kDivision, uint64_t>;
    case PhysicalType::kFloat: return &DivideFloats<kDivision, float>;
    default: return &DivideFloats<kDivision, double>;
  }
}

/// DECIMAL / DECIMAL is DOUBLE: an exact quotient has no natural number of digits, and most quotients are
/// ratios.
std::unique_ptr<FunctionData> BindDecimalQuotient(ScalarFunction& function, std::span<const BindArgument>) {
  function.argument_types = {TypeId::kDouble, TypeId::kDouble};
  function.return_type = TypeId::kDouble;
  function.kernel = PickKernel<Division::kQuotient>(PhysicalType::kDouble);
  return nullptr;
}

LogicalType CommonDecimal(std::span<const BindArgument> arguments) {
  const LogicalType a = DecimalOfArgument(arguments[0]), b = DecimalOfArgument(arguments[1]);
  return MakeDecimal(std::max(a.width() - a.scale(), b.width() - b.scale()), std::max(a.scale(), b.scale()));
}

/// The remainder has the larger scale of the operands, and the sign of the dividend.
std::unique_ptr<FunctionData> BindDecimalRemainder(ScalarFunction& function,
                                                   std::span<const BindArgument> arguments) {
  const LogicalType type = CommonDecimal(arguments);
  function.argument_types = {type, type};
  function.return_type = type;
  function.kernel = PickKernel<Division::kRemainder>(PhysicalTypeOf(type));
  return nullptr;
}

/// div(a, b): at a common scale, the quotient of the stored integers is that of the numbers. The result has
/// the same layout with scale 0, which is wide enough for a large dividend over a small divisor.
std::unique_ptr<FunctionData> BindDecimalDiv(ScalarFunction& function,
                                             std::span<const BindArgument> arguments) {
  const LogicalType type = CommonDecimal(arguments);
  function.argument_types = {type, type};
  function.return_type = LogicalType::Decimal(type.width(), 0);
  function.kernel = PickKernel<Division::kQuotient>(PhysicalTypeOf(type));
  return nullptr;
}

void DivFloats(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  DivideFloats<Division::kQuotient, double>(call, arguments, result);
  if (result.is_constant()) return;
  double* out = result.MutableData<double>();
  for (size_t row = 0; row < arguments.size(); row++) out[row] = std::trunc(out[row]);
}

template <Division kDivision>
std::unique_ptr<FunctionData> BindReal(ScalarFunction& function, std::span<const BindArgument> arguments) {
  if (!HasExactOperand(arguments)) return nullptr;
  function.argument_types = {TypeId::kDouble, TypeId::kDouble};
  function.return_type = TypeId::kDouble;
  function.kernel = PickKernel<kDivision>(PhysicalType::kDouble);
  return nullptr;
}

template <Division kDivision>
void AddOverloads(ScalarFunctionList& list, const char* name, const char* description, const char* example,
                  ScalarBind bind_decimal) {
  for (const TypeId id : {TypeId::kTinyInt, TypeId::kSmallInt, TypeId::kInteger, TypeId::kBigInt,
                          TypeId::kHugeInt, TypeId::kUTinyInt, TypeId::kUSmallInt, TypeId::kUInteger,
                          TypeId::kUBigInt, TypeId::kReal, TypeId::kDouble}) {
    const LogicalType type = id;
    list.push_back({.name = name,
                    .argument_types = {type, type},
                    .return_type = type,
                    .kernel = PickKernel<kDivision>(PhysicalTypeOf(type)),
                    .description = description,
                    .example = example,
                    .bind = id == TypeId::kReal ? &BindReal<kDivision> : nullptr});
  }
  list.push_back({.name = name,
                  .argument_types = {kAnyDecimal, kAnyDecimal},
                  .return_type = kAnyDecimal,
                  .description = description,
                  .example = example,
                  .bind = bind_decimal});
}

}  // namespace

ScalarFunctionList DivisionFunctions() {
  ScalarFunctionList list;
  AddOverloads<Division::kQuotient>(list, "/",
                                    "Quotient; of integers truncated towards zero, of decimals a DOUBLE.",
                                    "7 / 2", &BindDecimalQuotient);
  AddOverloads<Division::kRemainder>(list, "%", "Remainder, with the sign of the dividend.", "7 % 3",
                                     &BindDecimalRemainder);
  AddOverloads<Division::kRemainder>(list, "mod", "Remainder, with the sign of the dividend.", "mod(7, 3)",
                                     &BindDecimalRemainder);
  AddOverloads<Division::kQuotient>(list, "div", "Quotient truncated towards zero.", "div(7.5, 2)",
                                    &BindDecimalDiv);
  for (ScalarFunction& function : list) {
    if (function.name == "div" && function.return_type == TypeId::kDouble) function.kernel = &DivFloats;
  }
  std::erase_if(list, [](const ScalarFunction& function) {
    return function.name == "div" && function.return_type == TypeId::kReal;
  });
  return list;
}

}  // namespace scaup
