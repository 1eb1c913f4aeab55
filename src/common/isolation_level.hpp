// What a transaction may see of those that run beside it.
#pragma once

#include <cstdint>

namespace scaup {

/// As SQL names them. The numbers are fixed.
enum class IsolationLevel : uint8_t {
  kReadUncommitted = 0,
  kReadCommitted = 1,
  kRepeatableRead = 2,
  kSerializable = 3,
};

}  // namespace scaup
