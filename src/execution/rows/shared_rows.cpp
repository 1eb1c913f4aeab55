// Shared rows: collecting them in parallel, and reading them in the order of their source.
#include "execution/rows/shared_rows.hpp"

#include <algorithm>

#include "execution/run/query_context.hpp"
#include "scaup/error.hpp"

namespace scaup {

/// Collects the rows of one task and records where batches begin.
class KeptRowsSink final : public ChunkSink {
 public:
  KeptRowsSink(QueryContext& context, const std::vector<LogicalType>& types, size_t task,
               std::shared_ptr<SpillFailure> failure)
      : rows(std::make_unique<SpillableRows>(context, types, std::move(failure))),
        runs_memory(context.memory()),
        task_(task) {}

  void Consume(DataChunk& chunk) override {
    if (runs.empty() || runs.back().batch != chunk.batch_index) {
      if (runs.size() == runs.capacity()) Grow();
      runs.push_back({chunk.batch_index, task_, rows->row_count(), 0});
    }
    runs.back().row_count += chunk.size();
    rows->Append(chunk);
  }
  void Finish() override { rows->Finish(); }

  std::unique_ptr<SpillableRows> rows;
  MemoryReservation runs_memory;
  std::vector<MaterializedRows::Run> runs;

 private:
  void Grow() {
    const size_t wanted = std::max<size_t>(16, runs.capacity() * 2);
    runs_memory.Resize(wanted * sizeof(MaterializedRows::Run));
    runs.reserve(wanted);
  }

  size_t task_;
};

MaterializedRows::MaterializedRows(QueryContext& context, std::unique_ptr<SpillableRows> rows)
    : MaterializedRows(context) {
  row_count_ = rows->row_count();
  parts_.push_back(std::move(rows));
}

size_t MaterializedRows::size_bytes() const {
  size_t size_bytes = 0;
  for (const auto& part : parts_) size_bytes += part->size_bytes();
  return size_bytes;
}

std::shared_ptr<const MaterializedRows> MaterializedRows::Collect(QueryContext& context,
                                                                  const PhysicalOperator& input,
                                                                  SharedState& input_shared,
                                                                  OperatorProfile& profile) {
  const auto failure = std::make_shared<SpillFailure>();
  std::vector<std::unique_ptr<ChunkSink>> sinks;
  try {
    sinks = DrainParallel(context, input, input_shared, profile, [&](size_t task) {
      return std::make_unique<KeptRowsSink>(context, input.types(), task, failure);
    });
  } catch (const Error& error) {
    // Whichever reservation failed, its cause is that these rows could not be spilled: report that error.
    if (error.kind() == ErrorKind::kOutOfMemory) failure->Rethrow();
    throw;
  }
  std::shared_ptr<MaterializedRows> kept(new MaterializedRows(context));
  const auto by_batch = [](const Run& a, const Run& b) { return a.batch < b.batch; };
  size_t run_count = 0;
  for (auto& sink : sinks) {
    auto& part = static_cast<KeptRowsSink&>(*sink);
    kept->row_count_ += part.rows->row_count();
    kept->parts_.push_back(std::move(part.rows));
    run_count += part.runs.size();
  }
  const auto runs_of = [&](size_t sink) -> std::vector<Run>& {
    return static_cast<KeptRowsSink&>(*sinks[sink]).runs;
  };
  // One task in batch order needs no list of runs: row positions are positions in its only part.
  if (sinks.size() == 1 && std::is_sorted(runs_of(0).begin(), runs_of(0).end(), by_batch)) return kept;
  kept->runs_memory_.Resize(run_count * sizeof(Run));
  kept->runs_.reserve(run_count);
  for (size_t i = 0; i < sinks.size(); i++)
    kept->runs_.insert(kept->runs_.end(), runs_of(i).begin(), runs_of(i).end());
  std::stable_sort(kept->runs_.begin(), kept->runs_.end(), by_batch);
  uint64_t begin = 0;
  for (Run& run : kept->runs_) {
    run.begin = begin;
    begin += run.row_count;
  }
  return kept;
}

KeptRowsReader::KeptRowsReader(std::shared_ptr<const MaterializedRows> rows) : rows_(std::move(rows)) {}

const RowsPiece& KeptRowsReader::Hold(size_t part, size_t piece) {
  held_.resize(rows_->parts_.size());
  Held& held = held_[part];
  if (held.piece.is_empty() || held.index != piece) {
    held.piece = RowsPiece();  // Unpin it first: reading the next one needs memory.
    held.piece = rows_->parts_[part]->Piece(piece);
    held.index = piece;
  }
  return held.piece;
}

std::vector<KeptRowsReader::Range> KeptRowsReader::RangesOf(uint64_t begin, size_t count) {
  const std::vector<MaterializedRows::Run>& runs = rows_->runs_;
  size_t run = static_cast<size_t>(std::upper_bound(runs.begin(), runs.end(), begin,
                                                    [](uint64_t row, const MaterializedRows::Run& r) {
                                                      return row < r.begin;
                                                    }) -
                                   runs.begin()) -
               1;
  uint64_t within = begin - runs[run].begin;
  std::vector<Range> ranges;
  while (count != 0) {
    if (within == runs[run].row_count) {
      run++;
      within = 0;
      continue;
    }
    const uint64_t row = runs[run].first_row + within;
    const size_t first_row = row % kVectorSize;
    const size_t taken =
        std::min({count, static_cast<size_t>(runs[run].row_count - within), kVectorSize - first_row});
    ranges.push_back({Hold(runs[run].part, row / kVectorSize), first_row, taken});
    within += taken;
    count -= taken;
  }
  return ranges;
}

void KeptRowsReader::Read(size_t piece, const std::vector<size_t>& columns, DataChunk& output) {
  const uint64_t begin = piece * kVectorSize;
  const size_t count = std::min<size_t>(kVectorSize, rows_->row_count_ - begin);
  output.SetSize(count);
  if (columns.empty()) return;
  if (rows_->runs_.empty()) {
    const RowsPiece values = rows_->parts_[0]->Piece(piece);
    for (size_t i = 0; i < columns.size(); i++) values.ReadColumn(columns[i], output.column(i));
    return;
  }
  // The output keeps the ranges alive: long strings are not copied and lie in several pieces.
  const auto ranges = std::make_shared<const std::vector<Range>>(RangesOf(begin, count));
  for (size_t i = 0; i < columns.size(); i++) {
    Vector& target = output.column(i);
    target.Reset();
    size_t offset = 0;
    for (const Range& range : *ranges) {
      range.piece.CopyRange(columns[i], range.first_row, range.row_count, target, offset);
      offset += range.row_count;
    }
    if (target.physical_type() == PhysicalType::kString) target.KeepAlive(ranges);
  }
}

const std::shared_ptr<const MaterializedRows>& SharedRows::Rows() {
  const MutexLock lock(mutex_);
  if (!rows_) rows_ = fill_();
  return rows_;
}

}  // namespace scaup
