// The interrupt check of function_context.hpp.
#include "function/function_context.hpp"

#include "common/throw.hpp"
#include "type/time_zone.hpp"

namespace scaup {

void FunctionContext::CheckInterrupt() const {
  if (interrupted.load(std::memory_order_relaxed)) {
    ThrowError(ErrorKind::kInterrupted, sqlstate::kQueryCanceled, "canceling statement due to user request");
  }
}

const TimeZone& FunctionContext::Zone() const {
  static const TimeZone& utc = *new TimeZone;  // Never destroyed, see CONTRIBUTING.md.
  return time_zone ? *time_zone : utc;
}

}  // namespace scaup
