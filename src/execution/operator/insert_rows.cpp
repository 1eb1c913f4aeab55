// The way of new rows into a table.
#include "execution/operator/insert_rows.hpp"

#include <algorithm>

#include "storage/table/row_group_joining.hpp"

namespace scaup {

namespace {

std::optional<Encoding> ForcedEncoding(const QueryContext& context) {
  return EncodingFromName(context.functions.settings.force_compression);
}

}  // namespace

RowInserter::RowInserter(QueryContext& context, const TableEntryRef& table)
    : table_(*table->storage),
      notes_(context, table),
      builder_(table_.types(), context.memory()),
      policy_(ShreddingPolicy::Of(context.functions.settings)),
      failed_syncs_(table_.store() ? table_.store()->file().failed_syncs() : 0) {
  if (table_.store()) writer_.emplace(table_.store(), table_.types().size(), ForcedEncoding(context));
}

void RowInserter::Append(DataChunk& chunk) {
  // The next batch may go on in the same row group; a later one may not, as another task has what is between.
  if (row_count_ == 0) {
    batches_.push_back({chunk.batch_index, {}});
  } else if (chunk.batch_index > batch_ + 1) {
    builder_.Finish();
    TakeFinished();
    batches_.push_back({chunk.batch_index, {}});
  }
  batch_ = chunk.batch_index;
  notes_.Inserted(chunk);
  builder_.Append(chunk);
  TakeFinished();
  row_count_ += chunk.size();
}

void RowInserter::Finish() {
  builder_.Finish();
  TakeFinished();
  if (!writer_) return;
  const auto stored = writer_->Finish();
  for (size_t i = 0; i < stored.size(); i++)
    batches_[places_[i].first].row_groups[places_[i].second] = stored[i];
}

void RowInserter::TakeFinished() {
  for (auto& row_group : builder_.TakeFinished()) {
    if (writer_ && RowGroupWriter::IsLarge(*row_group, table_.types().size(), table_.memory())) {
      writer_->Add(*row_group, table_.layout(policy_), false, &attributes_);
      places_.emplace_back(batches_.size() - 1, batches_.back().row_groups.size());
      row_group.reset();
    } else if (table_.attributes()) {
      attributes_.AddRowGroup(*row_group, *table_.attributes());
    }
    batches_.back().row_groups.push_back(std::move(row_group));
  }
}

size_t MostInserters(const QueryContext& context, const std::vector<LogicalType>& types) {
  // A row group, and one of its columns twice: as it is compressed, and how.
  size_t row_bytes = 0, widest = 0;
  for (const LogicalType& type : types) {
    row_bytes += PhysicalSize(type);
    widest = std::max(widest, PhysicalSize(type));
  }
  const size_t task_bytes = (row_bytes + 2 * widest) * kRowsPerRowGroup;
  return std::max<size_t>(1, context.MemoryBytes() / 2 / std::max<size_t>(1, task_bytes));
}

void InsertRows(QueryContext& context, const TableEntry& table, std::span<RowInserter* const> inserters) {
  const auto& types = table.storage->types();
  const auto& store = table.storage->store();
  uint64_t failed_syncs = store ? store->file().failed_syncs() : 0;
  std::vector<RowInserter::BuiltBatch> batches;
  std::vector<ColumnStatistics> statistics(types.size());
  AttributeStatistics attributes;
  for (RowInserter* inserter : inserters) {
    failed_syncs = std::min(failed_syncs, inserter->failed_syncs_);
    std::move(inserter->batches_.begin(), inserter->batches_.end(), std::back_inserter(batches));
    for (size_t i = 0; i < types.size(); i++)
      statistics[i].Merge(inserter->builder_.statistics()[i], PhysicalTypeOf(types[i]));
    if (table.is_collection()) attributes.Merge(inserter->attributes_, *table.storage->attributes());
  }
  std::stable_sort(batches.begin(), batches.end(),
                   [](const auto& a, const auto& b) { return a.batch < b.batch; });
  RowGroupList row_groups;
  for (auto& batch : batches)
    std::move(batch.row_groups.begin(), batch.row_groups.end(), std::back_inserter(row_groups));
  row_groups =
      store ? StoreLargeRowGroups(std::move(row_groups),
                                  table.storage->layout(ShreddingPolicy::Of(context.functions.settings)),
                                  store, ForcedEncoding(context), failed_syncs)
            : JoinSmallRowGroups(std::move(row_groups), types, context.memory(), false);
  table.storage->Insert({context.transaction, table.name}, std::move(row_groups), statistics, attributes);
}

}  // namespace scaup
