// Spills changed parts of an index: which ones, and how the index switches to them.
#include "storage/index/index_spill.hpp"

#include <algorithm>

#include "common/check.hpp"
#include "common/lock/mutex.hpp"

namespace scaup {

namespace {

/// Changed parts of all indexes take at most this part of the memory limit.
constexpr size_t kChangesShare = 8;
/// An index that has less than this part of it leaves spilling to those that have more, but for
/// kLeastSpilledBytes, which a few parts take in any case.
constexpr size_t kLeastShare = 8;
constexpr size_t kLeastSpilledBytes = size_t{128} << 10;
/// The part that is about to change is spilled only if it takes more than this part of what all may take.
constexpr size_t kOnePartShare = 2;

}  // namespace

size_t IndexSpill::MostBytes(const MemoryTracker& memory) noexcept {
  return memory.limit_bytes() / kChangesShare;
}

void IndexSpill::Note(OrderedIndex& index, size_t bytes_before, size_t bytes_after) noexcept {
  SCAUP_ASSERT(index.store_ != nullptr);
  if (bytes_before == bytes_after) return;
  // Sums wrap around where a part became smaller.
  index.changed_bytes_.fetch_add(bytes_after - bytes_before, std::memory_order_relaxed);
  index.store_->changed_index_bytes().fetch_add(bytes_after - bytes_before, std::memory_order_relaxed);
}

bool IndexSpill::IsDue(const OrderedIndex& index) noexcept {
  if (!index.store_) return false;
  const size_t most = MostBytes(index.memory_);
  if (index.store_->changed_index_bytes().load(std::memory_order_relaxed) <= most) return false;
  return index.changed_bytes_.load(std::memory_order_relaxed) >
         std::max(
             {most / kLeastShare, kLeastSpilledBytes, index.spilled_to_.load(std::memory_order_relaxed)});
}

void IndexSpill::Recount(OrderedIndex& index) noexcept {
  size_t bytes = 0;
  const WriterLock lock(index.mutex_);
  for (const auto& part : index.parts_) bytes += part->changed ? part->changed->size_bytes() : 0;
  Note(index, index.changed_bytes_, bytes);
}

void IndexSpill::TryRun(KeyBytes next) noexcept {
  try {
    Run(next);
  } catch (const std::exception&) {
    // The parts stay in memory, and the next insertion reports the error.
  }
}

void IndexSpill::Run(KeyBytes next) {
  if (!index_.spill_mutex_.TryLock()) return;
  const MutexLock lock(index_.spill_mutex_, std::adopt_lock);
  const auto storage = index_.store_->temporary_storage();
  if (!storage) return;
  // The sum is rough: threads add to it at the same moment.
  Recount(index_);
  const size_t most = index_.changed_bytes_ / 2;
  const size_t part_count = index_.part_count();
  for (size_t i = 0; i < part_count && index_.changed_bytes_ > most; i++) {
    Work work;
    if (!TakeNext(next, work)) break;
    Write(work, storage);
    // If nothing of the part about to change can be cut off, it would be read back at once.
    if (work.is_next && work.parts.size() == 1) break;
    Install(work);
  }
  // Grows by half before the next round, so that a round does not come with every change.
  const size_t left = index_.changed_bytes_;
  index_.spilled_to_ = left + left / 2;
}

// Finds the next part with changes; returns false if there is none.
bool IndexSpill::TakeNext(KeyBytes next, Work& work) {
  const size_t most_of_next = MostBytes(index_.memory_) / kOnePartShare;
  const ReaderLock lock(index_.mutex_);
  const IndexPart* next_part = &index_.Find(next);
  const size_t part_count = index_.parts_.size(), begin = index_.FindPlace(index_.spill_from_);
  for (size_t i = 0; i < part_count; i++) {
    const IndexPart& part = *index_.parts_[(begin + i) % part_count];
    if (!part.changed || part.changed->size() == 0) continue;
    work.is_next = &part == next_part;
    if (work.is_next && part.changed->size_bytes() <= most_of_next) continue;
    work.fence = part.fence;
    work.tree = part.changed;
    // Read before the scan, as IndexCheckpoint does.
    work.version = work.tree->version();
    index_.spill_from_ = index_.parts_[(begin + i + 1) % part_count]->fence;
    return true;
  }
  return false;
}

void IndexSpill::Write(Work& work, const std::shared_ptr<TemporaryStorage>& storage) const {
  IndexKey fence = work.fence;
  const auto spill = [&](PartEncoder::Part encoded) {
    auto spilled = std::make_shared<SpilledPart>();
    spilled->storage = storage;
    spilled->slot = storage->Write(encoded.bytes);
    spilled->entry_count = encoded.entry_count;
    auto part = std::make_unique<IndexPart>();
    part->fence = std::exchange(fence, std::move(encoded.next_fence));
    part->spilled = std::move(spilled);
    work.parts.push_back(std::move(part));
  };
  PartEncoder encoder(index_.memory_);
  ForEachEntry(*work.tree, [&](KeyBytes key, uint64_t value) {
    if (auto part = encoder.Add(key, value)) spill(std::move(*part));
  });
  PartEncoder::Part last = encoder.Finish();
  if (last.entry_count != 0) spill(std::move(last));
}

// Switches the index to what was written, unless the part has changed meanwhile.
void IndexSpill::Install(Work& work) {
  const WriterLock lock(index_.mutex_);
  const size_t place = index_.FindPlace(work.fence);
  IndexPart& part = *index_.parts_[place];
  // Changes are made under the shared lock, so none is on its way now.
  if (part.changed != work.tree || work.tree->version() != work.version || work.parts.empty()) return;
  if (work.parts.size() != 1 && index_.has_checkpoint_) return;
  size_t list_bytes = 0;
  for (size_t i = 1; i < work.parts.size(); i++)
    list_bytes += sizeof(IndexPart) + sizeof(SpilledPart) + work.parts[i]->fence.size();
  index_.parts_memory_.Resize(index_.parts_memory_.size_bytes() + list_bytes);
  if (work.parts.size() > 1) index_.parts_.reserve(index_.parts_.size() + work.parts.size() - 1);
  // Nothing fails from here on.
  const size_t bytes = work.tree->size_bytes();
  Note(index_, bytes, 0);
  part.changed = nullptr;
  part.spilled = std::move(work.parts[0]->spilled);
  // A tree that is one part can be used as it is while memory is free.
  if (work.parts.size() == 1) index_.store_->metadata().Keep(part.loaded, std::move(work.tree), bytes);
  index_.parts_.insert(index_.parts_.begin() + static_cast<ptrdiff_t>(place) + 1,
                       std::move_iterator(work.parts.begin() + 1), std::move_iterator(work.parts.end()));
}

}  // namespace scaup
