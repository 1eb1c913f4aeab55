// to_char of numbers by a template.
#include <cmath>
#include <cstdio>

#include "common/throw.hpp"
#include "function/scalar/math/number_format.hpp"
#include "function/scalar/operators/arithmetic.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Splits "-12.345" into its parts.
NumberDigits DigitsOf(std::string_view text) {
  NumberDigits digits;
  digits.is_negative = text.starts_with('-');
  if (digits.is_negative) text.remove_prefix(1);
  const size_t point = std::min(text.find('.'), text.size());
  digits.whole = text.substr(0, point);
  if (point < text.size()) digits.fraction = text.substr(point + 1);
  return digits;
}

/// Formats a decimal. As for PostgreSQL's decimals, -0.001 formatted by 9.99 retains its sign.
void AppendDecimal(const NumberFormat& format, int128_t unscaled, uint8_t scale, std::string& out) {
  if (format.is_scientific()) {
    char buffer[64];
    const double value = Int128ToDouble(unscaled) / std::pow(10.0, scale);
    const int length =
        std::snprintf(buffer, sizeof(buffer), "%.*e", format.fraction_digits(), std::fabs(value));
    return format.AppendScientific({buffer, static_cast<size_t>(length)}, unscaled < 0, out);
  }
  // V multiplies, so fewer fraction digits remain. Then the number is rounded to the shown digits.
  int digits_behind = scale - format.multiplier_digits();
  while (digits_behind < 0) {
    if (__builtin_mul_overflow(unscaled, int128_t{10}, &unscaled))
      ThrowOutOfRange("value out of range: overflow");
    digits_behind++;
  }
  const int wanted = std::min(format.fraction_digits(), digits_behind);
  int128_t rounded = unscaled;
  if (!RescaleDecimal(unscaled, static_cast<uint8_t>(digits_behind), static_cast<uint8_t>(wanted), rounded)) {
    ThrowOutOfRange("value out of range: overflow");
  }
  NumberDigits digits = DigitsOf(DecimalToString(rounded, static_cast<uint8_t>(wanted)));
  digits.is_negative = rounded < 0;
  digits.fraction.append(static_cast<size_t>(format.fraction_digits() - wanted), '0');
  format.Append(digits, out);
}

void AppendDouble(const NumberFormat& format, double value, std::string& out) {
  char buffer[512];
  const bool is_negative = std::signbit(value);
  value = std::fabs(value);
  if (format.is_scientific()) {
    const int length =
        std::snprintf(buffer, sizeof(buffer), "%.*e", std::min(format.fraction_digits(), 100), value);
    return format.AppendScientific({buffer, static_cast<size_t>(length)}, is_negative, out);
  }
  value *= std::pow(10.0, format.multiplier_digits());
  NumberDigits digits;
  if (std::isfinite(value)) {
    // A DOUBLE has 15 significant digits.
    const int whole = std::snprintf(buffer, sizeof(buffer), "%.0f", value);
    const int wanted = std::clamp(15 - whole, 0, format.fraction_digits());
    const int length = std::snprintf(buffer, sizeof(buffer), "%.*f", wanted, value);
    digits = DigitsOf({buffer, static_cast<size_t>(length)});
    digits.fraction.append(static_cast<size_t>(format.fraction_digits() - wanted), '0');
  }
  digits.is_finite = std::isfinite(value);
  digits.is_negative = is_negative;
  format.Append(digits, out);
}

/// Formats numbers. A template is compiled once per run of rows that share it, so once for a constant.
template <typename T>
void ToChar(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const uint8_t scale = arguments.column(0).type().scale();
  std::optional<NumberFormat> format;
  std::string last_pattern, text;
  MapBinary<T, StringRef, StringRef>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                     [&](T value, const StringRef& pattern) {
                                       if (!format || pattern.view() != last_pattern) {
                                         last_pattern = pattern.view();
                                         format.emplace(last_pattern);
                                       }
                                       text.clear();
                                       if constexpr (std::is_floating_point_v<T>) {
                                         AppendDouble(*format, value, text);
                                       } else {
                                         AppendDecimal(*format, value, scale, text);
                                       }
                                       return result.AddString(text);
                                     });
}

std::unique_ptr<FunctionData> BindDecimal(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const LogicalType type = DecimalOfArgument(arguments[0]);
  function.argument_types[0] = type;
  switch (PhysicalTypeOf(type)) {
    case PhysicalType::kInt16: function.kernel = &ToChar<int16_t>; break;
    case PhysicalType::kInt32: function.kernel = &ToChar<int32_t>; break;
    case PhysicalType::kInt64: function.kernel = &ToChar<int64_t>; break;
    default: function.kernel = &ToChar<int128_t>;
  }
  return nullptr;
}

}  // namespace

ScalarFunctionList ToCharNumberFunctions() {
  ScalarFunctionList list;
  const auto add = [&](LogicalType type, ScalarKernel kernel, ScalarBind bind) {
    list.push_back({.name = "to_char",
                    .argument_types = {type, TypeId::kVarchar},
                    .return_type = TypeId::kVarchar,
                    .kernel = kernel,
                    .description = "A number written by a template.",
                    .example = "to_char(1234.5, 'FM9,999.00')",
                    .bind = bind});
  };
  add(TypeId::kBigInt, &ToChar<int64_t>, nullptr);
  add(TypeId::kDouble, &ToChar<double>, nullptr);
  add(kAnyDecimal, nullptr, &BindDecimal);
  return list;
}

}  // namespace scaup
