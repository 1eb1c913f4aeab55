// gamma, lgamma and width_bucket.
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr const char* kInvalidWidthBucketArgument = "2201G";

double GammaOf(double x) {
  if (x == -INFINITY || (x <= 0 && x == std::floor(x))) ThrowOutOfRange("gamma is not defined here");
  const double value = std::tgamma(x);
  if (std::isinf(value) && !std::isinf(x)) ThrowOutOfRange("value out of range: overflow");
  return value;
}

double LogGammaOf(double x) {
  int sign;  // lgamma would store the sign in a global variable
  return lgamma_r(x, &sign);
}

void Gamma(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<double, double>(arguments.column(0), arguments.size(), result, GammaOf);
}
void LogGamma(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<double, double>(arguments.column(0), arguments.size(), result, LogGammaOf);
}

[[noreturn]] void ThrowBucket(const char* message) {
  ThrowError(ErrorKind::kOutOfRange, kInvalidWidthBucketArgument, message);
}

/// The number of the equal-width bucket, from 1; 0 below the bounds and count + 1 above. The bounds may be
/// descending.
int32_t BucketOf(double operand, double low, double high, int32_t count) {
  if (count <= 0) ThrowBucket("count must be greater than zero");
  if (std::isnan(operand) || std::isnan(low) || std::isnan(high)) {
    ThrowBucket("operand, lower bound, and upper bound cannot be NaN");
  }
  if (std::isinf(low) || std::isinf(high)) ThrowBucket("lower and upper bounds must be finite");
  if (low == high) ThrowBucket("lower bound cannot equal upper bound");
  const bool is_ascending = low < high;
  if (is_ascending ? operand < low : operand > low) return 0;
  if (is_ascending ? operand >= high : operand <= high) {
    if (count == INT32_MAX) ThrowOutOfRange("integer out of range");
    return count + 1;
  }
  // Halved, so that the difference of large bounds does not overflow.
  const double part = count * (operand / 2 - low / 2) / (high / 2 - low / 2);
  const auto bucket = static_cast<int64_t>(part);
  return static_cast<int32_t>(std::min<int64_t>(bucket, count - 1)) + 1;
}

void WidthBucket(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto operands = arguments.column(0).ViewAs<double>(count);
  const auto lows = arguments.column(1).ViewAs<double>(count);
  const auto highs = arguments.column(2).ViewAs<double>(count);
  const auto counts = arguments.column(3).ViewAs<int32_t>(count);
  int32_t* out = result.MutableData<int32_t>();
  for (size_t row = 0; row < count; row++) {
    if (operands.IsValid(row) && lows.IsValid(row) && highs.IsValid(row) && counts.IsValid(row)) {
      out[row] = BucketOf(operands[row], lows[row], highs[row], counts[row]);
    } else {
      result.SetNull(row);
    }
  }
}

}  // namespace

ScalarFunctionList GammaFunctions() {
  const LogicalType number = TypeId::kDouble;
  return {{.name = "gamma",
           .argument_types = {number},
           .return_type = number,
           .kernel = &Gamma,
           .description = "The gamma function: (x - 1)! for whole numbers.",
           .example = "gamma(5)"},
          {.name = "lgamma",
           .argument_types = {number},
           .return_type = number,
           .kernel = &LogGamma,
           .description = "The natural logarithm of the absolute value of the gamma function.",
           .example = "lgamma(1)",
           .can_fail = false},
          {.name = "width_bucket",
           .argument_types = {number, number, number, TypeId::kInteger},
           .return_type = TypeId::kInteger,
           .kernel = &WidthBucket,
           .description =
               "In which of so many buckets of equal width between two bounds a number lies, from 1; 0 below "
               "them, one more above.",
           .example = "width_bucket(5.35, 0.024, 10.06, 5)"}};
}

}  // namespace scaup
