// The block cache. One mutex guards it, and is never held while reading, allocating or reserving memory.
#include "storage/buffer/buffer_manager.hpp"

#include <cstring>
#include <unordered_map>
#include <vector>

#include "common/lock/condition_variable.hpp"
#include "common/lock/mutex.hpp"
#include "common/throw.hpp"
#include "storage/buffer/eviction_queues.hpp"
#include "storage/buffer/frame.hpp"
#include "storage/buffer/read_ahead.hpp"

namespace scaup {

namespace {

// Blocks that were read ahead and not pinned yet take at most one part in this many of the memory limit.
constexpr size_t kReadAheadShare = 8;

}  // namespace

// The cache has one mutex and no shards: a hit holds it for some 20 ns, and a miss reads up to 256 KiB
// outside of it. Shards would gain little, and eviction would know only a part of the cache.
struct BufferManager::Impl final : MemoryReclaimer {
  // How to get the memory of a frame: reserve it or throw, try with eviction, or only if it is free.
  enum class Memory : uint8_t { kMust, kByEvicting, kFree };

  BlockSource& source;
  MemoryTracker& memory;
  // Shared with the frames, which may outlive the cache as pins.
  const std::shared_ptr<FramePool> pool;

  // The tracker takes this mutex (in Reclaim) under locks of its own, so no memory may be reserved under it.
  mutable Mutex mutex;
  std::unordered_map<uint64_t, CacheEntry> entries SCAUP_GUARDED_BY(mutex);
  EvictionQueues queues SCAUP_GUARDED_BY(mutex);
  ConditionVariable load_done;
  uint64_t hits SCAUP_GUARDED_BY(mutex) = 0;
  uint64_t misses SCAUP_GUARDED_BY(mutex) = 0;
  uint64_t prefetched SCAUP_GUARDED_BY(mutex) = 0;
  uint64_t evicted SCAUP_GUARDED_BY(mutex) = 0;

  ReadAhead read_ahead;  // last, as its thread uses the other members

  Impl(BlockSource& source_in, MemoryTracker& memory_in)
      : source(source_in),
        memory(memory_in),
        pool(std::make_shared<FramePool>(memory_in)),
        read_ahead([this](const BlockPointer& pointer) { ReadEarly(pointer); }) {}

  CacheEntry* Find(uint64_t block_id) SCAUP_REQUIRES_LOCK(mutex) {
    const auto found = entries.find(block_id);
    return found == entries.end() ? nullptr : &found->second;
  }

  // Returns null if memory may not or cannot be had in that way.
  std::shared_ptr<Frame> MakeFrame(size_t size_bytes, Memory how) {
    const size_t accounted = Frame::Round(size_bytes);
    switch (how) {
      case Memory::kMust: memory.Reserve(accounted); break;
      case Memory::kByEvicting:
        if (!memory.TryReserve(accounted)) return nullptr;
        break;
      case Memory::kFree:
        if (!memory.TryReserveFree(accounted)) return nullptr;
        break;
    }
    try {
      return std::make_shared<Frame>(pool, size_bytes, accounted);
    } catch (...) {
      memory.Release(accounted);
      throw;
    }
  }

  // Returns the entry for a block that is not cached. It may be new, a ghost, or that of an older version of
  // the block, whose frame goes to `replaced`, to be freed without the lock.
  CacheEntry& PlaceFor(const BlockPointer& pointer, bool& was_ghost, std::shared_ptr<Frame>& replaced)
      SCAUP_REQUIRES_LOCK(mutex) {
    CacheEntry& entry = entries.try_emplace(pointer.block_id).first->second;
    was_ghost = entry.place == CacheEntry::Place::kGhost && entry.pointer == pointer;
    queues.Remove(entry);
    replaced = std::move(entry.frame);
    entry.frame = nullptr;
    entry.load = nullptr;  // a read of the older version goes on for its waiters, but is not cached
    entry.pointer = pointer;
    return entry;
  }

  // Reads a block that is neither cached nor being read. Returns null if its memory cannot be had in that
  // way.
  std::shared_ptr<Frame> Read(const BlockPointer& pointer, Memory how) SCAUP_REQUIRES_LOCK(mutex) {
    const auto load = std::make_shared<BlockLoad>();
    std::shared_ptr<Frame> replaced;
    PlaceFor(pointer, load->was_ghost, replaced).load = load;
    std::shared_ptr<Frame> frame;
    try {
      // Reserving memory may call Reclaim, which takes this mutex; and the read may take long.
      const MutexUnlock unlocked(mutex);
      replaced.reset();
      frame = MakeFrame(pointer.size_bytes, how);
      if (frame != nullptr) source.ReadBlock(pointer, frame->data());
    } catch (...) {
      FinishLoad(pointer, load, nullptr, false);
      throw;
    }
    FinishLoad(pointer, load, frame, how != Memory::kMust);
    return frame;
  }

  void FinishLoad(const BlockPointer& pointer, const std::shared_ptr<BlockLoad>& load,
                  const std::shared_ptr<Frame>& frame, bool is_early) SCAUP_REQUIRES_LOCK(mutex) {
    load->done = true;
    load->frame = frame;
    load_done.NotifyAll();
    CacheEntry* const entry = Find(pointer.block_id);
    if (entry == nullptr || entry->load != load) return;  // removed or replaced meanwhile
    entry->load = nullptr;
    if (frame == nullptr) {
      entries.erase(pointer.block_id);
      return;
    }
    entry->frame = frame;
    entry->awaited = is_early;
    queues.Insert(*entry, load->was_ghost);
  }

  PinnedBlock Pin(const BlockPointer& pointer) {
    MutexLock lock(mutex);
    CacheEntry* entry = Find(pointer.block_id);
    if (entry != nullptr && entry->frame != nullptr && entry->pointer == pointer) {
      hits++;
      queues.Visit(*entry);
      return entry->frame;
    }
    SCAUP_CHECK(pointer.size_bytes != 0 && pointer.size_bytes <= kFileBlockBytes);
    misses++;
    // Another thread may be reading the block. If it fails, this thread tries for itself. The other thread
    // may have lacked memory that this one gets, and otherwise each thread throws an error of its own.
    while (entry != nullptr && entry->load != nullptr && entry->pointer == pointer) {
      const std::shared_ptr<BlockLoad> load = entry->load;
      while (!load->done) load_done.Wait(mutex);
      entry = Find(pointer.block_id);
      if (load->frame == nullptr) continue;
      if (entry != nullptr && entry->frame == load->frame) queues.Visit(*entry);
      return load->frame;
    }
    if (entry != nullptr && entry->frame != nullptr && entry->pointer == pointer) return entry->frame;
    return Read(pointer, Memory::kMust);
  }

  bool IsHereOrComing(const BlockPointer& pointer) SCAUP_REQUIRES_LOCK(mutex) {
    const CacheEntry* entry = Find(pointer.block_id);
    return entry != nullptr && entry->pointer == pointer &&
           (entry->frame != nullptr || entry->load != nullptr);
  }

  void Prefetch(std::span<const BlockPointer> pointers) {
    std::vector<BlockPointer> missing;
    {
      const MutexLock lock(mutex);
      for (const BlockPointer& pointer : pointers) {
        if (pointer.size_bytes != 0 && pointer.size_bytes <= kFileBlockBytes && !IsHereOrComing(pointer))
          missing.push_back(pointer);
      }
    }
    read_ahead.Request(missing);
  }

  // Runs on the read-ahead thread.
  void ReadEarly(const BlockPointer& pointer) {
    // Read-ahead must not evict what queries use, nor blocks that it has read itself and no query has used
    // yet.
    const size_t most = memory.limit_bytes() / kReadAheadShare;
    MutexLock lock(mutex);
    if (IsHereOrComing(pointer)) return;
    const size_t size_bytes = Frame::Round(pointer.size_bytes);
    // Blocks that were read ahead for queries that ended early make way for new ones.
    if (queues.awaited_bytes() + size_bytes > most) queues.ExpireAwaited();
    if (queues.awaited_bytes() + size_bytes > most) return;
    if (Read(pointer, Memory::kByEvicting) != nullptr) prefetched++;
  }

  void Put(const BlockPointer& pointer, std::span<const std::byte> bytes) {
    SCAUP_CHECK(pointer.size_bytes != 0 && pointer.size_bytes <= kFileBlockBytes);
    SCAUP_CHECK(bytes.size() >= pointer.size_bytes);
    const std::shared_ptr<Frame> frame = MakeFrame(pointer.size_bytes, Memory::kFree);
    if (frame != nullptr) std::memcpy(frame->data(), bytes.data(), pointer.size_bytes);
    std::shared_ptr<Frame> replaced;  // destroyed after the lock is released
    const MutexLock lock(mutex);
    if (IsHereOrComing(pointer)) return;
    bool was_ghost = false;
    CacheEntry& entry = PlaceFor(pointer, was_ghost, replaced);
    if (frame == nullptr) {  // an older version must go in any case
      entries.erase(pointer.block_id);
      return;
    }
    entry.frame = frame;
    entry.awaited = false;
    queues.Insert(entry, was_ghost);
  }

  void Drop(uint64_t block_id) {
    std::shared_ptr<Frame> dropped;
    const MutexLock lock(mutex);
    CacheEntry* const entry = Find(block_id);
    if (entry == nullptr) return;
    queues.Remove(*entry);
    dropped = std::move(entry->frame);
    entries.erase(block_id);
  }

  void Clear() {
    // Freed after the lock is released, as unmapping memory takes long.
    std::vector<std::shared_ptr<Frame>> dropped;
    const MutexLock lock(mutex);
    dropped.reserve(entries.size());
    for (auto at = entries.begin(); at != entries.end();) {
      CacheEntry& entry = at->second;
      // Waiters and pins refer to these entries.
      if (entry.load != nullptr || entry.frame.use_count() > 1) {
        ++at;
        continue;
      }
      queues.Remove(entry);
      dropped.push_back(std::move(entry.frame));
      at = entries.erase(at);
    }
  }

  size_t Reclaim(size_t wanted_bytes) noexcept override {
    size_t freed = 0;
    while (freed < wanted_bytes) {
      std::shared_ptr<Frame> frames[16];  // freed without the lock, several at a time
      size_t count = 0;
      {
        const MutexLock lock(mutex);
        while (count < std::size(frames) && freed < wanted_bytes) {
          std::shared_ptr<Frame> frame = queues.Evict();
          if (frame == nullptr) break;
          freed += frame->accounted_bytes();
          frames[count++] = std::move(frame);
        }
        evicted += count;
        // Ghosts are dropped here because only eviction makes new ones.
        while (const CacheEntry* ghost = queues.SurplusGhost()) Forget(*ghost);
      }
      if (count == 0) break;
    }
    return freed;
  }

  // An upper bound, but a good one: few blocks are pinned at any time.
  size_t reclaimable_bytes() const noexcept override {
    const MutexLock lock(mutex);
    return queues.cached_bytes();
  }

  void Forget(const CacheEntry& ghost) SCAUP_REQUIRES_LOCK(mutex) {
    const auto at = entries.find(ghost.pointer.block_id);
    queues.Remove(at->second);
    entries.erase(at);
  }

  BufferStatistics Statistics() const {
    const MutexLock lock(mutex);
    BufferStatistics result;
    result.hits = hits;
    result.misses = misses;
    result.prefetched = prefetched;
    result.evicted = evicted;
    result.cached_bytes = queues.cached_bytes();
    size_t unpinned = 0;
    queues.ForEachCached([&](const CacheEntry& entry) {
      if (entry.frame.use_count() == 1) unpinned += entry.frame->accounted_bytes();
    });
    // Frames that were removed from the cache but are still in use count as pinned.
    result.pinned_bytes = pool->frame_bytes() - unpinned;
    return result;
  }
};

BufferManager::BufferManager(BlockSource& source, MemoryTracker& memory)
    : impl_(std::make_shared<Impl>(source, memory)) {
  memory.AddReclaimer(*impl_);
}

BufferManager::~BufferManager() {
  // First, since the thread reserves memory and may call Reclaim.
  impl_->read_ahead.Stop();
  impl_->memory.RemoveReclaimer(*impl_);
}

PinnedBlock BufferManager::Pin(const BlockPointer& pointer) { return impl_->Pin(pointer); }

void BufferManager::Prefetch(std::span<const BlockPointer> pointers) {
  try {
    impl_->Prefetch(pointers);
  } catch (const std::bad_alloc&) {
    // Nothing is read ahead then.
  }
}

void BufferManager::Put(const BlockPointer& pointer, std::span<const std::byte> bytes) {
  impl_->Put(pointer, bytes);
}

void BufferManager::Drop(uint64_t block_id) { impl_->Drop(block_id); }

void BufferManager::Clear() { impl_->Clear(); }

BufferStatistics BufferManager::statistics() const { return impl_->Statistics(); }

}  // namespace scaup
