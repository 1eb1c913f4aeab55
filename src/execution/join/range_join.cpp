// Range join: finds the partners of a chunk of left rows together, and emits pairs in batches of 1024. A left
// row with many consecutive partners is paired with whole pieces of the right side.
#include "execution/join/range_join.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "execution/join/range_join_states.hpp"
#include "planner/node/join.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

/// From this many consecutive rows on, right rows are referred to instead of copied.
constexpr size_t kLeastStretch = 64;
/// Right rows are collected in blocks of this fraction (1/8) of a thread's memory share. Sorting reads the
/// rows at random, which is fastest in few blocks.
constexpr size_t kBlockShare = 8;

/// Collects right rows and their computed keys.
class RangeSink final : public ChunkSink {
 public:
  RangeSink(const RangeSchema& schema, const std::vector<ExpressionPtr>& computed_keys, QueryContext& context,
            std::shared_ptr<SpillFailure> failure)
      : kept(std::make_unique<SpillableRows>(context, schema.types, std::move(failure),
                                             context.MemoryShareBytes() / kBlockShare)),
        executor_(context.functions, computed_keys),
        keys_(TypesOf(computed_keys)),
        rows_(schema.types) {}

  void Consume(DataChunk& chunk) override {
    for (size_t i = 0; i < chunk.column_count(); i++) rows_.column(i).Reference(chunk.column(i));
    keys_.Release();
    executor_.Execute(chunk, keys_);
    for (size_t i = 0; i < keys_.column_count(); i++)
      rows_.column(chunk.column_count() + i).Reference(keys_.column(i));
    rows_.SetSize(chunk.size());
    kept->Append(rows_);
    rows_.Release();
  }
  void Finish() override { kept->Finish(); }

  std::unique_ptr<SpillableRows> kept;

 private:
  ExpressionExecutor executor_;
  DataChunk keys_;
  DataChunk rows_;
};

}  // namespace

RangeJoin::RangeJoin(LogicalJoinType join_type, PhysicalOperatorPtr left, PhysicalOperatorPtr right,
                     std::vector<RangeJoinCondition> conditions, ExpressionPtr residual,
                     std::vector<LogicalType> types)
    : PhysicalOperator("RangeJoin", std::move(types)), join_type_(join_type), residual_(std::move(residual)) {
  children.push_back(std::move(left));
  children.push_back(std::move(right));
  schema_.types = children[1]->types();
  for (RangeJoinCondition& condition : conditions) {
    left_keys_.push_back(std::move(condition.left));
    schema_.conditions.push_back({condition.op, AddRightKey(std::move(condition.right))});
  }
  ChooseFirstKey();
}

/// Returns the number of a right key, adding it if it is new.
size_t RangeJoin::AddRightKey(ExpressionPtr key) {
  const size_t right_columns = children[1]->types().size();
  size_t column = right_columns;
  if (key->kind() == ExpressionKind::kReference) {
    column = key->As<ReferenceExpression>().index;
  } else {
    while (column < schema_.types.size() && !computed_keys_[column - right_columns]->Equals(*key)) column++;
    if (column == schema_.types.size()) {
      schema_.types.push_back(key->type());
      computed_keys_.push_back(std::move(key));
    }
  }
  const auto found = std::find(schema_.key_columns.begin(), schema_.key_columns.end(), column);
  const auto number = static_cast<size_t>(found - schema_.key_columns.begin());
  if (found == schema_.key_columns.end()) schema_.key_columns.push_back(column);
  return number;
}

/// Moves a key with both a lower and an upper bound to the front, if there is one: it narrows the range most.
void RangeJoin::ChooseFirstKey() {
  const auto has_both = [&](size_t key) {
    bool has_lower = false, has_upper = false;
    for (const RangeCondition& condition : schema_.conditions) {
      if (condition.key == key) (condition.is_lower_bound() ? has_lower : has_upper) = true;
    }
    return has_lower && has_upper;
  };
  size_t first = 0;
  while (first + 1 < schema_.key_columns.size() && !has_both(first)) first++;
  if (!has_both(first)) first = 0;
  std::swap(schema_.key_columns[0], schema_.key_columns[first]);
  for (RangeCondition& condition : schema_.conditions) {
    if (condition.key == 0 || condition.key == first) condition.key = condition.key == 0 ? first : 0;
  }
}

std::unique_ptr<SharedState> RangeJoin::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>();
  for (const auto& child : children) shared->children.push_back(child->MakeShared(context));
  return shared;
}

void RangeJoin::ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const {
  CheckStack();
  if (IsMadeOfLeftRows(join_type_) && column < children[0]->types().size())
    children[0]->ApplyRuntimeFilter(*shared.children[0], column, range);
}

void RangeJoin::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  children[1]->Prepare(context, *shared.children[1]);
  RightParts right = CollectRight(context, shared);
  const uint64_t begin = context.profiling ? NowNanoseconds() : 0;
  const bool is_built = TryBuildAll(context, shared, right);
  if (context.profiling) shared.profile.own_nanoseconds.fetch_add(NowNanoseconds() - begin);
  if (is_built && !KeepsUnmatchedLeft(join_type_)) FilterProbeSide(shared);
  children[0]->Prepare(context, *shared.children[0]);
  if (!is_built) BeginBlocks(context, shared, std::move(right));
}

RangeJoin::RightParts RangeJoin::CollectRight(QueryContext& context, Shared& shared) const {
  const auto failure = std::make_shared<SpillFailure>();
  const auto sinks = DrainParallel(context, *children[1], *shared.children[1], shared.profile, [&](size_t) {
    return std::make_unique<RangeSink>(schema_, computed_keys_, context, failure);
  });
  RightParts parts;
  for (const auto& sink : sinks) parts.push_back(std::move(static_cast<RangeSink&>(*sink).kept));
  return parts;
}

/// Builds an index of all right rows and frees them; false if there is not enough memory.
bool RangeJoin::TryBuildAll(QueryContext& context, Shared& shared, RightParts& right) const {
  std::vector<std::shared_ptr<const ColumnCollection>> held;
  std::vector<const ColumnCollection*> rows;
  size_t row_count = 0, size_bytes = 0;
  for (const auto& part : right) {
    if (!part->HoldBlocks(held)) return false;
    row_count += part->row_count();
  }
  for (const auto& block : held) {
    rows.push_back(block.get());
    size_bytes += block->size_bytes();
  }
  const bool has_numbers = rows.size() >> (64 - kCollectionRowBits) == 0;
  if (!has_numbers || (context.forces_spilling() && row_count != 0)) return false;
  auto built = std::make_unique<JoinBuildSide>(context);
  try {
    if (!built->memory.TryGrow(size_bytes + JoinBuildSide::MostBytes(schema_, row_count))) return false;
    built->index = std::make_unique<RangeIndex>(schema_, rows, built->memory.account(), context.functions);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
    return false;
  }
  // Free the rows now: their memory is needed. The index no longer refers to them.
  held.clear();
  right.clear();
  FinishBuild(context, *built);
  shared.built = std::move(built);
  return true;
}

void RangeJoin::FinishBuild(QueryContext& context, JoinBuildSide& built) const {
  built.index->LearnCodes(context.functions);
  if (KeepsRight(join_type_)) built.matched.Begin(built.index->rows().row_count());
  built.memory.SetFixed(SpillableReservation::kAll);
  built.memory.GiveBack();
}

/// Filters left rows whose keys are beyond the least or the greatest right key, as they have no partner.
void RangeJoin::FilterProbeSide(Shared& shared) const {
  for (size_t i = 0; i < left_keys_.size(); i++) {
    if (left_keys_[i]->kind() != ExpressionKind::kReference) continue;
    const RuntimeFilter keys = shared.built->index->KeyRange(schema_.conditions[i].key);
    if (!keys.has_keys()) continue;
    const bool is_below = schema_.conditions[i].is_lower_bound();
    const RuntimeFilter range(left_keys_[i]->type(), is_below ? INT64_MIN : keys.least(),
                              is_below ? keys.greatest() : INT64_MAX);
    children[0]->ApplyRuntimeFilter(*shared.children[0], left_keys_[i]->As<ReferenceExpression>().index,
                                    range);
  }
}

std::unique_ptr<LocalState> RangeJoin::MakeLocal(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  auto local = std::make_unique<Local>(*this, context);
  // Register this task before the joins below do. The last task to end below must find it registered here;
  // otherwise unmatched rows would be emitted while the join below still has rows to emit.
  shared.probing.fetch_add(1);
  if (shared.blocks) {
    local->left_reader = KeptRowsReader(shared.blocks->left);
    local->phase = Local::Phase::kBlock;
  } else {
    local->built = shared.built.get();
    local->search.emplace(*local->built->index);
    local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  }
  return local;
}

bool RangeJoin::NextInput(QueryContext& context, Shared& shared, Local& local) const {
  if (!shared.blocks) {
    children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
    return local.input.size() != 0;
  }
  context.functions.CheckInterrupt();
  if (local.next_left_piece == shared.blocks->left->piece_count()) return false;
  ReadLeft(shared, local, local.next_left_piece++);
  return true;
}

void RangeJoin::BeginProbe(Local& local) const {
  const size_t count = local.input.size();
  local.keys.Release();
  local.key_executor.Execute(local.input, local.keys);
  local.search->Begin(local.keys, count);
  local.matches.Reset(count);
  local.open_count = local.next_open = 0;
  for (size_t row = 0; row < count; row++) {
    local.positions[row] = local.search->begin(row);
    local.open[local.open_count] = static_cast<sel_t>(row);
    local.open_count += local.positions[row] < local.search->end(row);
  }
  // If one match suffices, few candidates are tried at first.
  local.most_per_visit = IsExistence() ? 1 : kVectorSize;
  if (join_type_ != LogicalJoinType::kMark || schema_.conditions.size() != 1 || residual_) return;
  const bool has_rows = local.built->index->rows().row_count() != 0;
  for (size_t row = 0; row < count; row++)
    local.matches.unknown[row] =
        local.built->index->has_null_key() || (has_rows && local.search->has_null(row));
}

/// Without a residual every row found is a match, so no pairs are formed.
void RangeJoin::NoteExistence(QueryContext& context, Local& local) const {
  for (size_t i = 0; i < local.open_count; i++) {
    const sel_t row = local.open[i];
    uint64_t found = 0;
    context.functions.CheckInterrupt();
    local.matches.matched[row] =
        local.search->Find(row, local.positions[row], local.search->end(row), 1, &found) != 0;
  }
  local.open_count = 0;
}

/// Adds pairs of an open row. A row with a long range of partners gets a batch of its own.
void RangeJoin::VisitRow(Local& local, size_t row) const {
  const uint64_t end = local.search->end(row);
  uint64_t& position = local.positions[row];
  if (local.search->finds_stretches() && !IsExistence() && end - position >= kLeastStretch) {
    // The batch ends with the piece, so that it can refer to it.
    if (local.pair_count != 0) return;
    local.is_stretch = true;
    local.pair_count = std::min<uint64_t>(kVectorSize - position % kVectorSize, end - position);
    local.left_rows->rows[0] = static_cast<sel_t>(row);
    local.right_rows[0] = position;
    position += local.pair_count;
    return;
  }
  const size_t most = std::min(local.most_per_visit, kVectorSize - local.pair_count);
  const size_t count = local.search->Find(row, position, end, most, local.right_rows + local.pair_count);
  std::fill_n(local.left_rows->rows + local.pair_count, count, static_cast<sel_t>(row));
  local.pair_count += count;
}

/// Finds the next pairs, at most 1024; false if there are no more. Rows are visited one after the other until
/// all their partners are found. Where one match suffices, they are visited in rounds with growing numbers of
/// candidates, and matched rows drop out.
bool RangeJoin::FindPairs(QueryContext& context, Local& local) const {
  local.is_stretch = false;
  local.pair_count = 0;
  local.left_rows = std::make_shared<SelectionVector>();
  while (local.pair_count < kVectorSize && !local.is_stretch) {
    if (local.next_open == local.open_count) {
      if (local.pair_count != 0) break;  // Test them first: they may be matches.
      const auto is_done = [&](sel_t row) {
        return local.positions[row] == local.search->end(row) ||
               (IsExistence() && local.matches.matched[row]);
      };
      sel_t* end = std::remove_if(local.open, local.open + local.open_count, is_done);
      local.open_count = static_cast<size_t>(end - local.open);
      local.next_open = 0;
      if (local.open_count == 0) return false;
      local.most_per_visit = std::min(2 * local.most_per_visit, kVectorSize);
    }
    context.functions.CheckInterrupt();
    const sel_t row = local.open[local.next_open];
    const size_t count_before = local.pair_count;
    VisitRow(local, row);
    if (local.pair_count == count_before && local.positions[row] < local.search->end(row)) break;
    local.next_open += IsExistence() || local.positions[row] == local.search->end(row);
  }
  return local.pair_count != 0;
}

/// Assembles the rows of the pairs.
void RangeJoin::MakePairs(Local& local) const {
  const size_t left_columns = local.input.column_count();
  const ColumnCollection& right = local.built->index->rows();
  local.pairs.Release();
  local.pairs.SetSize(local.pair_count);
  local.pairs.batch_index = local.input.batch_index;
  if (local.is_stretch) return MakeStretch(local);
  for (size_t i = 0; i < left_columns; i++)
    local.pairs.column(i).Slice(local.input.column(i), local.input.size(), local.left_rows, local.pair_count);
  for (size_t i = left_columns; i < local.pairs.column_count(); i++) {
    local.pairs.column(i).Reset();
    right.Gather(i - left_columns, local.right_rows, local.pair_count, local.pairs.column(i));
  }
}

/// Assembles pairs of one left row with consecutive right rows of a piece, which are not copied.
void RangeJoin::MakeStretch(Local& local) const {
  const size_t left_columns = local.input.column_count();
  const ColumnCollection& right = local.built->index->rows();
  const size_t piece = local.right_rows[0] / kVectorSize, first = local.right_rows[0] % kVectorSize;
  SetLeftConstant(local.input, local.left_rows->rows[0], local.pairs);
  for (size_t i = left_columns; i < local.pairs.column_count(); i++) {
    Vector& column = local.pairs.column(i);
    const UnifiedView view = right.PieceView(i - left_columns, piece);
    const std::byte* data = view.data + first * PhysicalSize(column.physical_type());
    column.ReferenceFlat(data, nullptr, nullptr);
    if (view.validity == nullptr) continue;
    ValidityWord words[kValidityWords];
    SetAllValid(words, kVectorSize);
    for (size_t row = 0; row < local.pair_count; row++)
      if (!view.IsValid(first + row)) SetInvalid(words, row);
    column.SetValidity(words);
  }
}

/// Tests the pairs, records matches, and emits pairs where the join type does; false if there are none.
bool RangeJoin::TestPairs(Local& local, DataChunk& output) const {
  MakePairs(local);
  const size_t count = local.pair_count;
  auto passed = std::make_shared<SelectionVector>();
  size_t kept = count;
  if (local.residual) kept = local.residual->Select(0, local.pairs, *passed);
  const auto pair_of = [&](size_t i) { return local.residual ? passed->rows[i] : i; };
  const auto note_left = [&](sel_t row) { NoteMatch(join_type_, local.matches, row); };
  if (local.is_stretch) {
    for (size_t i = 0; i < std::min<size_t>(kept, 2); i++) note_left(local.left_rows->rows[0]);
  } else {
    for (size_t i = 0; i < kept; i++) note_left(local.left_rows->rows[pair_of(i)]);
  }
  for (size_t i = 0; KeepsRight(join_type_) && i < kept; i++) {
    const size_t pair = pair_of(i);
    const uint64_t row = local.is_stretch ? local.right_rows[0] + pair : local.right_rows[pair];
    local.built->matched.Add(row);
  }
  if (kept == 0 || IsExistence()) return false;
  if (kept == count) {
    output.Reference(local.pairs);
  } else {
    output.Slice(local.pairs, passed, kept);
  }
  return true;
}

bool RangeJoin::EmitUnmatchedRight(Shared& shared, Local& local, DataChunk& output) const {
  MatchedRows::Unmatched unmatched;
  if (!local.built->matched.NextUnmatched(unmatched)) return false;
  uint64_t rows[kVectorSize];
  for (size_t i = 0; i < unmatched.count; i++) rows[i] = unmatched.piece * kVectorSize + unmatched.rows[i];
  const size_t left_columns = children[0]->types().size();
  SetLeftNull(output, left_columns);
  for (size_t i = left_columns; i < output.column_count(); i++) {
    output.column(i).Reset();
    local.built->index->rows().Gather(i - left_columns, rows, unmatched.count, output.column(i));
  }
  output.SetSize(unmatched.count);
  // They sort after all rows that the left side has produced.
  output.batch_index = shared.blocks ? shared.blocks->batches.Next(local.batches) : UINT64_MAX;
  return true;
}

void RangeJoin::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                        DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  while (true) {
    switch (local.phase) {
      case Local::Phase::kBlock: {
        const bool has_block = BeginBlock(context, shared, local);
        const bool ends = !has_block && shared.probing.fetch_sub(1) == 1 && RemembersLeft(join_type_);
        local.phase = has_block ? Local::Phase::kInput : ends ? Local::Phase::kLeft : Local::Phase::kEnd;
        break;
      }
      case Local::Phase::kInput:
        if (NextInput(context, shared, local)) {
          BeginProbe(local);
          if (shared.blocks) RecallMatches(shared, local);
          if (IsExistence() && !residual_) NoteExistence(context, local);
          local.phase = Local::Phase::kPairs;
        } else {
          const bool is_last = shared.blocks || shared.probing.fetch_sub(1) == 1;
          const Local::Phase end = shared.blocks ? Local::Phase::kBlock : Local::Phase::kEnd;
          local.phase = is_last && KeepsRight(join_type_) ? Local::Phase::kRight : end;
        }
        break;
      case Local::Phase::kPairs:
        while (FindPairs(context, local)) {
          if (TestPairs(local, output)) return;
        }
        local.phase = Local::Phase::kInput;
        if (shared.blocks) {
          DeferProbeRows(shared, local);
        } else if (EmitAfterProbe(join_type_, local.input, local.matches, output)) {
          return;
        }
        break;
      case Local::Phase::kRight:
        if (EmitUnmatchedRight(shared, local, output)) return;
        local.phase = shared.blocks ? Local::Phase::kBlock : Local::Phase::kEnd;
        break;
      case Local::Phase::kLeft:
        if (EmitLeft(shared, local, output)) return;
        local.phase = Local::Phase::kEnd;
        break;
      case Local::Phase::kEnd: return;
    }
  }
}

}  // namespace scaup
