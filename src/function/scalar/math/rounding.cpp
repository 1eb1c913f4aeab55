// round, trunc, ceil and floor over DOUBLE and DECIMAL.
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/operators/arithmetic.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

enum class Rounding { kHalfAway, kTruncate, kCeil, kFloor };

/// Rounds `value` to a multiple of `unit` > 0.
template <Rounding kRounding>
int128_t RoundToUnit(int128_t value, int128_t unit) {
  const int128_t rest = value % unit;
  const int128_t truncated = value - rest;
  if (rest == 0 || kRounding == Rounding::kTruncate) return truncated;
  if (kRounding == Rounding::kCeil) return rest > 0 ? truncated + unit : truncated;
  if (kRounding == Rounding::kFloor) return rest < 0 ? truncated - unit : truncated;
  const int128_t distance = rest < 0 ? -rest : rest;
  if (distance < unit - distance) return truncated;
  return rest < 0 ? truncated - unit : truncated + unit;
}

template <Rounding kRounding>
double RoundDouble(double value) {
  switch (kRounding) {
    case Rounding::kHalfAway: return std::rint(value);  // PostgreSQL rounds halves of float8 to even
    case Rounding::kTruncate: return std::trunc(value);
    case Rounding::kCeil: return std::ceil(value);
    case Rounding::kFloor: return std::floor(value);
  }
  return value;
}

template <Rounding kRounding>
void OfDouble(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<double, double>(arguments.column(0), arguments.size(), result, RoundDouble<kRounding>);
}

void Store(Vector& result, PhysicalType type, size_t row, int128_t value) {
  switch (type) {
    case PhysicalType::kInt16: result.MutableData<int16_t>()[row] = static_cast<int16_t>(value); break;
    case PhysicalType::kInt32: result.MutableData<int32_t>()[row] = static_cast<int32_t>(value); break;
    case PhysicalType::kInt64: result.MutableData<int64_t>()[row] = static_cast<int64_t>(value); break;
    default: result.MutableData<int128_t>()[row] = value;
  }
}

int128_t Load(const UnifiedView& view, PhysicalType type, size_t row) {
  switch (type) {
    case PhysicalType::kInt16: return view.As<int16_t>()[row];
    case PhysicalType::kInt32: return view.As<int32_t>()[row];
    case PhysicalType::kInt64: return view.As<int64_t>()[row];
    default: return view.As<int128_t>()[row];
  }
}

/// The rounding position, known at bind time.
struct DigitsData final : FunctionData {
  int128_t unit = 1;     ///< in units of the argument's scale
  int128_t divisor = 1;  ///< from the argument's scale to the result's
};

template <Rounding kRounding>
void OfDecimal(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const DigitsData& digits = *static_cast<const DigitsData*>(call.data);
  const size_t count = arguments.size();
  const PhysicalType from = arguments.column(0).physical_type(), to = PhysicalTypeOf(call.return_type);
  const UnifiedView view = arguments.column(0).View(count);
  for (size_t row = 0; row < count; row++) {
    if (!view.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    Store(result, to, row, RoundToUnit<kRounding>(Load(view, from, row), digits.unit) / digits.divisor);
  }
}

/// Sets the rounding position to a number of digits after the point (before it if negative). The result's
/// scale is reduced accordingly.
void SetDecimalDigits(ScalarFunction& function, DigitsData& data, const LogicalType& type, int digits,
                      ScalarKernel kernel) {
  const int scale = type.scale();
  const int kept = std::clamp(digits, 0, scale);
  const int cut = std::max(scale - digits, 0);
  // Less than half of a unit beyond all digits is left of any value.
  const bool is_beyond = cut > LogicalType::kMaxDecimalWidth;
  data.unit = is_beyond ? kInt128Max : PowerOfTen(static_cast<uint8_t>(cut));
  data.divisor = PowerOfTen(static_cast<uint8_t>(scale - kept));
  function.argument_types[0] = type;
  // Rounding up may need one more digit: 9.5 becomes 10, and 9 rounded to tens becomes 10.
  const int integer_digits = std::max(type.width() - scale, digits < 0 ? -digits : 0);
  function.return_type = MakeDecimal(integer_digits + (cut > 0 ? 1 : 0), kept);
  function.kernel = is_beyond ? &OfDecimal<Rounding::kTruncate> : kernel;
  function.can_fail = false;
}

template <Rounding kRounding>
std::unique_ptr<FunctionData> BindDecimal(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = std::make_unique<DigitsData>();
  SetDecimalDigits(function, *data, DecimalOfArgument(arguments[0]), 0, &OfDecimal<kRounding>);
  return data;
}

/// round(decimal, n). With a constant n the scale becomes n; otherwise the type is retained and digits become
/// zeros.
template <Rounding kRounding>
void DecimalByRow(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const PhysicalType physical = arguments.column(0).physical_type(), to = PhysicalTypeOf(call.return_type);
  const int scale = arguments.column(0).type().scale();
  const UnifiedView view = arguments.column(0).View(count);
  const auto digits = arguments.column(1).ViewAs<int32_t>(count);
  const int128_t limit = PowerOfTen(call.return_type.width());
  for (size_t row = 0; row < count; row++) {
    if (!view.IsValid(row) || !digits.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const int64_t cut = std::max<int64_t>(int64_t{scale} - digits[row], 0);
    int128_t value = 0;  // beyond all digits
    if (cut <= LogicalType::kMaxDecimalWidth)
      value = RoundToUnit<kRounding>(Load(view, physical, row), PowerOfTen(static_cast<uint8_t>(cut)));
    if (value >= limit || value <= -limit) ThrowNumberOutOfRange(call.return_type);
    Store(result, to, row, value);
  }
}

template <Rounding kRounding>
std::unique_ptr<FunctionData> BindDecimalDigits(ScalarFunction& function,
                                                std::span<const BindArgument> arguments) {
  const LogicalType type = DecimalOfArgument(arguments[0]);
  const Value* digits = arguments[1].constant;
  if (digits != nullptr && !digits->is_null() && digits->type().IsInteger()) {
    auto data = std::make_unique<DigitsData>();
    const int wanted = static_cast<int>(std::clamp<int128_t>(digits->GetInteger(), -39, 38));
    SetDecimalDigits(function, *data, type, wanted, &OfDecimal<kRounding>);
    return data;
  }
  function.argument_types[0] = type;
  function.return_type = MakeDecimal(type.width() - type.scale() + 1, type.scale());
  function.kernel = &DecimalByRow<kRounding>;
  return nullptr;
}

/// round(double, n), half away from zero as for decimals: scales, rounds and scales back.
template <Rounding kRounding>
double RoundDoubleTo(double value, int32_t digits) {
  if (!std::isfinite(value)) return value;
  if (digits > 300) return value;
  if (digits < -308) return 0;
  const double power = std::pow(10.0, std::abs(digits));
  const double scaled = digits >= 0 ? value * power : value / power;
  if (!std::isfinite(scaled)) return value;
  const double rounded = kRounding == Rounding::kHalfAway ? std::round(scaled) : std::trunc(scaled);
  return digits >= 0 ? rounded / power : rounded * power;
}

template <Rounding kRounding>
void OfDoubleTo(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<double, int32_t, double>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                     RoundDoubleTo<kRounding>);
}

template <Rounding kRounding>
void Add(ScalarFunctionList& list, const char* name, const char* description, const char* example) {
  list.push_back({.name = name,
                  .argument_types = {TypeId::kDouble},
                  .return_type = TypeId::kDouble,
                  .kernel = &OfDouble<kRounding>,
                  .description = description,
                  .example = example,
                  .can_fail = false});
  list.push_back({.name = name,
                  .argument_types = {kAnyDecimal},
                  .return_type = kAnyDecimal,
                  .description = description,
                  .example = example,
                  .bind = &BindDecimal<kRounding>});
}

template <Rounding kRounding>
void AddWithDigits(ScalarFunctionList& list, const char* name, const char* description, const char* example) {
  list.push_back({.name = name,
                  .argument_types = {TypeId::kDouble, TypeId::kInteger},
                  .return_type = TypeId::kDouble,
                  .kernel = &OfDoubleTo<kRounding>,
                  .description = description,
                  .example = example,
                  .can_fail = false});
  list.push_back({.name = name,
                  .argument_types = {kAnyDecimal, TypeId::kInteger},
                  .return_type = kAnyDecimal,
                  .description = description,
                  .example = example,
                  .bind = &BindDecimalDigits<kRounding>});
}

}  // namespace

ScalarFunctionList RoundingFunctions() {
  ScalarFunctionList list;
  Add<Rounding::kHalfAway>(list, "round",
                           "The nearest whole number; halves of decimals away from zero, of doubles to even.",
                           "round(2.5)");
  AddWithDigits<Rounding::kHalfAway>(
      list, "round", "Rounded to so many digits after the point, halves away from zero.", "round(2.345, 2)");
  Add<Rounding::kTruncate>(list, "trunc", "The whole part.", "trunc(-2.7)");
  AddWithDigits<Rounding::kTruncate>(list, "trunc", "Cut to so many digits after the point.",
                                     "trunc(2.349, 2)");
  for (const char* name : {"ceil", "ceiling"}) {
    Add<Rounding::kCeil>(list, name, "The nearest whole number that is not below.", "ceil(2.1)");
  }
  Add<Rounding::kFloor>(list, "floor", "The nearest whole number that is not above.", "floor(2.9)");
  return list;
}

}  // namespace scaup
