// Group builder: when the table grows, only takes rows of known groups, or is bypassed.
#include "execution/aggregate/group_builder.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "execution/sort/spilled_merge.hpp"

namespace scaup {

namespace {

/// A table of this size and its input stay in a core's caches.
constexpr size_t kCachedTableBytes = size_t{3} << 19;
/// A larger table keeps growing while each group has at least this many rows on average.
constexpr uint64_t kGoodReduction = 3;
/// A table that already has most groups may grow to this multiple of the cache size to get all of them.
constexpr size_t kMostAllGroups = 4;
/// A task's table takes at most this fraction (1/8) of the task's memory.
constexpr size_t kTableShare = 8;
/// How often a builder yields memory for the next rows: it stops growing, then it spills.
constexpr size_t kMostYields = 2;
/// Chunks are halved down to so many rows if a task's minimum does not suffice for the whole.
constexpr size_t kLeastRows = 32;
/// Retained rows are spilled if they take this fraction (1/4) of the builder's memory.
constexpr size_t kRetainedShare = 4;
/// Probing pays if this percentage of rows finds its group. It is judged once per kJudgedRows rows.
constexpr uint64_t kGoodHitPercent = 60;
constexpr uint64_t kJudgedRows = 32 * kVectorSize;

}  // namespace

PartitionBits GroupPartitionBits(const QueryContext& context, size_t level) {
  if (context.forces_partitions()) return {kGroupPartitionShifts[level], PartitionBits::kForcedBitCount};
  return {kGroupPartitionShifts[level], PartitionBits::BitCountFor(context.MemoryShareBytes())};
}

size_t LeastGroupingBytes(const QueryContext& context, const AggregateLayout& layout, size_t level) {
  const size_t partitions = HashPartitions::LeastBytes(layout.input_types, GroupPartitionBits(context, level),
                                                       context.MemoryShareBytes());
  if (level == 0) return partitions;
  // Also a table of a few groups, so that a partition has fewer rows than the one that it is a part of.
  constexpr size_t kTableBytes = size_t{32} << 10, kLeastGroups = 128;
  const size_t least = partitions + kTableBytes + kLeastGroups * layout.rows.row_bytes();
  // Also runs of retained rows, and merges of them: at once for states that grow by the rows, else in turn.
  const size_t merge_bytes = SpilledMerge::LeastBytes(context.MemoryBytes());
  size_t retaining = 0, at_once = 0;
  for (const AggregateSpecification& aggregate : layout.aggregates) {
    if (aggregate.function.row_retention == nullptr) continue;
    retaining++;
    at_once += aggregate.function.row_retention->collects ? 1 : 0;
  }
  if (retaining == 0) return least;
  return least + std::max(partitions, std::max<size_t>(at_once, 1) * merge_bytes);
}

GroupBuilder::GroupBuilder(QueryContext& context, const AggregateLayout& layout, size_t level,
                           MemoryGrant& grant)
    : context_(context),
      layout_(layout),
      level_(level),
      grant_(grant),
      memory_(grant),
      reserve_(memory_.account()),
      kept_reserve_(memory_.account()),
      table_(std::make_unique<AggregateTable>(layout, context.functions, memory_.account())),
      reconsider_bytes_(level == 0 ? std::min(kCachedTableBytes, MostTableBytes()) : SIZE_MAX) {}

void GroupBuilder::Add(DataChunk& input) {
  if (!TryReserveFor(input)) return AddHalves(input);
  AddReserved(input);
  if (context_.forces_spilling() && level_ != 0 && table_->keeps_rows()) KeepRowsApart();
}

void GroupBuilder::AddReserved(DataChunk& input) {
  const size_t count = input.size();
  if (mode_ == Mode::kGrowing) {
    table_->Add(input);
    row_count_ += count;
    if (context_.forces_partitions()) Freeze();
    if (mode_ == Mode::kGrowing && table_->size_bytes() > reconsider_bytes_) ReconsiderTable();
    return;
  }
  uint64_t hashes[kVectorSize];
  table_->Hash(input, hashes);
  switch (mode_) {
    case Mode::kGrowing: break;
    case Mode::kProbing: {
      sel_t missing[kVectorSize];
      const size_t missing_count = table_->AddKnown(input, hashes, missing);
      rest_->Append(input, hashes, missing, missing_count);
      if (level_ != 0) break;
      ReconsiderProbing(count, missing_count);
      // States that collect values grow even without new groups.
      if (table_->size_bytes() > frozen_bytes_ + std::min(frozen_bytes_, MostTableBytes()))
        mode_ = Mode::kPassing;
      break;
    }
    case Mode::kPassing: rest_->Append(input, hashes, nullptr, count); break;
  }
  if (context_.forces_spilling() && rest_->row_count() % 4 == 0) rest_->Spill(context_.temporary_storage);
}

void GroupBuilder::Finish() {
  // Rows that are left over are read one partition at a time, and should not occupy memory that the partition
  // at work needs.
  const bool spills_rest =
      rest_ && (rest_->has_spilled() || memory_.uses_least() || context_.OperatorsHoldMoreThan(50));
  if (spills_rest || memory_.is_short()) SpillRows();
  memory_.SetFixed(TaskMemory::kAll);
}

void GroupBuilder::Resume() { memory_.SetFixed(mode_ == Mode::kGrowing ? 0 : FixedBytes()); }

void GroupBuilder::FinishRows(Mutex& one_at_a_time) {
  if (!table_->are_rows_apart()) return;
  KeepRowsApart();  // Spills what came after the last call.
  reserve_.Reset();
  memory_.GiveBack();
  const MutexLock lock(one_at_a_time);
  table_->FinishRowsApart(context_, grant_);
}

bool GroupBuilder::TryFinishInLessMemory(Mutex& one_at_a_time) {
  if (level_ == 0 || !table_->keeps_rows() || table_->are_rows_apart()) return false;
  KeepRowsApart();
  FinishRows(one_at_a_time);
  return true;
}

void GroupBuilder::ReleaseTable() {
  table_.reset();
  reserve_.Reset();
  kept_reserve_.Reset();
  memory_.GiveBack();
}

bool GroupBuilder::IsTooLarge() {
  // Partitions are aggregated in parallel, and the remaining rows of the others are in memory, too.
  const size_t used = memory_.account().used_bytes(), share = context_.MemoryShareBytes();
  return used > share / 2 || (used > share / 8 && context_.OperatorsHoldMoreThan(75));
}

/// Reserves the memory that adding the chunk takes; false if not even yielding helps.
bool GroupBuilder::TryReserveFor(DataChunk& input) {
  if (memory_.is_short() || (level_ != 0 && IsTooLarge() && (!rest_ || KeepsMuch()))) Yield();
  for (size_t yields = 0;; yields++) {
    size_t bytes = MostTableGrowBytes(input);
    if (rest_) bytes += rest_->MostAppendBytes(input, nullptr, input.size());
    // Above level 0 the table may take all other memory, so the memory for partitioning is reserved first.
    const bool reserves = level_ != 0 && !is_last_level() && !rest_ && reserve_.size_bytes() == 0;
    const bool reserves_for_kept = level_ != 0 && table_->takes_rows() && kept_reserve_.size_bytes() == 0;
    bytes += (reserves ? ReserveBytes() : 0) + (reserves_for_kept ? ReserveBytes() : 0);
    if (memory_.TryGrow(bytes)) {
      if (reserves) reserve_.Resize(ReserveBytes());
      if (reserves_for_kept) kept_reserve_.Resize(ReserveBytes());
      if (yields != 0) memory_.SetFixed(FixedBytes());
      return true;
    }
    if (yields < kMostYields) {
      Yield();
    } else if (level_ == 0 && mode_ == Mode::kProbing) {
      mode_ = Mode::kPassing;  // The table grows no more, whatever its states collect.
    } else {
      return false;
    }
  }
}

/// Adds a chunk in parts, for which a task's minimum suffices, unless strings or states are long.
void GroupBuilder::AddHalves(DataChunk& input) {
  const size_t count = input.size();
  if (count <= kLeastRows) {
    const auto wanted_bytes = [&] {
      return MostTableGrowBytes(input) + (rest_ ? rest_->MostAppendBytes(input, nullptr, count) : 0);
    };
    // Before failing, even the least retained rows are worth spilling.
    memory_.Grow(wanted_bytes, [&] {
      if (level_ != 0 && table_->keeps_rows()) KeepRowsApart();
    });
    return AddReserved(input);
  }
  DataChunk half(layout_.input_types);
  half.SliceRange(input, 0, count / 2);
  Add(half);
  half.Release();
  half.SliceRange(input, count / 2, count - count / 2);
  Add(half);
}

size_t GroupBuilder::MostTableGrowBytes(DataChunk& input) const {
  switch (mode_) {
    case Mode::kGrowing: return table_->MostGrowBytes(input);
    case Mode::kProbing:
      // Without new groups a table grows only if states collect values.
      if (table_->keeps_rows()) return table_->MostKeepBytes(input);
      return table_->size_bytes() > frozen_bytes_ ? table_->MostGrowBytes(input) : 0;
    case Mode::kPassing: return 0;
  }
  ThrowInternal("unknown mode");
}

void GroupBuilder::Yield() {
  if (!rest_ && !is_last_level()) {
    Freeze();
    memory_.GiveBackPages();
  } else {
    SpillRows();
  }
  memory_.SetFixed(FixedBytes());
}

void GroupBuilder::SpillRows() {
  if (rest_) rest_->Spill(context_.temporary_storage);
  if (KeepsMuch()) KeepRowsApart();
  memory_.GiveBackPages();
}

bool GroupBuilder::KeepsMuch() {
  const size_t bytes = table_->kept_bytes();
  return level_ != 0 && bytes > TaskMemory::kMinSpillBytes &&
         bytes > memory_.account().used_bytes() / kRetainedShare;
}

void GroupBuilder::KeepRowsApart() {
  kept_reserve_.Reset();
  table_->KeepRowsApart(context_, ReserveBytes());
  memory_.GiveBackPages();
}

size_t GroupBuilder::FixedBytes() const {
  return table_->size_bytes() - (level_ == 0 ? 0 : table_->kept_bytes());
}

size_t GroupBuilder::MostTableBytes() const {
  return context_.MemoryShareBytes() / kTableShare / layout_.tables_at_once;
}

void GroupBuilder::Freeze() {
  if (is_last_level()) return;  // There are no further bits to partition by.
  reserve_.Reset();
  rest_.emplace(layout_.input_types, GroupPartitionBits(context_, level_), context_.TaskShareBytes(grant_),
                memory_.account());
  mode_ = Mode::kProbing;
  frozen_bytes_ = table_->size_bytes();
}

void GroupBuilder::ReconsiderTable() {
  const size_t most = MostTableBytes();
  const size_t bytes = table_->size_bytes();
  const uint64_t groups = table_->groups().group_count();
  // With evenly distributed groups, two thirds of them are found after 1.5 rows per group.
  const bool has_most = bytes < kMostAllGroups * kCachedTableBytes && row_count_ > groups + groups / 2;
  const bool reduces = has_most || row_count_ / kGoodReduction > groups;
  if (reduces && bytes < most) {
    reconsider_bytes_ = std::min(most, 2 * bytes);
  } else {
    Freeze();
  }
}

void GroupBuilder::ReconsiderProbing(size_t rows, size_t missing) {
  probed_rows_ += rows;
  missing_rows_ += missing;
  if (probed_rows_ < kJudgedRows) return;
  const bool pays = missing_rows_ * 100 < probed_rows_ * (100 - kGoodHitPercent);
  if (context_.forces_partitions()) mode_ = Mode::kPassing;
  if (!pays) mode_ = Mode::kPassing;
  probed_rows_ = missing_rows_ = 0;
}

}  // namespace scaup
