// Reads runs of bytes through the block cache.
#include "storage/buffer/block_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// A copy of bytes that lie in several blocks; accounted as long as it lives.
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

const ExtentReader::Pinned* ExtentReader::Pin(uint64_t at) {
  for (size_t i = 0; i < std::size(pinned_); i++) {
    const Pinned& pinned = pinned_[i];
    if (pinned.block == nullptr || at < pinned.begin) continue;
    if (at - pinned.begin >= extents_[pinned.extent].size_bytes) continue;
    last_ = i;
    return &pinned;
  }
  // A run has few extents, so a linear search suffices.
  uint64_t begin = 0;
  for (size_t i = 0; i < extents_.size(); i++) {
    const uint64_t size_bytes = extents_[i].size_bytes;
    if (at - begin >= size_bytes) {
      begin += size_bytes;
      continue;
    }
    // Replaces the block that was not used last. Its pin is released first: with little memory, both may not
    // fit.
    Pinned& pinned = pinned_[1 - last_];
    pinned.block.reset();
    pinned.block = store_.buffers().Pin(extents_[i].block);
    pinned.extent = i;
    pinned.begin = begin;
    last_ = 1 - last_;
    return &pinned;
  }
  return nullptr;
}

StoredBytes ExtentReader::Read(uint64_t begin, uint64_t size_bytes) {
  if (const auto bytes = Look(begin, size_bytes)) return {*bytes, pinned_[last_].block};
  // No run is longer than the file. Without this test, a damaged length would make us read the same blocks
  // again and again.
  if (size_bytes > store_.file().allocator().end_block() * kFileBlockBytes) ThrowTooShort();
  const auto copy = std::make_shared<CopiedBytes>(store_.memory());
  copy->reservation.Resize(size_bytes);
  copy->bytes.reserve(size_bytes);
  while (size_bytes != 0) {
    const Pinned* pinned = Pin(begin);
    if (pinned == nullptr) ThrowTooShort();
    const Extent& extent = extents_[pinned->extent];
    const uint64_t offset = begin - pinned->begin;
    const uint64_t part = std::min<uint64_t>(size_bytes, extent.size_bytes - offset);
    const auto bytes = pinned->block->bytes().subspan(extent.offset + offset, part);
    copy->bytes.insert(copy->bytes.end(), bytes.begin(), bytes.end());
    size_bytes -= part;
    begin += part;
  }
  return {copy->bytes, copy};
}

std::optional<std::span<const std::byte>> ExtentReader::Look(uint64_t begin, uint64_t size_bytes) {
  const Pinned* pinned = Pin(begin);
  if (pinned == nullptr) return std::nullopt;
  const Extent& extent = extents_[pinned->extent];
  const uint64_t offset = begin - pinned->begin;
  if (size_bytes > extent.size_bytes - offset) return std::nullopt;
  return pinned->block->bytes().subspan(extent.offset + offset, size_bytes);
}

std::vector<std::byte> BlockStore::Read(const Extents& extents, uint64_t begin, uint64_t size_bytes) {
  const StoredBytes stored = ExtentReader(*this, extents).Read(begin, size_bytes);
  return {stored.bytes.begin(), stored.bytes.end()};
}

}  // namespace scaup
