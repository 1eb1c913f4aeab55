// BufferManager: what is cached is right, read once, accounted, evicted when memory is wanted, and kept when
// hot.
#include "storage/buffer/buffer_manager.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

#include "fake_block_source.hpp"
#include "storage/buffer/read_ahead.hpp"

using namespace scaup;

namespace {

constexpr size_t kBlock = kFileBlockBytes;

template <typename Condition>
bool Eventually(Condition condition) {
  for (int i = 0; i < 60'000 && !condition(); i++) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

}  // namespace

TEST_CASE("a block is read once and accounted while anybody holds it", "[storage][buffer]") {
  MemoryTracker memory(100 * kBlock);
  FakeBlockSource source;
  PinnedBlock pinned;
  {
    BufferManager buffer(source, memory);
    CHECK(memory.used_bytes() == 0);
    pinned = buffer.Pin(PointerOf(1));
    CHECK(IsBlock(PointerOf(1), pinned->bytes()));
    CHECK(buffer.Pin(PointerOf(1)) == pinned);
    CHECK(source.read_count == 1);
    CHECK(memory.used_bytes() == kBlock);
    // Sizes are rounded up to 4 KiB.
    CHECK(buffer.Pin(PointerOf(2, 5000))->bytes().size() == 5000);
    CHECK(memory.used_bytes() == kBlock + 8192);
    const BufferStatistics statistics = buffer.statistics();
    CHECK(statistics.hits == 1);
    CHECK(statistics.misses == 2);
    CHECK(statistics.cached_bytes == kBlock + 8192);
    CHECK(statistics.pinned_bytes == kBlock);
    buffer.Clear();
    CHECK(memory.used_bytes() == kBlock);
    CHECK(buffer.statistics().cached_bytes == kBlock);
  }
  CHECK(memory.used_bytes() == kBlock);
  CHECK(IsBlock(PointerOf(1), pinned->bytes()));
  pinned.reset();
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("another checksum is another state of the block", "[storage][buffer]") {
  MemoryTracker memory(100 * kBlock);
  FakeBlockSource source;
  BufferManager buffer(source, memory);
  const PinnedBlock before = buffer.Pin(PointerOf(1, kBlock, 0));
  const PinnedBlock after = buffer.Pin(PointerOf(1, kBlock, 1));
  CHECK(IsBlock(PointerOf(1, kBlock, 0), before->bytes()));
  CHECK(IsBlock(PointerOf(1, kBlock, 1), after->bytes()));
  CHECK(buffer.Pin(PointerOf(1, kBlock, 1)) == after);
  CHECK(source.read_count == 2);
  CHECK(buffer.statistics().cached_bytes == kBlock);
  CHECK(buffer.statistics().pinned_bytes == 2 * kBlock);
  CHECK(buffer.Pin({1, 100, PointerOf(1, kBlock, 1).checksum})->bytes().size() == 100);
}

TEST_CASE("blocks are put and dropped", "[storage][buffer]") {
  MemoryTracker memory(4 * kBlock);
  FakeBlockSource source;
  BufferManager buffer(source, memory);
  std::vector<std::byte> bytes(kBlock);
  FillBlock(PointerOf(1), bytes.data());
  buffer.Put(PointerOf(1), bytes);
  CHECK(IsBlock(PointerOf(1), buffer.Pin(PointerOf(1))->bytes()));
  CHECK(source.read_count == 0);
  buffer.Drop(1);
  CHECK(memory.used_bytes() == 0);
  buffer.Drop(1);
  buffer.Drop(77);
  buffer.Pin(PointerOf(1));
  CHECK(source.read_count == 1);

  SECTION("an older state is replaced") {
    FillBlock(PointerOf(1, kBlock, 1), bytes.data());
    buffer.Put(PointerOf(1, kBlock, 1), bytes);
    CHECK(IsBlock(PointerOf(1, kBlock, 1), buffer.Pin(PointerOf(1, kBlock, 1))->bytes()));
    CHECK(source.read_count == 1);
  }
  SECTION("without free memory nothing is put, nor is anything thrown out for it, but an older state goes") {
    MemoryReservation others(memory);
    others.Resize(3 * kBlock);
    buffer.Put(PointerOf(2), bytes);
    CHECK(buffer.statistics().cached_bytes == kBlock);
    CHECK(buffer.statistics().evicted == 0);
    buffer.Put(PointerOf(1, kBlock, 1), bytes);
    CHECK(buffer.statistics().cached_bytes == 0);
    CHECK(memory.used_bytes() == 3 * kBlock);
  }
}

TEST_CASE("memory that others want is given up, pinned blocks are not", "[storage][buffer]") {
  MemoryTracker memory(10 * kBlock);
  FakeBlockSource source;
  BufferManager buffer(source, memory);
  std::vector<PinnedBlock> pins;
  for (uint64_t id = 0; id < 10; id++) {
    const PinnedBlock block = buffer.Pin(PointerOf(id));
    if (id < 4) pins.push_back(block);
  }
  CHECK(memory.free_bytes() == 0);
  {
    MemoryReservation others(memory);
    others.Resize(6 * kBlock);
    CHECK(buffer.statistics().cached_bytes == 4 * kBlock);
    CHECK(buffer.statistics().evicted == 6);
    CHECK_THROWS_AS(others.Resize(7 * kBlock), Error);
    // All is in use by others: neither pinned nor read ahead.
    try {
      buffer.Pin(PointerOf(50));
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kOutOfMemory);
    }
    CHECK(buffer.Pin(PointerOf(2)) == pins[2]);
  }
  CHECK(IsBlock(PointerOf(50), buffer.Pin(PointerOf(50))->bytes()));
  // A scan of more than fits evicts its own.
  for (uint64_t id = 100; id < 150; id++) CHECK(IsBlock(PointerOf(id), buffer.Pin(PointerOf(id))->bytes()));
  CHECK(memory.used_bytes() <= memory.limit_bytes());
  // A lower limit evicts at once.
  memory.SetLimit(5 * kBlock);
  CHECK(memory.used_bytes() <= 5 * kBlock);
  for (uint64_t id = 0; id < 4; id++) CHECK(IsBlock(PointerOf(id), pins[id]->bytes()));
}

TEST_CASE("a failed read leaves nothing behind", "[storage][buffer]") {
  MemoryTracker memory(10 * kBlock);
  FakeBlockSource source;
  BufferManager buffer(source, memory);
  source.fail_block = 3;
  for (int i = 0; i < 2; i++) {
    try {
      buffer.Pin(PointerOf(3));
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(std::string(error.sqlstate()) == "XX001");
    }
  }
  CHECK(memory.used_bytes() == 0);
  source.fail_block = UINT64_MAX;
  CHECK(IsBlock(PointerOf(3), buffer.Pin(PointerOf(3))->bytes()));
  CHECK_THROWS_AS(buffer.Pin(BlockPointer{}), Error);
}

TEST_CASE("threads that want the same block wait for one read", "[storage][buffer]") {
  MemoryTracker memory(10 * kBlock);
  FakeBlockSource source;
  std::atomic<int> arrived = 0;
  source.before_read = [&](const BlockPointer&) {
    Eventually([&] { return arrived == 4; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  BufferManager buffer(source, memory);
  std::vector<PinnedBlock> blocks(4);
  const auto run = [&] {
    arrived = 0;
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 4; t++) {
      threads.emplace_back([&, t] {
        arrived++;
        try {
          blocks[t] = buffer.Pin(PointerOf(9));
        } catch (const Error&) {
          blocks[t] = nullptr;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  };
  SECTION("which succeeds") {
    run();
    CHECK(source.read_count == 1);
    CHECK(memory.used_bytes() == kBlock);
    for (const PinnedBlock& block : blocks) CHECK(block == blocks[0]);
    CHECK(IsBlock(PointerOf(9), blocks[0]->bytes()));
  }
  SECTION("and each gets an error of its own") {
    source.fail_block = 9;
    run();
    CHECK(source.read_count == 4);
    for (const PinnedBlock& block : blocks) CHECK(block == nullptr);
    CHECK(memory.used_bytes() == 0);
  }
}

TEST_CASE("a block that is dropped while it is read is given to who waits, and not kept",
          "[storage][buffer]") {
  MemoryTracker memory(10 * kBlock);
  FakeBlockSource source;
  std::atomic<bool> reading = false, go_on = false;
  source.before_read = [&](const BlockPointer&) {
    reading = true;
    Eventually([&] { return go_on.load(); });
  };
  BufferManager buffer(source, memory);
  PinnedBlock block;
  std::thread reader([&] { block = buffer.Pin(PointerOf(5)); });
  REQUIRE(Eventually([&] { return reading.load(); }));
  buffer.Drop(5);
  go_on = true;
  reader.join();
  CHECK(IsBlock(PointerOf(5), block->bytes()));
  CHECK(buffer.statistics().cached_bytes == 0);
  CHECK(buffer.statistics().pinned_bytes == kBlock);
}

TEST_CASE("a big scan leaves the hot blocks in the cache", "[storage][buffer]") {
  MemoryTracker memory(100 * kBlock);
  FakeBlockSource source;
  BufferManager buffer(source, memory);
  const auto pin_hot = [&] {
    for (uint64_t id = 0; id < 20; id++) buffer.Pin(PointerOf(id));
  };
  // Scans pin each block several times in a row, which must not make it hot.
  const auto scan = [&](uint64_t first, uint64_t count) {
    for (uint64_t id = first; id < first + count; id++) {
      for (int morsel = 0; morsel < 8; morsel++) buffer.Pin(PointerOf(id));
    }
  };
  SECTION("when they were visited before") {
    for (int round = 0; round < 100; round++) pin_hot();
    scan(1000, 2000);
    const size_t reads = source.read_count;
    pin_hot();
    CHECK(source.read_count == reads);
  }
  SECTION("when they are visited during the scan") {
    scan(5000, 200);  // The cache is full already.
    size_t late_reads = 0;
    for (uint64_t part = 0; part < 40; part++) {
      scan(1000 + part * 50, 50);
      const size_t reads = source.read_count;
      pin_hot();
      if (part >= 2) late_reads += source.read_count - reads;
    }
    CHECK(late_reads == 0);
  }
  SECTION("but what has become cold goes in the end") {
    for (int round = 0; round < 100; round++) pin_hot();
    for (int round = 0; round < 20; round++) {
      for (uint64_t id = 100; id < 195; id++) {
        buffer.Pin(PointerOf(id));
        for (uint64_t other = 0; other < 4; other++) buffer.Pin(PointerOf(100 + (id + other) % 3));
      }
    }
    const size_t reads = source.read_count;
    for (uint64_t id = 100; id < 180; id++) buffer.Pin(PointerOf(id));
    CHECK(source.read_count - reads < 40);
  }
}

TEST_CASE("read-ahead", "[storage][buffer]") {
  MemoryTracker memory(160 * kBlock);
  FakeBlockSource source;
  std::vector<BlockPointer> pointers;
  SECTION("blocks are there when they are pinned") {
    BufferManager buffer(source, memory);
    for (uint64_t id = 0; id < 10; id++) pointers.push_back(PointerOf(id));
    buffer.Prefetch(pointers);
    REQUIRE(Eventually([&] { return buffer.statistics().prefetched == 10; }));
    for (const BlockPointer& pointer : pointers) CHECK(IsBlock(pointer, buffer.Pin(pointer)->bytes()));
    CHECK(source.read_count == 10);
    CHECK(buffer.statistics().misses == 0);
    buffer.Prefetch(pointers);
    buffer.Prefetch({});
    CHECK(source.read_count == 10);
  }
  SECTION("it reads ahead no more than an eighth of the memory, and goes on as blocks are used") {
    BufferManager buffer(source, memory);
    for (uint64_t id = 0; id < 100; id++) pointers.push_back(PointerOf(id));
    buffer.Prefetch(pointers);
    REQUIRE(Eventually([&] { return buffer.statistics().prefetched == 20; }));
    CHECK(source.read_count == 20);
    for (uint64_t id = 0; id < 20; id++) buffer.Pin(PointerOf(id));
    buffer.Prefetch(std::span(pointers).subspan(20, 5));
    CHECK(Eventually([&] { return buffer.statistics().prefetched >= 25; }));
  }
  SECTION("it evicts what is not pinned, never what is, and ignores errors") {
    BufferManager buffer(source, memory);
    std::vector<PinnedBlock> pins;
    for (uint64_t id = 0; id < 160; id++) {
      PinnedBlock block = buffer.Pin(PointerOf(1000 + id));
      if (id < 158) pins.push_back(std::move(block));
    }
    source.fail_block = 1;
    for (uint64_t id = 0; id < 6; id++) pointers.push_back(PointerOf(id));
    buffer.Prefetch(pointers);
    CHECK(Eventually([&] { return buffer.statistics().prefetched >= 2; }));
    CHECK(buffer.statistics().cached_bytes <= 160 * kBlock);
    for (size_t i = 0; i < pins.size(); i++) CHECK(IsBlock(PointerOf(1000 + i), pins[i]->bytes()));
    CHECK_THROWS_AS(buffer.Pin(PointerOf(1)), Error);
  }
  SECTION("it stops with the buffer manager, whatever waits") {
    source.before_read = [](const BlockPointer&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    };
    {
      BufferManager buffer(source, memory);
      for (uint64_t id = 0; id < 1000; id++) pointers.push_back(PointerOf(id, 100));
      buffer.Prefetch(pointers);
      REQUIRE(Eventually([&] { return source.read_count >= 1; }));
    }
    CHECK(source.read_count < ReadAhead::kMaxRequests / 2);
    CHECK(memory.used_bytes() == 0);
  }
}

TEST_CASE("threads pin, prefetch, put, drop and reserve at once", "[storage][buffer]") {
  MemoryTracker memory(40 * kBlock);
  FakeBlockSource source;
  std::atomic<size_t> wrong = 0, refused = 0, pinned_count = 0;
  {
    BufferManager buffer(source, memory);
    std::vector<std::thread> threads;
    for (uint64_t t = 0; t < 4; t++) {
      threads.emplace_back([&, t] {
        uint64_t random = t + 1;
        std::vector<PinnedBlock> held;
        std::vector<std::byte> bytes(8192);
        MemoryReservation others(memory);
        for (int i = 0; i < 1500; i++) {
          random = random * 6364136223846793005ULL + 1442695040888963407ULL;
          const uint64_t number = random >> 33;
          const uint32_t size = number % 3 == 0 ? 8192 : kBlock;
          const BlockPointer pointer = PointerOf(number % 80, size, number % 97 == 0 ? 1 : 0);
          try {
            switch (number % 16) {
              case 0: buffer.Prefetch(std::vector{pointer, PointerOf((number + 1) % 80)}); break;
              case 1: buffer.Drop(pointer.block_id); break;
              case 2: others.Resize(number % 5 * kBlock); break;
              case 3: {
                const BlockPointer small = PointerOf(number % 80, 8192);
                FillBlock(small, bytes.data());
                buffer.Put(small, bytes);
                break;
              }
              default: {
                held.push_back(buffer.Pin(pointer));
                pinned_count++;
                if (!IsBlock(pointer, held.back()->bytes())) wrong++;
                if (held.size() > 4) held.erase(held.begin());
              }
            }
          } catch (const Error& error) {
            if (error.kind() == ErrorKind::kOutOfMemory) {
              refused++;
              std::this_thread::sleep_for(std::chrono::milliseconds(10));  // As a database waits for others.
            } else {
              wrong++;
            }
          }
          if (i % 500 == 0) buffer.statistics();
          if (t == 0 && i % 400 == 399) buffer.Clear();
          if (t == 1 && i % 300 == 0) memory.SetLimit((i % 600 == 0 ? 40 : 36) * kBlock);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(memory.used_bytes() <= memory.limit_bytes());
  }
  CHECK(wrong == 0);
  CHECK(refused < 100);  // At most 4 threads x (5 + 4) of 36 blocks are in use by others at any time.
  CHECK(pinned_count > 4000);
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("many blocks share large regions, whose memory goes with the last of them", "[storage][buffer]") {
  constexpr uint64_t kBlocks = 150;
  MemoryTracker memory(kBlocks * kBlock);
  FakeBlockSource source;
  BufferManager buffer(source, memory);
  std::vector<PinnedBlock> pinned;
  for (uint64_t i = 1; i <= kBlocks; i++) pinned.push_back(buffer.Pin(PointerOf(i)));
  // Places that become free here and there are used again.
  for (size_t i = 0; i < kBlocks; i += 2) pinned[i].reset();
  buffer.Clear();
  CHECK(memory.used_bytes() == kBlocks / 2 * kBlock);
  for (uint64_t i = 1; i <= kBlocks; i += 2) pinned[i - 1] = buffer.Pin(PointerOf(kBlocks + i));
  for (uint64_t i = 1; i <= kBlocks; i++)
    CHECK(IsBlock(PointerOf(i % 2 == 0 ? i : kBlocks + i), pinned[i - 1]->bytes()));
  pinned.clear();
  buffer.Clear();
  CHECK(memory.used_bytes() == 0);
}
