// Where the tasks below a window operator put their rows: sorted runs, one for each hash partition.
#pragma once

#include <memory>
#include <vector>

#include "common/memory/memory_arbiter.hpp"
#include "execution/run/physical_operator.hpp"
#include "execution/sort/sort_run.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// The runs of one task: in memory, and such as were written away when memory was short.
class WindowSink final : public ChunkSink {
 public:
  /// Borrows all. The schema has one column more than the chunks, its last key: the place of a chunk in the
  /// source's order, a BIGINT.
  WindowSink(QueryContext& context, const WindowSpecification& specification, const SortSchema& schema,
             size_t partition_count);

  void Consume(DataChunk& chunk) override;
  void Finish() override;
  /// Writes all runs away.
  void Spill();
  /// Appends what was written of one partition.
  void MoveSpilledTo(size_t partition, std::vector<SpilledRun>& runs);
  const SortRun& run(size_t partition) const { return *runs_[partition]; }
  bool has_spilled() const { return has_spilled_; }
  /// Whether chunks came in the source's order, so that their places tell nothing more.
  bool is_in_source_order() const { return is_in_source_order_; }

 private:
  void Append(size_t partition, DataChunk& rows);

  QueryContext& context_;
  const WindowSpecification& specification_;
  SpillableReservation memory_;
  std::vector<std::unique_ptr<SortRun>> runs_;  // Have their memory from the reservation.
  std::vector<std::vector<SpilledRun>> spilled_;
  bool has_spilled_ = false;
  bool is_in_source_order_ = true;
  uint64_t last_batch_ = 0;
  DataChunk rows_;
  DataChunk partition_rows_;
};

}  // namespace scaup
