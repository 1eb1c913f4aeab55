// The list of loaded metadata. To find something changes nothing but its own slot.
#include "storage/buffer/metadata_cache.hpp"

namespace scaup {

MetadataCache::MetadataCache(MemoryTracker& memory) : memory_(memory) { memory_.AddReclaimer(*this); }

MetadataCache::~MetadataCache() { memory_.RemoveReclaimer(*this); }

std::shared_ptr<const void> MetadataCache::Find(Slot& slot) {
  const std::lock_guard lock(mutex_);
  slot.was_found_ = true;
  return slot.object_;
}

std::shared_ptr<const void> MetadataCache::Keep(Slot& slot, std::shared_ptr<const void> object,
                                                size_t size_bytes) {
  const std::lock_guard lock(mutex_);
  if (slot.object_ != nullptr) return slot.object_;
  slot.object_ = std::move(object);
  slot.size_bytes_ = size_bytes;
  slot.was_found_ = false;
  size_bytes_ += size_bytes;
  Link(slot);
  return slot.object_;
}

void MetadataCache::Drop(std::span<Slot> slots) noexcept {
  const std::lock_guard lock(mutex_);
  for (Slot& slot : slots) {
    if (slot.object_ == nullptr) continue;
    Unlink(slot);
    size_bytes_ -= slot.size_bytes_;
    slot.object_ = nullptr;
  }
}

size_t MetadataCache::Reclaim(size_t wanted_bytes) noexcept {
  size_t freed = 0;
  const std::lock_guard lock(mutex_);
  for (Slot* slot = oldest_; slot != nullptr && freed < wanted_bytes;) {
    Slot& candidate = *slot;
    slot = slot->newer_;
    // Others get the object from us alone, so it stays ours. It is freed under the mutex: its file is alive
    // as long as the slot's owner, who needs the mutex to go.
    if (candidate.object_.use_count() != 1) continue;
    Unlink(candidate);
    if (candidate.was_found_) {
      candidate.was_found_ = false;
      Link(candidate);
      // Its turn comes again after all others.
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
  const std::lock_guard lock(mutex_);
  return size_bytes_;
}

// As the newest. With the mutex, as is Unlink.
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
