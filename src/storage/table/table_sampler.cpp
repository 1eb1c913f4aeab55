// TableSampler: picks a sample of the rows, and another one when enough of them have changed.
#include "storage/table/table_sampler.hpp"

#include <algorithm>

#include "storage/scan/table_sample.hpp"
#include "storage/table/table.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

namespace {

/// Keeps sampling cheap compared with the changes that cause it, however small the table is.
constexpr uint64_t kLeastSampledChanges = 2 * kSampleRows;

}  // namespace

std::shared_ptr<const TableSample> TableSampler::Sample() const {
  MutexLock lock(mutex_);
  return sample_;
}

std::optional<SampledView> TableSampler::View(const Transaction& transaction) const {
  TableView view = table_.UnloggedView(transaction);
  if (view.row_count() <= kSampleRows) return SampledView{std::move(view), true};
  const auto sample = Sample();
  if (!sample) return std::nullopt;
  return SampledView{TableView::Of(sample->snapshot), false};
}

uint64_t TableSampler::EstimateRowCount(const Transaction& transaction) const {
  return table_.UnloggedView(transaction).row_count();
}

void TableSampler::Set(std::shared_ptr<const TableSample> sample) noexcept {
  MutexLock lock(mutex_);
  sample_ = std::move(sample);
}

void TableSampler::Replace(const TableSample& replaced, std::shared_ptr<const TableSample> sample) noexcept {
  MutexLock lock(mutex_);
  if (sample_.get() == &replaced) sample_ = std::move(sample);
}

void TableSampler::Analyze(const Transaction& transaction) {
  const TableView view = table_.UnloggedView(transaction);
  if (view.row_count() <= kSampleRows) return;
  // Reset before reading, so that changes made meanwhile count for the next sample.
  changes_.store(0, std::memory_order_relaxed);
  const uint64_t number = sample_count_.fetch_add(1, std::memory_order_relaxed);
  if (auto sample = PickSample(view, table_.types(), table_.memory(), number)) Set(std::move(sample));
}

TableSampler::Need TableSampler::NeedOf(uint64_t share) const noexcept {
  const auto newest = table_.snapshots().Newest();
  if (newest->live_row_count() <= kSampleRows) return Need::kNone;
  if (newest->next_row < not_before_.load(std::memory_order_relaxed)) return Need::kNone;
  const auto sample = Sample();
  if (!sample) return Need::kWhole;
  const uint64_t due = std::max(kLeastSampledChanges, sample->row_count / share);
  const uint64_t new_rows = newest->next_row - std::min(newest->next_row, sample->next_row);
  const uint64_t old_rows = newest->row_count - std::min(newest->row_count, new_rows);
  // Rows that have left the row groups count as changed.
  const uint64_t gone = sample->row_count - std::min(sample->row_count, old_rows);
  if (changes_.load(std::memory_order_relaxed) + gone >= due) return Need::kWhole;
  return new_rows >= due ? Need::kNewRows : Need::kNone;
}

void TableSampler::Refresh(TransactionManager& transactions, uint64_t share) noexcept {
  if (NeedOf(share) == Need::kNone || is_sampling_.exchange(true)) return;
  try {
    // Tested again below: another thread may have finished a sample just now.
    const ReadTransaction transaction(transactions);
    const Need need = NeedOf(share);
    const auto previous = need == Need::kNewRows ? Sample() : nullptr;
    if (!previous) changes_.store(0, std::memory_order_relaxed);
    const uint64_t number = sample_count_.fetch_add(1, std::memory_order_relaxed);
    if (auto sample = PickSample(table_.View(transaction->view()), table_.types(), table_.memory(), number,
                                 previous.get()))
      Set(std::move(sample));
  } catch (const std::exception&) {
    // Without memory, or with an unreadable block, the old sample stays; a query that needs the block will
    // report it. The next attempt waits for more rows, so that not every commit tries again.
    not_before_.store(table_.snapshots().Newest()->next_row + kLeastSampledChanges,
                      std::memory_order_relaxed);
  }
  is_sampling_.store(false);
}

}  // namespace scaup
