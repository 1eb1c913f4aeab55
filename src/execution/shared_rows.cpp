// Shared rows: collecting them in parallel, and reading them in the order of their source.
#include "execution/shared_rows.hpp"

#include <algorithm>

namespace scaup {

/// Collects the rows of one task.
class KeptRowsSink final : public ChunkSink {
 public:
  KeptRowsSink(const std::vector<LogicalType>& types, MemoryTracker& memory, size_t task)
      : collection(std::make_unique<ColumnCollection>(types, memory)), task_(task) {}

  void Consume(DataChunk& chunk) override {
    if (runs.empty() || runs.back().batch != chunk.batch_index)
      runs.push_back({chunk.batch_index, task_, collection->row_count(), 0});
    runs.back().row_count += chunk.size();
    collection->Append(chunk);
  }

  std::unique_ptr<ColumnCollection> collection;
  std::vector<KeptRows::Run> runs;

 private:
  size_t task_;
};

KeptRows::KeptRows(ColumnCollection rows) {
  collections_.push_back(std::make_unique<ColumnCollection>(std::move(rows)));
  Finish();
}

void KeptRows::Finish() {
  for (const auto& collection : collections_) {
    borrowed_.push_back(collection.get());
    row_count_ += collection->row_count();
  }
}

std::shared_ptr<const KeptRows> KeptRows::Collect(QueryContext& context, const PhysicalOperator& input,
                                                  SharedState& input_shared, OperatorProfile& profile) {
  auto sinks = DrainParallel(context, input, input_shared, profile, [&](size_t task) {
    return std::make_unique<KeptRowsSink>(input.types(), context.memory(), task);
  });
  std::shared_ptr<KeptRows> kept(new KeptRows());
  for (auto& sink : sinks) {
    auto& rows = static_cast<KeptRowsSink&>(*sink);
    kept->collections_.push_back(std::move(rows.collection));
    kept->runs_.insert(kept->runs_.end(), rows.runs.begin(), rows.runs.end());
  }
  kept->Finish();
  const auto by_batch = [](const Run& a, const Run& b) { return a.batch < b.batch; };
  if (sinks.size() == 1 && std::is_sorted(kept->runs_.begin(), kept->runs_.end(), by_batch)) {
    kept->runs_.clear();
    return kept;
  }
  std::stable_sort(kept->runs_.begin(), kept->runs_.end(), by_batch);
  uint64_t begin = 0;
  for (Run& run : kept->runs_) {
    run.begin = begin;
    begin += run.row_count;
  }
  return kept;
}

void KeptRows::Read(const std::shared_ptr<const KeptRows>& self, size_t piece,
                    const std::vector<size_t>& columns, DataChunk& output) {
  const uint64_t begin = piece * kVectorSize;
  const size_t count = std::min<size_t>(kVectorSize, self->row_count_ - begin);
  output.SetSize(count);
  if (self->runs_.empty()) {
    for (size_t i = 0; i < columns.size(); i++)
      self->collections_[0]->ReadColumn(columns[i], piece, self, output.column(i));
    return;
  }
  uint64_t rows[kVectorSize];
  size_t run =
      static_cast<size_t>(std::upper_bound(self->runs_.begin(), self->runs_.end(), begin,
                                           [](uint64_t row, const Run& r) { return row < r.begin; }) -
                          self->runs_.begin()) -
      1;
  uint64_t within = begin - self->runs_[run].begin;
  for (size_t i = 0; i < count; i++, within++) {
    while (within == self->runs_[run].row_count) {
      run++;
      within = 0;
    }
    rows[i] = CollectionRow(self->runs_[run].collection, self->runs_[run].first_row + within);
  }
  for (size_t i = 0; i < columns.size(); i++) {
    output.column(i).Reset();
    GatherFrom(self->borrowed_, columns[i], rows, count, output.column(i));
    output.column(i).KeepAlive(self);  // Long strings stay where they are.
  }
}

const std::shared_ptr<const KeptRows>& SharedRows::Rows() {
  const std::lock_guard lock(mutex_);
  if (!rows_) rows_ = fill_();
  return rows_;
}

}  // namespace scaup
