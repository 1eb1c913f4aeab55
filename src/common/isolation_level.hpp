// The isolation levels of transactions.
#pragma once

#include <cstdint>

namespace scaup {

/// The levels that SQL names. The numbers are fixed.
enum class IsolationLevel : uint8_t {
  kReadUncommitted = 0,
  kReadCommitted = 1,
  kRepeatableRead = 2,
  kSerializable = 3,
};

}  // namespace scaup
