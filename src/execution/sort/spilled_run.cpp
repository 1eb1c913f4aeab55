// Blocks of sorted runs to bytes and back.
#include "execution/sort/spilled_run.hpp"

#include <algorithm>

#include "vector/chunk_bytes.hpp"

namespace scaup {

namespace {

// Large enough for the file to be read at its speed.
constexpr size_t kWantedBlockBytes = size_t{192} << 10;
// Of the memory, where that is less.
constexpr size_t kBlockShare = 64;

}  // namespace

void SpilledBlock::Reset(size_t count, const SortSchema& schema) {
  rows.ResetForWriting();
  rows.SetSize(count);
  keys.resize(count * schema.encoder.key_bytes());
}

SpilledRunWriter::SpilledRunWriter(TemporaryStorage& storage, size_t rows_per_block) : storage_(storage) {
  run_.rows_per_block = rows_per_block;
}

size_t SpilledRunWriter::RowsPerBlock(size_t row_bytes, size_t memory_limit_bytes) {
  const size_t wanted = std::min(kWantedBlockBytes, memory_limit_bytes / kBlockShare);
  return std::clamp<size_t>(wanted / std::max<size_t>(row_bytes, 1), 1, kVectorSize);
}

void SpilledRunWriter::Write(SpilledBlock& block) {
  bytes_.Clear();
  WriteChunk(bytes_, block.rows);
  bytes_.WriteBytes(block.keys);
  run_.blocks.push_back(storage_.Write(bytes_.bytes()));
  run_.row_count += block.row_count();
  run_.most_block_bytes = std::max(run_.most_block_bytes, bytes_.size());
}

std::shared_ptr<const SpilledBlock> ReadSpilledBlock(TemporaryStorage& storage, TemporarySlot slot,
                                                     const SortSchema& schema) {
  std::vector<std::byte> bytes(slot.size_bytes());
  storage.Read(slot, bytes);
  ByteReader reader(bytes, "temporary file");
  auto block = std::make_shared<SpilledBlock>();
  block->rows = ReadChunk(reader);
  const auto keys = reader.ReadBytes(block->rows.size() * schema.encoder.key_bytes(), "sort keys");
  block->keys.assign(keys.begin(), keys.end());
  reader.ExpectEnd("sorted rows");
  return block;
}

}  // namespace scaup
