// A bound of the values of a zone.
#pragma once

#include "type/number/int128.hpp"

namespace scaup {

/// An integer for types stored as integers, a double for REAL and DOUBLE; for strings their first eight bytes
/// as a big-endian number. INTERVAL has no bounds.
union ZoneBound {
  int128_t integer;
  double real;
};

}  // namespace scaup
