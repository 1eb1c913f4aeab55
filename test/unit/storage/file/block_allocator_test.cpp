// BlockAllocator against a model that asks, for every block, who needs it.
#include "storage/file/block_allocator.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

namespace scaup {

namespace {

constexpr uint64_t kFirst = 2;

/// All that anybody can say of blocks, written down plainly.
struct Model {
  std::vector<BlockHold> holds;
  std::set<uint64_t> durable, retained;

  bool IsUsed(uint64_t block_id) const {
    return durable.count(block_id) != 0 || retained.count(block_id) != 0 ||
           std::any_of(holds.begin(), holds.end(),
                       [&](const BlockHold& hold) { return hold.block_id() == block_id; });
  }
  uint64_t LowestFree() const {
    uint64_t block_id = kFirst;
    while (IsUsed(block_id)) block_id++;
    return block_id;
  }
  uint64_t FreeBefore(uint64_t end) const {
    uint64_t count = 0;
    for (uint64_t block_id = kFirst; block_id < end; block_id++) count += !IsUsed(block_id);
    return count;
  }
};

}  // namespace

TEST_CASE("the lowest free block is given out, and none that anybody needs", "[storage][file]") {
  std::mt19937_64 random(GENERATE(1, 2, 3, 4, 5));
  const auto allocator = std::make_shared<BlockAllocator>(kFirst);
  Model model;
  for (int step = 0; step < 1000; step++) {
    const uint64_t any = kFirst + random() % (allocator->end_block() - kFirst + 1);
    switch (random() % 8) {
      case 0:
      case 1:
      case 2: {
        const uint64_t expected = model.LowestFree();
        model.holds.push_back(allocator->Allocate());
        REQUIRE(model.holds.back().block_id() == expected);
        break;
      }
      case 3: model.holds.push_back(allocator->Hold(any)); break;
      case 4:
      case 5:
        if (!model.holds.empty()) {
          std::swap(model.holds[random() % model.holds.size()], model.holds.back());
          model.holds.pop_back();
        }
        break;
      case 6:
        allocator->RetainUntilCheckpoint({any});
        model.retained.insert(any);
        break;
      default: {
        if (random() % 4 != 0) break;
        // A checkpoint: some of what is held, and some of what was durable.
        std::vector<uint64_t> block_ids;
        for (const BlockHold& hold : model.holds) {
          if (random() % 2 == 0) block_ids.push_back(hold.block_id());
        }
        for (const uint64_t block_id : model.durable) {
          if (random() % 2 == 0) block_ids.push_back(block_id);
        }
        allocator->SetDurable(BlockAllocator::MarkBlocks(block_ids));
        model.durable = {block_ids.begin(), block_ids.end()};
        model.retained.clear();
        for (const uint64_t block_id : block_ids) REQUIRE(allocator->IsDurable(block_id));
        if (random() % 2 == 0) {
          const uint64_t end = allocator->TrimEnd();
          REQUIRE((end == kFirst || model.IsUsed(end - 1)));
          REQUIRE(model.FreeBefore(end + 50) == model.FreeBefore(end) + 50);
        }
      }
    }
    REQUIRE(allocator->free_count() == model.FreeBefore(allocator->end_block()));
  }
}

TEST_CASE("a hold outlives its allocator's owner", "[storage][file]") {
  auto allocator = std::make_shared<BlockAllocator>(kFirst);
  BlockHold first = allocator->Allocate(), second = allocator->Allocate();
  allocator.reset();
  first = std::move(second);
  CHECK(first.block_id() == kFirst + 1);
}

TEST_CASE("blocks that the log refers to are kept until a checkpoint", "[storage][file]") {
  const auto allocator = std::make_shared<BlockAllocator>(kFirst);
  uint64_t logged = 0;
  {
    const BlockHold hold = allocator->Allocate();
    logged = hold.block_id();
    allocator->RetainUntilCheckpoint({logged});
  }
  CHECK(allocator->Allocate().block_id() != logged);
  CHECK(allocator->TrimEnd() == logged + 1);
  allocator->SetDurable({});
  CHECK(allocator->Allocate().block_id() == logged);
}

}  // namespace scaup
