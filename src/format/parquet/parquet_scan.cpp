// Hands row groups to threads, and reports the first damage in the order of the files.
#include "format/parquet/parquet_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <ranges>

#include "common/settings/settings.hpp"
#include "format/files/unit_scan.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/parquet_statistics.hpp"
#include "format/parquet/row_group_scan.hpp"

namespace scaup {

namespace {

/// A row group of a file, or a part of one.
struct RowGroupTask {
  uint64_t sequence = 0;
  size_t file_index = 0;
  size_t group_index = 0;
  size_t group_number = 0;   ///< in the whole scan
  ParquetRows rows{0, 0};    ///< of the row group
  int64_t first_row = 0;     ///< in its file
  uint64_t first_batch = 0;  ///< in the whole scan
};

struct ParquetScanError {
  uint64_t sequence = 0;
  size_t file_index = 0;
  ParquetDamage damage;
};

size_t CountRowGroups(const BoundParquet& bound) {
  size_t count = 0;
  for (const auto& file : bound.files) count += file->metadata().row_groups.size();
  return count;
}

/// Whether all wanted columns are flat: of those, what stands before a part is stepped over page by page; of
/// others every value would be read.
bool AreFlat(const BoundParquet& bound, const TableFunctionCall& call) {
  const auto is_flat = [&](size_t column) {
    return std::ranges::all_of(std::views::iota(size_t{0}, bound.files.size()), [&](size_t file) {
      const FileColumn& source = bound.sources[file][column];
      if (source.source != FileColumn::Source::kStored) return true;
      const ParquetTree& tree = bound.files[file]->tree();
      const ParquetNode& node = tree.columns[source.column];
      return node.kind == ParquetNode::Kind::kLeaf && tree.leaves[node.first_leaf].is_flat();
    });
  };
  return std::ranges::all_of(call.columns, is_flat) &&
         std::ranges::all_of(call.filters, is_flat, &ScanFilter::column);
}

/// How many parts a row group is cut into, so that all threads have some when there are few row groups.
size_t PartsOf(int64_t row_count, size_t wanted_parts) {
  constexpr size_t kLeastRows = 48 * kVectorSize;
  return std::clamp<size_t>(static_cast<size_t>(row_count) / kLeastRows, 1, wanted_parts);
}

std::vector<RowGroupTask> ListRowGroups(const TableFunctionCall& call, const BoundParquet& bound) {
  const size_t group_count = std::max<size_t>(CountRowGroups(bound), 1);
  const size_t threads = call.context.settings.threads;
  const size_t wanted_parts = threads > 1 && group_count < 2 * threads && AreFlat(bound, call)
                                  ? (2 * threads + group_count - 1) / group_count
                                  : 1;
  std::vector<RowGroupTask> units;
  uint64_t batch = 0;
  size_t group_number = 0;
  for (size_t file = 0; file < bound.files.size(); file++) {
    int64_t first_row = 0;
    const auto& groups = bound.files[file]->metadata().row_groups;
    for (size_t group = 0; group < groups.size(); group++) {
      const auto row_count = static_cast<size_t>(std::max<int64_t>(groups[group].row_count, 0));
      const size_t parts = PartsOf(groups[group].row_count, wanted_parts);
      const size_t part_rows = (row_count / parts + kVectorSize - 1) / kVectorSize * kVectorSize;
      size_t begin = 0;
      do {
        const size_t end = parts == 1 ? row_count : std::min(begin + part_rows, row_count);
        units.push_back({units.size(), file, group, group_number, {begin, end}, first_row, batch});
        // Ranges of rows end within vectors, so a part may take a few more.
        batch += end - begin + 1;
        begin = end;
      } while (begin < row_count);
      first_row += groups[group].row_count;
      group_number++;
    }
  }
  return units;
}

using ParquetScanBase = ChunkScan<UnitSource<RowGroupTask>, RowGroupTask, ParquetScanError>;

class ParquetScan final : public ParquetScanBase {
 public:
  explicit ParquetScan(const TableFunctionCall& call, const BoundParquet& bound)
      : ChunkScan(
            [&bound](const ParquetScanError& error) {
              ThrowParquetError(bound.files[error.file_index]->path(), error.damage);
            },
            ListRowGroups(call, bound)),
        wish{call.columns, call.filters, {}},
        bound_(bound),
        states_(CountRowGroups(bound)) {}

  void AddFilter(const ScanFilter& filter) override {
    if (filter.op == ScanFilter::Op::kTest) PutInOrder(filter);
    wish.filters.push_back(filter);
  }
  void AddRowTest(size_t column, RowTest test) override { wish.tests.emplace_back(column, std::move(test)); }
  std::vector<std::string> RunDetails() const override {
    size_t read = 0, skipped = 0;
    for (const auto& state : states_) {
      read += (state.load() & kRead) != 0 ? 1 : 0;
      skipped += state.load() == kSkipped ? 1 : 0;
    }
    return {fmt::format("row groups: {} read, {} skipped", read, skipped)};
  }
  /// Notes whether a part of a row group was read.
  void Note(size_t group_number, bool is_read) { states_[group_number] |= is_read ? kRead : kSkipped; }

  ParquetWish wish;

 private:
  /// Puts row groups first whose values make a filter's test strict.
  void PutInOrder(const ScanFilter& filter) {
    source().Rearrange([&](std::vector<RowGroupTask>& units) {
      std::vector<uint64_t> ranks;  // by sequence
      for (const RowGroupTask& unit : units) ranks.push_back(RankOf(unit, filter));
      std::ranges::stable_sort(units, {}, [&](const RowGroupTask& unit) { return ranks[unit.sequence]; });
      // Numbers of batches ascend in the order of reading.
      uint64_t batch = 0;
      for (RowGroupTask& unit : units) {
        unit.first_batch = batch;
        batch += unit.rows.end - unit.rows.begin + 1;
      }
    });
  }

  uint64_t RankOf(const RowGroupTask& unit, const ScanFilter& filter) const {
    const FileColumn& source = bound_.sources[unit.file_index][filter.column];
    if (source.source != FileColumn::Source::kStored) return 0;
    const ParquetFile& file = *bound_.files[unit.file_index];
    const ParquetTree& tree = file.tree();
    const ParquetNode& node = tree.columns[source.column];
    if (node.kind != ParquetNode::Kind::kLeaf || !(node.type == bound_.column_types[filter.column])) return 0;
    const ParquetRowGroup& group = file.metadata().row_groups[unit.group_index];
    const auto zone =
        ParquetZone(tree.leaves[node.first_leaf], group.columns[node.first_leaf], group.row_count);
    return zone ? RankOfZone(*zone, filter) : 0;
  }

  const BoundParquet& bound_;
  static constexpr uint8_t kSkipped = 1, kRead = 2;
  std::vector<std::atomic<uint8_t>> states_;  ///< by row group: bits of what happened to its parts
};

class ParquetLocal final : public UnitReader<ParquetScanBase> {
 public:
  ParquetLocal(const TableFunctionCall& call, ParquetScan& scan)
      : UnitReader(call.context, scan),
        bound_(static_cast<const BoundParquet&>(call.bound)),
        scan_(scan),
        buffers_(call.context.memory) {}

  void SetRowFilter(std::unique_ptr<RowFilter> filter) override {
    std::vector<LogicalType> types;
    for (const size_t column : filter->columns()) types.push_back(bound_.column_types[column]);
    row_filter_.emplace();
    row_filter_->rows.Initialize(types);
    row_filter_->filter = std::move(filter);
  }

 private:
  bool Fill(DataChunk& output) override {
    if (rows_ == nullptr && !BeginUnit()) return false;
    output.Release();
    if (!rows_->Next(output)) return false;
    output.batch_index = next_batch_++;
    return true;
  }

  void EndUnit() override { rows_ = nullptr; }

  std::optional<ParquetScanError> FaultOfFile() override {
    try {
      throw;
    } catch (ParquetDamage& damage) {
      return ParquetScanError{.damage = std::move(damage)};
    } catch (...) {
      return std::nullopt;
    }
  }

  bool BeginUnit() {
    const ParquetFile& file = *bound_.files[unit().file_index];
    if (file_ == nullptr || file_index_ != unit().file_index) {
      file_ = nullptr;
      file_ = file.Open(context_);
      file_index_ = unit().file_index;
    }
    if (file_->Size() != file.size_bytes())
      ThrowParquetDamage("its size has changed since the statement began");
    rows_ = std::make_unique<RowGroupScan>(context_, bound_, unit().file_index, unit().group_index,
                                           unit().rows, unit().first_row, scan_.wish, trial_,
                                           ParquetReading{*file_, context_.memory, buffers_, decompressor_});
    if (row_filter_) rows_->SetRowFilter(*row_filter_);
    next_batch_ = unit().first_batch;
    const bool may_have_rows = rows_->MayHaveRows();
    scan_.Note(unit().group_number, may_have_rows);
    return may_have_rows;
  }

  const BoundParquet& bound_;
  ParquetScan& scan_;
  PageBuffers buffers_;
  Decompressor decompressor_;
  std::unique_ptr<File> file_;
  size_t file_index_ = 0;
  ParquetTestTrial trial_;
  std::optional<ParquetRowFilter> row_filter_;
  std::unique_ptr<RowGroupScan> rows_;  // of the unit; borrows what stands above
  uint64_t next_batch_ = 0;
};

}  // namespace

std::unique_ptr<TableFunctionShared> CreateParquetShared(const TableFunctionCall& call) {
  return std::make_unique<ParquetScan>(call, static_cast<const BoundParquet&>(call.bound));
}

std::unique_ptr<TableFunctionLocal> CreateParquetLocal(const TableFunctionCall& call,
                                                       TableFunctionShared& shared) {
  return std::make_unique<ParquetLocal>(call, static_cast<ParquetScan&>(shared));
}

void NextParquetChunk(const TableFunctionCall&, TableFunctionShared&, TableFunctionLocal& local,
                      DataChunk& output) {
  static_cast<ParquetLocal&>(local).Next(output);
}

}  // namespace scaup
