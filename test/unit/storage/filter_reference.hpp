// What a scan filter means, value by value.
#pragma once

#include <algorithm>
#include <cmath>

#include "scaup/value.hpp"
#include "type/physical_type.hpp"
#include "type/scan_filter.hpp"
#include "type/time/date_time.hpp"
#include "vector/filter/in_list.hpp"

namespace scaup::test {

/// Negative, zero, positive; NaN equals NaN and is above all numbers. Neither is NULL.
inline int OrderOf(const Value& a, const Value& b) {
  const auto compare = [](const auto& x, const auto& y) { return int{x > y} - int{x < y}; };
  switch (PhysicalTypeOf(a.type())) {
    case PhysicalType::kFloat:
    case PhysicalType::kDouble: {
      const double x = a.GetDouble(), y = b.GetDouble();
      if (std::isnan(x) || std::isnan(y)) return int{std::isnan(x)} - int{std::isnan(y)};
      return compare(x, y);
    }
    case PhysicalType::kString: {
      // std::string compares bytes as unsigned.
      const int order = a.GetString().compare(b.GetString());
      return compare(order, 0);
    }
    case PhysicalType::kInterval:
      return compare(IntervalSortKey(a.GetInterval()), IntervalSortKey(b.GetInterval()));
    default: return compare(a.GetInteger(), b.GetInteger());
  }
}

inline bool Passes(const Value& value, const ScanFilter& filter) {
  using Op = ScanFilter::Op;
  if (filter.op == Op::kIsNull) return value.is_null();
  if (filter.op == Op::kIsNotNull) return !value.is_null();
  if (value.is_null()) return false;
  if (const InListTest* list = InListTest::Of(filter)) {
    return std::any_of(list->values().begin(), list->values().end(),
                       [&](const Value& each) { return OrderOf(value, each) == 0; });
  }
  const int order = OrderOf(value, filter.constant);
  switch (filter.op) {
    case Op::kEqual: return order == 0;
    case Op::kNotEqual: return order != 0;
    case Op::kLess: return order < 0;
    case Op::kLessEqual: return order <= 0;
    case Op::kGreater: return order > 0;
    case Op::kGreaterEqual: return order >= 0;
    case Op::kIsNull:
    case Op::kIsNotNull:
    case Op::kTest: break;
  }
  return false;
}

}  // namespace scaup::test
