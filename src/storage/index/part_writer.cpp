// PartWriter: where one part ends and the next begins.
#include "storage/index/part_writer.hpp"

#include "storage/index/ordered_index.hpp"

namespace scaup {

PartWriter::PartWriter(MemoryTracker& memory, StreamWriter& data, size_t stream, IndexKey fence,
                       MemoryReservation& list_memory)
    : data_(data), stream_(stream), list_memory_(list_memory), encoder_(memory), fence_(std::move(fence)) {}

void PartWriter::Add(KeyBytes key, uint64_t value) {
  if (encoder_.IsFull() && !encoder_.IsLastKey(key)) {
    // The shortest bytes that separate the two keys keep the directory small.
    const size_t common = radix::CommonBytes(encoder_.last_key(), key);
    IndexKey next(key.begin(), key.begin() + static_cast<ptrdiff_t>(common) + 1);
    EndPart();
    fence_ = std::move(next);
  }
  encoder_.Add(key, value);
}

std::vector<WrittenPart> PartWriter::Finish() {
  if (encoder_.entry_count() != 0) EndPart();
  return std::move(parts_);
}

void PartWriter::EndPart() {
  WrittenPart part{std::move(fence_), 0, 0, encoder_.entry_count(), nullptr};
  const auto bytes = encoder_.Finish();
  part.begin = data_.Append(stream_, bytes);
  part.size_bytes = bytes.size();
  list_memory_.Resize(list_memory_.size_bytes() + part.fence.size() + sizeof(WrittenPart) +
                      sizeof(IndexPart));
  parts_.push_back(std::move(part));
}

}  // namespace scaup
