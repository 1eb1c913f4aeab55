// Window sink: collects the rows below a window operator in sorted runs, one for each hash partition.
#pragma once

#include <memory>
#include <vector>

#include "common/memory/memory_grants.hpp"
#include "execution/run/physical_operator.hpp"
#include "execution/sort/sort_run.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// The runs of one task, in memory or spilled.
class WindowSink final : public ChunkSink {
 public:
  /// Borrows all arguments. The schema has one more column than the chunks, its last key: the chunk's batch
  /// index, a BIGINT.
  WindowSink(QueryContext& context, const WindowSpecification& specification, const SortSchema& schema,
             size_t partition_count, MemoryGrant& grant);

  void Consume(DataChunk& chunk) override;
  void Finish() override;
  /// Spills all runs.
  void Spill();
  SortRun& run(size_t partition) { return *runs_[partition]; }
  bool has_spilled() const { return has_spilled_; }
  /// Whether chunks came in the order of the source, so that batch indexes need not be a sort key.
  bool is_in_source_order() const { return is_in_source_order_; }

 private:
  void Append(size_t partition, DataChunk& rows);

  QueryContext& context_;
  const WindowSpecification& specification_;
  TaskMemory memory_;
  std::vector<std::unique_ptr<SortRun>> runs_;  // Take their memory from memory_.
  bool has_spilled_ = false;
  bool is_in_source_order_ = true;
  uint64_t last_batch_ = 0;
  DataChunk rows_;
  DataChunk partition_rows_;
};

}  // namespace scaup
