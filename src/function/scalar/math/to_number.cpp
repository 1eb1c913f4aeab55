// to_number: reads a number by a template.
#include <algorithm>
#include <optional>

#include "common/throw.hpp"
#include "function/scalar/math/number_format.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/number/decimal.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr int kMostDigits = 38;

/// Parses what a template has read. V divides by its power of ten.
int128_t ParseNumber(const NumberFormat& format, std::string_view text, const LogicalType& type) {
  int fraction_digits;
  const std::string number = format.Read(text, fraction_digits);
  int128_t unscaled;
  if (!IsNumberText(number)) {
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
               "no number in \"" + std::string(text) + "\" by the format: it has \"" + number + "\"");
  }
  // More digits before the point than the template has do not fit.
  const int digits = format.whole_digits() + fraction_digits;
  const std::string shifted = number + "e-" + std::to_string(format.multiplier_digits());
  // A format without digits has read a zero at most.
  const bool fits = ParseDecimal(number, static_cast<uint8_t>(std::clamp(digits, 1, kMostDigits)),
                                 static_cast<uint8_t>(std::min(fraction_digits, kMostDigits)), unscaled) &&
                    (digits > 0 || unscaled == 0) &&
                    ParseDecimal(shifted, type.width(), type.scale(), unscaled);
  if (!fits) {
    ThrowOutOfRange("numeric field overflow: \"" + number + "\" has more than " +
                    std::to_string(format.whole_digits()) +
                    " digits before the point, which the format allows");
  }
  return unscaled;
}

template <typename T>
void ToNumber(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  const auto patterns = arguments.column(1).ViewAs<StringRef>(count);
  T* out = result.MutableData<T>();
  std::optional<NumberFormat> format;
  std::string last_pattern;
  for (size_t row = 0; row < count; row++) {
    // An empty template yields NULL, as in PostgreSQL.
    if (!texts.IsValid(row) || !patterns.IsValid(row) || patterns[row].view().empty()) {
      result.SetNull(row);
      continue;
    }
    if (!format || patterns[row].view() != last_pattern) {
      last_pattern = patterns[row].view();
      format.emplace(last_pattern);
    }
    out[row] = static_cast<T>(ParseNumber(*format, texts[row].view(), call.return_type));
  }
}

/// The type has the digits of a constant template; other templates get half of the digits behind the point.
LogicalType TypeOfTemplate(const BindArgument& pattern) {
  int width = kMostDigits, fraction = kMostDigits / 2;
  if (pattern.constant != nullptr && !pattern.constant->is_null()) {
    const NumberFormat format(pattern.constant->GetString());
    fraction = std::min(format.fraction_digits() + format.multiplier_digits(), kMostDigits);
    width = format.whole_digits() + format.fraction_digits();
  }
  width = std::clamp(width, std::max(fraction, 1), kMostDigits);
  return LogicalType::Decimal(static_cast<uint8_t>(width), static_cast<uint8_t>(fraction));
}

std::unique_ptr<FunctionData> BindToNumber(ScalarFunction& function,
                                           std::span<const BindArgument> arguments) {
  function.return_type = TypeOfTemplate(arguments[1]);
  switch (PhysicalTypeOf(function.return_type)) {
    case PhysicalType::kInt16: function.kernel = &ToNumber<int16_t>; break;
    case PhysicalType::kInt32: function.kernel = &ToNumber<int32_t>; break;
    case PhysicalType::kInt64: function.kernel = &ToNumber<int64_t>; break;
    default: function.kernel = &ToNumber<int128_t>;
  }
  return nullptr;
}

}  // namespace

ScalarFunctionList ToNumberFunctions() {
  return {{.name = "to_number",
           .argument_types = {TypeId::kVarchar, TypeId::kVarchar},
           .return_type = kAnyDecimal,
           .kernel = nullptr,
           .description = "A number read by a template, with as many digits as the template has.",
           .example = "to_number('1,234.50-', '9G999D99S')",
           .bind = &BindToNumber}};
}

}  // namespace scaup
