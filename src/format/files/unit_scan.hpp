// The skeleton of scans of files that consist of units: row groups of Parquet files, batches of Arrow files.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "common/throw.hpp"
#include "format/text/chunk_scan.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// Hands out units in the order of the input. Units have a `sequence` and a `file_index`. Thread-safe.
template <typename Unit>
class UnitSource {
 public:
  explicit UnitSource(std::vector<Unit> units) : units_(std::move(units)) {}

  bool Next(Unit& unit) {
    const size_t index = next_.fetch_add(1);
    if (index >= units_.size()) return false;
    unit = units_[index];
    return true;
  }
  void Stop() { next_ = units_.size(); }
  /// Calls change(units), which may put them in another order, and gives them their sequence anew. REQUIRES:
  /// no unit was taken.
  template <typename Change>
  void Rearrange(Change&& change) {
    SCAUP_ASSERT(next_ == 0);
    change(units_);
    for (size_t i = 0; i < units_.size(); i++) units_[i].sequence = i;
  }
  double Progress() const {
    if (units_.empty()) return 1;
    return std::min(1.0, static_cast<double>(next_.load()) / static_cast<double>(units_.size()));
  }

 private:
  std::vector<Unit> units_;
  std::atomic<size_t> next_{0};
};

/// One thread's part of a scan: takes units and reads their rows. The first error in the order of the files
/// is reported, whichever thread meets one first. `Scan` is a ChunkScan of units.
template <typename Scan>
class UnitReader : public TableFunctionLocal {
 public:
  UnitReader(const FunctionContext& context, Scan& scan) : context_(context), unit_(scan) {}

  /// Reads the next rows; none at the end.
  void Next(DataChunk& output) {
    output.SetSize(0);
    while (!at_end_) {
      context_.CheckInterrupt();
      if (!unit_.has_chunk() && !unit_.Begin()) break;
      if (unit_.IsBehindError()) {
        unit_.End();
        break;
      }
      if (Read(output)) return;
    }
    at_end_ = true;
    EndUnit();
    output.Release();
    unit_.ThrowIfDue();
  }

 protected:
  /// Reads the next rows of the unit. Returns false at its end.
  virtual bool Fill(DataChunk& output) = 0;
  /// Gives up what Fill has begun.
  virtual void EndUnit() = 0;
  /// Called while an exception is handled: what it says about the file; nullopt if it is not the file's
  /// fault.
  virtual std::optional<typename Scan::ErrorType> FaultOfFile() = 0;

  const typename Scan::ChunkType& unit() const { return *unit_.operator->(); }
  const FunctionContext& context_;

 private:
  /// Returns whether there are rows, after which the next ones may be in another unit.
  bool Read(DataChunk& output) {
    try {
      if (Fill(output)) return true;
      EndUnit();
      unit_.End();
    } catch (...) {
      auto fault = FaultOfFile();
      if (!fault) throw;
      EndUnit();
      output.Release();
      unit_.Fail(std::move(*fault));
      at_end_ = true;
      return false;
    }
    unit_.ThrowIfDue();
    return false;
  }

  ChunkInWork<Scan> unit_;
  bool at_end_ = false;
};

}  // namespace scaup
