// A list of loaded metadata objects. Finding an object changes nothing but its slot.
#include "storage/buffer/metadata_cache.hpp"

namespace scaup {

MetadataCache::MetadataCache(MemoryTracker& memory) : memory_(memory) { memory_.AddReclaimer(*this); }

MetadataCache::~MetadataCache() { memory_.RemoveReclaimer(*this); }

std::shared_ptr<const void> MetadataCache::Find(Slot& slot) {
  const MutexLock lock(mutex_);
  slot.was_found_ = true;
  return slot.object_;
}

std::shared_ptr<const void> MetadataCache::Keep(Slot& slot, std::shared_ptr<const void> object,
                                                size_t size_bytes) {
  const MutexLock lock(mutex_);
  // Two threads may load the same object at once; the first one's stays.
  if (slot.object_ != nullptr) return slot.object_;
  slot.object_ = std::move(object);
  slot.size_bytes_ = size_bytes;
  slot.was_found_ = false;
  size_bytes_ += size_bytes;
  Link(slot);
  return slot.object_;
}

void MetadataCache::Drop(std::span<Slot> slots) noexcept {
  const MutexLock lock(mutex_);
  for (Slot& slot : slots) {
    if (slot.object_ == nullptr) continue;
    Unlink(slot);
    size_bytes_ -= slot.size_bytes_;
    slot.object_ = nullptr;
  }
}

size_t MetadataCache::Reclaim(size_t wanted_bytes) noexcept {
  size_t freed = 0;
  const MutexLock lock(mutex_);
  for (Slot* slot = oldest_; slot != nullptr && freed < wanted_bytes;) {
    Slot& candidate = *slot;
    slot = slot->newer_;
    // With a count of 1 no thread holds the object, and none can get it without the mutex. It is freed under
    // the mutex: its file lives as long as the slot's owner, which takes the mutex before it goes.
    if (candidate.object_.use_count() != 1) continue;
    Unlink(candidate);
    if (candidate.was_found_) {
      candidate.was_found_ = false;
      Link(candidate);
      // The object comes up again after all others.
      if (slot == nullptr) slot = &candidate;
      continue;
    }
    size_bytes_ -= candidate.size_bytes_;
    freed += candidate.size_bytes_;
    candidate.object_ = nullptr;
  }
  return freed;
}

size_t MetadataCache::size_bytes() const {
  const MutexLock lock(mutex_);
  return size_bytes_;
}

// Inserts the slot as the newest.
void MetadataCache::Link(Slot& slot) {
  slot.older_ = newest_;
  slot.newer_ = nullptr;
  (newest_ == nullptr ? oldest_ : newest_->newer_) = &slot;
  newest_ = &slot;
}

void MetadataCache::Unlink(Slot& slot) {
  (slot.older_ == nullptr ? oldest_ : slot.older_->newer_) = slot.newer_;
  (slot.newer_ == nullptr ? newest_ : slot.newer_->older_) = slot.older_;
}

}  // namespace scaup
