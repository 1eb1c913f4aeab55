// Partitioned runs: the rows below a window operator or an ASOF join in sorted runs, by hash partition.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/memory/memory_grants.hpp"
#include "execution/run/physical_operator.hpp"
#include "execution/sort/sort_run.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// The rows of an input, which its tasks have collected. Any number of threads may read.
class PartitionedRuns {
 public:
  /// The number of partitions by the hash of the PARTITION BY columns. Each is sorted by one thread.
  static size_t PartitionCount(const WindowSpecification& specification);
  /// Pulls all rows out of `input`, which is already prepared. The schema has one more column than the input,
  /// its last key: the chunk's batch index, a BIGINT. Borrows the specification and the schema.
  void Collect(QueryContext& context, const PhysicalOperator& input, SharedState& input_shared,
               OperatorProfile& profile, const WindowSpecification& specification, const SortSchema& schema);

  bool has_spilled() const;
  /// Whether all tasks had chunks in the order of the source, so that within a task batch indexes need not be
  /// a sort key.
  bool is_in_source_order() const;
  /// The rows of one partition, by task, if nothing has spilled.
  std::vector<const ColumnCollection*> RowsOf(size_t partition) const;
  /// Spills all rows, and returns the runs by partition.
  std::vector<std::vector<SpilledRun>> Spill();

 private:
  size_t partition_count_ = 0;
  std::optional<MemoryGrant> grant_;  // Of the sinks.
  std::vector<std::unique_ptr<ChunkSink>> sinks_;
};

}  // namespace scaup
