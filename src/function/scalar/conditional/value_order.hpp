// The order of values of one physical type, the same as for ORDER BY.
#pragma once

#include "type/text/string_ref.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

template <typename T>
bool ValueLess(const T& a, const T& b) {
  return a < b;
}
/// NaN is above all numbers.
inline bool ValueLess(double a, double b) { return a < b || (b != b && a == a); }
inline bool ValueLess(float a, float b) { return a < b || (b != b && a == a); }
inline bool ValueLess(const Interval& a, const Interval& b) {
  return IntervalSortKey(a) < IntervalSortKey(b);
}

}  // namespace scaup
