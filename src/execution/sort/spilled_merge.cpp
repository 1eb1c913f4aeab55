// A heap of runs, and the passes that keep their number within the memory.
#include "execution/sort/spilled_merge.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

// A merge may take one part in so many of the memory, as other operators of the query need some, too.
constexpr size_t kMergeShare = 4;
constexpr size_t kLeastRuns = 2;
constexpr size_t kMostRuns = 256;
// Blocks that are held besides the one of each run: those of the rows given out last, and what is read.
constexpr size_t kExtraBlocks = 4;

/// Where the `count` neighbours begin that together have the fewest rows.
size_t FewestRows(const std::vector<SpilledRun>& runs, size_t count) {
  uint64_t row_count = 0;
  for (size_t i = 0; i < count; i++) row_count += runs[i].row_count;
  uint64_t fewest = row_count;
  size_t first = 0;
  for (size_t i = count; i < runs.size(); i++) {
    row_count += runs[i].row_count - runs[i - count].row_count;
    if (row_count < fewest) first = i - count + 1;
    fewest = std::min(fewest, row_count);
  }
  return first;
}

}  // namespace

void MergedRows::Gather(size_t column, Vector& output, size_t offset) const {
  const auto gather = [&](auto width_tag) {
    constexpr size_t kBytes = decltype(width_tag)::value;
    std::byte* out = output.MutableData<std::byte>() + offset * kBytes;
    for (size_t i = 0; i < count; i++) {
      const auto [block, row] = places[i];
      const Vector& source = blocks[block]->rows.column(column);
      std::memcpy(out + i * kBytes, source.Data<std::byte>() + row * kBytes, kBytes);
      if (source.Validity() != nullptr && !TestValid(source.Validity(), row)) output.SetNull(offset + i);
    }
  };
  switch (PhysicalSize(output.physical_type())) {
    case 1: return gather(std::integral_constant<size_t, 1>{});
    case 2: return gather(std::integral_constant<size_t, 2>{});
    case 4: return gather(std::integral_constant<size_t, 4>{});
    case 8: return gather(std::integral_constant<size_t, 8>{});
    case 16: return gather(std::integral_constant<size_t, 16>{});
  }
  ThrowInternal("unknown value width");
}

RunMerge::RunMerge(QueryContext& context, const SortSchema& schema, std::vector<SpilledRun> runs)
    : context_(context), schema_(schema), cursors_(runs.size()) {
  for (size_t i = 0; i < runs.size(); i++) {
    cursors_[i].run = std::move(runs[i]);
    if (Load(cursors_[i])) heap_.push_back(i);
  }
  for (size_t position = heap_.size() / 2; position-- > 0;) SiftDown(position);
}

// The next block of a run; false at its end.
bool RunMerge::Load(Cursor& cursor) {
  cursor.block = nullptr;
  cursor.row = 0;
  if (cursor.next_block == cursor.run.blocks.size()) return false;
  cursor.block = ReadSpilledBlock(context_.temporary_storage,
                                  std::move(cursor.run.blocks[cursor.next_block++]), schema_);
  return true;
}

bool RunMerge::IsBefore(size_t a, size_t b) const {
  const Cursor& left = cursors_[a];
  const Cursor& right = cursors_[b];
  const SortKeyEncoder& encoder = schema_.encoder;
  const size_t key_bytes = encoder.key_bytes();
  const int order = encoder.Compare(
      left.block->KeyOf(left.row, key_bytes), right.block->KeyOf(right.row, key_bytes),
      [&](size_t key) { return left.block->StringOf(schema_, key, left.row); },
      [&](size_t key) { return right.block->StringOf(schema_, key, right.row); });
  return order != 0 ? order < 0 : a < b;
}

void RunMerge::SiftDown(size_t position) {
  const size_t moving = heap_[position];
  for (size_t child = 2 * position + 1; child < heap_.size(); child = 2 * position + 1) {
    if (child + 1 < heap_.size() && IsBefore(heap_[child + 1], heap_[child])) child++;
    if (!IsBefore(heap_[child], moving)) break;
    heap_[position] = heap_[child];
    position = child;
  }
  heap_[position] = moving;
}

void RunMerge::Next(size_t most, MergedRows& rows) {
  context_.functions.CheckInterrupt();
  rows.count = 0;
  rows.blocks.clear();
  if (is_front_exhausted_) {
    is_front_exhausted_ = false;
    if (!Load(cursors_[heap_.front()])) {
      heap_.front() = heap_.back();
      heap_.pop_back();
    }
    if (!heap_.empty()) SiftDown(0);
  }
  while (rows.count < most && !heap_.empty()) {
    Cursor& cursor = cursors_[heap_.front()];
    rows.places[rows.count++] = {static_cast<uint32_t>(heap_.front()), static_cast<uint32_t>(cursor.row)};
    if (++cursor.row == cursor.block->row_count()) {
      // Its rows are still wanted: the next block is read when they are not.
      is_front_exhausted_ = true;
      break;
    }
    SiftDown(0);
  }
  for (const Cursor& cursor : cursors_) rows.blocks.push_back(cursor.block);
}

SpilledMerge::SpilledMerge(QueryContext& context, const SortSchema& schema, std::vector<SpilledRun> runs,
                           uint64_t limit)
    : context_(context), schema_(schema), memory_(context.arbiter, context.functions.interrupted) {
  memory_.SetFixed(SpillableReservation::kAll);
  size_t vector_bytes = kVectorSize * schema.encoder.key_bytes();
  for (const LogicalType& type : schema.types) vector_bytes += kVectorSize * PhysicalSize(type);
  size_t block_bytes = 0;
  for (const SpilledRun& run : runs) {
    // Arenas of strings may be half empty.
    block_bytes = std::max(block_bytes, 2 * run.most_block_bytes + vector_bytes);
    rows_left_ += run.row_count;
  }
  rows_left_ = std::min(rows_left_, limit);
  const size_t share = context.memory().limit_bytes() / kMergeShare;
  const size_t most_runs = std::clamp(share / std::max<size_t>(block_bytes, 1), kLeastRuns + kExtraBlocks,
                                      kMostRuns + kExtraBlocks) -
                           kExtraBlocks;
  const size_t needed = (std::min(runs.size(), most_runs) + kExtraBlocks) * block_bytes;
  // Waits for others; has nothing to spill itself.
  SCAUP_CHECK(memory_.Grow(needed) == GrowResult::kGranted);
  block_memory_.Resize(needed);
  while (runs.size() > most_runs) {
    // No more than must be: the last merge is of `most_runs`. Neighbours, so that equal rows keep their
    // order; those with the fewest rows.
    const size_t count = std::min(most_runs, runs.size() - most_runs + 1);
    MergeSome(runs, FewestRows(runs, count), count, limit);
    merge_count_++;
  }
  last_ = std::make_unique<RunMerge>(context_, schema_, std::move(runs));
}

// Puts the merged run in the place of runs [first, first + count).
void SpilledMerge::MergeSome(std::vector<SpilledRun>& runs, size_t first, size_t count, uint64_t limit) {
  const auto begin = runs.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<SpilledRun> inputs;
  size_t rows_per_block = kVectorSize;
  for (auto run = begin; run != begin + static_cast<std::ptrdiff_t>(count); ++run) {
    rows_per_block = std::min(rows_per_block, run->rows_per_block);
    inputs.push_back(std::move(*run));
  }
  RunMerge merge(context_, schema_, std::move(inputs));
  SpilledRunWriter writer(context_.temporary_storage, rows_per_block);
  SpilledBlock block(schema_);
  MergedRows rows;
  for (uint64_t left = limit; left != 0; left -= rows.count) {
    merge.Next(std::min<uint64_t>(rows_per_block, left), rows);
    if (rows.count == 0) break;
    block.Reset(rows.count, schema_);
    for (size_t i = 0; i < schema_.types.size(); i++) rows.Gather(i, block.rows.column(i), 0);
    const size_t key_bytes = schema_.encoder.key_bytes();
    for (size_t i = 0; i < rows.count; i++) {
      const auto [place, row] = rows.places[i];
      std::memcpy(block.keys.data() + i * key_bytes, rows.blocks[place]->KeyOf(row, key_bytes), key_bytes);
    }
    writer.Write(block);
  }
  *begin = writer.Take();
  runs.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(count));
}

void SpilledMerge::Next(size_t most, MergedRows& rows) {
  last_->Next(std::min<uint64_t>(most, rows_left_), rows);
  rows_left_ -= rows.count;
}

}  // namespace scaup
