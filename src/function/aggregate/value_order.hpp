// The order of values for min, max, arg_min and arg_max: SQL's < for every physical type.
#pragma once

#include <cmath>
#include <type_traits>

#include "type/text/string_ref.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

/// a < b; NaN equals itself and is above all other values; intervals compare by their length.
template <typename T>
bool OrderedBefore(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a < b || (std::isnan(b) && !std::isnan(a));
  } else if constexpr (std::is_same_v<T, Interval>) {
    return IntervalSortKey(a) < IntervalSortKey(b);
  } else {
    return a < b;
  }
}

}  // namespace scaup
