// Hands row groups to threads, and reports the first damage in the order of the files.
#include "format/parquet/parquet_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "common/settings/settings.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/row_group_scan.hpp"
#include "format/text/chunk_scan.hpp"

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

/// Hands out row groups in the order of the input. Thread-safe.
class ParquetSource {
 public:
  explicit ParquetSource(const BoundParquet& bound) {
    uint64_t batch = 0;
    for (size_t file = 0; file < bound.files.size(); file++) {
      int64_t row = 0;
      const auto& groups = bound.files[file]->metadata().row_groups;
      for (size_t group = 0; group < groups.size(); group++) {
        units_.push_back({units_.size(), file, group, row, batch});
        row += groups[group].row_count;
        // Ranges of rows end within vectors, so a row group may take a few more.
        batch += static_cast<uint64_t>(groups[group].row_count) + 1;
      }
    }
  }
  bool Next(RowGroupTask& unit) {
    const size_t index = next_.fetch_add(1);
    if (index >= units_.size()) return false;
    unit = units_[index];
    return true;
  }
  void Stop() { next_ = units_.size(); }
  double Progress() const {
    if (units_.empty()) return 1;
    return std::min(1.0, static_cast<double>(next_.load()) / static_cast<double>(units_.size()));
  }

 private:
  std::vector<RowGroupTask> units_;
  std::atomic<size_t> next_{0};
};

class ParquetScan final : public ChunkScan<ParquetSource, RowGroupTask, ParquetScanError> {
 public:
  explicit ParquetScan(const TableFunctionCall& call, const BoundParquet& bound)
      : ChunkScan(
            [&bound](const ParquetScanError& error) {
              ThrowParquetError(bound.files[error.file_index]->path(), error.damage);
            },
            bound),
        wish{call.columns, call.filters, {}} {}

  void AddFilter(const ScanFilter& filter) override { wish.filters.push_back(filter); }
  void AddRowTest(size_t column, RowTest test) override { wish.tests.emplace_back(column, std::move(test)); }
  std::vector<std::string> RunDetails() const override {
    return {fmt::format("row groups: {} read, {} skipped", read.load(), skipped.load())};
  }

  ParquetWish wish;
  std::atomic<size_t> read{0}, skipped{0};
};

class ParquetLocal final : public TableFunctionLocal {
 public:
  ParquetLocal(const TableFunctionCall& call, ParquetScan& scan)
      : context_(call.context),
        bound_(static_cast<const BoundParquet&>(call.bound)),
        scan_(scan),
        unit_(scan),
        buffers_(call.context.memory) {}

  void Next(DataChunk& output) {
    output.SetSize(0);
    while (!at_end_) {
      context_.CheckInterrupt();
      if (!unit_.has_chunk() && !unit_.Begin()) break;
      if (unit_.IsBehindError()) {
        unit_.End();
        break;
      }
      try {
        if (Fill(output)) return;
        rows_ = nullptr;
        unit_.End();
        unit_.ThrowIfDue();
      } catch (ParquetDamage& damage) {
        rows_ = nullptr;
        output.Release();
        unit_.Fail({.damage = std::move(damage)});
        break;
      }
    }
    at_end_ = true;
    rows_ = nullptr;
    output.Release();
    unit_.ThrowIfDue();
  }

 private:
  /// Reads the next rows of the row group. Returns false at its end.
  bool Fill(DataChunk& output) {
    if (rows_ == nullptr && !BeginUnit()) return false;
    output.Release();
    if (!rows_->Next(output)) return false;
    output.batch_index = next_batch_++;
    return true;
  }

  bool BeginUnit() {
    const ParquetFile& file = *bound_.files[unit_->file_index];
    if (file_ == nullptr || file_index_ != unit_->file_index) {
      file_ = nullptr;
      file_ = file.Open(context_);
      file_index_ = unit_->file_index;
    }
    if (file_->Size() != file.size_bytes())
      ThrowParquetDamage("its size has changed since the statement began");
    rows_ = std::make_unique<RowGroupScan>(context_, bound_, unit_->file_index, unit_->group_index,
                                           unit_->first_row, scan_.wish, trial_,
                                           ParquetReading{*file_, context_.memory, buffers_, decompressor_});
    next_batch_ = unit_->first_batch;
    const bool may_have_rows = rows_->MayHaveRows();
    (may_have_rows ? scan_.read : scan_.skipped)++;
    return may_have_rows;
  }

  const FunctionContext& context_;
  const BoundParquet& bound_;
  ParquetScan& scan_;
  ChunkInWork<ChunkScan<ParquetSource, RowGroupTask, ParquetScanError>> unit_;
  PageBuffers buffers_;
  Decompressor decompressor_;
  std::unique_ptr<File> file_;
  size_t file_index_ = 0;
  ParquetTestTrial trial_;
  std::unique_ptr<RowGroupScan> rows_;  // of the unit; borrows what stands above
  uint64_t next_batch_ = 0;
  bool at_end_ = false;
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
