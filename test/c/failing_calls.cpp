// Makes an allocation of the calling thread fail, for tests in C. Includes the interface as C++ programs do.
#include "failing_calls.h"

#include <optional>

#include "../unit/main/failing_allocations.hpp"
#include "scaup.h"
#include "scaup/scaup.hpp"

static std::optional<scaup::test::FailingAllocation> failing;

void begin_failing(int64_t number) { failing.emplace(number); }

int64_t end_failing(void) {
  const int64_t count = failing->count();
  failing.reset();
  return count;
}

static_assert(SCAUP_ABI_VERSION == 1 && sizeof(scaup_string) == 16);
