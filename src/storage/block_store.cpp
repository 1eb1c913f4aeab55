// Reading runs of bytes through the cache.
#include "storage/block_store.hpp"

#include <fmt/format.h>

#include <cstring>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// What had to be put together; accounted as long as somebody has it.
struct CopiedBytes {
  explicit CopiedBytes(MemoryTracker& memory) : reservation(memory) {}
  std::vector<std::byte> bytes;
  MemoryReservation reservation;
};

}  // namespace

void ExtentReader::ThrowTooShort() const {
  ThrowError(
      ErrorKind::kIo, sqlstate::kDataCorrupted,
      fmt::format("database file \"{}\" is damaged: something stored in {} parts is shorter than it must be",
                  store_.file().path(), extents_.size()));
}

const PinnedBlock& ExtentReader::Pin(size_t extent) {
  if (pinned_extent_ != extent) {
    pinned_.reset();
    pinned_ = store_.buffers().Pin(extents_[extent].block);
    pinned_extent_ = extent;
  }
  return pinned_;
}

StoredBytes ExtentReader::Read(uint64_t begin, uint64_t size_bytes) {
  size_t index = 0;
  while (index < extents_.size() && begin >= extents_[index].size_bytes)
    begin -= extents_[index++].size_bytes;
  if (index < extents_.size() && begin + size_bytes <= extents_[index].size_bytes) {
    const PinnedBlock& block = Pin(index);
    return {block->bytes().subspan(extents_[index].offset + begin, size_bytes), block};
  }
  // No run is longer than the file: one that says so must not make us read the same blocks again and again.
  if (size_bytes > store_.file().allocator().end_block() * kFileBlockBytes) ThrowTooShort();
  const auto copy = std::make_shared<CopiedBytes>(store_.memory());
  copy->reservation.Resize(size_bytes);
  copy->bytes.reserve(size_bytes);
  while (size_bytes != 0) {
    if (index == extents_.size()) ThrowTooShort();
    const uint64_t part = std::min<uint64_t>(size_bytes, extents_[index].size_bytes - begin);
    const auto bytes = Pin(index)->bytes().subspan(extents_[index].offset + begin, part);
    copy->bytes.insert(copy->bytes.end(), bytes.begin(), bytes.end());
    size_bytes -= part;
    begin = 0;
    index++;
  }
  return {copy->bytes, copy};
}

std::vector<std::byte> BlockStore::Read(const Extents& extents, uint64_t begin, uint64_t size_bytes) {
  const StoredBytes stored = ExtentReader(*this, extents).Read(begin, size_bytes);
  return {stored.bytes.begin(), stored.bytes.end()};
}

}  // namespace scaup
