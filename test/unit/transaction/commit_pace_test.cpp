// When commits wait for others to share a write with.
#include "transaction/commit_pace.hpp"

#include <catch2/catch.hpp>

namespace scaup {

namespace {

/// Groups of `count` commits whose threads are back `return_time` after a write, for long enough to be
/// learned.
int64_t Learn(CommitPace& pace, int64_t now, size_t count, int64_t write_time, int64_t return_time) {
  for (int i = 0; i < 50; i++) {
    pace.Wrote(count, write_time, now);
    for (size_t j = 1; j < count; j++) CHECK_FALSE(pace.Arrived(now + return_time));
    CHECK(pace.Arrived(now + return_time));
    now += return_time + write_time;
  }
  return now;
}

}  // namespace

TEST_CASE("A commit waits for those who are usually back long before a write ends", "[transaction]") {
  CommitPace pace;
  CHECK(pace.WaitsUntil() <= 0);
  const int64_t now = Learn(pace, 1000, 3, 4000, 200);
  pace.Wrote(3, 4000, now);
  CHECK(pace.WaitsUntil() > now + 200);
  CHECK(pace.WaitsUntil() < now + 4000);
  CHECK_FALSE(pace.Arrived(now + 100));
  CHECK_FALSE(pace.Arrived(now + 150));
  CHECK(pace.WaitsUntil() > now + 200);
  CHECK(pace.Arrived(now + 200));
  CHECK(pace.WaitsUntil() <= now + 200);  // All are back: there is nobody to wait for.
  CHECK(pace.Arrived(now + 250));
}

TEST_CASE("A commit waits for nobody who takes as long as a write", "[transaction]") {
  CommitPace pace;
  const int64_t now = Learn(pace, 1000, 3, 4000, 4000);
  pace.Wrote(3, 4000, now);
  CHECK(pace.WaitsUntil() <= now);
}

TEST_CASE("A thread alone never waits, and who does not come again is forgotten", "[transaction]") {
  CommitPace pace;
  int64_t now = Learn(pace, 1000, 1, 4000, 200);
  pace.Wrote(1, 4000, now);
  CHECK(pace.Arrived(now + 200));
  CHECK(pace.WaitsUntil() <= now + 200);
  // Another one takes part once.
  pace.Wrote(2, 4000, now += 4200);
  CHECK_FALSE(pace.Arrived(now + 200));
  CHECK(pace.WaitsUntil() > now + 200);
  pace.Wrote(1, 4000, now += 5000);
  CHECK(pace.Arrived(now + 200));
  CHECK(pace.WaitsUntil() <= now + 200);
}

}  // namespace scaup
