// IN-list set: lookups of the constants of an IN list.
#include "expression/in_list_set.hpp"

#include <algorithm>
#include <iterator>

#include "common/throw.hpp"
#include "type/time/date_time.hpp"
#include "vector/vectorized.hpp"

namespace scaup {

namespace {

std::vector<Value> WithoutNull(const std::vector<Value>& values) {
  std::vector<Value> present;
  std::copy_if(values.begin(), values.end(), std::back_inserter(present),
               [](const Value& value) { return !value.is_null(); });
  return present;
}

}  // namespace

InListSet::InListSet(const LogicalType& type, const std::vector<Value>& values)
    : physical_type_(SignedTwin(PhysicalTypeOf(type))),
      has_null_(
          std::any_of(values.begin(), values.end(), [](const Value& value) { return value.is_null(); })),
      set_(PhysicalTypeOf(type), WithoutNull(values)) {}

void InListSet::Match(Vector& input, size_t count, bool negated, Vector& result) const {
  const auto map = [&](auto type, auto has) {
    using T = decltype(type);
    MapUnary<T, uint8_t>(input, count, result,
                         [&](const T& value) { return static_cast<uint8_t>(has(value) != negated); });
  };
  const auto has_integer = [&](int64_t value) { return set_.HasInteger(value); };
  const auto has_real = [&](double value) { return set_.HasReal(value); };
  switch (physical_type_) {
    case PhysicalType::kBool: map(uint8_t{}, has_integer); break;
    case PhysicalType::kInt8: map(int8_t{}, has_integer); break;
    case PhysicalType::kInt16: map(int16_t{}, has_integer); break;
    case PhysicalType::kInt32: map(int32_t{}, has_integer); break;
    case PhysicalType::kInt64: map(int64_t{}, has_integer); break;
    case PhysicalType::kInt128: map(int128_t{}, [&](int128_t value) { return set_.HasWide(value); }); break;
    case PhysicalType::kFloat: map(float{}, has_real); break;
    case PhysicalType::kDouble: map(double{}, has_real); break;
    case PhysicalType::kString:
      map(StringRef{}, [&](const StringRef& value) { return set_.HasText(value); });
      break;
    case PhysicalType::kInterval:
      map(Interval{}, [&](const Interval& value) { return set_.HasWide(IntervalSortKey(value)); });
      break;
    case PhysicalType::kUInt8:
    case PhysicalType::kUInt16:
    case PhysicalType::kUInt32:
    case PhysicalType::kUInt64: ThrowInternal("an unsigned integer is matched as its signed twin");
  }
  if (!has_null_) return;
  // A value that is not found might equal the NULL, so the result is unknown.
  const uint8_t not_found = negated ? 1 : 0;
  const uint8_t* out = result.MutableData<uint8_t>();
  for (size_t row = 0; row < count; row++) {
    if (out[row] == not_found) result.SetNull(row);
  }
}

}  // namespace scaup
