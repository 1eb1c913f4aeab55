// Spillable partitions: when rows are spilled.
#include "execution/rows/spillable_partitions.hpp"

namespace scaup {

SpillablePartitions::SpillablePartitions(QueryContext& context, const MemoryGrant& grant, TaskMemory& memory,
                                         std::vector<LogicalType> types, PartitionBits bits)
    : context_(context),
      grant_(grant),
      memory_(memory),
      rows_(std::move(types), bits, context.TaskShareBytes(grant), memory.account()) {}

void SpillablePartitions::Append(DataChunk& chunk, const uint64_t* hashes, const sel_t* rows, size_t count) {
  // Rows that wait to be joined should not occupy the memory that joining needs.
  if (memory_.is_short() || memory_.account().used_bytes() > context_.MemoryShareBytes() / 4) Spill();
  if (memory_.TryGrow(rows_.MostAppendBytes(chunk, rows, count))) {
    rows_.Append(chunk, hashes, rows, count);
  } else {
    memory_.TryGrow(grant_.least_bytes());
    rows_.AppendWithin(memory_.account(), context_.temporary_storage, chunk, hashes, rows, count);
  }
  if (context_.forces_spilling() && rows_.row_count() % 4 == 0) Spill();
}

void SpillablePartitions::Finish() {
  // Partitions at work need the memory.
  if (memory_.is_short() || memory_.uses_least() || rows_.has_spilled() || context_.OperatorsHoldMoreThan(50))
    Spill();
  memory_.SetFixed(TaskMemory::kAll);
}

void SpillablePartitions::Spill() {
  rows_.Spill(context_.temporary_storage);
  memory_.GiveBackPages();
}

}  // namespace scaup
