// The clock of activity.
#include "main/database/activity.hpp"

#include <chrono>

namespace scaup {

int64_t Activity::Now() {
  // A steady clock: a change of the system's time must not make a busy database look idle.
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace scaup
