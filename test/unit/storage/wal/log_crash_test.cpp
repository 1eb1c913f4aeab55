// The log where power fails, the disk runs full and syncs fail: what was acknowledged is there, what was
// refused is not.
#include <functional>

#include "log_fixture.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/wal/log_format.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

const std::string kPath = "x.wal";
constexpr LogIdentity kNextIdentity{kIdentity.database_id, kIdentity.checkpoint_number + 1};

// What a process was told, and thus what must be found.
struct Promise {
  bool is_created = false;       // the log under test is there
  std::vector<Bytes> appended;   // Append returned for these,
  size_t durable_count = 0;      // with sync, or Sync did, for so many.
  std::vector<Bytes> in_flight;  // Neither returned nor failed yet: each may be there or not.
};

constexpr size_t kLongLog = 60 << 10;

Bytes NextPayload(std::mt19937& random) {
  return RandomPayload(random, random() % 6 == 0 ? 3000 + random() % 3000 : random() % 300);
}

// Appends groups, keeping the promise up to date, whatever is thrown.
void AppendGroups(WriteAheadLog& log, std::mt19937& random, int group_count, Promise& promise) {
  for (int i = 0; i < group_count; i++) {
    const bool sync = random() % 3 != 0;
    for (size_t n = 1 + random() % 3; n > 0; n--) promise.in_flight.push_back(NextPayload(random));
    AppendGroup(log, promise.in_flight, sync);
    promise.appended.insert(promise.appended.end(), promise.in_flight.begin(), promise.in_flight.end());
    promise.in_flight.clear();
    if (sync) promise.durable_count = promise.appended.size();
    if (random() % 6 == 0) {
      log.Sync();
      promise.durable_count = promise.appended.size();
    }
  }
}

// The payloads begin as promised, lack nothing that is durable, and have nothing that was never written.
void CheckPromise(const std::vector<Bytes>& payloads, const Promise& promise, size_t least) {
  std::vector<Bytes> most = promise.appended;
  most.insert(most.end(), promise.in_flight.begin(), promise.in_flight.end());
  REQUIRE(payloads.size() >= least);
  REQUIRE(payloads.size() <= most.size());
  REQUIRE(std::equal(payloads.begin(), payloads.end(), most.begin()));
}

// A process: makes a log over an old one, appends; then another one reads it and goes on.
void LiveThrough(FileSystem& files, unsigned seed, Promise& promise) {
  std::mt19937 random(seed);
  {
    const auto log = WriteAheadLog::Create(files, kPath, kNextIdentity);
    promise.is_created = true;
    if (seed % 2 != 0) {
      // So long that room is made for the next frames.
      promise.in_flight = {RandomPayload(random, kLongLog)};
      AppendGroup(*log, promise.in_flight, seed % 4 == 1);
      promise.appended = std::exchange(promise.in_flight, {});
      if (seed % 4 == 1) promise.durable_count = 1;
    }
    AppendGroups(*log, random, 4, promise);
  }
  const auto reader = LogReader::Open(files, kPath, LogReader::Mode::kStrict, true);
  CheckPromise(ReadAll(*reader), promise, promise.appended.size());
  const auto log = reader->Continue();
  promise.durable_count = promise.appended.size();
  AppendGroups(*log, random, 4, promise);
}

// The old log, that LiveThrough replaces.
const std::vector<Bytes> kOldPayloads = {BytesOf("old"), BytesOf("older")};
void MakeOldLog(FileSystem& files) {
  AppendGroup(*WriteAheadLog::Create(files, kPath, kIdentity), kOldPayloads, true);
}

// Recovery after a crash, itself disturbed by further ones, until it comes through and the log goes on.
void RecoverAndCheck(SimulatedFileSystem& files, Promise& promise, unsigned seed, size_t least) {
  std::mt19937 random(seed);
  for (int attempt = 0;; attempt++) {
    if (attempt < 2 && random() % 2 == 0) {
      files.FailAt(files.call_count() + 1 + random() % 12,
                   random() % 2 == 0 ? FaultKind::kCrash : FaultKind::kCrashInside);
    }
    try {
      const auto process = files.Share();
      const auto reader = LogReader::Open(*process, kPath, LogReader::Mode::kStrict, true);
      REQUIRE(reader != nullptr);
      const std::vector<Bytes> payloads = ReadAll(*reader);
      if (reader->identity() == kIdentity) {
        REQUIRE_FALSE(promise.is_created);
        REQUIRE(payloads == kOldPayloads);
        return;
      }
      REQUIRE(reader->identity() == kNextIdentity);
      CheckPromise(payloads, promise, least);
      const auto log = reader->Continue();
      // From now on these are promised.
      promise = {true, payloads, payloads.size(), {}};
      least = payloads.size();
      AppendGroups(*log, random, 2, promise);
      files.ClearFaults();
      CheckPromise(ReadLog(*process, kPath), promise, promise.appended.size());
      return;
    } catch (const SimulatedCrash&) {
      files.Crash(random());
      files.ClearFaults();
      least = promise.durable_count;
    }
  }
}

uint64_t CallsOfALife(unsigned seed) {
  SimulatedFileSystem files;
  MakeOldLog(files);
  const uint64_t before = files.call_count();
  Promise promise;
  LiveThrough(files, seed, promise);
  return files.call_count() - before;
}

}  // namespace

TEST_CASE("power may fail at every call", "[storage][wal][crash]") {
  for (unsigned seed = 0; seed < 5; seed++) {
    const uint64_t call_count = CallsOfALife(seed);
    CHECK(call_count > 30);
    for (uint64_t call = 1; call <= call_count; call++) {
      for (const FaultKind kind : {FaultKind::kCrash, FaultKind::kCrashInside}) {
        for (unsigned loss = 0; loss < 4; loss++) {
          CAPTURE(seed, call, kind, loss);
          SimulatedFileSystem files;
          MakeOldLog(files);
          files.FailAt(files.call_count() + call, kind);
          Promise promise;
          try {
            const auto process = files.Share();
            LiveThrough(*process, seed, promise);
          } catch (const SimulatedCrash&) {
          }
          files.Crash(loss * 1000 + call);
          files.ClearFaults();
          RecoverAndCheck(files, promise, seed + loss + static_cast<unsigned>(call), promise.durable_count);
        }
      }
    }
  }
}

TEST_CASE("the end of the process alone loses nothing that was appended", "[storage][wal][crash]") {
  for (unsigned seed = 0; seed < 50; seed++) {
    SimulatedFileSystem files;
    MakeOldLog(files);
    files.FailAt(files.call_count() + 10 + seed, FaultKind::kCrash);
    Promise promise;
    try {
      const auto process = files.Share();
      LiveThrough(*process, seed, promise);
    } catch (const SimulatedCrash&) {
    }
    files.Kill();
    files.ClearFaults();
    CAPTURE(seed);
    RecoverAndCheck(files, promise, seed, promise.appended.size());
  }
}

namespace {

// How many frames a log of this length has.
size_t CountUpTo(const std::vector<Bytes>& payloads, uint64_t length) {
  uint64_t offset = kFirstFrameOffset;
  size_t count = 0;
  while (offset < length) {
    offset += sizeof(FrameHeader) + payloads[count].size() + PaddingOf(payloads[count].size());
    count++;
  }
  REQUIRE(offset == length);
  return count;
}

enum class Outcome { kAppended, kRefused, kLostEarlierOnes };

// One group; an error takes back what the log says it took back.
Outcome AppendOrForget(WriteAheadLog& log, std::mt19937& random, Promise& promise) {
  const uint64_t before = log.size_bytes();
  try {
    AppendGroups(log, random, 1, promise);
    return Outcome::kAppended;
  } catch (const Error& error) {
    REQUIRE(error.kind() == ErrorKind::kIo);
    promise.in_flight.clear();
    REQUIRE(log.size_bytes() >= kFirstFrameOffset);
    // Sync may fail after an Append that returned.
    const size_t left = CountUpTo(promise.appended, log.size_bytes());
    if (log.size_bytes() < before) REQUIRE(left >= promise.durable_count);
    const bool has_lost = left < promise.appended.size();
    promise.appended.resize(left);
    return has_lost ? Outcome::kLostEarlierOnes : Outcome::kRefused;
  }
}

}  // namespace

TEST_CASE("a call that fails leaves the log as it was", "[storage][wal][crash]") {
  for (const FaultKind kind :
       {FaultKind::kError, FaultKind::kPartialError, FaultKind::kDiskFull, FaultKind::kSyncLost}) {
    int failed_count = 0;
    for (uint64_t call = 1; call <= 24; call++) {
      CAPTURE(kind, call);
      SimulatedFileSystem files;
      std::mt19937 random(static_cast<unsigned>(call));
      Promise promise;
      const auto log = WriteAheadLog::Create(files, kPath, kNextIdentity);
      promise.is_created = true;
      files.FailAt(files.call_count() + call, kind);
      bool is_usable = true;
      for (int i = 0; i < 10; i++) {
        const size_t durable_count = promise.durable_count;
        const Outcome outcome = AppendOrForget(*log, random, promise);
        if (outcome == Outcome::kAppended) {
          REQUIRE(is_usable);
          continue;
        }
        failed_count++;
        files.FreeSpace();
        // Frames that were not synced may be lost with a failed sync; never durable ones; and then no more
        // are taken.
        REQUIRE(promise.appended.size() >= durable_count);
        if (outcome == Outcome::kLostEarlierOnes) is_usable = false;
        files.DropCache();
        REQUIRE((ReadLog(files, kPath) == promise.appended));
      }
      files.ClearFaults();
      files.FreeSpace();
      files.Crash(call);
      RecoverAndCheck(files, promise, static_cast<unsigned>(call), promise.durable_count);
    }
    // The others hit slots, which nobody needs to know of.
    CHECK(failed_count >= 12);
  }
}

TEST_CASE("many failures, restarts and a late loss of power", "[storage][wal][crash]") {
  int cut_later_count = 0, lost_count = 0;
  for (unsigned seed = 0; seed < 300; seed++) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    SimulatedFileSystem files;
    Promise promise;
    promise.is_created = true;
    auto log = WriteAheadLog::Create(files, kPath, kNextIdentity);
    bool is_lost = false;
    for (int step = 0; step < 25; step++) {
      // Faults close together hit the way back as well.
      if (random() % 3 == 0) {
        for (uint64_t n = 1 + random() % 4; n > 0; n--) {
          files.FailAt(files.call_count() + 1 + random() % 4, static_cast<FaultKind>(random() % 4));
        }
      }
      const Outcome outcome = AppendOrForget(*log, random, promise);
      if (random() % 2 == 0) files.FreeSpace();
      if (outcome == Outcome::kAppended) continue;
      files.ClearFaults();
      files.FreeSpace();
      const bool was_cut = FileBytes(files, kPath).size() == log->size_bytes();
      if (!was_cut) cut_later_count++;
      if (outcome == Outcome::kLostEarlierOnes) {
        is_lost = true;
        lost_count++;
      }
      if (is_lost) {
        // What may depend on what is lost is refused; and what was cut off is not found.
        CHECK_THROWS_AS(AppendGroup(*log, {BytesOf("x")}, true), Error);
      } else if (random() % 2 == 0) {
        AppendGroup(*log, {BytesOf("x")}, true);
        promise.appended.push_back(BytesOf("x"));
        promise.durable_count = promise.appended.size();
      }
      if (random() % 2 == 0) {
        // Another process goes on with what the system shows it, which need not be what is on disk. Frames
        // that could not be cut off may be there.
        log.reset();
        files.Kill();
        const auto reader = LogReader::Open(files, kPath, LogReader::Mode::kStrict, true);
        const std::vector<Bytes> payloads = ReadAll(*reader);
        REQUIRE(payloads.size() >= promise.appended.size());
        REQUIRE(std::equal(promise.appended.begin(), promise.appended.end(), payloads.begin()));
        log = reader->Continue();
        promise.appended = payloads;
        promise.durable_count = payloads.size();
        is_lost = false;
      }
    }
    files.ClearFaults();
    files.FreeSpace();
    // Another call, so that what could not be cut off is.
    AppendOrForget(*log, random, promise);
    files.DropCache();
    const std::vector<Bytes> payloads = ReadLog(files, kPath);
    CAPTURE(files.DescribeLastCalls(60));
    REQUIRE(payloads.size() == promise.appended.size());
    REQUIRE((payloads == promise.appended));
    files.Crash(seed);
    RecoverAndCheck(files, promise, seed, promise.durable_count);
  }
  CHECK(cut_later_count > 50);
  CHECK(lost_count > 50);
}

TEST_CASE("what a cut has synced is not lost with a later sync", "[storage][wal][crash]") {
  SimulatedFileSystem files;
  const auto log = WriteAheadLog::Create(files, kPath, kIdentity);
  AppendGroup(*log, {BytesOf("not synced")}, false);
  files.FailNext(CallKind::kWrite, FaultKind::kPartialError);
  CHECK_THROWS_AS(AppendGroup(*log, {BytesOf("refused")}, false), Error);
  files.FailNext(CallKind::kSync, FaultKind::kSyncLost);
  CHECK_THROWS_AS(AppendGroup(*log, {BytesOf("refused as well")}, true), Error);
  AppendGroup(*log, {BytesOf("taken")}, true);
  files.Crash(1);
  CHECK((ReadLog(files, kPath) == std::vector<Bytes>{BytesOf("not synced"), BytesOf("taken")}));
}
