// Spillable partitions: hash partitions of one task within its part of a grant.
#pragma once

#include <vector>

#include "execution/rows/hash_partitions.hpp"
#include "execution/run/query_context.hpp"

namespace scaup {

/// Hash partitions that are spilled when their grant is short. One thread at a time.
class SpillablePartitions {
 public:
  /// `memory`, of `grant`, is borrowed; its account must hold no other reclaimable memory.
  SpillablePartitions(QueryContext& context, const MemoryGrant& grant, TaskMemory& memory,
                      std::vector<LogicalType> types, PartitionBits bits);

  /// Appends rows, like HashPartitions::Append.
  void Append(DataChunk& chunk, const uint64_t* hashes, const sel_t* rows, size_t count);
  /// Appends with the free memory of the account alone, and spills if that is not enough.
  void AppendWithin(DataChunk& chunk, const uint64_t* hashes, size_t count) {
    rows_.AppendWithin(memory_.account(), context_.temporary_storage, chunk, hashes, nullptr, count);
  }
  /// Ends appending.
  void Finish();
  void Spill();
  HashPartitions& rows() { return rows_; }
  /// Returns the memory of partitions that have been processed.
  void GiveBack() { memory_.GiveBack(); }

 private:
  QueryContext& context_;
  const MemoryGrant& grant_;
  TaskMemory& memory_;
  HashPartitions rows_;
};

}  // namespace scaup
