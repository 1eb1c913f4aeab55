// StreamWriter: bytes are found again wherever they lie, sizes around the ends of blocks above all.
#include "storage/file/stream_writer.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "scaup/error.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/buffer/block_store.hpp"

namespace scaup::test {

namespace {

std::vector<std::byte> RandomBytes(std::mt19937_64& random, size_t size_bytes) {
  std::vector<std::byte> bytes(size_bytes);
  for (size_t i = 0; i < size_bytes; i += 8) {
    const uint64_t word = random();
    std::memcpy(bytes.data() + i, &word, std::min<size_t>(8, size_bytes - i));
  }
  return bytes;
}

struct Piece {
  size_t stream;
  uint64_t begin;
  std::vector<std::byte> bytes;
};

}  // namespace

TEST_CASE("streams are located with sizes around block boundaries", "[storage][file]") {
  const bool is_separate = GENERATE(false, true);
  std::mt19937_64 random(17);
  SimulatedFileSystem files;
  MemoryTracker memory(size_t{1} << 30);
  BlockStore store(DatabaseFile::Create(files, "x.scaup"), memory);
  constexpr size_t kStreams = 3;
  constexpr size_t kSizes[] = {1,
                               7,
                               kFileBlockBytes / 2,
                               kFileBlockBytes - 1,
                               kFileBlockBytes,
                               kFileBlockBytes + 1,
                               2 * kFileBlockBytes - 3,
                               0};
  const auto lead = GENERATE(size_t{0}, size_t{1}, kFileBlockBytes - 1, kFileBlockBytes);
  std::vector<Piece> pieces;
  const uint64_t used_before = memory.used_bytes();
  uint64_t total = 0;
  {
    StreamWriter writer(store.file(), memory, kStreams, is_separate);
    const auto add = [&](size_t stream, size_t size_bytes) {
      Piece piece{stream, 0, RandomBytes(random, size_bytes)};
      piece.begin = writer.Append(stream, piece.bytes);
      total += size_bytes;
      pieces.push_back(std::move(piece));
    };
    for (size_t stream = 0; stream < kStreams; stream++) add(stream, lead);
    for (const size_t size_bytes : kSizes) {
      for (size_t stream = 0; stream < kStreams; stream++) add(stream, size_bytes + stream);
    }
    writer.Finish();
    CHECK(writer.size_bytes() == total);
    CHECK(writer.blocks().size() <= total / kFileBlockBytes + 1 + (is_separate ? kStreams : 0));
    for (const Piece& piece : pieces) {
      const Extents extents = writer.Locate(piece.stream, piece.begin, piece.bytes.size());
      uint64_t located = 0;
      for (const Extent& extent : extents) {
        REQUIRE(extent.size_bytes != 0);
        REQUIRE(extent.offset + extent.size_bytes <= extent.block.size_bytes);
        located += extent.size_bytes;
      }
      REQUIRE(located == piece.bytes.size());
      REQUIRE(store.Read(extents, 0, piece.bytes.size()) == piece.bytes);
      if (piece.bytes.size() < 10) continue;
      // A part, over the ends of extents.
      const size_t begin = random() % piece.bytes.size();
      const size_t size_bytes = random() % (piece.bytes.size() - begin + 1);
      const std::vector<std::byte> part(piece.bytes.begin() + begin,
                                        piece.bytes.begin() + begin + size_bytes);
      REQUIRE(store.Read(extents, begin, size_bytes) == part);
      REQUIRE_THROWS_AS(store.Read(extents, 0, piece.bytes.size() + 1), Error);
    }
    store.buffers().Clear();
  }
  CHECK(memory.used_bytes() == used_before);
  CHECK(store.file().allocator().free_count() == store.file().allocator().end_block() - kHeaderCopies);
}

TEST_CASE("a run that says to be longer than the file is not read", "[storage][file]") {
  SimulatedFileSystem files;
  MemoryTracker memory(size_t{1} << 30);
  BlockStore store(DatabaseFile::Create(files, "x.scaup"), memory);
  const std::vector<std::byte> bytes(kFileBlockBytes, std::byte{1});
  const WrittenBlock block = store.file().WriteBlock(bytes);
  // The same block again and again.
  const Extents extents(1000, Extent{block.pointer, 0, kFileBlockBytes});
  CHECK_THROWS_AS(store.Read(extents, 0, 1000 * kFileBlockBytes), Error);
  CHECK(store.Read(extents, 5, 100).size() == 100);
}

TEST_CASE("bytes that are put together are accounted, and refused beyond the limit", "[storage][file]") {
  SimulatedFileSystem files;
  MemoryTracker memory(8 * kFileBlockBytes);
  BlockStore store(DatabaseFile::Create(files, "x.scaup"), memory);
  StreamWriter writer(store.file(), memory, 1, false);
  const std::vector<std::byte> bytes(6 * kFileBlockBytes, std::byte{1});
  writer.Append(0, bytes);
  writer.Finish();
  const Extents extents = writer.Locate(0, 0, bytes.size());
  {
    ExtentReader reader(store, extents);
    const StoredBytes stored = reader.Read(0, bytes.size());
    CHECK(stored.bytes.size() == bytes.size());
    CHECK(memory.used_bytes() >= bytes.size());
  }
  MemoryReservation others(memory);
  others.Resize(4 * kFileBlockBytes);
  CHECK_THROWS_AS(ExtentReader(store, extents).Read(0, bytes.size()), Error);
}

}  // namespace scaup::test
