// Spilled asof: walks through the left rows and lets the right rows follow.
#include "execution/asof/spilled_asof.hpp"

#include <algorithm>

namespace scaup {

namespace {

std::vector<SortOrder> FirstOrders(const AsofSpecification& specification) {
  const std::vector<SortOrder>& orders = specification.partitioning.orders;
  return {orders.begin(), orders.begin() + static_cast<ptrdiff_t>(specification.equality_count())};
}

}  // namespace

SpilledAsof::Side::Side(const AsofSpecification& specification, const std::vector<LogicalType>& input_types)
    : schema(specification.StoredRows(input_types)),
      rows(schema.types),
      keys_schema_(specification.Keys(schema.types)) {}

void SpilledAsof::Side::Begin(QueryContext& context, std::vector<SpilledRun> runs, MemoryUse* use) {
  if (runs.empty()) return;
  merge_ = std::make_unique<MergedChunks>(context, schema, std::move(runs), use);
}

void SpilledAsof::Side::End() {
  merge_.reset();
  rows.Release();
  next = 0;
}

bool SpilledAsof::Side::Load() {
  if (next < rows.size()) return true;
  if (!merge_) return false;
  next = 0;
  if (!merge_->Next(rows)) {
    End();
    return false;
  }
  keys_.resize(rows.size() * keys_schema_.encoder.key_bytes());
  keys_schema_.EncodeKeys(rows, keys_.data());
  return true;
}

SpilledAsof::SpilledAsof(QueryContext& context, const AsofSpecification& specification,
                         const std::vector<LogicalType>& left_types,
                         const std::vector<LogicalType>& right_types, SpilledPartitions left,
                         SpilledPartitions right, MemoryUse* use)
    : context_(context),
      use_(use),
      specification_(specification),
      encoder_(specification.partitioning.orders),
      equality_(FirstOrders(specification)),
      left_runs_(std::move(left)),
      right_runs_(std::move(right)),
      left_(specification, left_types),
      right_(specification, right_types),
      copied_(right_.schema.types) {
  for (const SpilledPartitions* side : {&left_runs_, &right_runs_}) {
    for (const auto& runs : *side) run_count_ += runs.size();
  }
}

bool SpilledAsof::BeginPartition() {
  const auto has_no_rows = [&](size_t partition) {
    return left_runs_[partition].empty() || (right_runs_[partition].empty() && !specification_.keeps_left);
  };
  while (next_partition_ < left_runs_.size() && has_no_rows(next_partition_)) next_partition_++;
  if (next_partition_ == left_runs_.size()) return false;
  left_.Begin(context_, std::move(left_runs_[next_partition_]), use_);
  right_.Begin(context_, std::move(right_runs_[next_partition_]), use_);
  next_partition_++;
  candidate_ = Candidate::kNone;
  is_in_partition_ = true;
  return true;
}

int SpilledAsof::CompareRight(size_t right_row, const std::byte* key, Side& other, size_t other_row) {
  return encoder_.Compare(
      right_.key(right_row), key, [&](size_t column) { return right_.string(column, right_row); },
      [&](size_t column) { return other.string(column, other_row); });
}

bool SpilledAsof::Advance() {
  while (true) {
    if (right_.next == right_.rows.size()) {
      // Rows that are to be given out refer to the rows that would be replaced.
      if (taken_ != 0 && source_ != Candidate::kNone) return false;
      if (candidate_ == Candidate::kInRows) CopyCandidate();
      if (!right_.Load()) return true;
    }
    const int order = CompareRight(right_.next, left_.key(left_.next), left_, left_.next);
    if (specification_.is_strict ? order >= 0 : order > 0) return true;
    // The first of equal rows stays, if that is the one that matches.
    bool stays = false;
    if (!specification_.takes_last && candidate_ == Candidate::kInRows) {
      stays = CompareRight(right_.next, right_.key(candidate_row_), right_, candidate_row_) == 0;
    } else if (!specification_.takes_last && candidate_ == Candidate::kCopied) {
      stays = encoder_.Compare(
                  right_.key(right_.next), copied_key_.data(),
                  [&](size_t column) { return right_.string(column, right_.next); },
                  [&](size_t column) { return copied_.column(column).Data<StringRef>()[0]; }) == 0;
    }
    if (!stays) {
      candidate_ = Candidate::kInRows;
      candidate_row_ = right_.next;
    }
    right_.next++;
  }
}

bool SpilledAsof::IsMatch() {
  if (candidate_ == Candidate::kNone) return false;
  const bool is_copied = candidate_ == Candidate::kCopied;
  const DataChunk& rows = is_copied ? copied_ : right_.rows;
  const size_t row = is_copied ? 0 : candidate_row_;
  return equality_.Compare(
             is_copied ? copied_key_.data() : right_.key(row), left_.key(left_.next),
             [&](size_t column) { return rows.column(column).Data<StringRef>()[row]; },
             [&](size_t column) { return left_.string(column, left_.next); }) == 0;
}

void SpilledAsof::CopyCandidate() {
  copied_.ResetForWriting();
  for (size_t i = 0; i < copied_.column_count(); i++)
    CopyRow(right_.rows.column(i).View(right_.rows.size()), candidate_row_, copied_.column(i), 0);
  copied_.SetSize(1);
  copied_key_.assign(right_.key(candidate_row_), right_.key(candidate_row_ + 1));
  candidate_ = Candidate::kCopied;
}

bool SpilledAsof::TakeRows() {
  taken_ = 0;
  source_ = Candidate::kNone;
  unmatched_.clear();
  left_selection_ = std::make_shared<SelectionVector>();
  right_selection_ = std::make_shared<SelectionVector>();
  if (!left_.Load()) return false;
  for (; left_.next < left_.rows.size(); left_.next++) {
    if (!Advance()) return true;
    const bool is_match = IsMatch();
    if (!is_match && !specification_.keeps_left) continue;
    if (is_match) {
      if (source_ != Candidate::kNone && source_ != candidate_) return true;
      source_ = candidate_;
    } else {
      unmatched_.push_back(static_cast<uint16_t>(taken_));
    }
    left_selection_->rows[taken_] = static_cast<sel_t>(left_.next);
    right_selection_->rows[taken_] =
        static_cast<sel_t>(is_match && candidate_ == Candidate::kInRows ? candidate_row_ : 0);
    taken_++;
  }
  return true;
}

void SpilledAsof::Emit(DataChunk& output) {
  const size_t left_width = specification_.left_columns.size();
  for (size_t i = 0; i < left_width; i++) {
    output.column(i).Slice(left_.rows.column(specification_.left_columns[i]), left_.rows.size(),
                           left_selection_, taken_);
  }
  DataChunk& source = source_ == Candidate::kCopied ? copied_ : right_.rows;
  for (size_t i = 0; i < specification_.right_columns.size(); i++) {
    Vector& column = output.column(left_width + i);
    if (source_ == Candidate::kNone) {
      column.SetConstantNull();
      continue;
    }
    column.Slice(source.column(specification_.right_columns[i]), source.size(), right_selection_, taken_);
    if (unmatched_.empty()) continue;
    column.Unshare(taken_);
    for (const uint16_t row : unmatched_) column.SetNull(row);
  }
  output.SetSize(taken_);
  output.batch_index = batch_count_++;
}

void SpilledAsof::Next(DataChunk& output) {
  while (true) {
    if (!is_in_partition_ && !BeginPartition()) return;
    if (!TakeRows()) {
      left_.End();
      right_.End();
      is_in_partition_ = false;
    } else if (taken_ != 0) {
      return Emit(output);
    }
    context_.functions.CheckInterrupt();
  }
}

}  // namespace scaup
