// Makes an allocation of the calling thread fail, to test what an operation leaves behind without memory.
#pragma once

#include <cstdint>

namespace scaup::test {

/// Lets operator new of the calling thread throw std::bad_alloc once, while the object lives. Not nested.
class FailingAllocation {
 public:
  /// `number` counts the thread's allocations from 0.
  explicit FailingAllocation(int64_t number);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Returns how many allocations the thread has made meanwhile, with the one that failed.
  int64_t count() const;
};

}  // namespace scaup::test
