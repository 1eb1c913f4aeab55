// Table: maintains a random sample of the rows, and replaces it when enough of them have changed.
#include <algorithm>

#include "storage/table/table.hpp"
#include "storage/table/table_sample.hpp"

namespace scaup {

namespace {

/// Keeps sampling cheap compared with the changes that cause it, however small the table is.
constexpr uint64_t kLeastChanges = 2 * kSampleRows;

}  // namespace

std::shared_ptr<const TableSample> Table::Sample() const {
  std::lock_guard lock(sample_mutex_);
  return sample_;
}

std::optional<SampledView> Table::SampleView(const Transaction& transaction) const {
  TableView view = View(transaction);
  if (view.row_count() <= kSampleRows) return SampledView{std::move(view), true};
  const auto sample = Sample();
  if (!sample) return std::nullopt;
  return SampledView{TableView::Of(sample->snapshot), false};
}

void Table::SetSample(std::shared_ptr<const TableSample> sample) noexcept {
  std::lock_guard lock(sample_mutex_);
  sample_ = std::move(sample);
}

void Table::ReplaceSample(const TableSample& replaced, std::shared_ptr<const TableSample> sample) noexcept {
  std::lock_guard lock(sample_mutex_);
  if (sample_.get() == &replaced) sample_ = std::move(sample);
}

void Table::Analyze(const Transaction& transaction) {
  const TableView view = View(transaction);
  if (view.row_count() <= kSampleRows) return;
  // Reset before reading, so that changes made meanwhile count for the next sample.
  sample_changes_.store(0, std::memory_order_relaxed);
  const uint64_t number = sample_count_.fetch_add(1, std::memory_order_relaxed);
  if (auto sample = PickSample(view, types_, memory_, number)) SetSample(std::move(sample));
}

Table::SampleNeed Table::NeedOfSample(uint64_t share) const noexcept {
  const auto newest = NewestSnapshot();
  if (newest->live_row_count() <= kSampleRows) return SampleNeed::kNone;
  if (newest->next_row < sample_not_before_.load(std::memory_order_relaxed)) return SampleNeed::kNone;
  const auto sample = Sample();
  if (!sample) return SampleNeed::kWhole;
  const uint64_t due = std::max(kLeastChanges, sample->row_count / share);
  const uint64_t new_rows = newest->next_row - std::min(newest->next_row, sample->next_row);
  const uint64_t old_rows = newest->row_count - std::min(newest->row_count, new_rows);
  // Rows that have left the row groups count as changed.
  const uint64_t gone = sample->row_count - std::min(sample->row_count, old_rows);
  if (sample_changes_.load(std::memory_order_relaxed) + gone >= due) return SampleNeed::kWhole;
  return new_rows >= due ? SampleNeed::kNewRows : SampleNeed::kNone;
}

void Table::RefreshSample(TransactionManager& transactions, uint64_t share) noexcept {
  if (NeedOfSample(share) == SampleNeed::kNone || is_sampling_.exchange(true)) return;
  try {
    // Tested again below: another thread may have finished a sample just now.
    const ReadTransaction transaction(transactions);
    const SampleNeed need = NeedOfSample(share);
    const auto previous = need == SampleNeed::kNewRows ? Sample() : nullptr;
    if (!previous) sample_changes_.store(0, std::memory_order_relaxed);
    const uint64_t number = sample_count_.fetch_add(1, std::memory_order_relaxed);
    if (auto sample = PickSample(View(transaction->view()), types_, memory_, number, previous.get()))
      SetSample(std::move(sample));
  } catch (const std::exception&) {
    // Without memory, or with an unreadable block, the old sample stays; a query that needs the block will
    // report it. The next attempt waits for more rows, so that not every commit tries again.
    sample_not_before_.store(NewestSnapshot()->next_row + kLeastChanges, std::memory_order_relaxed);
  }
  is_sampling_.store(false);
}

}  // namespace scaup
