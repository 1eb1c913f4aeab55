// Hands row groups to threads, and reports the first damage in the order of the files.
#include "format/parquet/parquet_scan.hpp"

#include <fmt/format.h>

#include <atomic>
#include <optional>

#include "common/settings/settings.hpp"
#include "format/files/unit_scan.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/row_group_scan.hpp"

namespace scaup {

namespace {

/// A row group of a file.
struct RowGroupTask {
  uint64_t sequence = 0;
  size_t file_index = 0;
  size_t group_index = 0;
  int64_t first_row = 0;     ///< in its file
  uint64_t first_batch = 0;  ///< in the whole scan
};

struct ParquetScanError {
  uint64_t sequence = 0;
  size_t file_index = 0;
  ParquetDamage damage;
};

std::vector<RowGroupTask> ListRowGroups(const BoundParquet& bound) {
  std::vector<RowGroupTask> units;
  uint64_t batch = 0;
  for (size_t file = 0; file < bound.files.size(); file++) {
    int64_t row = 0;
    const auto& groups = bound.files[file]->metadata().row_groups;
    for (size_t group = 0; group < groups.size(); group++) {
      units.push_back({units.size(), file, group, row, batch});
      row += groups[group].row_count;
      // Ranges of rows end within vectors, so a row group may take a few more.
      batch += static_cast<uint64_t>(groups[group].row_count) + 1;
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
            ListRowGroups(bound)),
        wish{call.columns, call.filters, {}} {}

  void AddFilter(const ScanFilter& filter) override { wish.filters.push_back(filter); }
  void AddRowTest(size_t column, RowTest test) override { wish.tests.emplace_back(column, std::move(test)); }
  std::vector<std::string> RunDetails() const override {
    return {fmt::format("row groups: {} read, {} skipped", read.load(), skipped.load())};
  }

  ParquetWish wish;
  std::atomic<size_t> read{0}, skipped{0};
};

class ParquetLocal final : public UnitReader<ParquetScanBase> {
 public:
  ParquetLocal(const TableFunctionCall& call, ParquetScan& scan)
      : UnitReader(call.context, scan),
        bound_(static_cast<const BoundParquet&>(call.bound)),
        scan_(scan),
        buffers_(call.context.memory) {}

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
                                           unit().first_row, scan_.wish, trial_,
                                           ParquetReading{*file_, context_.memory, buffers_, decompressor_});
    next_batch_ = unit().first_batch;
    const bool may_have_rows = rows_->MayHaveRows();
    (may_have_rows ? scan_.read : scan_.skipped)++;
    return may_have_rows;
  }

  const BoundParquet& bound_;
  ParquetScan& scan_;
  PageBuffers buffers_;
  Decompressor decompressor_;
  std::unique_ptr<File> file_;
  size_t file_index_ = 0;
  ParquetTestTrial trial_;
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
