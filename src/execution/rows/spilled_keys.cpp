// Spilled keys: writing tables by partition, and reading partitions.
#include "execution/rows/spilled_keys.hpp"

namespace scaup {

SpilledKeys::SpilledKeys(TemporaryStorage& storage, const RowLayout& layout, PartitionBits bits,
                         MemoryTracker& memory, size_t filter_bytes)
    : storage_(storage),
      layout_(layout),
      bits_(bits),
      use_(memory.use()),
      filter_(memory, filter_bytes),
      partitions_(bits.partition_count()),
      chunk_(layout.types()) {}

void SpilledKeys::Add(const GroupTable& table) {
  SpilledChunkWriter writer(storage_, use_);
  // One pass for each partition needs no memory for lists of its rows.
  for (size_t partition = 0; partition < partitions_.size(); partition++)
    AddPartition(table, partition, writer);
  writer.Flush();
}

void SpilledKeys::AddPartition(const GroupTable& table, size_t partition, SpilledChunkWriter& writer) {
  std::byte* rows[kVectorSize];
  size_t count = 0;
  table.rows().ForEachBlock([&](std::byte* first, size_t row_count) {
    for (size_t i = 0; i < row_count; i++) {
      std::byte* row = first + i * layout_.row_bytes();
      const uint64_t hash = GroupTable::HashOf(row);
      if (bits_.Of(hash) != partition) continue;
      filter_.Add(hash);
      rows[count++] = row;
      if (count < kVectorSize) continue;
      Write(rows, count, partition, writer);
      count = 0;
    }
  });
  if (count != 0) Write(rows, count, partition, writer);
}

void SpilledKeys::Write(std::byte* const* rows, size_t count, size_t partition, SpilledChunkWriter& writer) {
  chunk_.ResetForWriting();
  for (size_t i = 0; i < chunk_.column_count(); i++) layout_.Gather(i, rows, count, chunk_.column(i));
  chunk_.SetSize(count);
  writer.Write(chunk_, partitions_[partition]);
}

void SpilledKeys::ForEachChunk(size_t partition, const std::function<void(DataChunk&)>& visit) const {
  const SpilledChunks& chunks = partitions_[partition];
  for (size_t i = 0; i < chunks.size(); i++) {
    DataChunk keys = chunks.Read(i, storage_, layout_.types());
    visit(keys);
  }
}

}  // namespace scaup
