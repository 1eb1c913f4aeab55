// width_bucket of NUMERIC.
#include "common/throw.hpp"
#include "function/numeric_rows.hpp"
#include "function/scalar/scalar_functions.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowNumericBucket(const char* message) {
  ThrowError(ErrorKind::kOutOfRange, "2201G", message);
}

void CheckBuckets(const Numeric& operand, const Numeric& low, const Numeric& high, int32_t count) {
  if (count <= 0) ThrowNumericBucket("count must be greater than zero");
  if (operand.kind == NumericKind::kNaN || low.kind == NumericKind::kNaN || high.kind == NumericKind::kNaN)
    ThrowNumericBucket("operand, lower bound, and upper bound cannot be NaN");
  if (!low.IsFinite() || !high.IsFinite()) ThrowNumericBucket("lower and upper bounds must be finite");
  if (CompareNumeric(low, high) == 0) ThrowNumericBucket("lower bound cannot equal upper bound");
}

int32_t NumericBucketOf(const Numeric& operand, const Numeric& low, const Numeric& high, int32_t count) {
  CheckBuckets(operand, low, high, count);
  const int direction = CompareNumeric(low, high) < 0 ? 1 : -1;
  if (CompareNumeric(operand, low) * direction < 0) return 0;
  if (CompareNumeric(operand, high) * direction >= 0) {
    if (count == INT32_MAX) ThrowOutOfRange("integer out of range");
    return count + 1;
  }
  Numeric distance, width, bucket;
  ThrowNumericFault(SubtractNumeric(operand, low, distance));
  ThrowNumericFault(SubtractNumeric(high, low, width));
  ThrowNumericFault(MultiplyNumeric(distance, NumericFromInteger(count), distance));
  ThrowNumericFault(DivideNumericToInteger(distance, width, bucket));
  std::string bytes;
  StoreNumeric(bucket, bytes);
  int128_t number;
  SCAUP_CHECK(NumericToInteger(bytes, number));
  return static_cast<int32_t>(number) + 1;
}

void NumericWidthBucket(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto counts = arguments.column(3).ViewAs<int32_t>(count);
  int32_t* out = result.MutableData<int32_t>();
  Numeric numbers[3];
  for (size_t row = 0; row < count; row++) {
    bool is_valid = counts.IsValid(row);
    for (size_t i = 0; i < 3; i++) {
      const auto view = arguments.column(i).ViewAs<StringRef>(count);
      is_valid = is_valid && view.IsValid(row);
      if (is_valid) LoadNumeric(view[row].view(), numbers[i]);
    }
    if (is_valid) {
      out[row] = NumericBucketOf(numbers[0], numbers[1], numbers[2], counts[row]);
    } else {
      result.SetNull(row);
    }
  }
}

}  // namespace

ScalarFunctionList NumericBucketFunctions() {
  const LogicalType number = TypeId::kNumeric;
  return {{.name = "width_bucket",
           .argument_types = {number, number, number, TypeId::kInteger},
           .return_type = TypeId::kInteger,
           .kernel = &NumericWidthBucket,
           .description =
               "In which of so many buckets of equal width between two bounds a number lies, from 1; 0 below "
               "them, one more above.",
           .example = "width_bucket(5.35::NUMERIC, 0.024, 10.06, 5)"}};
}

}  // namespace scaup
