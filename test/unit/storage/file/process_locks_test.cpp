// What processes that share a database file know of each other.
#include <catch2/catch.hpp>

#include "simulation/simulated_file_system.hpp"
#include "storage/file/process_locks.hpp"

namespace scaup::test {

TEST_CASE("one writer, and readers of several checkpoints", "[storage][file]") {
  SimulatedFileSystem files;
  files.SetContent("x", "abc");
  const auto open = [&](bool read_only) {
    return files.Open("x", read_only ? OpenMode::kRead : OpenMode::kReadWrite);
  };
  const auto writer = open(false), other = open(false);
  auto reader = open(true), second = open(true);
  CHECK_FALSE(HasWriter(*reader));
  CHECK(TryLockForWriting(*writer));
  CHECK_FALSE(TryLockForWriting(*other));
  CHECK_FALSE(HasWriter(*reader));  // It may still be at recovery.
  AnnounceCommits(*writer);
  AnnounceCommits(*writer);
  CHECK(HasWriter(*reader));
  CHECK_FALSE(HasWriter(*writer));  // There is no other.

  CHECK(CheckpointsBeingRead(*writer).empty());
  for (const uint64_t number : {1, 2, 7}) BeginReading(*reader, number);
  for (const uint64_t number : {2, 3, 1000}) BeginReading(*second, number);
  CHECK((CheckpointsBeingRead(*writer) == std::set<uint64_t>{1, 2, 3, 7, 1000}));
  EndReading(*reader, 2);
  EndReading(*second, 3);
  CHECK((CheckpointsBeingRead(*writer) == std::set<uint64_t>{1, 2, 7, 1000}));
  second.reset();
  CHECK((CheckpointsBeingRead(*writer) == std::set<uint64_t>{1, 7}));
  reader.reset();
  CHECK(CheckpointsBeingRead(*writer).empty());
}

}  // namespace scaup::test
