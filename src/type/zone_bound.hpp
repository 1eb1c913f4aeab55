// The minimum or maximum of the values of a zone.
#pragma once

#include "type/number/int128.hpp"

namespace scaup {

/// A bound of values: an integer for types stored as integers, a double for REAL and DOUBLE, and the first
/// eight bytes as a big-endian number for strings. INTERVAL has no bounds.
union ZoneBound {
  int128_t integer;
  double real;
};

}  // namespace scaup
