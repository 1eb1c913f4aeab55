// Join table: building the directory in parallel.
#include "execution/join/join_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/task_scheduler.hpp"

namespace scaup {

void JoinTable::AddRows(RowCollection rows) {
  row_count_ += rows.row_count();
  collections_.push_back(std::move(rows));
}

size_t JoinTable::SlotsFor(size_t row_count) {
  // At most one row per two slots: chains are short, and 8 bytes per slot are cheap compared to the rows.
  return std::bit_ceil(std::max<size_t>(row_count * 2, 64));
}

void JoinTable::Build(const FunctionContext& context, size_t max_tasks) {
  const size_t slots = SlotsFor(row_count_);
  shift_ = 64 - std::countr_zero(slots);
  reservation_.Resize(slots * sizeof(uint64_t));
  directory_ = std::make_unique<std::atomic<uint64_t>[]>(slots);
  struct Block {
    std::byte* first;
    size_t count;
  };
  std::vector<Block> blocks;
  for (const RowCollection& rows : collections_) {
    rows.ForEachBlock([&](std::byte* first, size_t count) { blocks.push_back({first, count}); });
  }
  const size_t task_count =
      row_count_ < 4 * kVectorSize ? 1 : std::min(max_tasks, context.scheduler.thread_count());
  std::atomic<size_t> next{0};
  context.scheduler.RunAll(task_count, [&](size_t) {
    for (size_t i = next.fetch_add(1); i < blocks.size(); i = next.fetch_add(1)) {
      context.CheckInterrupt();
      InsertRows(blocks[i].first, blocks[i].count);
    }
  });
}

void JoinTable::InsertRows(std::byte* first, size_t count) {
  for (size_t i = 0; i < count; i++) {
    std::byte* row = first + i * layout_.row_bytes();
    if (static_cast<uint8_t>(row[kMatchedOffset]) == kNotInDirectory) continue;
    uint64_t hash;
    std::memcpy(&hash, row, sizeof(hash));
    std::atomic<uint64_t>& slot = directory_[hash >> shift_];
    uint64_t entry = slot.load(std::memory_order_relaxed);
    uint64_t desired;
    // Threads insert without locks: link the row to the current first one, then swap it in if the slot is
    // unchanged.
    do {
      const uint64_t next = entry & kPointerMask;
      std::memcpy(row + kNextOffset, &next, sizeof(next));
      desired = (entry & ~kPointerMask) | TagOf(hash) | reinterpret_cast<uint64_t>(row);
    } while (
        !slot.compare_exchange_weak(entry, desired, std::memory_order_release, std::memory_order_relaxed));
  }
}

}  // namespace scaup
