// The operators + - * on numbers: overloads, decimal result types, ranges, and narrowing for the optimizer.
#include "function/scalar/operators/arithmetic.hpp"

#include "common/throw.hpp"
#include "function/scalar/operators/numeric_operators.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/type_rules.hpp"

namespace scaup {
namespace {

using Ranges = std::span<const std::optional<ValueRange>>;

uint8_t CountDigits(int128_t value) {
  uint8_t digits = 1;
  while (digits < 38 && (value >= PowerOfTen(digits) || value <= -PowerOfTen(digits))) digits++;
  return digits;
}

template <ArithmeticOp kOp>
bool CombineEnds(int128_t a, int128_t b, int128_t& result) {
  if constexpr (kOp == ArithmeticOp::kAdd) return !__builtin_add_overflow(a, b, &result);
  if constexpr (kOp == ArithmeticOp::kSubtract) return !__builtin_sub_overflow(a, b, &result);
  return !__builtin_mul_overflow(a, b, &result);
}

/// The range of a op b: its bounds are among the four combinations of the operands' bounds.
template <ArithmeticOp kOp>
std::optional<ValueRange> Range(Ranges arguments, std::span<const LogicalType>, const LogicalType&) {
  if (!arguments[0] || !arguments[1]) return std::nullopt;
  const ValueRange &a = *arguments[0], &b = *arguments[1];
  ValueRange range{kInt128Max, kInt128Min, a.may_be_null || b.may_be_null};
  for (const int128_t x : {a.minimum, a.maximum}) {
    for (const int128_t y : {b.minimum, b.maximum}) {
      int128_t end;
      if (!CombineEnds<kOp>(x, y, end)) return std::nullopt;
      range.minimum = std::min(range.minimum, end);
      range.maximum = std::max(range.maximum, end);
    }
  }
  return range;
}

void SetKernels(ScalarFunction& function, const ArithmeticKernels& kernels, bool can_fail) {
  function.kernel = can_fail ? kernels.checked : kernels.unchecked;
  function.unchecked_kernel = kernels.unchecked;
  function.can_fail = can_fail;
}

/// Binds a + b or a - b: both operands are cast to the type of the result, which has one more digit up to the
/// limit of 38.
template <ArithmeticOp kOp>
std::unique_ptr<FunctionData> BindDecimalSum(ScalarFunction& function,
                                             std::span<const BindArgument> arguments) {
  const LogicalType a = DecimalOfArgument(arguments[0]), b = DecimalOfArgument(arguments[1]);
  const int integer_digits = std::max(a.width() - a.scale(), b.width() - b.scale());
  const int scale = std::max(a.scale(), b.scale());
  const LogicalType type = MakeDecimal(integer_digits + 1, scale);
  function.argument_types = {type, type};
  function.return_type = type;
  const PhysicalType physical = PhysicalTypeOf(type);
  SetKernels(function, PickArithmeticKernels(kOp, physical, physical, true),
             integer_digits + scale + 1 > LogicalType::kMaxDecimalWidth);
  return nullptr;
}

/// Returns `type`; or, if it is stored narrower than `physical`, the narrowest DECIMAL of its scale stored as
/// that.
LogicalType WidenTo(const LogicalType& type, PhysicalType physical) {
  if (PhysicalTypeOf(type) >= physical) return type;
  const uint8_t width = physical == PhysicalType::kInt16   ? 4
                        : physical == PhysicalType::kInt32 ? 9
                        : physical == PhysicalType::kInt64 ? 18
                                                           : 38;
  return LogicalType::Decimal(width, type.scale());
}

/// Sets the types of factors for the kernels: stored like the product, or both in 64 bits for a 128-bit
/// product.
void SetFactorTypes(ScalarFunction& function, const LogicalType& a, const LogicalType& b,
                    const LogicalType& product) {
  PhysicalType physical = PhysicalTypeOf(product);
  if (physical == PhysicalType::kInt128 && PhysicalTypeOf(a) <= PhysicalType::kInt64 &&
      PhysicalTypeOf(b) <= PhysicalType::kInt64) {
    physical = PhysicalType::kInt64;
  }
  function.argument_types = {WidenTo(a, physical), WidenTo(b, physical)};
  function.return_type = WidenTo(product, std::max(PhysicalTypeOf(a), PhysicalTypeOf(b)));
}

std::unique_ptr<FunctionData> BindDecimalProduct(ScalarFunction& function,
                                                 std::span<const BindArgument> arguments) {
  const LogicalType a = DecimalOfArgument(arguments[0]), b = DecimalOfArgument(arguments[1]);
  const int width = a.width() + b.width(), scale = a.scale() + b.scale();
  // A product that may have too many digits stays a DECIMAL if half of them at least are before the point.
  const bool may_overflow = width > LogicalType::kMaxDecimalWidth;
  if (may_overflow && scale > LogicalType::kMaxDecimalWidth / 2) {
    function.argument_types = {TypeId::kNumeric, TypeId::kNumeric};
    function.return_type = TypeId::kNumeric;
    function.kernel = NumericProductKernel();
    function.unchecked_kernel = nullptr;
    function.range = nullptr;
    return nullptr;
  }
  SetFactorTypes(function, a, b, MakeDecimal(width - scale, scale));
  const PhysicalType factor = PhysicalTypeOf(function.argument_types[0]);
  SetKernels(
      function,
      PickArithmeticKernels(ArithmeticOp::kMultiply, factor, PhysicalTypeOf(function.return_type), true),
      width > LogicalType::kMaxDecimalWidth);
  return nullptr;
}

template <ArithmeticOp kOp>
std::unique_ptr<FunctionData> BindReal(ScalarFunction& function, std::span<const BindArgument> arguments) {
  if (!HasExactOperand(arguments)) return nullptr;
  function.argument_types = {TypeId::kDouble, TypeId::kDouble};
  function.return_type = TypeId::kDouble;
  SetKernels(function, PickArithmeticKernels(kOp, PhysicalType::kDouble, PhysicalType::kDouble, false), true);
  return nullptr;
}

template <ArithmeticOp kOp>
void AddOverloads(ScalarFunctionList& list, const char* name, const char* description, const char* example) {
  for (const TypeId id : {TypeId::kTinyInt, TypeId::kSmallInt, TypeId::kInteger, TypeId::kBigInt,
                          TypeId::kHugeInt, TypeId::kUTinyInt, TypeId::kUSmallInt, TypeId::kUInteger,
                          TypeId::kUBigInt, TypeId::kReal, TypeId::kDouble}) {
    const LogicalType type = id;
    const PhysicalType physical = PhysicalTypeOf(type);
    const ArithmeticKernels kernels = PickArithmeticKernels(kOp, physical, physical, false);
    list.push_back({.name = name,
                    .argument_types = {type, type},
                    .return_type = type,
                    .kernel = kernels.checked,
                    .description = description,
                    .example = example,
                    .bind = id == TypeId::kReal ? &BindReal<kOp> : nullptr,
                    .range = type.IsInteger() ? &Range<kOp> : nullptr,
                    .unchecked_kernel = kernels.unchecked});
  }
  list.push_back({.name = name,
                  .argument_types = {kAnyDecimal, kAnyDecimal},
                  .return_type = kAnyDecimal,
                  .description = description,
                  .example = example,
                  .bind = kOp == ArithmeticOp::kMultiply ? &BindDecimalProduct : &BindDecimalSum<kOp>,
                  .range = &Range<kOp>});
}

std::optional<ArithmeticOp> OperatorOf(const ScalarFunction& function) {
  if (function.name == "+") return ArithmeticOp::kAdd;
  if (function.name == "-") return ArithmeticOp::kSubtract;
  if (function.name == "*") return ArithmeticOp::kMultiply;
  return std::nullopt;
}

void RetargetSum(ScalarFunction& function, ArithmeticOp op, const LogicalType& result,
                 const std::vector<LogicalType>& arguments) {
  // Widened if an argument does not fit, so that no argument needs a cast that can fail.
  LogicalType type = result;
  for (const LogicalType& argument : arguments) type = WidenTo(type, PhysicalTypeOf(argument));
  const PhysicalType physical = PhysicalTypeOf(type);
  function.argument_types.clear();
  for (const LogicalType& argument : arguments) {
    const bool stays = PhysicalTypeOf(argument) == physical && argument.scale() == type.scale();
    function.argument_types.push_back(stays ? argument : type);
  }
  function.return_type = type;
  SetKernels(function, PickArithmeticKernels(op, physical, physical, true), false);
}

}  // namespace

bool HasExactOperand(std::span<const BindArgument> arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const BindArgument& argument) {
    return argument.type.IsNumeric() && !argument.type.IsFloating();
  });
}

LogicalType DecimalOfArgument(const BindArgument& argument) {
  const bool is_number = argument.type.IsInteger() || argument.type.id() == TypeId::kDecimal;
  if (!is_number) return LogicalType::Decimal(1, 0);
  if (argument.constant != nullptr && !argument.constant->is_null()) {
    const LogicalType& type = argument.constant->type();
    // A DECIMAL has the type of its literal, or the one to which it was cast.
    if (type.IsInteger()) return LogicalType::Decimal(CountDigits(argument.constant->GetInteger()), 0);
  }
  return DecimalForInteger(argument.type);
}

LogicalType MakeDecimal(int integer_digits, int scale) {
  const int width = std::clamp(integer_digits + scale, 1, static_cast<int>(LogicalType::kMaxDecimalWidth));
  return LogicalType::Decimal(static_cast<uint8_t>(width), static_cast<uint8_t>(scale));
}

void RetargetArithmetic(ScalarFunction& function, const LogicalType& narrower_return,
                        std::vector<LogicalType> narrower_arguments) {
  const std::optional<ArithmeticOp> op = OperatorOf(function);
  if (!op || function.return_type.id() != TypeId::kDecimal || narrower_return.id() != TypeId::kDecimal ||
      narrower_arguments.size() != function.argument_types.size()) {
    return;
  }
  if (narrower_arguments.size() == 1) {
    const LogicalType type = WidenTo(narrower_return, PhysicalTypeOf(narrower_arguments[0]));
    const bool stays = PhysicalTypeOf(narrower_arguments[0]) == PhysicalTypeOf(type);
    function.argument_types = {stays ? narrower_arguments[0] : type};
    function.return_type = type;
    // The kernel of unary plus returns its argument, of any width.
    if (*op == ArithmeticOp::kSubtract)
      SetKernels(function, PickNegationKernels(PhysicalTypeOf(type)), false);
  } else if (*op == ArithmeticOp::kMultiply) {
    SetFactorTypes(function, narrower_arguments[0], narrower_arguments[1], narrower_return);
    const PhysicalType factor =
        std::max(PhysicalTypeOf(function.argument_types[0]), PhysicalTypeOf(function.argument_types[1]));
    for (LogicalType& type : function.argument_types) type = WidenTo(type, factor);
    SetKernels(function, PickArithmeticKernels(*op, factor, PhysicalTypeOf(function.return_type), true),
               false);
  } else {
    RetargetSum(function, *op, narrower_return, narrower_arguments);
  }
}

ScalarFunctionList ArithmeticFunctions() {
  ScalarFunctionList list;
  AddOverloads<ArithmeticOp::kAdd>(list, "+", "Sum of two numbers.", "2 + 3");
  AddOverloads<ArithmeticOp::kSubtract>(list, "-", "Difference of two numbers.", "2 - 3");
  AddOverloads<ArithmeticOp::kMultiply>(list, "*", "Product of two numbers.", "2 * 3");
  return list;
}

}  // namespace scaup
