// IN lists: short ones are compared one by one, long ones searched or hashed.
#include "expression/in_list_set.hpp"

#include <algorithm>
#include <cmath>

#include "type/time/date_time.hpp"
#include "vector/vectorized.hpp"

namespace scaup {

namespace {

constexpr size_t kLinearSearch = 8;

/// NaN equals itself and is above all numbers.
bool RealLess(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

template <typename T>
bool ContainsSorted(const std::vector<T>& values, T value) {
  if (values.size() > kLinearSearch) return std::binary_search(values.begin(), values.end(), value);
  bool found = false;
  for (const T candidate : values) found |= candidate == value;
  return found;
}

}  // namespace

InListSet::InListSet(const LogicalType& type, const std::vector<Value>& values)
    : physical_type_(PhysicalTypeOf(type)) {
  for (const Value& value : values) {
    if (value.is_null()) {
      has_null_ = true;
      continue;
    }
    switch (physical_type_) {
      case PhysicalType::kFloat:
      case PhysicalType::kDouble: reals_.push_back(value.GetDouble()); break;
      case PhysicalType::kString: texts_.push_back(value.GetString()); break;
      case PhysicalType::kInterval: wide_.push_back(IntervalSortKey(value.GetInterval())); break;
      default: wide_.push_back(value.GetInteger()); break;
    }
  }
  std::sort(wide_.begin(), wide_.end());
  std::sort(reals_.begin(), reals_.end(), RealLess);
  if (physical_type_ != PhysicalType::kInt128 && physical_type_ != PhysicalType::kInterval) {
    narrow_ = true;
    for (const int128_t value : wide_) integers_.push_back(static_cast<int64_t>(value));
  }
  for (const std::string& text : texts_) text_set_.insert(text);
}

bool InListSet::ContainsInteger(int128_t value) const {
  return narrow_ ? ContainsSorted(integers_, static_cast<int64_t>(value)) : ContainsSorted(wide_, value);
}

void InListSet::Match(Vector& input, size_t count, bool negated, Vector& result) const {
  const auto finish = [&](bool found) -> uint8_t { return found != negated; };
  switch (physical_type_) {
    case PhysicalType::kBool:
      MapUnary<uint8_t, uint8_t>(input, count, result, [&](uint8_t v) { return finish(ContainsInteger(v)); });
      break;
    case PhysicalType::kInt8:
      MapUnary<int8_t, uint8_t>(input, count, result, [&](int8_t v) { return finish(ContainsInteger(v)); });
      break;
    case PhysicalType::kInt16:
      MapUnary<int16_t, uint8_t>(input, count, result, [&](int16_t v) { return finish(ContainsInteger(v)); });
      break;
    case PhysicalType::kInt32:
      MapUnary<int32_t, uint8_t>(input, count, result,
                                 [&](int32_t v) { return finish(ContainsSorted(integers_, int64_t{v})); });
      break;
    case PhysicalType::kInt64:
      MapUnary<int64_t, uint8_t>(input, count, result,
                                 [&](int64_t v) { return finish(ContainsSorted(integers_, v)); });
      break;
    case PhysicalType::kInt128:
      MapUnary<int128_t, uint8_t>(input, count, result,
                                  [&](int128_t v) { return finish(ContainsInteger(v)); });
      break;
    case PhysicalType::kFloat:
      MapUnary<float, uint8_t>(input, count, result, [&](float v) {
        return finish(std::binary_search(reals_.begin(), reals_.end(), double{v}, RealLess));
      });
      break;
    case PhysicalType::kDouble:
      MapUnary<double, uint8_t>(input, count, result, [&](double v) {
        return finish(std::binary_search(reals_.begin(), reals_.end(), v, RealLess));
      });
      break;
    case PhysicalType::kString:
      if (texts_.size() <= kLinearSearch) {
        StringRef candidates[kLinearSearch];
        for (size_t i = 0; i < texts_.size(); i++) candidates[i] = StringRef(texts_[i]);
        MapUnary<StringRef, uint8_t>(input, count, result, [&](const StringRef& v) {
          bool found = false;
          for (size_t i = 0; i < texts_.size(); i++) found |= candidates[i] == v;
          return finish(found);
        });
      } else {
        MapUnary<StringRef, uint8_t>(
            input, count, result, [&](const StringRef& v) { return finish(text_set_.contains(v.view())); });
      }
      break;
    case PhysicalType::kInterval:
      MapUnary<Interval, uint8_t>(input, count, result, [&](const Interval& v) {
        return finish(ContainsInteger(IntervalSortKey(v)));
      });
      break;
  }
  if (!has_null_) return;
  // Not found among the values, but maybe equal to the NULL: unknown.
  uint8_t* out = result.MutableData<uint8_t>();
  for (size_t row = 0; row < count; row++) {
    if (out[row] == finish(false)) result.SetNull(row);
  }
}

}  // namespace scaup
