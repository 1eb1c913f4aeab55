// The log without faults: what is appended is read, a torn tail is cut off, misuse is refused.
#include "storage/wal/write_ahead_log.hpp"

#include "log_fixture.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/wal/log_format.hpp"

using namespace scaup;
using namespace scaup::test;

TEST_CASE("a new log is empty and knows what it continues", "[storage][wal]") {
  LogDirectory directory;
  const auto files = MakePosixFileSystem();
  const std::string path = directory / "x.wal";
  CHECK(LogReader::Open(*files, path, LogReader::Mode::kStrict, true) == nullptr);
  CHECK(LogReader::Open(*files, path, LogReader::Mode::kStrict, false) == nullptr);
  CHECK_FALSE(files->Exists(path));

  const auto log = WriteAheadLog::Create(*files, path, kIdentity);
  CHECK(log->identity() == kIdentity);
  CHECK(log->size_bytes() == kFirstFrameOffset);
  CHECK_FALSE(files->Exists(path + ".new"));
  const auto reader = LogReader::Open(*files, path, LogReader::Mode::kStrict, true);
  CHECK(reader->identity() == kIdentity);
  CHECK(ReadAll(*reader).empty());
  CHECK_FALSE(reader->was_damaged());
}

TEST_CASE("frames come back in order, of every size, synced or not", "[storage][wal]") {
  LogDirectory directory;
  const auto files = MakePosixFileSystem();
  const std::string path = directory / "x.wal";
  std::mt19937 random(1);
  std::vector<Bytes> expected;
  auto log = WriteAheadLog::Create(*files, path, kIdentity);
  const auto append = [&](const std::vector<size_t>& sizes, bool sync) {
    std::vector<Bytes> group;
    for (const size_t size : sizes) group.push_back(RandomPayload(random, size));
    expected.insert(expected.end(), group.begin(), group.end());
    AppendGroup(*log, group, sync);
    CHECK(log->size_bytes() <= FileBytes(*files, path).size());
  };
  append({0}, true);
  append({1, 2, 3, 4, 5, 6, 7, 8, 9}, false);
  append({}, false);
  append({1000, 0, 100000}, false);
  // Around the size above which payloads are not copied, and enough to fill the buffer.
  append({(1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3, 3 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20}, true);
  append({77}, false);
  log->Sync();
  log->Sync();
  CHECK(ReadLog(*files, path) == expected);

  // Going on after reading.
  for (int round = 0; round < 3; round++) {
    log.reset();
    const auto reader = LogReader::Open(*files, path, LogReader::Mode::kStrict, true);
    CHECK(ReadAll(*reader) == expected);
    log = reader->Continue();
    CHECK(log->identity() == kIdentity);
    append({13, 14}, round == 1);
  }
  CHECK(ReadLog(*files, path) == expected);
}

TEST_CASE("a new log replaces an old one", "[storage][wal]") {
  SimulatedFileSystem files;
  const std::string path = "x.wal";
  AppendGroup(*WriteAheadLog::Create(files, path, kIdentity), {BytesOf("old")}, true);
  SetFileBytes(files, path + ".new", BytesOf("what a crash left"));
  const auto log = WriteAheadLog::Create(files, path, {kIdentity.database_id, 8});
  AppendGroup(*log, {BytesOf("new")}, true);
  CHECK(ReadLog(files, path) == std::vector<Bytes>{BytesOf("new")});
  CHECK(LogReader::Open(files, path, LogReader::Mode::kStrict, false)->identity().checkpoint_number == 8);
}

TEST_CASE("what was not acknowledged as durable is a torn tail wherever it breaks off", "[storage][wal]") {
  SimulatedFileSystem files;
  const std::string path = "x.wal";
  std::mt19937 random(2);
  const std::vector<Bytes> durable = {RandomPayload(random, 30), RandomPayload(random, 500)};
  const std::vector<Bytes> tail = {RandomPayload(random, 41), RandomPayload(random, 70),
                                   RandomPayload(random, 8)};
  const auto log = WriteAheadLog::Create(files, path, kIdentity);
  AppendGroup(*log, durable, true);
  const uint64_t durable_length = log->size_bytes();
  AppendGroup(*log, tail, false);
  const Bytes whole = FileBytes(files, path);

  for (uint64_t length = durable_length; length <= whole.size(); length++) {
    SetFileBytes(files, path, Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(length)));
    const auto payloads = ReadLog(files, path);
    REQUIRE(payloads.size() >= durable.size());
    REQUIRE(payloads.size() <= durable.size() + tail.size());
    for (size_t i = 0; i < payloads.size(); i++) {
      REQUIRE(payloads[i] == (i < durable.size() ? durable[i] : tail[i - durable.size()]));
    }
    REQUIRE((payloads.size() == durable.size() + tail.size()) == (length == whole.size()));
  }

  // The beginning of the write did not make it, its end did. The rest goes, and the log goes on behind it.
  Bytes torn = whole;
  std::fill_n(torn.begin() + static_cast<ptrdiff_t>(durable_length), 60, std::byte{0});
  SetFileBytes(files, path, torn);
  {
    const auto reader = LogReader::Open(files, path, LogReader::Mode::kStrict, true);
    CHECK(ReadAll(*reader) == durable);
    CHECK(FileBytes(files, path) == torn);
    AppendGroup(*reader->Continue(), {BytesOf("after")}, true);
  }
  const auto payloads = ReadLog(files, path);
  REQUIRE(payloads.size() == 3);
  CHECK(payloads[2] == BytesOf("after"));
}

TEST_CASE("frames that recovery took over are no torn tail any more", "[storage][wal]") {
  SimulatedFileSystem files;
  const std::string path = "x.wal";
  AppendGroup(*WriteAheadLog::Create(files, path, kIdentity), {BytesOf("one"), BytesOf("two")}, false);
  Bytes bytes = FileBytes(files, path);
  bytes[bytes.size() - 8] ^= std::byte{1};
  {
    SetFileBytes(files, path + "2", bytes);
    CHECK(ReadLog(files, path + "2").size() == 1);
  }
  {
    const auto reader = LogReader::Open(files, path, LogReader::Mode::kStrict, true);
    CHECK(ReadAll(*reader).size() == 2);
    reader->Continue();
  }
  bytes = FileBytes(files, path);
  bytes[bytes.size() - 8] ^= std::byte{1};
  SetFileBytes(files, path, bytes);
  CHECK_FALSE(DamageOf(files, path).empty());
}

TEST_CASE("continuing needs leave to write, the end, and an undamaged log", "[storage][wal]") {
  SimulatedFileSystem files;
  const std::string path = "x.wal";
  AppendGroup(*WriteAheadLog::Create(files, path, kIdentity), {BytesOf("one"), BytesOf("two")}, true);
  const Bytes before = FileBytes(files, path);
  const auto refusal = [](LogReader& reader) {
    try {
      reader.Continue();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kUsage);
      return error.message();
    }
    return std::string();
  };
  {
    const auto reader = LogReader::Open(files, path, LogReader::Mode::kStrict, false);
    ReadAll(*reader);
    CHECK(refusal(*reader).find("opened for reading") != std::string::npos);
  }
  {
    const auto reader = LogReader::Open(files, path, LogReader::Mode::kStrict, true);
    CHECK(refusal(*reader).find("not read to its end") != std::string::npos);
  }
  Bytes damaged = before;
  damaged[kFirstFrameOffset + 50] ^= std::byte{4};
  SetFileBytes(files, path, damaged);
  {
    const auto reader = LogReader::Open(files, path, LogReader::Mode::kSalvage, true);
    CHECK(ReadAll(*reader).empty());
    CHECK(reader->was_damaged());
    CHECK(refusal(*reader).find("damaged") != std::string::npos);
  }
  CHECK(FileBytes(files, path) == damaged);
}

TEST_CASE("a log of a newer version is refused as such", "[storage][wal]") {
  SimulatedFileSystem files;
  const std::string path = "x.wal";
  WriteAheadLog::Create(files, path, kIdentity);
  LogHeader header = MakeLogHeader(kIdentity);
  header.format_version = 99;
  header.checksum = HeaderChecksum(header);
  files.Open(path, OpenMode::kReadWrite)->Write(0, &header, sizeof(header));
  for (const auto mode : {LogReader::Mode::kStrict, LogReader::Mode::kSalvage}) {
    try {
      LogReader::Open(files, path, mode, true);
      FAIL("opened");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kNotSupported);
      CHECK(error.message().find("99") != std::string::npos);
    }
  }
}

TEST_CASE("the bytes of a log never change", "[storage][wal]") {
  SimulatedFileSystem files;
  const std::string path = "x.wal";
  AppendGroup(*WriteAheadLog::Create(files, path, kIdentity), {BytesOf("Scaup")}, true);
  const Bytes bytes = FileBytes(files, path);
  REQUIRE(bytes.size() == 12288 + 48 + 8);
  const auto word = [&](size_t offset) {
    uint64_t value;
    std::memcpy(&value, bytes.data() + offset, 8);
    return value;
  };
  CHECK(std::memcmp(bytes.data(), "ScaupLog", 8) == 0);
  CHECK(word(8) == (uint64_t{12288} << 32 | kLogFormatVersion));
  CHECK(word(16) == kIdentity.database_id);
  CHECK(word(24) == 7);
  // The slots: of an empty log in page 2, then of one frame in page 1.
  CHECK(word(4096) == 2);
  CHECK(word(4104) == bytes.size());
  CHECK(word(4112) == 2);
  CHECK(word(4120) == word(12288 + 40));
  CHECK(word(8192) == 1);
  CHECK(word(8200) == 12288);
  // The frame.
  CHECK(word(12288) == 5);
  CHECK(word(12296) == 1);
  CHECK(word(12304) == 12288);
  CHECK(word(12312) == word(56));
  CHECK(std::memcmp(bytes.data() + 12336, "Scaup\0\0\0", 8) == 0);
}

TEST_CASE("a long log has room for frames to come, which reading takes for its end", "[storage][wal]") {
  SimulatedFileSystem files;
  const std::string path = "x.wal";
  std::mt19937 random(5);
  std::vector<Bytes> payloads;
  std::vector<uint64_t> ends;
  {
    const auto log = WriteAheadLog::Create(files, path, kIdentity);
    for (int i = 0; i < 300; i++) {
      payloads.push_back(RandomPayload(random, 200 + random() % 200));
      AppendGroup(*log, {payloads.back()}, true);
      ends.push_back(log->size_bytes());
    }
  }
  const Bytes file = FileBytes(files, path);
  REQUIRE(file.size() > ends.back() + 1000);
  REQUIRE(std::all_of(file.begin() + static_cast<ptrdiff_t>(ends.back()), file.end(),
                      [](std::byte byte) { return byte == std::byte{0}; }));
  REQUIRE(ReadLog(files, path) == payloads);
  // Frames that were durable and are zeros now are damage, as are those that are cut off.
  for (const size_t frame : {size_t{0}, size_t{100}, size_t{298}}) {
    Bytes damaged = file;
    std::fill(damaged.begin() + static_cast<ptrdiff_t>(ends[frame]), damaged.end(), std::byte{0});
    SetFileBytes(files, path, damaged);
    CHECK(DamageOf(files, path) != "");
    damaged.resize(ends[frame]);
    SetFileBytes(files, path, damaged);
    CHECK(DamageOf(files, path) != "");
  }
  // It goes on behind the last frame.
  SetFileBytes(files, path, file);
  {
    const auto reader = LogReader::Open(files, path, LogReader::Mode::kStrict, true);
    REQUIRE(ReadAll(*reader) == payloads);
    const auto log = reader->Continue();
    payloads.push_back(BytesOf("behind the zeros"));
    AppendGroup(*log, {payloads.back()}, true);
  }
  REQUIRE(ReadLog(files, path) == payloads);
}
