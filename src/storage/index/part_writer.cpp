// PartWriter: where one part ends and the next begins.
#include "storage/index/part_writer.hpp"

#include "storage/index/ordered_index.hpp"

namespace scaup {

PartWriter::PartWriter(MemoryTracker& memory, StreamWriter& data, size_t stream, IndexKey fence,
                       MemoryReservation& list_memory)
    : data_(data), stream_(stream), list_memory_(list_memory), encoder_(memory), fence_(std::move(fence)) {}

void PartWriter::Add(KeyBytes key, uint64_t value) {
  if (auto part = encoder_.Add(key, value)) Write(std::move(*part));
}

std::vector<WrittenPart> PartWriter::Finish() {
  PartEncoder::Part part = encoder_.Finish();
  if (part.entry_count != 0) Write(std::move(part));
  return std::move(parts_);
}

void PartWriter::Write(PartEncoder::Part part) {
  WrittenPart written{std::move(fence_), 0, part.bytes.size(), part.entry_count, nullptr};
  written.begin = data_.Append(stream_, part.bytes);
  fence_ = std::move(part.next_fence);
  list_memory_.Resize(list_memory_.size_bytes() + written.fence.size() + sizeof(WrittenPart) +
                      sizeof(IndexPart));
  parts_.push_back(std::move(written));
}

}  // namespace scaup
