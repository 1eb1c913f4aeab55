// Hash join: building, probing in rounds along the hash chains, and emitting unmatched rows.
#include "execution/join/hash_join.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "execution/join/hash_join_states.hpp"
#include "execution/join/join_output.hpp"
#include "planner/node/join.hpp"
#include "storage/file/file_header.hpp"

namespace scaup {

/// From this size on, partitioning both sides costs less than the cache misses of a single table.
constexpr size_t kLargeTableBytes = size_t{256} << 20;

/// Collects the rows of the build side in one task.
class HashJoinBuildSink final : public ChunkSink {
 public:
  HashJoinBuildSink(const HashJoin& join, const JoinBuildRules& rules, QueryContext& context)
      : builder(context, rules, 0),
        ranges(join.KeyRanges()),
        join_(join),
        task_count_(context.scheduler().thread_count()),
        executor_(context.functions, join.right_keys_),
        keys_(TypesOf(join.right_keys_)) {
    rows_.Initialize(rules.layout.types());
  }

  void Consume(DataChunk& chunk) override {
    keys_.Release();
    rows_.Release();
    executor_.Execute(chunk, keys_);
    const size_t key_count = keys_.column_count();
    for (size_t i = 0; i < key_count; i++) {
      ranges[i].Add(keys_.column(i).View(chunk.size()), chunk.size());
      rows_.column(i).Reference(keys_.column(i));
    }
    for (size_t i = 0; i < join_.payload_columns_.size(); i++)
      rows_.column(key_count + i).Reference(chunk.column(join_.payload_columns_[i]));
    rows_.SetSize(chunk.size());
    builder.Add(rows_);
    if (!builder.is_divided() && IsLarge()) builder.Divide();
  }
  void Finish() override { builder.Finish(); }

  JoinBuilder builder;
  std::vector<RuntimeFilter> ranges;  ///< by key

 private:
  bool IsLarge() const {
    const uint64_t all_rows = builder.rows().row_count() * task_count_;  // An estimate.
    const size_t row_bytes = join_.layout_.row_bytes() + JoinTable::kDirectoryBytesPerRow;
    if (all_rows * row_bytes < kLargeTableBytes) return false;
    return !join_.MayBeDense() || !DenseJoinTable::IsDense(ranges[0], all_rows);
  }

  const HashJoin& join_;
  const size_t task_count_;
  ExpressionExecutor executor_;
  DataChunk keys_;
  DataChunk rows_;  // In the layout.
};

JoinBuilder& HashJoin::Shared::BuilderOf(size_t sink) {
  return static_cast<HashJoinBuildSink&>(*sinks[sink]).builder;
}

HashJoin::HashJoin(LogicalJoinType join_type, PhysicalOperatorPtr left, PhysicalOperatorPtr right,
                   std::vector<HashJoinKey> keys, ExpressionPtr residual, std::vector<LogicalType> types)
    : PhysicalOperator("HashJoin", std::move(types)),
      join_type_(join_type),
      residual_(std::move(residual)),
      stores_payload_(EmitsRight(join_type) || residual_ != nullptr) {
  std::vector<LogicalType> layout_types;
  for (HashJoinKey& key : keys) {
    layout_types.push_back(key.right->type());
    left_keys_.push_back(std::move(key.left));
    right_keys_.push_back(std::move(key.right));
    nulls_equal_.push_back(key.nulls_equal);
  }
  const auto& right_types = right->types();
  for (size_t column = 0; stores_payload_ && column < right_types.size(); column++) {
    size_t place = layout_types.size();
    for (size_t i = 0; i < right_keys_.size(); i++) {
      const bool is_column = right_keys_[i]->kind() == ExpressionKind::kReference &&
                             right_keys_[i]->As<ReferenceExpression>().index == column &&
                             right_keys_[i]->type() == right_types[column];
      if (is_column) place = i;
    }
    right_to_layout_.push_back(place);
    if (place == layout_types.size()) {
      layout_types.push_back(right_types[column]);
      payload_columns_.push_back(column);
    }
  }
  layout_ = RowLayout(std::move(layout_types), JoinTable::kHeaderBytes);
  children.push_back(std::move(left));
  children.push_back(std::move(right));
}

std::vector<RuntimeFilter> HashJoin::KeyRanges() const {
  std::vector<RuntimeFilter> ranges;
  for (const ExpressionPtr& key : right_keys_) ranges.emplace_back(key->type());
  return ranges;
}

std::unique_ptr<SharedState> HashJoin::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>(*this, context);
  for (const auto& child : children) shared->children.push_back(child->MakeShared(context));
  return shared;
}

void HashJoin::ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const {
  CheckStack();
  const size_t left_columns = EmitsLeft(join_type_) ? children[0]->types().size() : 0;
  if (column >= left_columns) {
    if (join_type_ == LogicalJoinType::kInner || !EmitsLeft(join_type_))
      children[1]->ApplyRuntimeFilter(*shared.children[1], column - left_columns, range);
    return;
  }
  if (!IsMadeOfLeftRows(join_type_)) return;
  children[0]->ApplyRuntimeFilter(*shared.children[0], column, range);
}

void HashJoin::AddToBitmap(const JoinTable& table, size_t key, RuntimeFilter& range) const {
  if (!range.BeginBitmap(table.row_count())) return;
  Vector keys(right_keys_[key]->type());
  const std::byte* rows[kVectorSize];
  for (const RowCollection& collection : table.collections()) {
    collection.ForEachBlock([&](const std::byte* first, size_t count) {
      for (size_t begin = 0; begin < count; begin += kVectorSize) {
        const size_t size = std::min(kVectorSize, count - begin);
        for (size_t i = 0; i < size; i++) rows[i] = first + (begin + i) * layout_.row_bytes();
        keys.Reset();
        layout_.Gather(key, rows, size, keys);
        range.AddToBitmap(keys.View(size), size);
      }
    });
  }
}

void HashJoin::FilterProbeSide(Shared& shared, std::vector<RuntimeFilter>& ranges) const {
  for (size_t i = 0; i < left_keys_.size(); i++) {
    const Expression& key = *left_keys_[i];
    if (nulls_equal_[i] || key.kind() != ExpressionKind::kReference) continue;
    if (!ranges[i].has_keys() && !ranges[i].is_text()) continue;
    if (!shared.is_divided) {
      AddToBitmap(shared.built.table, i, ranges[i]);
    } else if (!ranges[i].has_keys()) {
      continue;
    }
    children[0]->ApplyRuntimeFilter(*shared.children[0], key.As<ReferenceExpression>().index, ranges[i]);
  }
}

void HashJoin::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  shared.late_error = CollectRightSide(right_is_scalar, [&] { Build(context, shared); });
  children[0]->Prepare(context, *shared.children[0]);
  if (shared.is_divided) PartitionProbeSide(context, shared);
}

void HashJoin::Build(QueryContext& context, Shared& shared) const {
  children[1]->Prepare(context, *shared.children[1]);
  shared.sinks = DrainParallel(context, *children[1], *shared.children[1], shared.profile, [&](size_t) {
    return std::make_unique<HashJoinBuildSink>(*this, shared.rules, context);
  });
  std::vector<RuntimeFilter> ranges = KeyRanges();
  for (size_t sink = 0; sink < shared.sinks.size(); sink++) {
    auto& built = static_cast<HashJoinBuildSink&>(*shared.sinks[sink]);
    for (size_t i = 0; i < ranges.size(); i++) ranges[i].Merge(built.ranges[i]);
    shared.has_null_key |= built.builder.has_null_key();
    shared.right_row_count += built.builder.row_count();
    shared.is_divided |= built.builder.is_divided();
  }
  if (shared.right_row_count == 0) shared.is_divided = false;  // The probe side need not be read.
  if (!shared.is_divided) BuildDense(context, shared, ranges[0]);
  JoinBuildSide& built = shared.built;
  // Without memory for the directory, the rows are partitioned after all.
  if (!built.dense && !shared.is_divided) shared.is_divided = !built.table.TryReserve(shared.right_row_count);
  if (shared.is_divided) {
    PartitionBuildSide(context, shared);
  } else {
    for (size_t sink = 0; sink < shared.sinks.size(); sink++)
      built.table.AddRows(shared.BuilderOf(sink).TakeRows());
  }
  // Before the probe side is prepared, as its scans take their filters then. The bitmap needs the rows, so
  // ReleaseRows comes later.
  if (!KeepsUnmatchedLeft(join_type_)) FilterProbeSide(shared, ranges);
  if (built.dense) {
    // The dense table has copied all values but the bytes of long strings.
    if (!layout_.has_strings()) built.table.ReleaseRows();
  } else if (!shared.is_divided) {
    built.table.Build(context.functions);
    ListRightRows(built);
  }
  for (size_t sink = 0; sink < shared.sinks.size(); sink++) shared.BuilderOf(sink).GiveBack();
}

void HashJoin::ListRightRows(JoinBuildSide& built) const {
  if (!KeepsRight(join_type_)) return;
  for (const RowCollection& rows : built.table.collections()) {
    rows.ForEachBlock([&](std::byte* first, size_t count) {
      for (size_t begin = 0; begin < count; begin += kVectorSize)
        built.right_slices.emplace_back(first + begin * layout_.row_bytes(),
                                        std::min(kVectorSize, count - begin));
    });
  }
}

bool HashJoin::MayBeDense() const {
  // A dense table has no rows in which to set matched flags.
  return right_keys_.size() == 1 && !nulls_equal_[0] && IsMadeOfLeftRows(join_type_);
}

void HashJoin::BuildDense(QueryContext& context, Shared& shared, const RuntimeFilter& range) const {
  if (!MayBeDense()) return;
  std::vector<const RowCollection*> rows;
  for (size_t sink = 0; sink < shared.sinks.size(); sink++) rows.push_back(&shared.BuilderOf(sink).rows());
  shared.built.dense = DenseJoinTable::TryMake(layout_, rows, range, context.functions);
}

std::unique_ptr<LocalState> HashJoin::MakeLocal(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  auto local = std::make_unique<Local>(*this, context);
  // Register this task before the joins below do. The last task to end below must find it registered here;
  // otherwise unmatched rows would be emitted while the join below still has rows to emit.
  shared.probing.fetch_add(1);
  if (shared.is_divided) {
    local->phase = Local::Phase::kEnd;  // The first partition begins in Produce.
  } else {
    local->built = &shared.built;
    local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  }
  return local;
}

std::vector<BatchRange> HashJoin::BatchRanges(QueryContext& context, SharedState& shared_state,
                                              size_t column) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  const bool is_left = EmitsLeft(join_type_) && column < children[0]->types().size();
  // Partitioning changes the order of rows, so batches no longer correspond to those of the input.
  if (!is_left || shared.is_divided) return {};
  return children[0]->BatchRanges(context, *shared.children[0], column);
}

void HashJoin::BeginProbe(Shared& shared, Local& local) const {
  const JoinBuildSide& built = *local.built;
  const size_t count = local.input.size();
  local.keys.Release();
  local.keys_executor.Execute(local.input, local.keys);
  uint64_t hashes[kVectorSize];
  bool has_null[kVectorSize] = {};
  bool any_null = false;
  for (size_t i = 0; i < local.keys.column_count(); i++) {
    if (!built.dense) HashVector(local.keys.column(i), count, hashes, i != 0);
    if (nulls_equal_[i]) continue;
    const UnifiedView view = local.keys.column(i).View(count);
    if (view.validity == nullptr) continue;
    for (size_t row = 0; row < count; row++) any_null |= has_null[row] |= !view.IsValid(row);
  }
  local.matches.Reset(count);
  if (join_type_ == LogicalJoinType::kMark) {
    for (size_t row = 0; row < count; row++)
      local.matches.unknown[row] = shared.has_null_key || (has_null[row] && shared.right_row_count != 0);
  }
  local.open_count = 0;
  if (built.table.is_empty()) return;
  if (built.dense) {
    local.open_count = built.dense->Find(local.keys.column(0).View(count), count, local.open, local.slots);
    return;
  }
  // Prefetch in two passes, directory slots and then rows, so that the cache misses of all rows overlap.
  for (size_t row = 0; row < count; row++) built.table.Prefetch(hashes[row]);
  for (size_t row = 0; row < count; row++) {
    std::byte* first = built.table.First(hashes[row]);
    local.rows[row] = first;
    local.open[local.open_count] = static_cast<sel_t>(row);
    local.open_count += first != nullptr && !has_null[row];
  }
  for (size_t i = 0; i < local.open_count; i++) __builtin_prefetch(local.rows[local.open[i]]);
}

void HashJoin::GatherRight(const Local& local, const sel_t* left_rows, size_t count, DataChunk& output,
                           size_t first_column) const {
  if (!local.built->dense) {
    std::byte* rows[kVectorSize];
    for (size_t i = 0; i < count; i++) rows[i] = local.rows[left_rows[i]];
    return GatherRows(rows, count, output, first_column);
  }
  for (size_t i = 0; i < right_to_layout_.size(); i++) {
    Vector& column = output.column(first_column + i);
    column.Reset();
    local.built->dense->Gather(right_to_layout_[i], left_rows, count, local.slots, column);
  }
}

void HashJoin::GatherRows(std::byte* const* rows, size_t count, DataChunk& output,
                          size_t first_column) const {
  for (size_t i = 0; i < right_to_layout_.size(); i++) {
    Vector& column = output.column(first_column + i);
    column.Reset();
    layout_.Gather(right_to_layout_[i], rows, count, column);
  }
}

size_t HashJoin::FilterByResidual(Local& local, sel_t* matches, size_t count) const {
  auto selection = std::make_shared<SelectionVector>();
  std::copy_n(matches, count, selection->rows);
  const size_t left_columns = local.input.column_count();
  local.pairs.Release();
  for (size_t i = 0; i < left_columns; i++)
    local.pairs.column(i).Slice(local.input.column(i), local.input.size(), selection, count);
  GatherRight(local, matches, count, local.pairs, left_columns);
  local.pairs.SetSize(count);
  size_t kept = 0;
  if (join_type_ == LogicalJoinType::kMark) {
    local.residual_executor->Execute(0, local.pairs, local.truth);
    const auto truth = local.truth.ViewAs<uint8_t>(count);
    for (size_t i = 0; i < count; i++) {
      const sel_t row = matches[i];
      const bool is_known = truth.IsValid(i);
      local.matches.unknown[row] |= !is_known;
      matches[kept] = row;
      kept += is_known && truth[i] != 0;
    }
    return kept;
  }
  SelectionVector passed;
  kept = local.residual_executor->Select(0, local.pairs, passed);
  for (size_t i = 0; i < kept; i++) matches[i] = matches[passed.rows[i]];
  return kept;
}

size_t HashJoin::FindMatches(Local& local, sel_t* matches) const {
  sel_t mismatches[kVectorSize];
  size_t count = 0, mismatch_count = 0;
  // For joins that emit right rows only, it does not matter which partner a right row has found.
  const bool skips_matched = !local.built->dense && !EmitsLeft(join_type_);
  for (size_t i = 0; i < local.open_count; i++) {
    const sel_t row = local.open[i];
    matches[count] = row;
    count += !(skips_matched && JoinTable::IsMatched(local.rows[row]));
  }
  // A slot of a dense table has a single key.
  const size_t key_count = local.built->dense ? 0 : local.keys.column_count();
  for (size_t i = 0; i < key_count && count != 0; i++) {
    count = layout_.Match(i, local.keys.column(i).View(local.input.size()), nulls_equal_[i], local.rows,
                          matches, count, mismatches, mismatch_count);
  }
  if (residual_ && count != 0) count = FilterByResidual(local, matches, count);
  return count;
}

size_t HashJoin::NoteMatches(Local& local, sel_t* matches, size_t count) const {
  size_t noted = 0;
  for (size_t i = 0; i < count; i++) {
    const sel_t row = matches[i];
    std::byte* right = local.rows[row];
    if (join_type_ == LogicalJoinType::kRightSemi) {
      matches[noted] = row;
      noted += JoinTable::TakeFirstMatch(right);
      continue;
    }
    NoteMatch(join_type_, local.matches, row);
    if (KeepsRight(join_type_)) JoinTable::SetMatched(right);
    noted++;
  }
  return noted;
}

void HashJoin::WalkOn(Local& local) const {
  if (local.built->dense) {
    local.open_count = 0;
    return;
  }
  const bool one_is_enough = !EmitsRight(join_type_);
  size_t still_open = 0;
  for (size_t i = 0; i < local.open_count; i++) {
    const sel_t row = local.open[i];
    if (one_is_enough && local.matches.matched[row]) continue;
    std::byte* next = JoinTable::NextOf(local.rows[row]);
    local.rows[row] = next;
    local.open[still_open] = row;
    still_open += next != nullptr;
  }
  local.open_count = still_open;
}

bool HashJoin::ProbeStep(Local& local, DataChunk& output) const {
  sel_t matches[kVectorSize];
  const size_t match_count = NoteMatches(local, matches, FindMatches(local, matches));
  const bool emits_now =
      match_count != 0 && EmitsRight(join_type_) && join_type_ != LogicalJoinType::kRightAnti;
  if (emits_now) {
    const size_t left_columns = EmitsLeft(join_type_) ? local.input.column_count() : 0;
    if (left_columns != 0) EmitLeft(local, matches, match_count, output);
    GatherRight(local, matches, match_count, output, left_columns);
    output.SetSize(match_count);
    output.batch_index = local.input.batch_index;
  }
  WalkOn(local);
  return emits_now;
}

void HashJoin::EmitLeft(const Local& local, const sel_t* matches, size_t count, DataChunk& output) const {
  const bool all_rows =
      count == local.input.size() && matches[0] == 0 && matches[count - 1] + size_t{1} == count;
  auto selection = std::make_shared<SelectionVector>();
  std::copy_n(matches, count, selection->rows);
  for (size_t i = 0; i < local.input.column_count(); i++) {
    if (all_rows) {
      output.column(i).Reference(local.input.column(i));
    } else {
      output.column(i).Slice(local.input.column(i), local.input.size(), selection, count);
    }
  }
}

bool HashJoin::EmitUnmatchedRight(Shared& shared, Local& local, DataChunk& output) const {
  JoinBuildSide& built = *local.built;
  while (true) {
    const size_t slice = built.next_right_slice.fetch_add(1);
    if (slice >= built.right_slices.size()) return false;
    const auto [first, count] = built.right_slices[slice];
    std::byte* rows[kVectorSize];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
      rows[kept] = first + i * layout_.row_bytes();
      kept += !JoinTable::IsMatched(rows[kept]);
    }
    if (kept == 0) continue;
    const size_t left_columns = EmitsLeft(join_type_) ? children[0]->types().size() : 0;
    SetLeftNull(output, left_columns);
    GatherRows(rows, kept, output, left_columns);
    output.SetSize(kept);
    // They sort after all rows that the probe side has produced.
    output.batch_index = shared.is_divided ? shared.batches.Next(local.batches) : UINT64_MAX;
    return true;
  }
}

bool HashJoin::NextInput(QueryContext& context, Shared& shared, Local& local) const {
  if (!shared.is_divided) {
    children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
    return local.input.size() != 0;
  }
  for (Part& part = *local.part; part.next_left < part.left.size(); part.next_left++) {
    if (!part.left[part.next_left].Next(local.input)) continue;
    part.left_row_end += local.input.size();
    local.input.batch_index = shared.batches.Next(local.batches);
    return true;
  }
  return false;
}

void HashJoin::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                       DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  if (shared.right_row_count == 0 && !KeepsUnmatchedLeft(join_type_) && !shared.late_error) return;
  while (true) {
    switch (local.phase) {
      case Local::Phase::kInput:
        if (!NextInput(context, shared, local)) {
          const bool is_last = shared.is_divided || shared.probing.fetch_sub(1) == 1;
          local.phase = is_last && KeepsRight(join_type_) ? Local::Phase::kRight : Local::Phase::kEnd;
          break;
        }
        if (shared.late_error) std::rethrow_exception(shared.late_error);
        BeginProbe(shared, local);
        RecallMatches(local);
        local.phase = Local::Phase::kProbe;
        break;
      case Local::Phase::kProbe:
        while (local.open_count != 0) {
          context.functions.CheckInterrupt();  // Chains may be long without a single match.
          if (ProbeStep(local, output)) return;
        }
        // Probe in rounds: each round compares all open probe rows with one row of their chains.
        local.phase = Local::Phase::kInput;
        if (DeferProbeRows(local)) break;
        if (EmitAfterProbe(join_type_, local.input, local.matches, output)) return;
        break;
      case Local::Phase::kRight:
        if (EmitUnmatchedRight(shared, local, output)) return;
        local.phase = Local::Phase::kEnd;
        break;
      case Local::Phase::kEnd:
        if (!shared.is_divided || !BeginPart(context, shared, local)) return;
        local.phase = Local::Phase::kInput;
        break;
    }
  }
}

}  // namespace scaup
