// Spilled keys: the keys of hash tables in temporary storage, by hash partition, with a filter of their
// hashes.
#pragma once

#include <functional>
#include <vector>

#include "execution/rows/group_table.hpp"
#include "execution/rows/hash_filter.hpp"
#include "execution/rows/hash_partitions.hpp"
#include "execution/rows/spilled_chunks.hpp"

namespace scaup {

/// Keys that are added table by table and read partition by partition, any number of times. Borrows all
/// arguments. One thread at a time.
class SpilledKeys {
 public:
  /// The filter reserves `filter_bytes`, a power of two, from `memory`.
  SpilledKeys(TemporaryStorage& storage, const RowLayout& layout, PartitionBits bits, MemoryTracker& memory,
              size_t filter_bytes);

  /// Writes all keys of a table. Throws what the temporary storage throws.
  void Add(const GroupTable& table);
  /// False if no key with this hash was added.
  bool MayContain(uint64_t hash) const { return filter_.MayContain(hash); }
  /// Calls visit(keys) for all keys of a partition, in chunks.
  void ForEachChunk(size_t partition, const std::function<void(DataChunk&)>& visit) const;

 private:
  void AddPartition(const GroupTable& table, size_t partition, SpilledChunkWriter& writer);
  void Write(std::byte* const* rows, size_t count, size_t partition, SpilledChunkWriter& writer);

  TemporaryStorage& storage_;
  const RowLayout& layout_;
  const PartitionBits bits_;
  MemoryUse* const use_;
  HashFilter filter_;
  std::vector<SpilledChunks> partitions_;
  DataChunk chunk_;
};

}  // namespace scaup
