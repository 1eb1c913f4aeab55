// Mutexes and condition variables: exclusion, letting go and taking back, and waits that end.
#include "common/lock/mutex.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "common/lock/condition_variable.hpp"

using namespace scaup;

namespace {

// Whether another thread could lock the mutex now.
bool IsFree(Mutex& mutex) {
  bool is_free = false;
  std::thread([&] {
    if (!mutex.TryLock()) return;
    is_free = true;
    mutex.Unlock();
  }).join();
  return is_free;
}

struct Counter {
  Mutex mutex;
  ConditionVariable changed;
  int value SCAUP_GUARDED_BY(mutex) = 0;
};

}  // namespace

TEST_CASE("a mutex lock is held for its scope", "[common][lock]") {
  Mutex mutex;
  {
    const MutexLock lock(mutex);
    CHECK(!IsFree(mutex));
  }
  CHECK(IsFree(mutex));
  REQUIRE(mutex.TryLock());
  {
    const MutexLock lock(mutex, std::adopt_lock);
    CHECK(!IsFree(mutex));
  }
  CHECK(IsFree(mutex));
}

TEST_CASE("a releasable lock lets go once, whoever ends it", "[common][lock]") {
  Mutex mutex;
  {
    ReleasableMutexLock lock(mutex);
    lock.Unlock();
    CHECK(IsFree(mutex));
    lock.Lock();
    CHECK(!IsFree(mutex));
    lock.Unlock();
  }
  CHECK(IsFree(mutex));
}

TEST_CASE("an unlocked scope takes the mutex back, also after an exception", "[common][lock]") {
  Mutex mutex;
  const MutexLock lock(mutex);
  try {
    const MutexUnlock unlocked(mutex);
    CHECK(IsFree(mutex));
    throw std::runtime_error("");
  } catch (const std::runtime_error&) {
    CHECK(!IsFree(mutex));
  }
}

TEST_CASE("readers share a mutex, a writer has it alone", "[common][lock]") {
  SharedMutex mutex;
  int value = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] {
      for (int k = 0; k < 1000; k++) {
        const WriterLock lock(mutex);
        value++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const ReaderLock first(mutex);
  std::thread([&] {
    const ReaderLock second(mutex);
    CHECK(value == 4000);
  }).join();
}

TEST_CASE("a wait ends with a notification, and holds the mutex then", "[common][lock]") {
  Counter counter;
  std::thread thread([&] {
    const MutexLock lock(counter.mutex);
    counter.value = 1;
    counter.changed.NotifyAll();
  });
  {
    const MutexLock lock(counter.mutex);
    while (counter.value == 0) counter.changed.Wait(counter.mutex);
    CHECK(!IsFree(counter.mutex));
  }
  thread.join();
}

TEST_CASE("a wait ends with its time", "[common][lock]") {
  Counter counter;
  const MutexLock lock(counter.mutex);
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
  while (counter.value == 0 && counter.changed.WaitUntil(counter.mutex, until)) continue;
  CHECK(std::chrono::steady_clock::now() >= until);
  CHECK(!IsFree(counter.mutex));
}
