// Reading runs of bytes through the cache.
#include "storage/block_store.hpp"

#include <fmt/format.h>

#include <cstring>

#include "common/throw.hpp"

namespace scaup {

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
  auto copy = std::make_shared<std::vector<std::byte>>();
  while (size_bytes != 0) {
    if (index == extents_.size()) {
      ThrowError(
          ErrorKind::kIo, sqlstate::kDataCorrupted,
          fmt::format(
              "database file \"{}\" is damaged: something stored in {} parts is shorter than it must be",
              store_.file().path(), extents_.size()));
    }
    const uint64_t part = std::min<uint64_t>(size_bytes, extents_[index].size_bytes - begin);
    const auto bytes = Pin(index)->bytes().subspan(extents_[index].offset + begin, part);
    copy->insert(copy->end(), bytes.begin(), bytes.end());
    size_bytes -= part;
    begin = 0;
    index++;
  }
  return {*copy, copy};
}

std::vector<std::byte> BlockStore::Read(const Extents& extents, uint64_t begin, uint64_t size_bytes) {
  const StoredBytes stored = ExtentReader(*this, extents).Read(begin, size_bytes);
  return {stored.bytes.begin(), stored.bytes.end()};
}

}  // namespace scaup
