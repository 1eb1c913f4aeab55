// Spilled merge: the passes that reduce the number of runs, and the key ranges of the last pass.
#include "execution/sort/spilled_merge.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

// A merge takes at most this fraction (1/4) of its tasks' memory: other operators of the query need some,
// too.
constexpr size_t kMergeShare = 4;
constexpr size_t kLeastRuns = 2;
// The blocks that a merge holds besides one of each run: those of the rows output last, and the bytes of the
// one that is being read.
constexpr size_t kOtherBlocks = kExtraMergeBlocks + 1;
constexpr size_t kMostRuns = 256;
// Several ranges per task balance the load, as tasks take different times for their ranges.
constexpr size_t kRangesPerTask = 8;
// Stretches at range borders are read twice, so a range should have several stretches of each run.
constexpr size_t kLeastStretches = 4;
// The number of parts into which a partly skipped range is split.
constexpr size_t kPartsOfSkipped = 32;

/// Returns the first of the `count` adjacent runs that have the fewest rows together.
size_t FewestRows(const std::vector<SpilledRun>& runs, size_t count) {
  uint64_t row_count = 0;
  for (size_t i = 0; i < count; i++) row_count += runs[i].row_count();
  uint64_t fewest = row_count;
  size_t first = 0;
  for (size_t i = count; i < runs.size(); i++) {
    row_count += runs[i].row_count() - runs[i - count].row_count();
    if (row_count < fewest) first = i - count + 1;
    fewest = std::min(fewest, row_count);
  }
  return first;
}

/// The bytes that a merge holds for a run: a block of rows with its keys, and the blocks after it that were
/// read with it.
size_t LargestBlockBytes(const SortSchema& schema, const SpilledRun& run) {
  const size_t key_bytes = schema.encoder.key_bytes() + sizeof(uint64_t);
  return run.most_stretch_bytes + run.most_block_bytes + run.rows_per_block * key_bytes;
}

}  // namespace

SpilledMerge::SpilledMerge(QueryContext& context, const SortSchema& schema, std::vector<SpilledRun> runs,
                           uint64_t limit, size_t max_tasks, MemoryUse* use, MemoryGrant* grant)
    : context_(context), schema_(schema), runs_(std::move(runs)) {
  std::erase_if(runs_, [](const SpilledRun& run) { return run.row_count() == 0; });
  Reserve(max_tasks, use, grant);
  while (runs_.size() > most_runs_) {
    // Merge no more than necessary: the last merge takes `most_runs_` runs. Only adjacent runs may be merged,
    // because equal rows keep the order of the runs. The smallest ones are cheapest.
    const size_t count = std::min(most_runs_, runs_.size() - most_runs_ + 1);
    MergeSome(FewestRows(runs_, count), count, limit);
    merge_count_++;
  }
  size_t stretch_count = 0;
  for (SpilledRun& run : runs_) {
    run.MakeReaders();
    stretch_count += run.stretch_count();
  }
  if (runs_.empty()) return;
  size_t range_count = 1;
  if (task_count_ > 1) {
    range_count = std::min(task_count_ * kRangesPerTask, stretch_count / (runs_.size() * kLeastStretches));
    // Range borders that are long strings must fit in the memory that is not yet in use.
    if (schema_.encoder.has_strings()) range_count = std::min(range_count, task_count_ * runs_.size());
  }
  ranges_ = Divide(WholeMerge(schema_, runs_), range_count, limit);
  for (SpilledRun& run : runs_) run.ReleaseUnread();
}

size_t SpilledMerge::LeastBytes(size_t memory_bytes) {
  // Blocks come with keys, and strings of uneven length make some larger than intended.
  constexpr size_t kOverhead = 2;
  return kOverhead * (kLeastRuns + kOtherBlocks) * SpilledRunWriter::BlockBytes(memory_bytes);
}

// Chooses the number of runs merged at once, and the number of tasks, by the memory available.
void SpilledMerge::Reserve(size_t most_tasks, MemoryUse* use, MemoryGrant* grant) {
  size_t block_bytes = 1;
  size_t index_bytes = 0;
  for (const SpilledRun& run : runs_) {
    block_bytes = std::max(block_bytes, LargestBlockBytes(schema_, run));
    index_bytes += run.IndexBytes();
  }
  if (grant == nullptr) {
    own_grant_.emplace(context_.grants, 1, (kLeastRuns + kOtherBlocks) * block_bytes + index_bytes, use);
    grant = &*own_grant_;
  }
  memory_.emplace(*grant);
  const size_t others = std::max<size_t>(1, context_.scheduler().thread_count() / most_tasks);
  size_t share = context_.MemoryBytes() / (kMergeShare * others);
  size_t needed = 0;
  bool is_least = false;
  do {
    most_runs_ =
        std::clamp(share / block_bytes, kLeastRuns + kOtherBlocks, kMostRuns + kOtherBlocks) - kOtherBlocks;
    const size_t task_bytes = (std::min(runs_.size(), most_runs_) + kOtherBlocks) * block_bytes;
    task_count_ = std::clamp<size_t>(share / task_bytes, 1, most_tasks);
    needed = task_count_ * task_bytes + index_bytes;
    is_least = most_runs_ == kLeastRuns && task_count_ == 1;
    share /= 2;  // Others may hold more than their share, such as in-memory tables.
  } while (!memory_->TryGrow(needed) && !is_least);
  memory_->Require(needed);
  block_memory_.emplace(memory_->account());
  block_memory_->Resize(needed);
  memory_->SetFixed(TaskMemory::kAll);
  if (own_grant_) own_grant_->Finish();
}

// Replaces the runs [first, first + count) by their merged run.
void SpilledMerge::MergeSome(size_t first, size_t count, uint64_t limit) {
  const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(first);
  const std::span<SpilledRun> inputs(&*begin, count);
  size_t rows_per_block = kVectorSize;
  for (SpilledRun& run : inputs) {
    rows_per_block = std::min(rows_per_block, run.rows_per_block);
    run.MakeReaders();
    run.AddReader(0, run.row_count());
  }
  SpilledRunWriter writer(context_.temporary_storage, memory_->account().use(), schema_, rows_per_block,
                          context_.MemoryBytes());
  {
    RunMerge merge(context_, schema_, inputs, WholeMerge(schema_, inputs));
    DataChunk chunk(schema_.types);
    MergedRows rows;
    for (uint64_t left = limit; left != 0; left -= rows.count) {
      merge.Next(std::min<uint64_t>(rows_per_block, left), rows);
      if (rows.count == 0) break;
      rows.Gather(chunk);
      writer.Write(chunk);
    }
  }
  *begin = writer.Take();
  runs_.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(count));
}

// Splits a range into parts that cover its first `limit` rows, and registers their readers.
std::vector<SpilledMerge::Range> SpilledMerge::Divide(const MergeRange& whole, size_t count, uint64_t limit) {
  std::vector<Range> ranges;
  for (MergeRange& rows : DivideMerge(context_, schema_, runs_, whole, count)) {
    if (limit == 0) break;
    const uint64_t end = std::min(limit, rows.row_count());
    limit -= end;
    for (size_t i = 0; i < runs_.size(); i++) runs_[i].AddReader(rows.begins[i], rows.ends[i]);
    ranges.push_back({std::move(rows), end});
  }
  return ranges;
}

void SpilledMerge::RemoveReaders(const Range& range) {
  for (size_t i = 0; i < runs_.size(); i++) runs_[i].RemoveReader(range.rows.begins[i], range.rows.ends[i]);
}

// Drops ranges that are skipped entirely. `row_count` becomes the number of rows to skip in the first one
// left.
void SpilledMerge::DropSkipped(uint64_t& row_count) {
  size_t dropped = 0;
  for (; dropped < ranges_.size() && ranges_[dropped].end <= row_count; dropped++) {
    row_count -= ranges_[dropped].end;
    RemoveReaders(ranges_[dropped]);
  }
  ranges_.erase(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(dropped));
}

void SpilledMerge::Skip(uint64_t row_count) {
  SCAUP_ASSERT(next_range_.load() == 0 && active_tasks_.load() == 0);
  if (ranges_.empty() || row_count == 0) return;
  row_count += std::exchange(ranges_.front().skip, 0);
  DropSkipped(row_count);
  if (ranges_.empty() || row_count == 0) return;
  // Finding positions in the runs is cheaper than merging rows.
  const Range first = std::move(ranges_.front());
  std::vector<Range> parts = Divide(first.rows, kPartsOfSkipped, first.end);
  // Unregister the whole range only after its parts are registered, so that no stretch is freed in between.
  RemoveReaders(first);
  ranges_.erase(ranges_.begin());
  ranges_.insert(ranges_.begin(), std::make_move_iterator(parts.begin()),
                 std::make_move_iterator(parts.end()));
  DropSkipped(row_count);
  if (!ranges_.empty()) ranges_.front().skip = row_count;
}

std::vector<uint64_t> SpilledMerge::RangeOffsets() const {
  std::vector<uint64_t> offsets{0};
  for (const Range& range : ranges_) offsets.push_back(offsets.back() + range.end - range.skip);
  return offsets;
}

bool SpilledMerge::Task::TakeRange() {
  if (!is_counted_) {
    // The memory is reserved for task_count_ tasks only, so further tasks find no rows.
    if (merge_.active_tasks_.fetch_add(1) >= merge_.task_count_) {
      merge_.active_tasks_.fetch_sub(1);
      return false;
    }
    is_counted_ = true;
  }
  range_ = merge_.next_range_.fetch_add(1);
  if (range_ >= merge_.ranges_.size()) return false;
  const Range& range = merge_.ranges_[range_];
  range_merge_ = std::make_unique<RunMerge>(merge_.context_, merge_.schema_, merge_.runs_, range.rows);
  rows_left_ = range.end;
  MergedRows skipped;
  for (uint64_t left = range.skip; left != 0; left -= skipped.count) {
    range_merge_->Next(std::min<uint64_t>(left, kVectorSize), skipped);
    SCAUP_CHECK(skipped.count != 0);
  }
  rows_left_ -= range.skip;
  return true;
}

void SpilledMerge::Task::GiveUp() {
  range_merge_.reset();
  if (std::exchange(is_counted_, false)) merge_.active_tasks_.fetch_sub(1);
}

void SpilledMerge::Task::Next(size_t most, MergedRows& rows) {
  rows.count = 0;
  rows.blocks.clear();
  while (range_merge_ != nullptr || TakeRange()) {
    range_merge_->Next(std::min<uint64_t>(most, rows_left_), rows);
    rows_left_ -= rows.count;
    if (rows_left_ == 0) range_merge_.reset();
    if (rows.count != 0) return;
  }
  GiveUp();
}

bool MergedChunks::Next(DataChunk& output) {
  task_.Next(kVectorSize, rows_);
  rows_.Gather(output);
  return rows_.count != 0;
}

}  // namespace scaup
