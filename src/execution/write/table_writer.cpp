// Table writer: building row groups per task, assembling them, and publishing them.
#include "execution/write/table_writer.hpp"

#include <algorithm>
#include <utility>

#include "common/throw.hpp"
#include "storage/shredded/attribute_statistics.hpp"

namespace scaup {

namespace {

uint64_t FailedSyncs(const Table& table) { return table.store() ? table.store()->file().failed_syncs() : 0; }

}  // namespace

TableWriter::Part::Part(const TableWriter& writer)
    : table_(*writer.table_->storage), options_(writer.options_), builder_(table_.types(), writer.memory_) {
  if (writer.context_ != nullptr) notes_.emplace(*writer.context_, writer.table_);
  if (table_.store()) writer_.emplace(table_.store(), table_.types().size(), options_.encoding);
}

void TableWriter::Part::Append(DataChunk& chunk) {
  SCAUP_ASSERT(row_count_ == 0 || chunk.batch_index >= batch_);
  // The next batch may continue the row group. A later one may not, as another task has the batches between.
  if (row_count_ == 0) {
    batches_.push_back({chunk.batch_index, {}});
  } else if (chunk.batch_index > batch_ + 1) {
    builder_.Finish();
    TakeFinished();
    batches_.push_back({chunk.batch_index, {}});
  }
  batch_ = chunk.batch_index;
  if (notes_) notes_->Inserted(chunk);
  builder_.Append(chunk);
  TakeFinished();
  row_count_ += chunk.size();
}

void TableWriter::Part::Finish() {
  builder_.Finish();
  TakeFinished();
  if (!writer_) return;
  const auto stored = writer_->Finish();
  for (size_t i = 0; i < stored.size(); i++)
    batches_[places_[i].first].row_groups[places_[i].second] = stored[i];
}

void TableWriter::Part::TakeFinished() {
  for (auto& row_group : builder_.TakeFinished()) {
    if (writer_ && RowGroupWriter::IsLarge(*row_group, table_.types().size(), table_.memory())) {
      writer_->Add(*row_group, table_.layout(options_.shredding), false, &attributes_);
      places_.emplace_back(batches_.size() - 1, batches_.back().row_groups.size());
      row_group.reset();
    } else if (table_.attributes()) {
      attributes_.AddRowGroup(*row_group, *table_.attributes());
    }
    batches_.back().row_groups.push_back(std::move(row_group));
  }
}

TableWriter::TableWriter(QueryContext& context, TableEntryRef table)
    : table_(std::move(table)),
      options_(TableWriteOptions::Of(context.settings())),
      memory_(context.memory()),
      context_(&context),
      failed_syncs_(FailedSyncs(*table_->storage)) {}

TableWriter::TableWriter(const Settings& settings, MemoryTracker& memory, TableEntryRef table)
    : table_(std::move(table)),
      options_(TableWriteOptions::Of(settings)),
      memory_(memory),
      failed_syncs_(FailedSyncs(*table_->storage)) {}

TableWriter::Part& TableWriter::NewPart() {
  std::unique_ptr<Part> part(new Part(*this));
  MutexLock lock(mutex_);
  return *parts_.emplace_back(std::move(part));
}

size_t TableWriter::MostParts() const {
  SCAUP_ASSERT(context_ != nullptr);
  // A row group, and one column twice: uncompressed and compressed.
  size_t row_bytes = 0, widest = 0;
  for (const LogicalType& type : table_->storage->types()) {
    row_bytes += PhysicalSize(type);
    widest = std::max(widest, PhysicalSize(type));
  }
  const size_t part_bytes = (row_bytes + 2 * widest) * kRowsPerRowGroup;
  return std::max<size_t>(1, context_->MemoryBytes() / 2 / std::max<size_t>(1, part_bytes));
}

RowGroupList TableWriter::TakeRowGroups() {
  std::vector<Part::BuiltBatch> batches;
  for (const auto& part : parts_) {
    std::move(part->batches_.begin(), part->batches_.end(), std::back_inserter(batches));
    part->batches_.clear();
  }
  std::stable_sort(batches.begin(), batches.end(),
                   [](const auto& a, const auto& b) { return a.batch < b.batch; });
  RowGroupList row_groups;
  for (auto& batch : batches)
    std::move(batch.row_groups.begin(), batch.row_groups.end(), std::back_inserter(row_groups));
  return row_groups;
}

void TableWriter::Publish(Transaction& transaction) {
  Table& table = *table_->storage;
  std::vector<ColumnStatistics> statistics(table.types().size());
  AttributeStatistics attributes;
  for (const auto& part : parts_) {
    for (size_t i = 0; i < statistics.size(); i++)
      statistics[i].Merge(part->builder_.statistics()[i], PhysicalTypeOf(table.types()[i]));
    if (table_->is_collection()) attributes.Merge(part->attributes_, *table.attributes());
  }
  RowGroupList row_groups = TakeRowGroups();
  row_groups = table.store() ? StoreLargeRowGroups(std::move(row_groups), table.layout(options_.shredding),
                                                   table.store(), options_.encoding, failed_syncs_)
                             : JoinSmallRowGroups(std::move(row_groups), table.types(), memory_, false);
  table.Insert({transaction, table_->name}, std::move(row_groups), statistics, attributes);
}

}  // namespace scaup
