// Dispatch from the width of a value, known at run time, to a template argument.
#pragma once

#include <cstddef>

#include "common/check.hpp"

namespace scaup {

/// Returns visit.template operator()<kBytes>() for values of `width` bytes, so that loops copy them by moves
/// of a constant size.
template <typename Visit>
auto VisitWidth(size_t width, Visit&& visit) {
  switch (width) {
    case 1: return visit.template operator()<1>();
    case 2: return visit.template operator()<2>();
    case 4: return visit.template operator()<4>();
    case 8: return visit.template operator()<8>();
    case 16: return visit.template operator()<16>();
  }
  ThrowInternal("unknown value width");
}

}  // namespace scaup
