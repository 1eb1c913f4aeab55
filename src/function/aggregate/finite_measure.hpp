// The check for overflow of statistics.
#pragma once

#include <cmath>

#include "common/throw.hpp"

namespace scaup {

/// Returns a measure of numbers with this mean. Throws Error(kOutOfRange) if it has overflowed: it is not
/// finite though the mean, and thus every number, is.
inline double FiniteMeasure(double measure, double mean) {
  if (!std::isfinite(measure) && std::isfinite(mean)) [[unlikely]]
    ThrowOutOfRange("value out of range: overflow");
  return measure;
}

}  // namespace scaup
