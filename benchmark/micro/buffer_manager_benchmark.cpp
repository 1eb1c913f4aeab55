// The cache of blocks: a pin that hits, one that evicts and reads, and the account of memory below it.
#include "storage/buffer/buffer_manager.hpp"

#include <benchmark/benchmark.h>

#include <cstring>

namespace scaup {
namespace {

// Costs nothing, so that only the cache is measured.
class EmptyBlocks final : public BlockSource {
 public:
  void ReadBlock(const BlockPointer& pointer, std::byte* target) override {
    std::memcpy(target, &pointer.block_id, sizeof(pointer.block_id));
  }
};

BlockPointer PointerOf(uint64_t block_id) { return {block_id, kFileBlockBytes, block_id}; }

constexpr uint64_t kHitBlocks = 256;

// Shared by the threads of one benchmark.
struct Cache {
  EmptyBlocks blocks;
  MemoryTracker memory{512 * kFileBlockBytes};
  BufferManager buffer{blocks, memory};
};

void PinHit(benchmark::State& state) {
  static Cache cache;
  for (uint64_t id = 0; id < kHitBlocks; id++) cache.buffer.Pin(PointerOf(id));
  uint64_t id = static_cast<uint64_t>(state.thread_index()) * 37;
  for (auto _ : state) {
    benchmark::DoNotOptimize(cache.buffer.Pin(PointerOf(id)));
    id = (id + 1) % kHitBlocks;
  }
}
BENCHMARK(PinHit)->Threads(1)->Threads(2)->UseRealTime();

void PinMissWithEviction(benchmark::State& state) {
  Cache cache;
  uint64_t id = 0;
  for (; id < 600; id++) cache.buffer.Pin(PointerOf(id));
  for (auto _ : state) benchmark::DoNotOptimize(cache.buffer.Pin(PointerOf(id++)));
}
BENCHMARK(PinMissWithEviction);

void ReserveAndRelease(benchmark::State& state) {
  static MemoryTracker memory(size_t{1} << 30);
  for (auto _ : state) {
    memory.Reserve(4096);
    memory.Release(4096);
  }
}
BENCHMARK(ReserveAndRelease)->Threads(1)->Threads(2)->UseRealTime();

}  // namespace
}  // namespace scaup
