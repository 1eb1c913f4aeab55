// DatabaseFile: blocks are checked, checkpoints switch at once, and no failure of a header's write, with a
// crash on top of it, loses the database.
#include "storage/file/database_file.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "common/sqlstate.hpp"
#include "scaup/error.hpp"
#include "simulation/simulated_file_system.hpp"

namespace scaup::test {

namespace {

const std::string kPath = "x.scaup";

std::vector<std::byte> Filled(size_t size_bytes, uint8_t value) {
  return std::vector<std::byte>(size_bytes, std::byte{value});
}

template <typename Body>
std::string SqlStateOf(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.sqlstate();
  }
  return "";
}

/// A checkpoint of one block that is full of `value`.
void Checkpoint(DatabaseFile& file, uint8_t value) {
  const WrittenBlock block = file.WriteBlock(Filled(100, value));
  file.Sync();
  file.SwitchTo({Extent{block.pointer, 0, 100}}, {block.pointer.block_id});
}

/// The value that the checkpoint's block is full of; 0 in a new database.
uint8_t ValueOf(DatabaseFile& file) {
  if (file.header().root.empty()) return 0;
  std::vector<std::byte> bytes(100);
  file.ReadBlock(file.header().root[0].block, bytes.data());
  CHECK(bytes == Filled(100, static_cast<uint8_t>(bytes[0])));
  return static_cast<uint8_t>(bytes[0]);
}

}  // namespace

TEST_CASE("headers come back, and changed ones do not", "[storage][file]") {
  FileHeader header;
  header.database_id = 0x0123456789abcdef;
  header.checkpoint_number = 5;
  header.block_count = 77;
  for (uint32_t i = 0; i < kMostRootExtents; i++) header.root.push_back({{i + 2, 1000 + i, i}, i, 7});
  auto bytes = EncodeHeader(header);
  const DecodedHeader decoded = DecodeHeader(bytes, "x");
  REQUIRE(decoded.state == DecodedHeader::State::kValid);
  CHECK(decoded.header.database_id == header.database_id);
  CHECK(decoded.header.checkpoint_number == 5);
  CHECK(decoded.header.block_count == 77);
  REQUIRE(decoded.header.root.size() == kMostRootExtents);
  CHECK(decoded.header.root.back().block == header.root.back().block);
  for (size_t i = 0; i < bytes.size(); i++) {
    bytes[i] ^= std::byte{16};
    CHECK(DecodeHeader(bytes, "x").state != DecodedHeader::State::kValid);
    bytes[i] ^= std::byte{16};
  }
  CHECK(DecodeHeader(std::span(bytes).first(100), "x").state == DecodedHeader::State::kForeign);
}

TEST_CASE("blocks are written, read and checked", "[storage][file]") {
  SimulatedFileSystem files;
  const auto file = DatabaseFile::Create(files, kPath);
  CHECK_FALSE(files.Has(kPath + ".new"));
  const WrittenBlock first = file->WriteBlock(Filled(1, 1)),
                     second = file->WriteBlock(Filled(kFileBlockBytes, 2)),
                     third = file->WriteBlock(Filled(5000, 3));
  std::vector<std::byte> bytes(kFileBlockBytes);
  for (const WrittenBlock* block : {&first, &second, &third}) {
    file->ReadBlock(block->pointer, bytes.data());
    CHECK(bytes[0] == std::byte(block == &first ? 1 : block == &second ? 2 : 3));
  }
  BlockPointer swapped = first.pointer;
  swapped.block_id = third.pointer.block_id;
  CHECK(SqlStateOf([&] { file->ReadBlock(swapped, bytes.data()); }) == sqlstate::kDataCorrupted);
  files.FlipBit(kPath, second.pointer.block_id * kFileBlockBytes + 200'000, 3);
  CHECK(SqlStateOf([&] { file->ReadBlock(second.pointer, bytes.data()); }) == sqlstate::kDataCorrupted);
  // Blocks of the headers, behind the end, and so far behind that the place wraps.
  for (const uint64_t block_id : {uint64_t{0}, uint64_t{1}, uint64_t{1000}, uint64_t{1} << 46, UINT64_MAX}) {
    BlockPointer pointer = third.pointer;
    pointer.block_id = block_id;
    CHECK(SqlStateOf([&] { file->ReadBlock(pointer, bytes.data()); }) == sqlstate::kDataCorrupted);
    CHECK(SqlStateOf([&] { file->CheckBlockIds({&block_id, 1}); }) == sqlstate::kDataCorrupted);
  }
  file->CheckBlockIds(std::vector<uint64_t>{first.pointer.block_id, third.pointer.block_id});
}

TEST_CASE("a file is locked, and read-only ones are not written", "[storage][file]") {
  SimulatedFileSystem files;
  auto file = DatabaseFile::Create(files, kPath);
  Checkpoint(*file, 9);
  CHECK(SqlStateOf([&] { DatabaseFile::Open(files, kPath, false); }) == sqlstate::kObjectInUse);
  CHECK(ValueOf(*DatabaseFile::Open(files, kPath, true)) == 9);
  file.reset();
  const auto first = DatabaseFile::Open(files, kPath, true), second = DatabaseFile::Open(files, kPath, true);
  CHECK(ValueOf(*second) == 9);
  CHECK(SqlStateOf([&] { DatabaseFile::Open(files, kPath, false); }) == "");
  CHECK(SqlStateOf([&] { first->WriteBlock(Filled(1, 1)); }) == sqlstate::kReadOnlyTransaction);
}

TEST_CASE("a header that claims more blocks than there can be is refused", "[storage][file]") {
  SimulatedFileSystem files;
  DatabaseFile::Create(files, kPath).reset();
  for (const uint64_t block_count : {uint64_t{4}, uint64_t{1} << 46, (uint64_t{1} << 46) + 1, UINT64_MAX}) {
    FileHeader header;
    header.block_count = block_count;
    header.checkpoint_number = 1;
    const auto bytes = EncodeHeader(header);
    std::string content = files.Content(kPath);
    for (uint64_t copy = 0; copy < kHeaderCopies; copy++)
      std::memcpy(content.data() + copy * kFileBlockBytes, bytes.data(), bytes.size());
    files.SetContent(kPath, content);
    CHECK(SqlStateOf([&] { DatabaseFile::Open(files, kPath, false); }) == sqlstate::kDataCorrupted);
  }
}

TEST_CASE("the free end of the file is given back, the rest is kept", "[storage][file]") {
  SimulatedFileSystem files;
  auto file = DatabaseFile::Create(files, kPath);
  {
    std::vector<WrittenBlock> blocks;
    for (int i = 0; i < 5; i++) blocks.push_back(file->WriteBlock(Filled(kFileBlockBytes, 1)));
    Checkpoint(*file, 4);
    file->Shrink();
    CHECK(file->size_bytes() == 7 * kFileBlockBytes + 100);
  }
  Checkpoint(*file, 5);
  file->Shrink();
  CHECK(file->size_bytes() == 3 * kFileBlockBytes);
  CHECK(ValueOf(*file) == 5);
  file.reset();
  file = DatabaseFile::Open(files, kPath, false);
  CHECK(ValueOf(*file) == 5);
}

TEST_CASE("a failed switch and a crash in what follows leave one whole checkpoint", "[storage][file]") {
  // What fails is every call of a SwitchTo in turn, and the crash comes in every call after it.
  const auto fault = GENERATE(FaultKind::kError, FaultKind::kPartialError, FaultKind::kSyncLost);
  for (uint64_t failing = 1; failing <= 4; failing++) {
    for (uint64_t crashing = 1; crashing <= 6; crashing++) {
      for (uint64_t seed = 0; seed < 6; seed++) {
        SimulatedFileSystem files;
        auto file = DatabaseFile::Create(files, kPath);
        Checkpoint(*file, 1);
        const WrittenBlock block = file->WriteBlock(Filled(100, 2));
        file->Sync();
        const uint64_t calls = files.call_count();
        files.FailAt(calls + failing, fault);
        files.FailAt(calls + failing + crashing, FaultKind::kCrashInside);
        try {
          file->SwitchTo({Extent{block.pointer, 0, 100}}, {block.pointer.block_id});
        } catch (const std::exception&) {
        }
        try {
          Checkpoint(*file, 3);
        } catch (const std::exception&) {
        }
        files.ClearFaults();
        files.Crash(seed);
        file.reset();
        INFO("call " << failing << " fails, call " << crashing << " after it crashes, seed " << seed);
        REQUIRE_NOTHROW(file = DatabaseFile::Open(files, kPath, false));
        const uint8_t value = ValueOf(*file);
        REQUIRE((value >= 1 && value <= 3));
      }
    }
  }
}

TEST_CASE("a checkpoint that a restart finds is made durable before anything builds on it",
          "[storage][file]") {
  SimulatedFileSystem files;
  auto file = DatabaseFile::Create(files, kPath);
  Checkpoint(*file, 1);
  const WrittenBlock block = file->WriteBlock(Filled(100, 2));
  file->Sync();
  // The first copy is written and not on disk, though whoever reads sees it; then nothing works any more.
  files.FailAt(files.call_count() + 2, FaultKind::kSyncLost);
  files.FailAt(files.call_count() + 3, FaultKind::kError);
  CHECK_THROWS_AS(file->SwitchTo({Extent{block.pointer, 0, 100}}, {block.pointer.block_id}), Error);
  files.Kill();
  file = DatabaseFile::Open(files, kPath, false);
  const uint8_t found = ValueOf(*file);
  CHECK(found == 2);
  file->EnsureHeader();  // As a commit does, before it goes to a log of this checkpoint.
  files.Crash(1);
  file = DatabaseFile::Open(files, kPath, false);
  CHECK(ValueOf(*file) == found);
}

TEST_CASE("a sync that fails is counted whoever asked for it", "[storage][file]") {
  SimulatedFileSystem files;
  const auto file = DatabaseFile::Create(files, kPath);
  Checkpoint(*file, 1);
  const uint64_t before = file->failed_syncs();
  files.FailNext(CallKind::kSync, FaultKind::kSyncLost, kPath);
  CHECK_THROWS_AS(file->Sync(), Error);
  CHECK(file->failed_syncs() == before + 1);
  // The sync of a header, and of putting it right again.
  const WrittenBlock block = file->WriteBlock(Filled(100, 2));
  file->Sync();
  files.FailAt(files.call_count() + 2, FaultKind::kSyncLost);
  files.FailAt(files.call_count() + 4, FaultKind::kSyncLost);
  CHECK_THROWS_AS(file->SwitchTo({Extent{block.pointer, 0, 100}}, {block.pointer.block_id}), Error);
  CHECK(file->failed_syncs() == before + 3);
  CHECK(file->header().checkpoint_number == 2);
  CHECK(ValueOf(*file) == 1);
  Checkpoint(*file, 3);
  CHECK(file->header().checkpoint_number == 4);  // Number 3 may have been read.
  CHECK(ValueOf(*file) == 3);
}

namespace {

/// A checkpoint of one block, which returns the block's number.
uint64_t BlockOfCheckpoint(DatabaseFile& file, uint8_t value) {
  Checkpoint(file, value);
  return file.header().root[0].block.block_id;
}

}  // namespace

TEST_CASE("blocks of a checkpoint that is read are not used again", "[storage][file]") {
  SimulatedFileSystem files;
  auto writer = DatabaseFile::Create(files, kPath);
  const uint64_t first = BlockOfCheckpoint(*writer, 1);
  auto reader = DatabaseFile::Open(files, kPath, true);
  CHECK(ValueOf(*reader) == 1);
  CHECK_FALSE(reader->reader()->HasWriter());
  writer->EnsureHeader();  // As before each commit.
  CHECK(reader->reader()->HasWriter());
  for (uint8_t value = 2; value < 6; value++) CHECK(BlockOfCheckpoint(*writer, value) != first);
  CHECK(ValueOf(*reader) == 1);
  // Of the checkpoints in between nothing is kept: this, the one before, the reader's.
  CHECK(writer->allocator().end_block() <= 5);
  CHECK_FALSE(reader->reader()->ReadsNewest());
  CHECK(reader->reader()->ReadNewest());
  CHECK(ValueOf(*reader) == 5);
  CHECK(reader->reader()->ReadsNewest());
  CHECK_FALSE(reader->reader()->ReadNewest());
  SECTION("it goes on to the newest") { reader->reader()->EndReadingOlder(); }
  SECTION("it closes the file") { reader.reset(); }
  bool is_used_again = false;
  for (uint8_t value = 6; value < 9; value++) is_used_again |= BlockOfCheckpoint(*writer, value) == first;
  CHECK(is_used_again);
}

TEST_CASE("a reader keeps an older checkpoint while something in memory needs it", "[storage][file]") {
  SimulatedFileSystem files;
  const auto writer = DatabaseFile::Create(files, kPath);
  const uint64_t first = BlockOfCheckpoint(*writer, 1);
  const auto reader = DatabaseFile::Open(files, kPath, true);
  {
    const BlockHold hold = reader->allocator().Hold(first);
    CHECK(BlockOfCheckpoint(*writer, 2) != first);
    CHECK(reader->reader()->ReadNewest());
    reader->allocator().SetDurable(BlockAllocator::MarkBlocks({reader->header().root[0].block.block_id}));
    reader->reader()->EndReadingOlder();
    for (uint8_t value = 3; value < 6; value++) CHECK(BlockOfCheckpoint(*writer, value) != first);
  }
  reader->reader()->EndReadingOlder();
  bool is_used_again = false;
  for (uint8_t value = 6; value < 9; value++) is_used_again |= BlockOfCheckpoint(*writer, value) == first;
  CHECK(is_used_again);
}

TEST_CASE("a writer keeps all blocks for readers that it does not know", "[storage][file]") {
  SimulatedFileSystem files;
  auto writer = DatabaseFile::Create(files, kPath);
  const uint64_t first = BlockOfCheckpoint(*writer, 1);
  auto reader = DatabaseFile::Open(files, kPath, true);
  Checkpoint(*writer, 2);
  writer.reset();
  writer = DatabaseFile::Open(files, kPath, false);
  for (uint8_t value = 3; value < 8; value++) CHECK(BlockOfCheckpoint(*writer, value) != first);
  CHECK(ValueOf(*reader) == 1);
  reader.reset();
  writer->ForgetReaders();
  CHECK(BlockOfCheckpoint(*writer, 8) == first);
}

TEST_CASE("a header that is taken back may have been read", "[storage][file]") {
  for (uint64_t failing = 1; failing <= 4; failing++) {
    CAPTURE(failing);
    SimulatedFileSystem files;
    const auto writer = DatabaseFile::Create(files, kPath);
    Checkpoint(*writer, 1);
    const uint64_t number = writer->header().checkpoint_number;
    const WrittenBlock block = writer->WriteBlock(Filled(100, 2));
    writer->Sync();
    // Write and sync of one copy, then of the other.
    std::unique_ptr<DatabaseFile> reader;
    uint64_t left = failing;
    files.SetStep([&](uint64_t) {
      if (--left != 0) return;
      reader = DatabaseFile::Open(files, kPath, true);
      files.FailNext(failing % 2 == 1 ? CallKind::kWrite : CallKind::kSync, FaultKind::kError);
    });
    CHECK(SqlStateOf([&] {
            writer->SwitchTo({Extent{block.pointer, 0, 100}}, {block.pointer.block_id});
          }) == "58030");
    files.SetStep({});
    REQUIRE(reader != nullptr);
    const uint8_t value = ValueOf(*reader);
    CHECK(value == (failing == 1 ? 1 : 2));
    for (uint8_t next = 3; next < 9; next++) Checkpoint(*writer, next);
    CHECK(ValueOf(*reader) == value);
    CHECK(reader->reader()->ReadNewest());
    CHECK(ValueOf(*reader) == 8);
    CHECK(reader->header().checkpoint_number == number + 7);
  }
}

}  // namespace scaup::test
