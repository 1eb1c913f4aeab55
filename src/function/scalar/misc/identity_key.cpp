// A key that tells apart values that are equal but not the same.
#include "function/scalar/misc/identity_key.hpp"

#include <algorithm>
#include <bit>

#include "vector/vectorized.hpp"

namespace scaup {
namespace {

template <typename Number, typename Bits>
void Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<Number, Bits>(arguments.column(0), arguments.size(), result,
                         [](Number number) { return std::bit_cast<Bits>(number); });
}

}  // namespace

bool HasEqualButDifferentValues(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kReal:
    case TypeId::kDouble:
    case TypeId::kInterval:
    case TypeId::kJsonb: return true;
    case TypeId::kList: return HasEqualButDifferentValues(type.element());
    case TypeId::kStruct:
      return std::any_of(type.fields().begin(), type.fields().end(),
                         [](const StructField& field) { return HasEqualButDifferentValues(field.type); });
    case TypeId::kNull:
    case TypeId::kBoolean:
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kBigInt:
    case TypeId::kUTinyInt:
    case TypeId::kUSmallInt:
    case TypeId::kUInteger:
    case TypeId::kUBigInt:
    case TypeId::kHugeInt:
    case TypeId::kDecimal:
    case TypeId::kNumeric:
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimeTz:
    case TypeId::kBit:
    case TypeId::kTimestamp:
    case TypeId::kUuid:
    case TypeId::kTimestampTz:
    case TypeId::kJson:
    case TypeId::kEnum:
    case TypeId::kRange:
    case TypeId::kMultirange: break;
  }
  return false;
}

std::optional<ScalarFunction> BitsOfNumber(const LogicalType& type) {
  const bool is_real = type.id() == TypeId::kReal;
  if (!is_real && type.id() != TypeId::kDouble) return std::nullopt;
  return ScalarFunction{.name = "bits_of_number",
                        .argument_types = {type},
                        .return_type = is_real ? TypeId::kInteger : TypeId::kBigInt,
                        .kernel = is_real ? &Kernel<float, int32_t> : &Kernel<double, int64_t>,
                        .description = "The bits of a number.",
                        .example = "",
                        .can_fail = false};
}

}  // namespace scaup
