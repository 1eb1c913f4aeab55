// A cast from a base class to the class that its kind names.
#pragma once

#include "common/check.hpp"

namespace scaup {

/// Returns `object` as the derived class that the caller knows it to be, mostly from its kind.
/// REQUIRES: it is one. Debug, sanitizer and fuzz builds check that; elsewhere the cast is free.
template <typename T, typename Base>
T& Downcast(Base& object) {
  SCAUP_ASSERT(dynamic_cast<T*>(&object) != nullptr);
  return static_cast<T&>(object);
}

}  // namespace scaup
