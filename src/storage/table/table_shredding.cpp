// Rewrites row groups of documents that are not stored as the policy demands.
#include "storage/table/table_shredding.hpp"

#include <algorithm>

#include "storage/compaction/row_group_writer.hpp"
#include "storage/shredded/document_segment.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table.hpp"
#include "transaction/transaction_manager.hpp"

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

size_t CountUnlike(const Table& table, const ShreddingPolicy& policy) {
  if (!table.attributes() || !table.store()) return 0;
  const auto snapshot = table.snapshots().Newest();
  return static_cast<size_t>(std::count_if(snapshot->row_groups.begin(), snapshot->row_groups.end(),
                                           [&](const auto& item) { return IsUnlike(*item, policy, table); }));
}

bool ShredNext(Table& table, TransactionManager& transactions, const ShreddingPolicy& policy,
               std::optional<Encoding> forced) {
  const auto& store = table.store();
  if (!table.attributes() || !store || store->file().read_only()) return false;
  std::shared_ptr<const RowGroup> wanted;
  {
    const auto snapshot = table.snapshots().Newest();
    const auto found = std::find_if(snapshot->row_groups.begin(), snapshot->row_groups.end(),
                                    [&](const auto& item) { return IsUnlike(*item, policy, table); });
    if (found == snapshot->row_groups.end()) return false;
    wanted = *found;
  }
  const uint64_t failed_syncs = store->file().failed_syncs();
  RowGroupWriter writer(store, table.types().size(), forced);
  writer.Add(*wanted, table.layout(policy), true);
  std::shared_ptr<const RowGroup> stored = writer.Finish()[0];
  // Durable before the snapshot refers to it: a commit may log the new location.
  store->file().SyncSince(failed_syncs);
  transactions.RunBetweenCommits([&] {
    const auto newest = table.snapshots().Newest();
    // A commit, a compaction or a checkpoint may have replaced the row group meanwhile; then the next call
    // handles it.
    const auto place = std::find(newest->row_groups.begin(), newest->row_groups.end(), wanted);
    if (place == newest->row_groups.end()) return;
    auto next = std::make_shared<TableSnapshot>(*newest);
    next->row_groups[static_cast<size_t>(place - newest->row_groups.begin())] = std::move(stored);
    table.snapshots().ReplaceNewest(std::move(next));
  });
  return true;
}

}  // namespace scaup
