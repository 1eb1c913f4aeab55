// Picks the rows of a sample: randomly within parts of equal length, so that the whole table is represented.
#include "storage/scan/table_sample.hpp"

#include <algorithm>
#include <optional>
#include <random>

#include "storage/row_group/row_group_size.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/snapshot/row_fetcher.hpp"

namespace scaup {

namespace {

/// In tables with more rows than this, runs of neighbours are picked. Runs are longer in the file, where
/// decoding a block costs the same for one row as for many.
constexpr uint64_t kLeastRowsForRuns = 64 * kVectorSize;
constexpr uint64_t kRunRows = 4;
constexpr uint64_t kStoredRunRows = 16;
/// Rows are picked from at most this many windows of a row group's length; the rest is not read from the
/// file.
constexpr uint64_t kMostWindows = 64;
/// Rows are read in this many rounds, each over the whole table, so that reading can stop after any round.
constexpr size_t kRounds = 16;
/// With long strings, a sample has fewer rows.
constexpr size_t kMostSampleBytes = 8 << 20;

size_t MostSampleBytes(const MemoryTracker& memory) {
  return std::min(kMostSampleBytes, MostHeapBytes(memory));
}

/// Positions without gaps for the rows of some row groups.
class RowPositions {
 public:
  /// Covers rows of the table from `first_row` on, and all rows that the reader has inserted itself.
  RowPositions(const TableView& view, RowNumber first_row) {
    for (size_t part = 0; part < view.parts.size(); part++) {
      const TableSnapshot& snapshot = *view.parts[part].snapshot;
      for (size_t i = 0; i < snapshot.row_groups.size(); i++) {
        const RowNumber end = snapshot.first_rows[i] + snapshot.row_groups[i]->row_count();
        const RowNumber begin = std::max(snapshot.first_rows[i], part == 0 ? first_row : 0);
        if (begin >= end) continue;
        Add(begin, end - begin);
        is_stored_ |= snapshot.row_groups[i]->is_stored();
      }
    }
  }
  uint64_t count() const { return count_; }
  /// Returns whether some of them must be decoded.
  bool is_stored() const { return is_stored_; }
  RowNumber operator[](uint64_t position) const {
    const auto after =
        std::upper_bound(begins_.begin(), begins_.end(), position, std::less<>()) - begins_.begin();
    const auto range = static_cast<size_t>(after) - 1;
    return first_rows_[range] + (position - begins_[range]);
  }

 private:
  void Add(RowNumber first_row, uint64_t count) {
    begins_.push_back(count_);
    first_rows_.push_back(first_row);
    count_ += count;
  }
  std::vector<uint64_t> begins_;
  std::vector<RowNumber> first_rows_;
  uint64_t count_ = 0;
  bool is_stored_ = false;
};

/// The first positions of runs of rows, ascending.
struct PickedRuns {
  std::vector<uint64_t> begins;
  uint64_t length = 1;
};

PickedRuns PickRuns(const RowPositions& positions, uint64_t wanted, uint64_t seed) {
  PickedRuns picked;
  if (wanted == 0) return picked;
  const uint64_t row_count = positions.count();
  if (row_count > kLeastRowsForRuns) picked.length = positions.is_stored() ? kStoredRunRows : kRunRows;
  // Seeded, so that tests are repeatable.
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t bound) { return bound <= 1 ? 0 : random() % bound; };
  const uint64_t run_count = std::max<uint64_t>(1, std::min(wanted, row_count) / picked.length);
  const uint64_t window_count = std::min(kMostWindows, run_count);
  for (uint64_t window = 0; window < window_count; window++) {
    uint64_t begin = row_count * window / window_count;
    uint64_t length = row_count * (window + 1) / window_count - begin;
    // A random window of one row group's length stands for a longer part.
    if (length > kRowsPerRowGroup) {
      begin += below(length - kRowsPerRowGroup + 1);
      length = kRowsPerRowGroup;
    }
    const uint64_t runs = run_count * (window + 1) / window_count - run_count * window / window_count;
    for (uint64_t run = 0; run < runs; run++) {
      // One run in each slice of the window spreads the rows evenly.
      const uint64_t run_begin = length * run / runs, run_end = length * (run + 1) / runs;
      if (run_end - run_begin < picked.length) continue;
      picked.begins.push_back(begin + run_begin + below(run_end - run_begin - picked.length + 1));
    }
  }
  return picked;
}

class SampleBuilder {
 public:
  SampleBuilder(const std::vector<LogicalType>& types, MemoryTracker& memory)
      : types_(types), memory_(memory), builder_(types, memory) {
    for (size_t i = 0; i < types.size(); i++) columns_.push_back(i);
  }

  /// Copies `wanted` rows of an older sample, evenly spread.
  void Keep(const TableSample& previous, uint64_t wanted) {
    const uint64_t total = previous.row_group()->row_count();
    TableScan scan(TableView::Of(previous.snapshot), types_, {columns_, {}}, KernelsOf(BestKernelLevel()),
                   kBlocksPerRowGroup);
    TableScan::Position position;
    DataChunk chunk(types_);
    uint64_t row = 0;
    while (scan.Next(position, chunk)) {
      const auto kept = std::make_shared<SelectionVector>();
      size_t count = 0;
      for (size_t i = 0; i < chunk.size(); i++, row++) {
        // Picks row k whenever k * wanted / total steps to the next integer.
        if (wanted >= total || (row + 1) * wanted / total != row * wanted / total)
          kept->rows[count++] = static_cast<sel_t>(i);
      }
      chunk.Slice(kept, count);
      Append(chunk);
      chunk.Release();
    }
  }

  void Pick(const TableView& view, const RowPositions& positions, const PickedRuns& runs) {
    RowFetcher fetcher(view, types_, columns_, KernelsOf(BestKernelLevel()));
    DataChunk chunk(types_);
    for (Vector& column : chunk.columns()) column.AccountStrings(&memory_);
    for (size_t round = 0; round < kRounds && size_bytes_ < MostSampleBytes(memory_); round++) {
      std::vector<RowNumber> rows;
      for (size_t run = round; run < runs.begins.size(); run += kRounds) {
        for (uint64_t i = 0; i < runs.length; i++) rows.push_back(positions[runs.begins[run] + i]);
      }
      // Deleted rows are dropped; the sample is a little smaller then.
      std::vector<uint8_t> is_visible(rows.size());
      fetcher.TestVisible(rows, is_visible.data());
      size_t index = 0;
      std::erase_if(rows, [&](RowNumber) { return is_visible[index++] == 0; });
      for (size_t begin = 0; begin < rows.size(); begin += kVectorSize) {
        fetcher.Fetch(std::span(rows).subspan(begin, std::min(kVectorSize, rows.size() - begin)), chunk);
        Append(chunk);
      }
    }
  }

  /// Returns null if there are no rows.
  std::shared_ptr<const RowGroup> Finish() {
    builder_.Finish();
    // There are several row groups only if strings are very long; then the first has enough rows.
    const auto row_groups = builder_.TakeFinished();
    return row_groups.empty() ? nullptr : row_groups.front();
  }

 private:
  void Append(DataChunk& chunk) {
    for (size_t i = 0; i < types_.size(); i++) {
      size_bytes_ += chunk.size() * PhysicalSize(PhysicalTypeOf(types_[i]));
      if (PhysicalTypeOf(types_[i]) != PhysicalType::kString) continue;
      const auto strings = chunk.column(i).ViewAs<StringRef>(chunk.size());
      for (size_t row = 0; row < chunk.size(); row++) {
        if (strings.IsValid(row)) size_bytes_ += strings[row].size();
      }
    }
    builder_.Append(chunk);
  }

  const std::vector<LogicalType>& types_;
  MemoryTracker& memory_;
  RowGroupBuilder builder_;
  std::vector<size_t> columns_;
  size_t size_bytes_ = 0;
};

}  // namespace

TableSample::TableSample(std::shared_ptr<const RowGroup> rows, RowNumber next_row_in, uint64_t row_count_in)
    : next_row(next_row_in), row_count(row_count_in) {
  auto only = std::make_shared<TableSnapshot>();
  only->Append(std::move(rows));
  snapshot = std::move(only);
}

std::shared_ptr<const TableSample> PickSample(const TableView& view, const std::vector<LogicalType>& types,
                                              MemoryTracker& memory, uint64_t seed,
                                              const TableSample* previous) {
  const RowPositions positions(view, previous != nullptr ? previous->next_row : 0);
  const TableSnapshot& table = *view.parts[0].snapshot;
  const uint64_t row_count = std::max(view.row_count(), positions.count());
  SampleBuilder builder(types, memory);
  uint64_t wanted = kSampleRows;
  if (previous != nullptr) {
    // New rows get their share of the sample, the rest stays from the old one.
    wanted = kSampleRows * positions.count() / std::max<uint64_t>(row_count, 1);
    const uint64_t room = kSampleRows - wanted;
    const uint64_t kept = std::min<uint64_t>(room, previous->row_group()->row_count());
    if (kept < room) wanted = wanted * kept / room;  // it had fewer rows because of long strings
    builder.Keep(*previous, kept);
  }
  builder.Pick(view, positions, PickRuns(positions, wanted, seed));
  const auto rows = builder.Finish();
  if (!rows) return nullptr;
  return std::make_shared<const TableSample>(rows, table.next_row, table.row_count);
}

}  // namespace scaup
