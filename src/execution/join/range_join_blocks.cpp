// Range joins whose right side does not fit in memory: each block of right rows is joined with all left rows.
#include <fmt/format.h>

#include <algorithm>

#include "execution/join/range_join_states.hpp"

#include "common/stack_bound.hpp"
#include "planner/node/join.hpp"

namespace scaup {

namespace {

/// The approximate number of blocks that tests force.
constexpr uint64_t kForcedBlocks = 3;
/// A task must have at least this much memory to justify its passes over the left rows.
constexpr size_t kLeastTaskBytes = size_t{4} << 20;
/// The largest block of an arena, in bytes.
constexpr size_t kArenaBlockBytes = size_t{1} << 20;

size_t MostTasks(const QueryContext& context) {
  return std::max<size_t>(1, context.MemoryBytes() / 2 / kLeastTaskBytes);
}

/// An upper bound of the bytes that copying some rows adds to a collection.
size_t MostAppendBytes(const ColumnCollection& rows, DataChunk& chunk, size_t begin, size_t count) {
  size_t string_bytes = 0;
  for (size_t i = 0; i < chunk.column_count(); i++) {
    if (chunk.column(i).physical_type() != PhysicalType::kString) continue;
    const auto view = chunk.column(i).ViewAs<StringRef>(chunk.size());
    for (size_t row = begin; row < begin + count; row++)
      if (view.IsValid(row) && !view[row].is_inline()) string_bytes += view[row].size();
  }
  if (string_bytes != 0) string_bytes += std::min(rows.size_bytes() + string_bytes, kArenaBlockBytes);
  return rows.NextPieceBytes() + string_bytes;
}

}  // namespace

RowsPiece RangeJoin::Blocks::TakeRight() {
  size_t part, piece;
  {
    const MutexLock lock(mutex_);
    while (next_part_ < right.size() && next_piece_ == right[next_part_]->piece_count()) {
      next_part_++;
      next_piece_ = 0;
    }
    if (next_part_ == right.size()) return {};
    part = next_part_;
    piece = next_piece_++;
  }
  return right[part]->Piece(piece);
}

void RangeJoin::BeginBlocks(QueryContext& context, Shared& shared, RightParts right) const {
  auto blocks = std::make_unique<Blocks>();
  uint64_t row_count = 0;
  for (const auto& part : right) row_count += part->row_count();
  if (context.forces_spilling()) blocks->most_rows = row_count / kForcedBlocks + 1;
  blocks->share_bytes = context.MemoryBytes() / std::min(context.settings().threads, MostTasks(context));
  blocks->right = std::move(right);
  blocks->left = MaterializedRows::Collect(context, *children[0], *shared.children[0], shared.profile);
  for (size_t i = 0; i < children[0]->types().size(); i++) blocks->left_columns.push_back(i);
  if (RemembersLeft(join_type_))
    blocks->earlier = std::make_unique<EarlierMatches>(blocks->left->row_count(), context.memory());
  shared.blocks = std::move(blocks);
}

size_t RangeJoin::MaxTasks(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  const auto& shared = static_cast<Shared&>(shared_state);
  if (!shared.blocks) return PhysicalOperator::MaxTasks(context, shared_state);
  size_t piece_count = 1;
  for (const auto& part : shared.blocks->right) piece_count += part->piece_count();
  if (context.forces_spilling()) return piece_count;
  return std::min(piece_count, MostTasks(context));
}

std::vector<std::string> RangeJoin::RunDetails(const SharedState& shared_state) const {
  const auto& shared = static_cast<const Shared&>(shared_state);
  if (!shared.blocks) return {};
  return {fmt::format("spilled: {} blocks", shared.blocks->block_count.load())};
}

/// Builds the index of the next right rows that no task has taken; false if there are none left.
bool RangeJoin::BeginBlock(QueryContext& context, Shared& shared, Local& local) const {
  local.pairs.Release();
  local.search.reset();
  local.built = nullptr;
  local.block.reset();
  if (local.waiting.column_count() == 0) local.waiting.Initialize(schema_.types);
  auto block = std::make_unique<JoinBuildSide>(context);
  {
    ColumnCollection rows(schema_.types, block->memory.account());
    CollectBlock(context, *shared.blocks, local, *block, rows);
    if (rows.row_count() == 0) return false;
    block->index = std::make_unique<RangeIndex>(schema_, std::vector<const ColumnCollection*>{&rows},
                                                block->memory.account(), context.functions);
    // The collected rows are freed first: the index has a copy of them.
  }
  FinishBuild(context, *block);
  shared.blocks->block_count.fetch_add(1);
  local.block = std::move(block);
  local.built = local.block.get();
  local.search.emplace(*local.built->index);
  local.next_left_piece = 0;
  return true;
}

/// Takes right rows as long as there is memory for them and for their index.
void RangeJoin::CollectBlock(QueryContext& context, Blocks& blocks, Local& local, JoinBuildSide& block,
                             ColumnCollection& rows) const {
  MemoryReservation reserve(block.memory.account());  // Memory for the index.
  const auto is_full = [&] {
    if (rows.row_count() == 0) return false;
    const size_t used = block.memory.account().used_bytes();
    return rows.row_count() == blocks.most_rows || block.memory.spill_requested() ||
           (used > blocks.share_bytes / 8 && context.OperatorsHoldMoreThan(50));
  };
  while (!is_full()) {
    context.functions.CheckInterrupt();
    if (local.waiting_begin == local.waiting.size()) {
      local.waiting.Release();
      local.waiting_begin = 0;
      const RowsPiece piece = blocks.TakeRight();
      if (piece.is_empty()) return;
      for (size_t i = 0; i < local.waiting.column_count(); i++) piece.ReadColumn(i, local.waiting.column(i));
      local.waiting.SetSize(piece.row_count());
    }
    const size_t count =
        std::min<uint64_t>(local.waiting.size() - local.waiting_begin, blocks.most_rows - rows.row_count());
    const size_t wanted = MostAppendBytes(rows, local.waiting, local.waiting_begin, count);
    const size_t reserved =
        rows.size_bytes() + wanted + JoinBuildSide::MostBytes(schema_, rows.row_count() + count);
    while (block.memory.Grow(wanted + reserved - reserve.size_bytes()) == GrowResult::kSpillFirst)
      if (rows.row_count() != 0) return;
    reserve.Resize(reserved);
    rows.Append(local.waiting, local.waiting_begin, count);
    local.waiting_begin += count;
  }
}

void RangeJoin::ReadLeft(Shared& shared, Local& local, size_t piece) const {
  local.input.Release();
  local.left_reader.Read(piece, shared.blocks->left_columns, local.input);
  local.input.batch_index = shared.blocks->batches.Next(local.batches);
  local.first_left_row = uint64_t{piece} * kVectorSize;
}

/// Restores matches that were found in an earlier block, or in a block of another task. If one match
/// suffices, rows with a match are not probed again.
void RangeJoin::RecallMatches(Shared& shared, Local& local) const {
  if (!IsExistence()) return;
  shared.blocks->earlier->Recall(local.first_left_row, local.input.size(), local.matches);
  const auto is_done = [&](sel_t row) { return local.matches.matched[row]; };
  const sel_t* end = std::remove_if(local.open, local.open + local.open_count, is_done);
  local.open_count = static_cast<size_t>(end - local.open);
}

void RangeJoin::DeferProbeRows(Shared& shared, Local& local) const {
  if (!shared.blocks->earlier) return;
  const bool has_again =
      shared.blocks->earlier->Note(local.matches, local.first_left_row, local.input.size());
  if (has_again && join_type_ == LogicalJoinType::kSingle) ThrowSecondMatch();
}

/// Emits left rows without pairs, once all blocks have been probed.
bool RangeJoin::EmitLeft(Shared& shared, Local& local, DataChunk& output) const {
  while (true) {
    const size_t piece = shared.blocks->next_left_piece.fetch_add(1);
    if (piece >= shared.blocks->left->piece_count()) return false;
    ReadLeft(shared, local, piece);
    local.matches.Reset(local.input.size());
    shared.blocks->earlier->Recall(local.first_left_row, local.input.size(), local.matches);
    if (EmitAfterProbe(join_type_, local.input, local.matches, output)) return true;
  }
}

}  // namespace scaup
