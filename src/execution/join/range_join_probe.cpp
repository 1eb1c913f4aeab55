// Finds pairs of left and right rows, tests them, and emits them.
#include "execution/join/range_join_probe.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// From this many consecutive rows on, right rows are referred to instead of copied.
constexpr size_t kLeastStretchRows = 64;

}  // namespace

RangeJoinProbe::RangeJoinProbe(const RangeJoinSpecification& join, QueryContext& context)
    : join_(join),
      input_(join.left_types),
      key_executor_(context.functions, join.left_keys),
      keys_(TypesOf(join.left_keys)) {
  std::vector<LogicalType> pair_types = join.left_types;
  pair_types.insert(pair_types.end(), join.right_types.begin(), join.right_types.end());
  pairs_.Initialize(pair_types);
  if (join.residual) residual_.emplace(context.functions, *join.residual);
}

void RangeJoinProbe::SetBuildSide(RangeJoinBuildSide* built) {
  pairs_.Release();
  search_.reset();
  built_ = built;
  if (built_ != nullptr) search_.emplace(*built_->index);
}

void RangeJoinProbe::Begin() {
  const size_t count = input_.size();
  keys_.Release();
  key_executor_.Execute(input_, keys_);
  search_->Begin(keys_, count);
  matches_.Reset(count);
  open_count_ = next_open_ = 0;
  for (size_t row = 0; row < count; row++) {
    positions_[row] = search_->begin(row);
    open_[open_count_] = static_cast<sel_t>(row);
    open_count_ += positions_[row] < search_->end(row);
  }
  // If one match suffices, few candidates are tried at first.
  most_per_visit_ = join_.IsExistence() ? 1 : kVectorSize;
  if (join_.join_type != LogicalJoinType::kMark || join_.schema.conditions.size() != 1 || join_.residual)
    return;
  const bool has_rows = built_->index->rows().row_count() != 0;
  for (size_t row = 0; row < count; row++)
    matches_.unknown[row] = built_->index->has_null_key() || (has_rows && search_->has_null(row));
}

void RangeJoinProbe::DropMatched() {
  SCAUP_ASSERT(join_.IsExistence());
  const auto is_done = [&](sel_t row) { return matches_.matched[row]; };
  const sel_t* end = std::remove_if(open_, open_ + open_count_, is_done);
  open_count_ = static_cast<size_t>(end - open_);
}

/// Without a residual every row found is a match, so no pairs are formed.
void RangeJoinProbe::NoteExistence(QueryContext& context) {
  SCAUP_ASSERT(join_.IsExistence() && !join_.residual);
  for (size_t i = 0; i < open_count_; i++) {
    const sel_t row = open_[i];
    uint64_t found = 0;
    context.functions.CheckInterrupt();
    matches_.matched[row] = search_->Find(row, positions_[row], search_->end(row), 1, &found) != 0;
  }
  open_count_ = 0;
}

/// Adds pairs of an open row. A row with a long range of partners gets a batch of its own.
void RangeJoinProbe::VisitRow(size_t row) {
  const uint64_t end = search_->end(row);
  uint64_t& position = positions_[row];
  if (search_->finds_stretches() && !join_.IsExistence() && end - position >= kLeastStretchRows) {
    // The batch ends with the piece, so that it can refer to it.
    if (pair_count_ != 0) return;
    is_stretch_ = true;
    pair_count_ = std::min<uint64_t>(kVectorSize - position % kVectorSize, end - position);
    left_rows_->rows[0] = static_cast<sel_t>(row);
    right_rows_[0] = position;
    position += pair_count_;
    return;
  }
  const size_t most = std::min(most_per_visit_, kVectorSize - pair_count_);
  const size_t count = search_->Find(row, position, end, most, right_rows_ + pair_count_);
  std::fill_n(left_rows_->rows + pair_count_, count, static_cast<sel_t>(row));
  pair_count_ += count;
}

/// Finds the next pairs, at most 1024; false if there are no more. Rows are visited one after the other until
/// all their partners are found. Where one match suffices, they are visited in rounds with growing numbers of
/// candidates, and matched rows drop out.
bool RangeJoinProbe::FindPairs(QueryContext& context) {
  is_stretch_ = false;
  pair_count_ = 0;
  left_rows_ = std::make_shared<SelectionVector>();
  while (pair_count_ < kVectorSize && !is_stretch_) {
    if (next_open_ == open_count_) {
      if (pair_count_ != 0) break;  // Test them first: they may be matches.
      const auto is_done = [&](sel_t row) {
        return positions_[row] == search_->end(row) || (join_.IsExistence() && matches_.matched[row]);
      };
      sel_t* end = std::remove_if(open_, open_ + open_count_, is_done);
      open_count_ = static_cast<size_t>(end - open_);
      next_open_ = 0;
      if (open_count_ == 0) return false;
      most_per_visit_ = std::min(2 * most_per_visit_, kVectorSize);
    }
    context.functions.CheckInterrupt();
    const sel_t row = open_[next_open_];
    const size_t count_before = pair_count_;
    VisitRow(row);
    if (pair_count_ == count_before && positions_[row] < search_->end(row)) break;
    next_open_ += join_.IsExistence() || positions_[row] == search_->end(row);
  }
  return pair_count_ != 0;
}

/// Assembles the rows of the pairs.
void RangeJoinProbe::MakePairs() {
  const size_t left_columns = input_.column_count();
  const ColumnCollection& right = built_->index->rows();
  pairs_.Release();
  pairs_.SetSize(pair_count_);
  pairs_.batch_index = input_.batch_index;
  if (is_stretch_) return MakeStretch();
  for (size_t i = 0; i < left_columns; i++)
    pairs_.column(i).Slice(input_.column(i), input_.size(), left_rows_, pair_count_);
  for (size_t i = left_columns; i < pairs_.column_count(); i++) {
    pairs_.column(i).Reset();
    right.Gather(i - left_columns, right_rows_, pair_count_, pairs_.column(i));
  }
}

/// Assembles pairs of one left row with consecutive right rows of a piece, which are not copied.
void RangeJoinProbe::MakeStretch() {
  const size_t left_columns = input_.column_count();
  const ColumnCollection& right = built_->index->rows();
  const size_t piece = right_rows_[0] / kVectorSize, first = right_rows_[0] % kVectorSize;
  SetLeftConstant(input_, left_rows_->rows[0], pairs_);
  for (size_t i = left_columns; i < pairs_.column_count(); i++) {
    Vector& column = pairs_.column(i);
    const UnifiedView view = right.PieceView(i - left_columns, piece);
    const std::byte* data = view.data + first * PhysicalSize(column.physical_type());
    column.ReferenceFlat(data, nullptr, nullptr);
    if (view.validity == nullptr) continue;
    ValidityWord words[kValidityWords];
    SetAllValid(words, kVectorSize);
    for (size_t row = 0; row < pair_count_; row++)
      if (!view.IsValid(first + row)) SetInvalid(words, row);
    column.SetValidity(words);
  }
}

/// Tests the pairs, records matches, and emits pairs where the join type does; false if there are none.
bool RangeJoinProbe::TestPairs(DataChunk& output) {
  MakePairs();
  const size_t count = pair_count_;
  auto passed = std::make_shared<SelectionVector>();
  size_t kept = count;
  if (residual_) kept = residual_->Select(0, pairs_, *passed);
  const auto pair_of = [&](size_t i) { return residual_ ? passed->rows[i] : i; };
  const auto note_left = [&](sel_t row) { NoteMatch(join_.join_type, matches_, row); };
  if (is_stretch_) {
    for (size_t i = 0; i < std::min<size_t>(kept, 2); i++) note_left(left_rows_->rows[0]);
  } else {
    for (size_t i = 0; i < kept; i++) note_left(left_rows_->rows[pair_of(i)]);
  }
  for (size_t i = 0; KeepsRight(join_.join_type) && i < kept; i++) {
    const size_t pair = pair_of(i);
    const uint64_t row = is_stretch_ ? right_rows_[0] + pair : right_rows_[pair];
    built_->matched.Add(row);
  }
  if (kept == 0 || join_.IsExistence()) return false;
  if (kept == count) {
    output.Reference(pairs_);
  } else {
    output.Slice(pairs_, passed, kept);
  }
  return true;
}

bool RangeJoinProbe::EmitUnmatchedRight(DataChunk& output) {
  MatchedRows::Unmatched unmatched;
  if (!built_->matched.NextUnmatched(unmatched)) return false;
  uint64_t rows[kVectorSize];
  for (size_t i = 0; i < unmatched.count; i++) rows[i] = unmatched.piece * kVectorSize + unmatched.rows[i];
  const size_t left_columns = join_.left_types.size();
  SetLeftNull(output, left_columns);
  for (size_t i = left_columns; i < output.column_count(); i++) {
    output.column(i).Reset();
    built_->index->rows().Gather(i - left_columns, rows, unmatched.count, output.column(i));
  }
  output.SetSize(unmatched.count);
  return true;
}

}  // namespace scaup
