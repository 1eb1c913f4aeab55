// simdjson's code for this processor, in an object that outlives the exit of the process.
#pragma once

namespace simdjson {
class implementation;
}

namespace scaup {

/// The object that simdjson::get_active_implementation() gives is destroyed at exit, while other threads may
/// still be in statements; this one is not. All uses of simdjson in the library begin here. Thread-safe.
const simdjson::implementation& SimdjsonCode();

}  // namespace scaup
