// Spilled chunks: packing chunks into slots, and reading them back.
#include "execution/rows/spilled_chunks.hpp"

#include "common/hash.hpp"
#include "common/memory/memory_use.hpp"
#include "execution/rows/spilled_chunk.hpp"

namespace scaup {

DataChunk SpilledChunks::Read(size_t index, TemporaryStorage& storage,
                              const std::vector<LogicalType>& types) const {
  const Place& place = places_[index];
  // Uninitialized, because all of it is read.
  const auto bytes = std::make_unique_for_overwrite<std::byte[]>(place.size_bytes);
  const std::span<std::byte> target(bytes.get(), place.size_bytes);
  storage.ReadPart(*place.slot, place.offset, place.checksum, target);
  ByteReader reader(target, "temporary file");
  DataChunk rows = ReadSpilledChunk(reader, types);
  reader.ExpectEnd("spilled rows");
  return rows;
}

void SpilledChunkWriter::Write(DataChunk& rows, SpilledChunks& list) {
  const size_t begin = bytes_.size();
  WriteSpilledChunk(bytes_, rows);
  const size_t size_bytes = bytes_.size() - begin;
  list.places_.push_back({nullptr, begin, size_bytes, HashBytes(&bytes_.bytes()[begin], size_bytes)});
  waiting_.emplace_back(&list, list.size() - 1);
  if (bytes_.size() >= kSlotBytes) Flush();
}

void SpilledChunkWriter::Flush() {
  if (waiting_.empty()) return;
  const auto slot = std::make_shared<const TemporarySlot>(storage_.Write(bytes_.bytes()));
  for (const auto& [list, index] : waiting_) list->places_[index].slot = slot;
  if (use_ != nullptr) use_->AddSpilled(bytes_.size());
  waiting_.clear();
  bytes_.Clear();
}

}  // namespace scaup
