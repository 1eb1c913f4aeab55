// Distinct rows: tells which rows have keys that no earlier row has, in as much memory as there is.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "execution/rows/column_collection.hpp"
#include "execution/rows/spillable_partitions.hpp"
#include "execution/rows/spilled_keys.hpp"

namespace scaup {

/// A table of keys within a grant. Each key has a mark; those of new keys are not set.
class MarkedKeys {
 public:
  /// The layout has a byte as its first state.
  MarkedKeys(const RowLayout& layout, MemoryGrant& grant);
  MarkedKeys(const MarkedKeys&) = delete;
  MarkedKeys& operator=(const MarkedKeys&) = delete;

  static std::vector<StateSpace> States() { return {{8, 8}}; }
  /// The memory for a table of up to 1024 keys without long strings.
  static size_t LeastBytes(const RowLayout& layout, MemoryTracker& memory);

  TaskMemory& memory() { return memory_; }
  const GroupTable& table() const { return *table_; }
  size_t key_count() const { return table_->group_count(); }
  bool is_marked(const std::byte* row) const { return row[mark_] != std::byte{0}; }
  void SetMark(std::byte* row) const { row[mark_] = std::byte{1}; }
  /// An upper bound of the bytes that finding or creating these keys takes.
  size_t MostGrowBytes(DataChunk& keys) const {
    return table_->MostGrowBytes(keys.size()) + LongStringBytes(keys);
  }
  /// As GroupTable's. FindOrCreate takes memory that TryGrow or Require of memory() has provided.
  void FindOrCreate(DataChunk& keys, const uint64_t* hashes, std::byte** found) {
    table_->FindOrCreate(keys.columns(), hashes, keys.size(), found);
  }
  size_t Find(DataChunk& keys, const uint64_t* hashes, std::byte** found, sel_t* missing) {
    return table_->Find(keys.columns(), hashes, keys.size(), found, missing);
  }
  /// Finds keys; found[i] is null where there is none.
  void Find(DataChunk& keys, std::byte** found);
  /// Forgets all keys and returns their memory.
  void Clear();

 private:
  void MakeTable();

  const RowLayout& layout_;
  const size_t mark_;
  TaskMemory memory_;
  std::optional<GroupTable> table_;  // Never null, except while it is replaced.
};

/// The keys of all rows so far, for duplicates to be found among rows that keep coming. While the keys fit in
/// the grant, each row is answered at once. Then they are spilled to hash partitions, and a filter of their
/// hashes remains: a key that it does not know is new. Rows whose keys it may know are deferred until
/// NextDeferred compares each partition's deferred rows with its spilled keys.
///
/// The first of the rows with equal keys is the new one, whether deferred or not. Borrows the context. One
/// thread at a time.
class DistinctRows {
 public:
  /// Each row has keys and possibly other columns, which come back if it is deferred. `use` counts the
  /// memory, and outlives this object.
  DistinctRows(QueryContext& context, const std::vector<LogicalType>& key_types,
               const std::vector<LogicalType>& other_types, MemoryUse* use);

  /// Writes the numbers of the rows that are surely new to `rows`, in ascending order, and returns how many
  /// they are. Throws Error(kOutOfMemory, 53200) if not even a few keys fit in memory.
  size_t SelectNew(DataChunk& keys, DataChunk& others, sel_t* rows);
  /// Makes `output` refer to the next deferred rows that are new: keys, then other columns. They are valid
  /// until the next call. Returns false after the last; then SelectNew may be called again.
  bool NextDeferred(DataChunk& output);

 private:
  /// Deferred rows of one partition: as many as fit in memory beside their keys.
  struct Batch {
    Batch(const RowLayout& layout, const std::vector<LogicalType>& types, MemoryGrant& grant);
    TaskMemory memory;
    MarkedKeys keys;  // Marked if they are known to earlier rows.
    ColumnCollection rows;
    size_t next_piece = 0;
  };
  /// Rows [begin, ...) of a partition that have not been added to a batch.
  struct Rest {
    std::optional<PartitionReader> reader;
    DataChunk chunk;
    size_t begin = 0;
  };
  using Part = std::function<void(DataChunk& keys, size_t begin)>;

  /// Calls add(part, begin) for parts of the keys for which there is memory.
  void AddInParts(DataChunk& keys, size_t begin, const Part& add);
  size_t SelectOfPart(DataChunk& keys, DataChunk& others, size_t begin, sel_t* rows);
  void Defer(DataChunk& keys, DataChunk& others, size_t begin, const uint64_t* hashes, const sel_t* rows,
             size_t count);
  void Spill();
  bool BeginBatch();
  bool BeginPartition();
  bool ReadRest();
  /// Adds rows of the rest to the batch; false if its memory is used up.
  bool AddToBatch();
  void MarkKnownKeys(size_t partition);
  void MarkFound(DataChunk& keys);
  /// Selects the rows of a batch's piece whose keys are new, and adds these to the keys.
  size_t SelectOfBatch(DataChunk& piece, sel_t* rows);
  DataChunk KeysOf(DataChunk& rows) const;

  QueryContext& context_;
  const std::vector<LogicalType> key_types_;
  std::vector<LogicalType> types_;  // Keys and other columns.
  const RowLayout layout_;
  MemoryGrant grant_;
  MarkedKeys keys_;  // Since the last spill.
  std::optional<SpilledKeys> spilled_;
  TaskMemory deferred_memory_;
  std::optional<SpillablePartitions> deferred_;
  // Progress of NextDeferred: it is at a batch of the partition before next_partition_.
  bool is_reading_ = false;
  size_t next_partition_ = 0;
  Rest rest_;
  std::optional<Batch> batch_;
  DataChunk piece_;
};

}  // namespace scaup
