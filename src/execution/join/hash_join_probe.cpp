// Probes in rounds along the hash chains, and emits pairs and unmatched build rows.
#include "execution/join/hash_join_probe.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

HashJoinProbe::HashJoinProbe(const HashJoinSpecification& join, QueryContext& context, bool has_null_key,
                             bool has_build_rows)
    : join_(join),
      has_null_key_(has_null_key),
      has_build_rows_(has_build_rows),
      input_(join.left_types),
      keys_executor_(context.functions, join.left_keys),
      keys_(TypesOf(join.left_keys)) {
  if (!join.residual) return;
  residual_executor_ = std::make_unique<ExpressionExecutor>(context.functions, *join.residual);
  std::vector<LogicalType> pair_types = join.left_types;
  pair_types.insert(pair_types.end(), join.right_types.begin(), join.right_types.end());
  pairs_.Initialize(pair_types);
}

void HashJoinProbe::Begin() {
  const JoinBuildSide& built = *built_;
  const size_t count = input_.size();
  keys_.Release();
  keys_executor_.Execute(input_, keys_);
  uint64_t hashes[kVectorSize];
  bool has_null[kVectorSize] = {};
  bool any_null = false;
  for (size_t i = 0; i < keys_.column_count(); i++) {
    if (!built.dense) HashVector(keys_.column(i), count, hashes, i != 0);
    if (join_.nulls_equal[i]) continue;
    const UnifiedView view = keys_.column(i).View(count);
    if (view.validity == nullptr) continue;
    for (size_t row = 0; row < count; row++) any_null |= has_null[row] |= !view.IsValid(row);
  }
  matches_.Reset(count);
  if (join_.join_type == LogicalJoinType::kMark) {
    for (size_t row = 0; row < count; row++)
      matches_.unknown[row] = has_null_key_ || (has_null[row] && has_build_rows_);
  }
  open_count_ = 0;
  if (built.table.is_empty()) return;
  if (built.dense) {
    open_count_ = built.dense->Find(keys_.column(0).View(count), count, open_, slots_);
    return;
  }
  // Prefetch in two passes, directory slots and then rows, so that the cache misses of all rows overlap.
  for (size_t row = 0; row < count; row++) built.table.Prefetch(hashes[row]);
  for (size_t row = 0; row < count; row++) {
    std::byte* first = built.table.First(hashes[row]);
    rows_[row] = first;
    open_[open_count_] = static_cast<sel_t>(row);
    open_count_ += first != nullptr && !has_null[row];
  }
  for (size_t i = 0; i < open_count_; i++) __builtin_prefetch(rows_[open_[i]]);
}

void HashJoinProbe::DropMatched() {
  if (EmitsRight(join_.join_type)) return;
  size_t still_open = 0;  // The others have the one partner that they need.
  for (size_t i = 0; i < open_count_; i++) {
    open_[still_open] = open_[i];
    still_open += !matches_.matched[open_[i]];
  }
  open_count_ = still_open;
}

void HashJoinProbe::GatherRight(const sel_t* left_rows, size_t count, DataChunk& output,
                                size_t first_column) {
  if (!built_->dense) {
    std::byte* rows[kVectorSize];
    for (size_t i = 0; i < count; i++) rows[i] = rows_[left_rows[i]];
    return GatherRows(rows, count, output, first_column);
  }
  for (size_t i = 0; i < join_.right_to_layout.size(); i++) {
    Vector& column = output.column(first_column + i);
    column.Reset();
    built_->dense->Gather(join_.right_to_layout[i], left_rows, count, slots_, column);
  }
}

void HashJoinProbe::GatherRows(std::byte* const* rows, size_t count, DataChunk& output, size_t first_column) {
  for (size_t i = 0; i < join_.right_to_layout.size(); i++) {
    Vector& column = output.column(first_column + i);
    column.Reset();
    join_.layout.Gather(join_.right_to_layout[i], rows, count, column);
  }
}

size_t HashJoinProbe::FilterByResidual(sel_t* matches, size_t count) {
  auto selection = std::make_shared<SelectionVector>();
  std::copy_n(matches, count, selection->rows);
  const size_t left_columns = input_.column_count();
  pairs_.Release();
  for (size_t i = 0; i < left_columns; i++)
    pairs_.column(i).Slice(input_.column(i), input_.size(), selection, count);
  GatherRight(matches, count, pairs_, left_columns);
  pairs_.SetSize(count);
  size_t kept = 0;
  if (join_.join_type == LogicalJoinType::kMark) {
    residual_executor_->Execute(0, pairs_, truth_);
    const auto truth = truth_.ViewAs<uint8_t>(count);
    for (size_t i = 0; i < count; i++) {
      const sel_t row = matches[i];
      const bool is_known = truth.IsValid(i);
      matches_.unknown[row] |= !is_known;
      matches[kept] = row;
      kept += is_known && truth[i] != 0;
    }
    return kept;
  }
  SelectionVector passed;
  kept = residual_executor_->Select(0, pairs_, passed);
  for (size_t i = 0; i < kept; i++) matches[i] = matches[passed.rows[i]];
  return kept;
}

size_t HashJoinProbe::FindMatches(sel_t* matches) {
  sel_t mismatches[kVectorSize];
  size_t count = 0, mismatch_count = 0;
  // For joins that emit right rows only, it does not matter which partner a right row has found.
  const bool skips_matched = !built_->dense && !EmitsLeft(join_.join_type);
  for (size_t i = 0; i < open_count_; i++) {
    const sel_t row = open_[i];
    matches[count] = row;
    count += !(skips_matched && JoinTable::IsMatched(rows_[row]));
  }
  // A slot of a dense table has a single key.
  const size_t key_count = built_->dense ? 0 : keys_.column_count();
  for (size_t i = 0; i < key_count && count != 0; i++) {
    count = join_.layout.Match(i, keys_.column(i).View(input_.size()), join_.nulls_equal[i], rows_, matches,
                               count, mismatches, mismatch_count);
  }
  if (join_.residual && count != 0) count = FilterByResidual(matches, count);
  return count;
}

size_t HashJoinProbe::NoteMatches(sel_t* matches, size_t count) {
  size_t noted = 0;
  for (size_t i = 0; i < count; i++) {
    const sel_t row = matches[i];
    std::byte* right = rows_[row];
    if (join_.join_type == LogicalJoinType::kRightSemi) {
      matches[noted] = row;
      noted += JoinTable::TakeFirstMatch(right);
      continue;
    }
    NoteMatch(join_.join_type, matches_, row);
    if (KeepsRight(join_.join_type)) JoinTable::SetMatched(right);
    noted++;
  }
  return noted;
}

void HashJoinProbe::WalkOn() {
  if (built_->dense) {
    open_count_ = 0;
    return;
  }
  const bool one_is_enough = !EmitsRight(join_.join_type);
  size_t still_open = 0;
  for (size_t i = 0; i < open_count_; i++) {
    const sel_t row = open_[i];
    if (one_is_enough && matches_.matched[row]) continue;
    std::byte* next = JoinTable::NextOf(rows_[row]);
    rows_[row] = next;
    open_[still_open] = row;
    still_open += next != nullptr;
  }
  open_count_ = still_open;
}

bool HashJoinProbe::Step(DataChunk& output) {
  SCAUP_ASSERT(has_open_rows());
  sel_t matches[kVectorSize];
  const size_t match_count = NoteMatches(matches, FindMatches(matches));
  const bool emits_now =
      match_count != 0 && EmitsRight(join_.join_type) && join_.join_type != LogicalJoinType::kRightAnti;
  if (emits_now) {
    const size_t left_columns = EmitsLeft(join_.join_type) ? input_.column_count() : 0;
    if (left_columns != 0) EmitLeft(matches, match_count, output);
    GatherRight(matches, match_count, output, left_columns);
    output.SetSize(match_count);
    output.batch_index = input_.batch_index;
  }
  WalkOn();
  return emits_now;
}

void HashJoinProbe::EmitLeft(const sel_t* matches, size_t count, DataChunk& output) {
  const bool all_rows = count == input_.size() && matches[0] == 0 && matches[count - 1] + size_t{1} == count;
  auto selection = std::make_shared<SelectionVector>();
  std::copy_n(matches, count, selection->rows);
  for (size_t i = 0; i < input_.column_count(); i++) {
    if (all_rows) {
      output.column(i).Reference(input_.column(i));
    } else {
      output.column(i).Slice(input_.column(i), input_.size(), selection, count);
    }
  }
}

bool HashJoinProbe::EmitUnmatchedRight(DataChunk& output) {
  JoinBuildSide& built = *built_;
  while (true) {
    const size_t slice = built.next_slice.fetch_add(1);
    if (slice >= built.row_slices.size()) return false;
    const auto [first, count] = built.row_slices[slice];
    std::byte* rows[kVectorSize];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
      rows[kept] = first + i * join_.layout.row_bytes();
      kept += !JoinTable::IsMatched(rows[kept]);
    }
    if (kept == 0) continue;
    const size_t left_columns = EmitsLeft(join_.join_type) ? join_.left_types.size() : 0;
    SetLeftNull(output, left_columns);
    GatherRows(rows, kept, output, left_columns);
    output.SetSize(kept);
    return true;
  }
}

}  // namespace scaup
