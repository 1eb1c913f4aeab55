// to_char of numbers by a template.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "common/throw.hpp"
#include "function/scalar/math/number_format.hpp"
#include "function/scalar/operators/arithmetic.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/number/numeric_value.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Decimal digits of a number without its sign, and how many stand behind the point.
struct Digits {
  std::string text;
  int scale;

  Digits(int128_t value, int scale_in) : text(DecimalToString(value, 0)), scale(scale_in) {
    if (text[0] == '-') text.erase(0, 1);
  }
  /// Takes the digits of "-12.5".
  explicit Digits(std::string number) : text(std::move(number)), scale(0) {
    if (text[0] == '-') text.erase(0, 1);
    const size_t point = text.find('.');
    if (point == text.npos) return;
    scale = static_cast<int>(text.size() - point - 1);
    text.erase(point, 1);
  }

  /// Rounds to so many digits behind the point, half away from zero; adds zeros if there are fewer.
  void RoundTo(int digits) {
    if (digits >= scale) {
      text.append(static_cast<size_t>(digits - scale), '0');
    } else {
      const auto lost = static_cast<size_t>(scale - digits);
      if (text.size() < lost) text.insert(0, lost - text.size(), '0');
      const bool rounds_up = text[text.size() - lost] >= '5';
      text.resize(text.size() - lost);
      if (rounds_up) Increment();
    }
    scale = digits;
  }

  bool IsZero() const { return text.find_first_not_of('0') == text.npos; }

  /// The digits with their point.
  std::string WithPoint() const {
    std::string whole = text;
    const auto fraction = static_cast<size_t>(scale);
    if (whole.size() <= fraction) whole.insert(0, fraction + 1 - whole.size(), '0');
    const size_t zeros = std::min(whole.find_first_not_of('0'), whole.size() - fraction - 1);
    if (scale > 0) whole.insert(whole.size() - fraction, 1, '.');
    return whole.substr(zeros);
  }

 private:
  void Increment() {
    size_t at = text.size();
    while (at > 0 && text[at - 1] == '9') text[--at] = '0';
    if (at > 0) {
      text[at - 1]++;
    } else {
      text.insert(0, 1, '1');
    }
  }
};

/// Writes a number as "4.86e-04". As in PostgreSQL, 9.96 with one digit is "10.0e+00".
std::string ScientificDecimal(Digits digits, int fraction_digits) {
  const int scale = digits.scale;
  const size_t first = digits.text.find_first_not_of('0');
  int exponent = 0;
  if (first != digits.text.npos) {
    digits.text.erase(0, first);
    exponent = static_cast<int>(digits.text.size()) - 1 - scale;
  }
  digits.scale = scale + exponent;
  digits.RoundTo(fraction_digits);
  char buffer[16];
  std::snprintf(buffer, sizeof(buffer), "e%+03d", exponent);
  return digits.WithPoint() + buffer;
}

/// Numerals are for integers of 32 bits.
template <typename T>
void AppendRoman(const NumberFormat& format, T value, std::string& out) {
  constexpr T kLimit = static_cast<T>(int64_t{1} << 31);
  if (!(value < kLimit && value >= -kLimit)) ThrowOutOfRange("integer out of range");
  format.AppendRoman(static_cast<int64_t>(value), out);
}

void AppendDigits(const NumberFormat& format, Digits digits, bool is_negative, std::string& out) {
  if (format.is_roman()) {
    digits.RoundTo(0);
    int128_t whole;
    if (!ParseInt128(digits.WithPoint(), whole)) ThrowOutOfRange("integer out of range");
    return AppendRoman(format, is_negative ? -whole : whole, out);
  }
  if (format.is_scientific()) {
    return format.AppendScientific(ScientificDecimal(std::move(digits), format.fraction_digits()),
                                   is_negative, out);
  }
  digits.scale -= format.multiplier_digits();
  digits.RoundTo(format.fraction_digits());
  // A decimal has no negative zero.
  format.Append(digits.WithPoint(), is_negative && !digits.IsZero(), format.fraction_digits(), out);
}

void AppendDecimal(const NumberFormat& format, int128_t value, int scale, std::string& out) {
  AppendDigits(format, Digits(value, scale), value < 0, out);
}

void AppendNumeric(const NumberFormat& format, const StringRef& number, std::string& out) {
  std::string text;
  AppendNumericText(number.view(), text);
  const bool is_negative = text[0] == '-';
  if (text.find('n') == text.npos && text.find('N') == text.npos)
    return AppendDigits(format, Digits(std::move(text)), is_negative, out);
  if (format.is_roman()) ThrowOutOfRange("integer out of range");
  if (format.is_scientific()) return format.AppendUnscientific(out);
  format.Append(is_negative ? text.substr(1) : text, is_negative, 0, out);
}

std::string ScientificDouble(double magnitude, int fraction_digits) {
  constexpr int kMostDigits = 400;
  char buffer[kMostDigits + 16];
  const int length =
      std::snprintf(buffer, sizeof(buffer), "%.*e", std::min(fraction_digits, kMostDigits), magnitude);
  return {buffer, static_cast<size_t>(length)};
}

template <typename T>
void AppendInteger(const NumberFormat& format, T value, std::string& out) {
  // INTEGER rounds half to even in scientific notation, BIGINT half away from zero, as in PostgreSQL.
  if (sizeof(T) == sizeof(int32_t) && format.is_scientific()) {
    const double magnitude = std::fabs(static_cast<double>(value));
    return format.AppendScientific(ScientificDouble(magnitude, format.fraction_digits()), value < 0, out);
  }
  T product = value;
  for (int i = 0; i < format.multiplier_digits(); i++) {
    if (__builtin_mul_overflow(product, T{10}, &product))
      ThrowOutOfRange("value out of range: the number times the power of ten of \"V\" overflows its type");
  }
  AppendDecimal(format, int128_t{value}, 0, out);
}

/// `precision` is the number of decimal digits that the type can tell apart.
void AppendFloating(const NumberFormat& format, double value, int precision, std::string& out) {
  if (format.is_roman()) {
    // Numbers beyond the numerals are no error here, unlike those of other types.
    const bool has_numeral = value > -1 && value < 10000;
    return format.AppendRoman(has_numeral ? static_cast<int64_t>(std::rint(value)) : 0, out);
  }
  const bool is_negative = std::signbit(value) && !std::isnan(value);
  const double magnitude = std::fabs(value) * std::pow(10.0, format.multiplier_digits());
  if (format.is_scientific()) {
    if (!std::isfinite(value)) return format.AppendUnscientific(out);
    return format.AppendScientific(ScientificDouble(magnitude, format.fraction_digits()), is_negative, out);
  }
  constexpr size_t kMostDigits = 512;
  char buffer[kMostDigits];
  int length = std::snprintf(buffer, sizeof(buffer), "%.0f", magnitude);
  std::string_view text(buffer, static_cast<size_t>(length));
  if (std::isnan(magnitude)) text = "NaN";
  if (std::isinf(magnitude)) text = "Infinity";
  const int fraction = std::clamp(precision - static_cast<int>(text.size()), 0, format.fraction_digits());
  if (std::isfinite(magnitude)) {
    length = std::snprintf(buffer, sizeof(buffer), "%.*f", fraction, magnitude);
    text = std::string_view(buffer, static_cast<size_t>(length));
  }
  format.Append(text, is_negative, fraction, out);
}

/// Formats numbers. A template is compiled once per run of rows that share it, so once for a constant.
template <typename T>
void ToChar(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const LogicalType type = arguments.column(0).type();
  std::optional<NumberFormat> format;
  std::string last_pattern, text;
  MapBinary<T, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const T& value, const StringRef& pattern) {
        if (!format || pattern.view() != last_pattern) {
          last_pattern = pattern.view();
          format.emplace(last_pattern);
        }
        text.clear();
        if constexpr (std::is_same_v<T, StringRef>) {
          AppendNumeric(*format, value, text);
        } else if constexpr (std::is_floating_point_v<T>) {
          AppendFloating(*format, value, std::numeric_limits<T>::digits10, text);
        } else if (type.id() == TypeId::kDecimal) {
          AppendDecimal(*format, value, type.scale(), text);
        } else if constexpr (sizeof(T) == sizeof(int32_t) || sizeof(T) == sizeof(int64_t)) {
          AppendInteger(*format, value, text);
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
  add(TypeId::kInteger, &ToChar<int32_t>, nullptr);
  add(TypeId::kBigInt, &ToChar<int64_t>, nullptr);
  add(TypeId::kReal, &ToChar<float>, nullptr);
  add(TypeId::kDouble, &ToChar<double>, nullptr);
  add(TypeId::kNumeric, &ToChar<StringRef>, nullptr);
  add(kAnyDecimal, nullptr, &BindDecimal);
  return list;
}

}  // namespace scaup
