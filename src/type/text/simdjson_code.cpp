// simdjson's code for this processor, in an object that outlives the exit of the process.
#include "type/text/simdjson_code.hpp"

#include <simdjson.h>

#include <cstddef>
#include <cstring>
#include <new>

namespace scaup {

namespace {

alignas(simdjson::implementation) std::byte copy[sizeof(simdjson::implementation)];

// The bytes are copied, because simdjson keeps its implementations in static storage and has no public way to
// make another. A destroyed implementation has lost its virtual functions; the copy keeps them. The classes
// add no members to the base class, whose two strings are not read through the copy.
__attribute__((constructor(101))) void CopySimdjsonCode() {
  // The first use finds the implementation for this processor.
  [[maybe_unused]] const bool is_valid = simdjson::validate_utf8("a", 1);
  const simdjson::implementation* const active = simdjson::get_active_implementation();
  std::memcpy(copy, static_cast<const void*>(active), sizeof(copy));
}

}  // namespace

const simdjson::implementation& SimdjsonCode() {
  return *std::launder(reinterpret_cast<const simdjson::implementation*>(copy));
}

}  // namespace scaup
