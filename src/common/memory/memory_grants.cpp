// Computes the sizes of grants, and takes and returns their bytes.
#include "common/memory/memory_grants.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/check.hpp"
#include "common/memory/large_memory.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// Scratch memory: this part of what grants could have, and at most so many bytes. Code that cannot spill
// needs little while it works on a chunk.
constexpr size_t kScratchPart = 4;
constexpr size_t kMostScratchBytes = size_t{4} << 20;
// Headroom: this part of what grants could have.
constexpr size_t kHeadroomPart = 8;
// The minima of several tasks take at most this part of what grants could have.
constexpr size_t kMostMinimaPart = 2;
// The largest step in which tasks take memory, and the part of the grant's size that a step may be; steps
// make requests seldom.
constexpr size_t kMostStepBytes = size_t{1} << 20;
constexpr size_t kStepPart = 32;
// Pages are returned to the system once this part of the limit was freed, within these bounds: each return
// takes milliseconds, and pages that are used again must be made anew.
constexpr size_t kReturnPart = 16;
constexpr size_t kLeastReturnBytes = size_t{4} << 20;
constexpr size_t kMostReturnBytes = size_t{16} << 20;

size_t Minus(size_t a, size_t b) { return a < b ? 0 : a - b; }

}  // namespace

size_t MemoryGrants::grant_count() const {
  const MutexLock lock(mutex_);
  return grants_.size();
}

std::vector<MemoryGrants::Listing> MemoryGrants::List() const {
  const MutexLock lock(mutex_);
  std::vector<Listing> listings;
  for (const MemoryGrant* grant : grants_) {
    const MemoryUse* use = grant->use();
    if (use == nullptr) continue;
    listings.push_back({use->owner == nullptr ? std::string() : *use->owner, use->transaction,
                        grant->task_count_, grant->is_finished() ? grant->held_bytes() : grant->size_bytes(),
                        use->used_bytes(), use->spilled_bytes()});
  }
  return listings;
}

size_t MemoryGrants::AvailableBytes() const {
  const size_t ours = held_bytes() + memory_.ReclaimableBytes();
  const size_t available = Minus(memory_.limit_bytes(), Minus(memory_.used_bytes(), ours));
  MemoryShortage* const shortage = memory_.shortage();
  return shortage == nullptr ? available : shortage->Shrunk(available);
}

// Computes what each open grant may have beyond its minima, and what no grant may take.
size_t MemoryGrants::FairShare() {
  mutex_.AssertHeld();
  const size_t available = AvailableBytes();
  const size_t scratch = std::min(available / kScratchPart, kMostScratchBytes);
  const size_t margin = scratch + available / kHeadroomPart;
  scratch_bytes_.store(scratch, std::memory_order_relaxed);
  margin_bytes_.store(margin, std::memory_order_relaxed);
  size_t taken = margin, open_count = 0;
  for (const MemoryGrant* grant : grants_) {
    taken += grant->is_finished() ? grant->held_bytes() : grant->minima_bytes();
    open_count += !grant->is_finished();
  }
  return Minus(available, taken) / std::max<size_t>(open_count, 1);
}

// Shrinks the shares of all grants. A share never grows: a phase relies on the number of partitions that it
// chose.
void MemoryGrants::FitSizes() {
  const size_t share = FairShare();
  for (MemoryGrant* grant : grants_) {
    if (share < grant->share_bytes_.load(std::memory_order_relaxed))
      grant->share_bytes_.store(share, std::memory_order_relaxed);
  }
}

// Returns the share of a grant at this moment. It is smaller than when the grant opened while others, such as
// tables that grow or results, have taken scratch memory.
size_t MemoryGrants::ShareOf(const MemoryGrant& grant) {
  const size_t share = grant.share_bytes_.load(std::memory_order_relaxed);
  const bool is_scratch_used = memory_.free_bytes() < scratch_bytes_.load(std::memory_order_relaxed) / 2;
  if (!is_scratch_used && memory_.shortage() == nullptr) return share;
  const MutexLock lock(mutex_);
  return std::min(share, FairShare());
}

void MemoryGrants::Open(MemoryGrant& grant, size_t most_tasks) {
  {
    const MutexLock lock(mutex_);
    grants_.push_back(&grant);
    FitSizes();
  }
  // Without the lock, since this may evict what has to be written first.
  const size_t task_count = ReserveMinima(grant, std::max<size_t>(1, most_tasks));
  const MutexLock lock(mutex_);
  if (task_count == 0) {
    std::erase(grants_, &grant);
    ThrowError(
        ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
        fmt::format("out of memory: an operator needs {} KiB to begin, and {} others are at work within the "
                    "memory limit of {} MiB; raise it with SET memory_limit, or run fewer statements at once",
                    grant.least_bytes_ >> 10, grants_.size(), memory_.limit_bytes() >> 20));
  }
  grant.task_count_ = task_count;
  grant.minima_left_.store(grant.minima_bytes(), std::memory_order_relaxed);
  held_bytes_.fetch_add(grant.minima_bytes(), std::memory_order_relaxed);
  FitSizes();
  if (grant.use_ != nullptr) grant.use_->NoteGranted(grant.size_bytes());
}

// Reserves the minima of as many tasks as possible, and returns their number. A single task may take scratch
// memory; several leave half of what there is, because a task with more than its minimum is worth more than
// another task.
size_t MemoryGrants::ReserveMinima(const MemoryGrant& grant, size_t most_tasks) {
  const size_t scratch = scratch_bytes_.load(std::memory_order_relaxed);
  const size_t most_minima = AvailableBytes() / kMostMinimaPart;
  for (size_t task_count = most_tasks; task_count != 0; task_count /= 2) {
    if (task_count > 1 && task_count * grant.least_bytes_ > most_minima) continue;
    if (memory_.TryReserveLeaving(task_count * grant.least_bytes_, task_count == 1 ? 0 : scratch))
      return task_count;
  }
  return 0;
}

void MemoryGrants::Finish(MemoryGrant& grant) noexcept {
  grant.is_finished_.store(true);
  ReleaseMinima(grant);
}

// Returns what nobody uses of the minima of a finished grant.
void MemoryGrants::ReleaseMinima(MemoryGrant& grant) noexcept {
  const size_t unused = grant.minima_left_.exchange(0);
  grant.released_bytes_.fetch_add(unused, std::memory_order_relaxed);
  held_bytes_.fetch_sub(unused, std::memory_order_relaxed);
  memory_.Release(unused);
}

void MemoryGrants::Close(MemoryGrant& grant) noexcept {
  ReleaseMinima(grant);
  SCAUP_ASSERT(grant.held_bytes_.load() == 0 && grant.released_bytes_.load() == grant.minima_bytes());
  const MutexLock lock(mutex_);
  std::erase(grants_, &grant);
}

void MemoryGrants::AddHeld(MemoryGrant& grant, size_t more_bytes) noexcept {
  grant.held_bytes_.fetch_add(more_bytes, std::memory_order_relaxed);
  held_bytes_.fetch_add(more_bytes, std::memory_order_relaxed);
}

void MemoryGrants::RemoveHeld(MemoryGrant& grant, size_t size_bytes) noexcept {
  grant.held_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed);
  held_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed);
}

// Reserves bytes for a grant within its share; evicts from caches for them.
bool MemoryGrants::TryTake(MemoryGrant& grant, size_t size_bytes) {
  size_t held = grant.held_bytes_.load(std::memory_order_relaxed);
  do {
    if (size_bytes > Minus(grant.share_bytes_.load(std::memory_order_relaxed), held)) return false;
  } while (!grant.held_bytes_.compare_exchange_weak(held, held + size_bytes, std::memory_order_relaxed));
  if (!memory_.TryReserveLeaving(size_bytes, margin_bytes())) {
    grant.held_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed);
    return false;
  }
  held_bytes_.fetch_add(size_bytes, std::memory_order_relaxed);
  return true;
}

MemoryGrant::MemoryGrant(MemoryGrants& grants, size_t most_tasks, size_t least_bytes, MemoryUse* use)
    : grants_(grants), least_bytes_(least_bytes), use_(use) {
  grants_.Open(*this, most_tasks);
}

TaskMemory::~TaskMemory() {
  SCAUP_ASSERT(account_.used_bytes() == 0);
  GiveBack();
}

// Counts what the account has reserved beyond what it was granted, and no longer has, as the grant's.
void TaskMemory::Count() noexcept {
  const size_t now = account_.limit_bytes() - drawn_bytes_;
  if (now > counted_bytes_) grants().AddHeld(grant_, now - counted_bytes_);
  if (now < counted_bytes_) grants().RemoveHeld(grant_, counted_bytes_ - now);
  counted_bytes_ = now;
  Report();
}

// Tells the operator's MemoryUse how large the account is now.
void TaskMemory::Report() noexcept {
  MemoryUse* const use = grant_.use_;
  if (use == nullptr) return;
  const size_t now = account_.limit_bytes();
  if (now > reported_bytes_) use->Add(now - reported_bytes_);
  if (now < reported_bytes_) use->Remove(reported_bytes_ - now);
  reported_bytes_ = now;
}

// Takes bytes of the task's minimum.
bool TaskMemory::TryDraw(size_t size_bytes) noexcept {
  if (size_bytes > Minus(grant_.least_bytes_, drawn_bytes_)) return false;
  size_t left = grant_.minima_left_.load(std::memory_order_relaxed);
  do {
    if (size_bytes > left) return false;
  } while (!grant_.minima_left_.compare_exchange_weak(left, left - size_bytes, std::memory_order_relaxed));
  drawn_bytes_ += size_bytes;
  account_.AddLimit(size_bytes);
  Report();
  return true;
}

void TaskMemory::ReturnDrawn(size_t size_bytes) noexcept {
  grant_.minima_left_.fetch_add(size_bytes);
  if (grant_.is_finished_.load()) grants().ReleaseMinima(grant_);
}

bool TaskMemory::TryGrow(size_t size_bytes) {
  const size_t free = account_.free_bytes();
  if (size_bytes <= free) return true;
  const size_t missing = size_bytes - free;
  // In steps while memory is plentiful, to the byte when it is short.
  const size_t part = grant_.share_bytes_.load(std::memory_order_relaxed) / kStepPart / grant_.task_count_;
  const size_t step = std::max(missing, std::min(part, kMostStepBytes));
  for (const size_t wanted : {step, missing}) {
    if (!grants().TryTake(grant_, wanted)) continue;
    account_.AddLimit(wanted);
    counted_bytes_ += wanted;
    Report();
    return true;
  }
  if (account_.limit_bytes() + missing <= grant_.task_bytes())
    grant_.is_wanted_.store(true, std::memory_order_relaxed);
  return TryDraw(missing);
}

void TaskMemory::Require(size_t size_bytes) {
  if (TryGrow(size_bytes)) return;
  // The account itself would do this when the bytes are reserved; here it fails before work has begun.
  const size_t missing = size_bytes - account_.free_bytes();
  grants().memory_.Reserve(missing);
  account_.AddLimit(missing);
  Count();
}

bool TaskMemory::is_short() {
  const size_t share = grants().ShareOf(grant_);
  const size_t spillable = spillable_bytes(grants().memory_.shortage() != nullptr ? 1 : kMinSpillBytes);
  if (spillable == 0) return false;
  // A consumer with half of an equal part spills; so does the largest one in any case.
  const size_t held = grant_.held_bytes_.load(std::memory_order_relaxed);
  if (held > share) return spillable >= held / (2 * grant_.task_count_);
  return grant_.is_wanted_.load(std::memory_order_relaxed) && spillable > grant_.task_bytes() &&
         grant_.is_wanted_.exchange(false);
}

void TaskMemory::GiveBack() noexcept {
  const size_t unused = account_.TakeUnused();
  const size_t drawn = std::min(unused, drawn_bytes_);
  drawn_bytes_ -= drawn;
  ReturnDrawn(drawn);
  Count();
  if (unused != drawn) grants().memory_.Release(unused - drawn);
}

void TaskMemory::GiveBackPages(size_t kept_bytes) noexcept {
  const size_t freed = account_.free_bytes();
  std::atomic<size_t>& unreturned = grants().unreturned_bytes_;
  if (unreturned.fetch_add(freed) + freed >=
      std::clamp(grants().memory_.limit_bytes() / kReturnPart, kLeastReturnBytes, kMostReturnBytes)) {
    unreturned.store(0);
    ReturnFreePages(kept_bytes);
  }
  GiveBack();
}

void TaskMemory::SetFixed(size_t size_bytes) noexcept {
  fixed_bytes_.store(size_bytes, std::memory_order_relaxed);
  if (size_bytes != kAll) return;
  // The minimum is for what the task does next.
  GiveBack();
  if (drawn_bytes_ == 0 || !grants().TryTake(grant_, drawn_bytes_)) return;
  counted_bytes_ += drawn_bytes_;
  ReturnDrawn(std::exchange(drawn_bytes_, 0));
}

}  // namespace scaup
