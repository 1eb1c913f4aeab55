// TaskScheduler: every task runs once; errors, nesting, contention and resizing end well.
#include "common/task_scheduler.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "common/running_call.hpp"
#include "scaup/error.hpp"

using namespace scaup;

TEST_CASE("every task runs exactly once", "[common][scheduler]") {
  for (const size_t threads : {1, 2, 4, 9}) {
    TaskScheduler scheduler(threads);
    CHECK(scheduler.thread_count() == threads);
    for (const size_t count : {0, 1, 2, 3, 1000}) {
      std::vector<std::atomic<int>> runs(count);
      scheduler.RunAll(count, [&](size_t i) { runs[i]++; });
      for (const auto& run : runs) REQUIRE(run == 1);
    }
  }
}

TEST_CASE("with one thread all runs on the caller", "[common][scheduler]") {
  TaskScheduler scheduler(1);
  const auto self = std::this_thread::get_id();
  scheduler.RunAll(20, [&](size_t) { REQUIRE(std::this_thread::get_id() == self); });
}

TEST_CASE("workers take part", "[common][scheduler]") {
  TaskScheduler scheduler(3);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::atomic<int> inside = 0;
  // Each task waits for the others, so three threads must be in it at once.
  scheduler.RunAll(3, [&](size_t) {
    inside++;
    while (inside < 3) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  CHECK(seen.size() == 3);
}

TEST_CASE("tasks work for the statement of the thread that waits for them", "[common][scheduler]") {
  TaskScheduler scheduler(3);
  const std::atomic<bool> outer{false};
  std::atomic<bool> interrupted{false};
  const RunningCall outer_call(outer);
  const RunningCall call(interrupted);
  std::atomic<int> inside = 0, right = 0;
  // Three threads are in it at once, two of them workers.
  scheduler.RunAll(3, [&](size_t) {
    inside++;
    while (inside < 3) std::this_thread::yield();
    scheduler.RunAll(2,
                     [&](size_t) { right += RunningCall::IsFor(interrupted) && RunningCall::IsFor(outer); });
  });
  CHECK(right == 6);
  interrupted = true;
  CHECK_THROWS_AS(scheduler.RunAll(8, [](size_t) { RunningCall::CheckInterrupt(); }), Error);

  // A worker forgets the statement with its task.
  std::thread([&] {
    inside = 0;
    scheduler.RunAll(3, [&](size_t) {
      inside++;
      while (inside < 3) std::this_thread::yield();
      right += RunningCall::IsFor(interrupted);
    });
  }).join();
  CHECK(right == 6);
}

TEST_CASE("the first exception is thrown again and the rest is skipped", "[common][scheduler]") {
  constexpr std::chrono::microseconds pause{100};
  for (const size_t threads : {1, 4}) {
    TaskScheduler scheduler(threads);
    for (int round = 0; round < 50; round++) {
      std::atomic<size_t> ran = 0;
      CHECK_THROWS_WITH(scheduler.RunAll(100'000,
                                         [&](size_t i) {
                                           ran++;
                                           if (i == 10) throw std::runtime_error("task ten");
                                           // Not even a thread that is long without a core while it
                                           // throws leaves the others the time for all the rest.
                                           if (i > 10) std::this_thread::sleep_for(pause);
                                         }),
                        "task ten");
      CHECK(ran < 100'000);
    }
    std::atomic<size_t> after = 0;
    scheduler.RunAll(100, [&](size_t) { after++; });
    CHECK(after == 100);
  }
}

TEST_CASE("nested batches do not deadlock", "[common][scheduler]") {
  for (const size_t threads : {1, 2, 3}) {
    TaskScheduler scheduler(threads);
    std::atomic<size_t> leaves = 0;
    scheduler.RunAll(8, [&](size_t) {
      scheduler.RunAll(8, [&](size_t) { scheduler.RunAll(8, [&](size_t) { leaves++; }); });
    });
    CHECK(leaves == 512);
  }
}

TEST_CASE("an exception passes through nested batches", "[common][scheduler]") {
  TaskScheduler scheduler(3);
  CHECK_THROWS_WITH(scheduler.RunAll(4,
                                     [&](size_t) {
                                       scheduler.RunAll(4, [](size_t i) {
                                         if (i == 3) throw std::runtime_error("inner");
                                       });
                                     }),
                    "inner");
}

TEST_CASE("many callers share the workers", "[common][scheduler]") {
  TaskScheduler scheduler(3);
  std::vector<std::thread> callers;
  std::atomic<size_t> done = 0;
  for (int c = 0; c < 6; c++) {
    callers.emplace_back([&, c] {
      for (int round = 0; round < 200; round++) {
        const size_t count = 1 + static_cast<size_t>((c * 7 + round) % 13);
        std::atomic<size_t> own = 0;
        try {
          scheduler.RunAll(count, [&](size_t i) {
            own++;
            if (round % 5 == 0 && i == count - 1) throw std::runtime_error("expected");
          });
        } catch (const std::runtime_error&) {
        }
        if (own == count) done++;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(done == 1200);  // The failing task is each batch's last, so no task is skipped.
}

TEST_CASE("a short batch is not starved by a long one", "[common][scheduler]") {
  TaskScheduler scheduler(2);
  std::atomic<bool> stop = false;
  std::atomic<bool> long_runs = false;
  std::thread long_caller([&] {
    scheduler.RunAll(20'000, [&](size_t) {
      long_runs = true;
      if (!stop) std::this_thread::sleep_for(std::chrono::microseconds(200));
    });
  });
  while (!long_runs) std::this_thread::yield();
  // One task of this batch must be taken by the worker, which serves batches in turn.
  std::atomic<int> inside = 0;
  scheduler.RunAll(2, [&](size_t) {
    inside++;
    while (inside < 2) std::this_thread::yield();
  });
  CHECK(inside == 2);
  stop = true;
  long_caller.join();
}

TEST_CASE("the number of threads changes while batches run", "[common][scheduler]") {
  TaskScheduler scheduler(2);
  std::atomic<size_t> sum = 0;
  std::thread caller([&] {
    for (int round = 0; round < 200; round++) scheduler.RunAll(20, [&](size_t) { sum++; });
  });
  for (const size_t threads : {4, 1, 3, 2, 5}) {
    scheduler.SetThreadCount(threads);
    CHECK(scheduler.thread_count() == threads);
  }
  caller.join();
  CHECK(sum == 4000);
  CHECK_THROWS_AS(scheduler.SetThreadCount(0), Error);
}

namespace {

template <typename Condition>
void WaitUntil(Condition condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

}  // namespace

TEST_CASE("a worker makes room for a second caller", "[common][scheduler]") {
  TaskScheduler scheduler(2);
  std::atomic<bool> is_over = false;
  std::atomic<size_t> steps_of_worker = 0;
  std::thread first([&] {
    const auto caller = std::this_thread::get_id();
    scheduler.RunAll(2, [&](size_t) {
      const bool is_worker = std::this_thread::get_id() != caller;
      while (!is_over) {
        scheduler.GiveWay();
        if (is_worker) steps_of_worker++;
      }
    });
  });
  WaitUntil([&] { return steps_of_worker > 1000; });
  size_t steps_beside = SIZE_MAX;
  scheduler.RunAll(1, [&](size_t) {
    // It may be in the middle of a step.
    const size_t before = steps_of_worker;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    steps_beside = steps_of_worker - before;
  });
  // A step now and then, so that it hears when somebody asks for its memory.
  CHECK(steps_beside >= 1);
  CHECK(steps_beside <= 100);
  const size_t before = steps_of_worker;
  WaitUntil([&] { return steps_of_worker > before + 1000; });
  is_over = true;
  first.join();
}

TEST_CASE("a worker goes on where its caller waits for it", "[common][scheduler]") {
  TaskScheduler scheduler(2);
  std::atomic<int> begun = 0;
  std::atomic<bool> is_over = false, is_done = false;
  std::atomic<size_t> steps = 0;
  std::thread first([&] {
    const auto caller = std::this_thread::get_id();
    scheduler.RunAll(2, [&](size_t) {
      begun++;
      WaitUntil([&] { return begun == 2; });
      if (std::this_thread::get_id() == caller) return;
      while (!is_over) {
        scheduler.GiveWay();
        steps++;
      }
    });
    is_done = true;
  });
  // Two callers that work without a pause, so that there is never room for a worker.
  std::vector<std::thread> others;
  std::atomic<int> others_begun = 0;
  for (int i = 0; i < 2; i++) {
    others.emplace_back([&] {
      WaitUntil([&] { return begun == 2; });
      scheduler.RunAll(1, [&](size_t) {
        others_begun++;
        WaitUntil([&] { return is_done.load(); });
      });
    });
  }
  WaitUntil([&] { return others_begun == 2; });
  const size_t before = steps;
  WaitUntil([&] { return steps > before + 100'000; });
  is_over = true;
  first.join();
  for (std::thread& other : others) other.join();
  CHECK(is_done);
}

TEST_CASE("threads are started by the first batch of several tasks", "[common][scheduler]") {
  const auto count_threads = [](TaskScheduler& scheduler) {
    std::mutex mutex;
    std::set<std::thread::id> seen;
    std::atomic<size_t> inside = 0;
    const size_t wanted = scheduler.thread_count();
    scheduler.RunAll(wanted, [&](size_t) {
      inside++;
      while (inside < wanted) std::this_thread::yield();
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
    return seen.size();
  };
  TaskScheduler scheduler(4);
  const auto self = std::this_thread::get_id();
  scheduler.RunAll(1, [&](size_t) { REQUIRE(std::this_thread::get_id() == self); });
  CHECK(count_threads(scheduler) == 4);
  scheduler.SetThreadCount(6);
  CHECK(scheduler.thread_count() == 6);
  CHECK(count_threads(scheduler) == 6);
  scheduler.SetThreadCount(2);
  CHECK(count_threads(scheduler) == 2);
  scheduler.SetThreadCount(1);
  CHECK(count_threads(scheduler) == 1);
}
