// A damaged log: no fault of a log that was synced gives wrong or fewer commits without an error.
#include "log_fixture.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/wal/log_format.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

const std::string kPath = "x.wal";

// A log that was written group by group, and its file after each of them.
struct History {
  std::vector<Bytes> payloads;
  std::vector<Bytes> states;
  const Bytes& file() const { return states.back(); }
};

History WriteHistory(FileSystem& files, unsigned seed) {
  std::mt19937 random(seed);
  History history;
  const auto log = WriteAheadLog::Create(files, kPath, kIdentity);
  history.states.push_back(FileBytes(files, kPath));
  for (int group_index = 0; group_index < 8; group_index++) {
    std::vector<Bytes> group;
    for (size_t i = 0; i < 1 + random() % 3; i++) {
      const size_t size = random() % 4 == 0 ? random() % 9000 : random() % 200;
      // Now and then zeros, in which a zeroed sector changes nothing.
      group.push_back(random() % 5 == 0 ? Bytes(size) : RandomPayload(random, size));
    }
    history.payloads.insert(history.payloads.end(), group.begin(), group.end());
    AppendGroup(*log, group, group_index % 3 != 1);
    history.states.push_back(FileBytes(files, kPath));
  }
  log->Sync();
  history.states.push_back(FileBytes(files, kPath));
  return history;
}

std::byte ByteOf(const Bytes& state, size_t offset) {
  return offset < state.size() ? state[offset] : std::byte{0};
}

// One fault: of a bit, a word, a sector, a page, or the file's length.
std::string Disturb(std::mt19937& random, const History& history, Bytes& file) {
  const size_t unit = random() % 2 == 0 ? 512 : 4096;
  const size_t unit_count = (file.size() + unit - 1) / unit;
  const size_t start = random() % unit_count * unit;
  const size_t end = std::min(start + unit, file.size());
  const size_t other_start = random() % unit_count * unit;
  switch (random() % 9) {
    case 0: {
      const size_t offset = random() % file.size();
      file[offset] ^= static_cast<std::byte>(1 << random() % 8);
      return "bit flipped at " + std::to_string(offset);
    }
    case 1: {
      // Faults that hit uniformly seldom hit headers of frames, so some begin at what is not zero.
      const size_t offset = kFirstFrameOffset + random() % (file.size() - kFirstFrameOffset);
      file[offset] = static_cast<std::byte>(random());
      return "byte replaced at " + std::to_string(offset);
    }
    case 2: std::fill(file.begin() + start, file.begin() + end, std::byte{0}); return "zeroed";
    case 3: {
      const size_t a = random() % (file.size() / 8) * 8;
      const size_t b = random() % (file.size() / 8) * 8;
      std::swap_ranges(file.begin() + a, file.begin() + a + 8, file.begin() + b);
      return "words swapped at " + std::to_string(a) + " and " + std::to_string(b);
    }
    case 4: {
      const Bytes& old = history.states[random() % history.states.size()];
      for (size_t i = start; i < end; i++) file[i] = ByteOf(old, i);
      return "stale at " + std::to_string(start);
    }
    case 5:
      for (size_t i = start; i < end; i++) file[i] = ByteOf(history.file(), other_start + i - start);
      return "copied to " + std::to_string(start);
    case 6: {
      const size_t both_end = std::min(end, file.size() - std::min(file.size(), other_start) + start);
      if (other_start >= end || other_start + unit <= start) {
        std::swap_ranges(file.begin() + start, file.begin() + both_end, file.begin() + other_start);
      }
      return "swapped " + std::to_string(start) + " and " + std::to_string(other_start);
    }
    case 7: {
      const size_t length = random() % 4 == 0 ? random() % file.size() : start;
      file.resize(length);
      return "cut to " + std::to_string(length);
    }
    default:
      for (size_t i = start; i < end; i++) file[i] = static_cast<std::byte>(random());
      return "garbage at " + std::to_string(start);
  }
}

// Every payload is right, and if any is missing, an error says so; salvage gives what is before the damage.
bool CheckReading(FileSystem& files, const History& history) {
  const bool is_damaged = !DamageOf(files, kPath).empty();
  const auto salvage = LogReader::Open(files, kPath, LogReader::Mode::kSalvage, false);
  const std::vector<Bytes> payloads = ReadAll(*salvage);
  REQUIRE(salvage->was_damaged() == is_damaged);
  REQUIRE(payloads.size() <= history.payloads.size());
  REQUIRE(std::equal(payloads.begin(), payloads.end(), history.payloads.begin()));
  REQUIRE((is_damaged || payloads.size() == history.payloads.size()));
  return is_damaged;
}

}  // namespace

TEST_CASE("no fault of a synced log passes unnoticed", "[storage][wal]") {
  SimulatedFileSystem files;
  std::mt19937 random(11);
  size_t damaged_count = 0;
  for (unsigned seed = 0; seed < 12; seed++) {
    const History history = WriteHistory(files, seed);
    REQUIRE(ReadLog(files, kPath) == history.payloads);
    for (int fault = 0; fault < 400; fault++) {
      Bytes file = history.file();
      const std::string description = Disturb(random, history, file);
      CAPTURE(seed, fault, description);
      SetFileBytes(files, kPath, file);
      if (CheckReading(files, history)) {
        damaged_count++;
        REQUIRE(file != history.file());
      }
    }
  }
  // Faults must hit something: most of these do.
  CHECK(damaged_count > 2000);
}

TEST_CASE("every bit of a small log counts", "[storage][wal]") {
  SimulatedFileSystem files;
  History history;
  {
    const auto log = WriteAheadLog::Create(files, kPath, kIdentity);
    AppendGroup(*log, {BytesOf("first"), BytesOf("second one")}, true);
    AppendGroup(*log, {BytesOf("third")}, true);
  }
  history.payloads = {BytesOf("first"), BytesOf("second one"), BytesOf("third")};
  history.states = {FileBytes(files, kPath)};
  const auto flip = [&](size_t offset, int bit) {
    Bytes file = history.file();
    file[offset] ^= static_cast<std::byte>(1 << bit);
    SetFileBytes(files, kPath, file);
    CAPTURE(offset, bit);
    return CheckReading(files, history);
  };
  for (int bit = 0; bit < 8; bit++) {
    for (size_t offset = 0; offset < sizeof(LogHeader); offset++) REQUIRE(flip(offset, bit));
    // Slots may be lost: the frames themselves are whole.
    for (size_t offset = 0; offset < kSlotCopies * sizeof(DurableSlot); offset++) {
      REQUIRE_FALSE(flip(kLogPageBytes + offset, bit));
      REQUIRE_FALSE(flip(2 * kLogPageBytes + offset, bit));
    }
    for (size_t offset = kFirstFrameOffset; offset < history.file().size(); offset++)
      REQUIRE(flip(offset, bit));
  }
}

TEST_CASE("every length that is too short is damage", "[storage][wal]") {
  SimulatedFileSystem files;
  const History history = WriteHistory(files, 3);
  Bytes file = history.file();
  for (size_t length = 0; length < file.size(); length += length % 64 == 0 ? 1 : 63) {
    SetFileBytes(files, kPath, Bytes(file.begin(), file.begin() + static_cast<ptrdiff_t>(length)));
    CAPTURE(length);
    REQUIRE(CheckReading(files, history));
  }
  // What lies behind the end was never acknowledged.
  file.resize(file.size() + 1000, std::byte{0x55});
  SetFileBytes(files, kPath, file);
  CHECK_FALSE(CheckReading(files, history));
}

TEST_CASE("without slots the log must be whole, and later frames testify", "[storage][wal]") {
  SimulatedFileSystem files;
  const History history = WriteHistory(files, 4);
  Bytes file = history.file();
  std::fill_n(file.begin() + kLogPageBytes, 2 * kLogPageBytes, std::byte{0});
  SetFileBytes(files, kPath, file);
  CHECK_FALSE(CheckReading(files, history));
  file.back() ^= std::byte{1};
  SetFileBytes(files, kPath, file);
  CHECK(CheckReading(files, history));

  // Slots of the beginning, as if none had ever reached the disk since: what was synced before the last
  // frames were written is damage nonetheless.
  file = history.file();
  std::copy_n(history.states[0].begin() + kLogPageBytes, 2 * kLogPageBytes, file.begin() + kLogPageBytes);
  SetFileBytes(files, kPath, file);
  CHECK_FALSE(CheckReading(files, history));
  for (size_t offset = kFirstFrameOffset; offset < history.states[history.states.size() - 4].size();
       offset += 101) {
    Bytes damaged = file;
    damaged[offset] ^= std::byte{0x10};
    SetFileBytes(files, kPath, damaged);
    CAPTURE(offset);
    REQUIRE(CheckReading(files, history));
  }
}

TEST_CASE("a damaged header is not an absent log", "[storage][wal]") {
  SimulatedFileSystem files;
  const History history = WriteHistory(files, 5);
  Bytes zeroed = history.file();
  std::fill_n(zeroed.begin(), kLogPageBytes, std::byte{0});
  for (const Bytes& file : {zeroed, Bytes(), Bytes(kFirstFrameOffset), BytesOf("something else")}) {
    SetFileBytes(files, kPath, file);
    CHECK(DamageOf(files, kPath).find("at byte 0") != std::string::npos);
    const auto salvage = LogReader::Open(files, kPath, LogReader::Mode::kSalvage, true);
    CHECK(salvage->was_damaged());
    CHECK(salvage->identity() == LogIdentity{});
    CHECK(ReadAll(*salvage).empty());
    CHECK(FileBytes(files, kPath) == file);
  }
}

TEST_CASE("frames of another life of the same log do not fit", "[storage][wal]") {
  SimulatedFileSystem files;
  const auto write = [&](const std::string& first, const std::string& second) {
    const auto log = WriteAheadLog::Create(files, kPath, kIdentity);
    AppendGroup(*log, {BytesOf(first)}, true);
    AppendGroup(*log, {BytesOf(second)}, true);
    return FileBytes(files, kPath);
  };
  const Bytes there = write("what was lost", "and what followed");
  const Bytes here = write("what was kept", "and what followed");
  REQUIRE(there.size() == here.size());
  const auto with_frames_of_there = [&](size_t offset) {
    Bytes file = here;
    std::copy(there.begin() + static_cast<ptrdiff_t>(offset), there.end(),
              file.begin() + static_cast<ptrdiff_t>(offset));
    SetFileBytes(files, kPath, file);
    return DamageOf(files, kPath);
  };
  // Only the last frame: it names another predecessor.
  CHECK(with_frames_of_there(kFirstFrameOffset + sizeof(FrameHeader) + 16).find("frame 2 stands where") !=
        std::string::npos);
  // All frames: they fit each other, but not the slot.
  CHECK(with_frames_of_there(kFirstFrameOffset).find("made durable") != std::string::npos);
}

TEST_CASE("a log that goes on has whole slots again", "[storage][wal]") {
  for (size_t bad_slots = 1; bad_slots < 4; bad_slots++) {
    CAPTURE(bad_slots);
    SimulatedFileSystem files;
    const History history = WriteHistory(files, 6);
    Bytes file = history.file();
    for (size_t slot = 0; slot < kLogSlotCount; slot++) {
      if ((bad_slots >> slot & 1) == 0) continue;
      std::fill_n(file.begin() + static_cast<ptrdiff_t>(SlotOffset(slot)), kLogPageBytes, std::byte{0x77});
    }
    SetFileBytes(files, kPath, file);
    {
      const auto reader = LogReader::Open(files, kPath, LogReader::Mode::kStrict, true);
      REQUIRE(ReadAll(*reader) == history.payloads);
      AppendGroup(*reader->Continue(), {BytesOf("not synced")}, false);
    }
    // A crash that tears this frame leaves no damage; damage before it is some.
    file = FileBytes(files, kPath);
    file.resize(file.size() - 8);
    SetFileBytes(files, kPath, file);
    CHECK_FALSE(CheckReading(files, history));
    file[history.file().size() - 1] ^= std::byte{1};
    SetFileBytes(files, kPath, file);
    CHECK(CheckReading(files, history));
  }
}
