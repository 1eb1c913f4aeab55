// Joins each block of right rows, as many as fit in memory, with all left rows.
#include "execution/join/range_join_blocks.hpp"

#include <algorithm>

namespace scaup {

namespace {

/// The approximate number of blocks that tests force.
constexpr uint64_t kForcedRangeBlocks = 3;
/// A task must have at least this much memory to justify its passes over the left rows.
constexpr size_t kLeastTaskBytes = size_t{4} << 20;
/// The largest block of an arena, in bytes.
constexpr size_t kArenaBlockBytes = size_t{1} << 20;

size_t MostBlockTasks(const QueryContext& context) {
  return std::max<size_t>(1, context.MemoryBytes() / 2 / kLeastTaskBytes);
}

/// An upper bound of the bytes that copying some rows adds to a collection.
size_t MostAppendBytes(const ColumnCollection& rows, DataChunk& chunk, size_t begin, size_t count) {
  size_t string_bytes = 0;
  ForEachLongString(chunk, IdentitySelection() + begin, count,
                    [&](size_t, size_t length) { string_bytes += length; });
  if (string_bytes != 0) string_bytes += std::min(rows.size_bytes() + string_bytes, kArenaBlockBytes);
  return rows.NextPieceBytes() + string_bytes;
}

}  // namespace

RangeJoinBlocks::RangeJoinBlocks(const RangeJoinSpecification& join, QueryContext& context,
                                 RangeJoinRightRows right)
    : join_(join), right_(std::move(right)) {
  uint64_t row_count = 0;
  for (const auto& part : right_) row_count += part->row_count();
  if (context.forces_spilling()) most_rows_ = row_count / kForcedRangeBlocks + 1;
  share_bytes_ = context.MemoryBytes() / std::min(context.settings().threads, MostBlockTasks(context));
}

void RangeJoinBlocks::CollectLeft(QueryContext& context, const PhysicalOperator& input,
                                  SharedState& input_shared, OperatorProfile& profile) {
  left_ = MaterializedRows::Collect(context, input, input_shared, profile);
  // A block of a piece of rows, with its index.
  const size_t least_bytes = 2 * ColumnCollection::MostBytes(join_.schema.types, 0) +
                             2 * RangeJoinBuildSide::MostBytes(join_.schema, kVectorSize);
  grant_.emplace(context.grants, std::min(context.scheduler().thread_count(), MostTasks(context)),
                 least_bytes, &profile.memory);
  if (RemembersLeft(join_.join_type))
    earlier_ = std::make_unique<EarlierMatches>(left_->row_count(), context.memory());
}

size_t RangeJoinBlocks::MostTasks(const QueryContext& context) const {
  size_t piece_count = 1;
  for (const auto& part : right_) piece_count += part->piece_count();
  if (context.forces_spilling()) return piece_count;
  return std::min(piece_count, MostBlockTasks(context));
}

RowsPiece RangeJoinBlocks::TakeRight() {
  size_t part, piece;
  {
    const MutexLock lock(mutex_);
    while (next_part_ < right_.size() && next_piece_ == right_[next_part_]->piece_count()) {
      next_part_++;
      next_piece_ = 0;
    }
    if (next_part_ == right_.size()) return {};
    part = next_part_;
    piece = next_piece_++;
  }
  return right_[part]->Piece(piece);
}

RangeJoinBlockTask::RangeJoinBlockTask(RangeJoinBlocks& blocks, RangeJoinProbe& probe)
    : blocks_(blocks), probe_(probe), left_reader_(blocks.left()) {
  for (size_t i = 0; i < blocks.specification().left_types.size(); i++) left_columns_.push_back(i);
}

bool RangeJoinBlockTask::BeginBlock(QueryContext& context) {
  const RangeJoinSpecification& join = blocks_.specification();
  probe_.SetBuildSide(nullptr);
  block_.reset();
  if (!seat_.is_taken()) seat_ = TaskSeat(blocks_.grant());
  if (!seat_.is_taken()) return false;
  if (waiting_.column_count() == 0) waiting_.Initialize(join.schema.types);
  auto block = std::make_unique<RangeJoinBuildSide>(blocks_.grant());
  {
    ColumnCollection rows(join.schema.types, block->memory.account());
    CollectRight(context, *block, rows);
    if (rows.row_count() == 0) {
      seat_.Leave();
      return false;
    }
    block->index = std::make_unique<RangeIndex>(join.schema, std::vector<const ColumnCollection*>{&rows},
                                                block->memory.account(), context.functions);
    // The collected rows are freed first: the index has a copy of them.
  }
  block->Finish(join.join_type, context);
  blocks_.CountBlock();
  block_ = std::move(block);
  probe_.SetBuildSide(block_.get());
  next_left_piece_ = 0;
  return true;
}

/// Takes right rows as long as there is memory for them and for their index.
void RangeJoinBlockTask::CollectRight(QueryContext& context, RangeJoinBuildSide& block,
                                      ColumnCollection& rows) {
  MemoryReservation reserve(block.memory.account());  // Memory for the index.
  const auto is_full = [&] {
    if (rows.row_count() == 0) return false;
    const size_t used = block.memory.account().used_bytes();
    return rows.row_count() == blocks_.most_rows() || block.memory.is_short() ||
           (used > blocks_.share_bytes() / 8 && context.OperatorsHoldMoreThan(50));
  };
  while (!is_full()) {
    context.functions.CheckInterrupt();
    if (waiting_begin_ == waiting_.size()) {
      waiting_.Release();
      waiting_begin_ = 0;
      const RowsPiece piece = blocks_.TakeRight();
      if (piece.is_empty()) return;
      for (size_t i = 0; i < waiting_.column_count(); i++) piece.ReadColumn(i, waiting_.column(i));
      waiting_.SetSize(piece.row_count());
    }
    const size_t count =
        std::min<uint64_t>(waiting_.size() - waiting_begin_, blocks_.most_rows() - rows.row_count());
    const size_t wanted = MostAppendBytes(rows, waiting_, waiting_begin_, count);
    const size_t reserved =
        rows.size_bytes() + wanted +
        RangeJoinBuildSide::MostBytes(blocks_.specification().schema, rows.row_count() + count);
    const size_t missing = wanted + reserved - reserve.size_bytes();
    if (!block.memory.TryGrow(missing)) {
      if (rows.row_count() != 0) return;
      block.memory.Require(missing);
    }
    reserve.Resize(reserved);
    rows.Append(waiting_, waiting_begin_, count);
    waiting_begin_ += count;
  }
}

bool RangeJoinBlockTask::NextInput() {
  if (next_left_piece_ == blocks_.left()->piece_count()) return false;
  ReadLeft(next_left_piece_++);
  return true;
}

void RangeJoinBlockTask::ReadLeft(size_t piece) {
  DataChunk& input = probe_.input();
  input.Release();
  left_reader_.Read(piece, left_columns_, input);
  input.batch_index = NextBatch();
  first_left_row_ = uint64_t{piece} * kVectorSize;
}

void RangeJoinBlockTask::RecallMatches() {
  if (!blocks_.specification().IsExistence()) return;
  blocks_.earlier()->Recall(first_left_row_, probe_.input().size(), probe_.matches());
  probe_.DropMatched();
}

void RangeJoinBlockTask::DeferProbeRows() {
  if (blocks_.earlier() == nullptr) return;
  const bool has_again = blocks_.earlier()->Note(probe_.matches(), first_left_row_, probe_.input().size());
  if (has_again && blocks_.specification().join_type == LogicalJoinType::kSingle) ThrowSecondMatch();
}

bool RangeJoinBlockTask::EmitLeft(DataChunk& output) {
  DataChunk& input = probe_.input();
  ProbeMatches& matches = probe_.matches();
  while (true) {
    const size_t piece = blocks_.TakeLeftPiece();
    if (piece >= blocks_.left()->piece_count()) return false;
    ReadLeft(piece);
    matches.Reset(input.size());
    blocks_.earlier()->Recall(first_left_row_, input.size(), matches);
    if (EmitAfterProbe(blocks_.specification().join_type, input, matches, output)) return true;
  }
}

}  // namespace scaup
