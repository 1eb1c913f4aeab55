// Table: rewrites row groups of documents that are not stored as the policy demands.
#include <algorithm>

#include "storage/compaction/row_group_writer.hpp"
#include "storage/shredded/document_segment.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table.hpp"

namespace scaup {

namespace {

/// Returns whether a row group should be rewritten. Small row groups in memory wait until there are more
/// rows.
bool IsUnlike(const RowGroup& row_group, const ShreddingPolicy& policy, const Table& table) {
  if (!row_group.is_stored()) return RowGroupWriter::IsLarge(row_group, table.types().size(), table.memory());
  const auto column = row_group.column(kRecordColumn);
  const auto* documents = dynamic_cast<const DocumentSegment*>(column.get());
  return documents != nullptr && !(documents->policy() == policy);
}

}  // namespace

size_t Table::CountUnlike(const ShreddingPolicy& policy) const {
  if (!attributes_ || !store_) return 0;
  const auto snapshot = NewestSnapshot();
  return static_cast<size_t>(std::count_if(snapshot->row_groups.begin(), snapshot->row_groups.end(),
                                           [&](const auto& item) { return IsUnlike(*item, policy, *this); }));
}

bool Table::ShredNext(TransactionManager& transactions, const ShreddingPolicy& policy,
                      std::optional<Encoding> forced) {
  if (!attributes_ || !store_ || store_->file().read_only()) return false;
  std::shared_ptr<const RowGroup> wanted;
  {
    const auto snapshot = NewestSnapshot();
    const auto found = std::find_if(snapshot->row_groups.begin(), snapshot->row_groups.end(),
                                    [&](const auto& item) { return IsUnlike(*item, policy, *this); });
    if (found == snapshot->row_groups.end()) return false;
    wanted = *found;
  }
  const uint64_t failed_syncs = store_->file().failed_syncs();
  RowGroupWriter writer(store_, types_.size(), forced);
  writer.Add(*wanted, layout(policy), true);
  std::shared_ptr<const RowGroup> stored = writer.Finish()[0];
  // Durable before the snapshot refers to it: a commit may log the new location.
  store_->file().SyncSince(failed_syncs);
  transactions.RunBetweenCommits([&] {
    const auto newest = NewestSnapshot();
    // A commit, a compaction or a checkpoint may have replaced the row group meanwhile; then the next call
    // handles it.
    const auto place = std::find(newest->row_groups.begin(), newest->row_groups.end(), wanted);
    if (place == newest->row_groups.end()) return;
    auto next = std::make_shared<TableSnapshot>(*newest);
    next->row_groups[static_cast<size_t>(place - newest->row_groups.begin())] = std::move(stored);
    const std::lock_guard lock(mutex_);
    // The snapshot's timestamp stays, as its rows are the same.
    snapshots_.back().snapshot = std::move(next);
  });
  return true;
}

}  // namespace scaup
