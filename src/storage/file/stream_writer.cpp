// Streams to blocks: full blocks are written at once, the remainders share blocks at the end.
#include "storage/file/stream_writer.hpp"

#include <algorithm>
#include <numeric>

#include "common/throw.hpp"

namespace scaup {

struct StreamWriter::Stream {
  std::vector<std::byte> open;  // not written yet; shorter than a block
  uint64_t open_begin = 0;      // offset of `open` in the stream; a multiple of the block size
  std::vector<std::shared_ptr<const WrittenBlock>> full;
  std::shared_ptr<const WrittenBlock> last;  // has the remainder, from last_offset on
  uint32_t last_offset = 0;
  uint32_t last_size = 0;
};

StreamWriter::StreamWriter(DatabaseFile& file, MemoryTracker& memory, size_t stream_count, bool separate)
    : file_(file), separate_(separate), reservation_(memory) {
  for (size_t i = 0; i < (separate ? stream_count : 1); i++) streams_.push_back(std::make_unique<Stream>());
}

StreamWriter::~StreamWriter() = default;

std::shared_ptr<const WrittenBlock> StreamWriter::WriteBlock(std::span<const std::byte> bytes) {
  blocks_.push_back(std::make_shared<const WrittenBlock>(file_.WriteBlock(bytes)));
  return blocks_.back();
}

uint64_t StreamWriter::Append(size_t stream_index, std::span<const std::byte> bytes) {
  SCAUP_ASSERT(!is_finished_);
  Stream& stream = StreamOf(stream_index);
  const uint64_t begin = stream.open_begin + stream.open.size();
  size_bytes_ += bytes.size();
  while (!bytes.empty()) {
    const size_t part = std::min(bytes.size(), kFileBlockBytes - stream.open.size());
    const size_t wanted = stream.open.size() + part;
    // Grown by doubling and accounted before it is allocated.
    if (wanted > stream.open.capacity()) {
      const size_t capacity = std::min(std::max(wanted, 2 * stream.open.capacity()), kFileBlockBytes);
      reservation_.Resize(reservation_.size_bytes() + capacity - stream.open.capacity());
      stream.open.reserve(capacity);
    }
    stream.open.insert(stream.open.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(part));
    bytes = bytes.subspan(part);
    if (stream.open.size() < kFileBlockBytes) break;
    stream.full.push_back(WriteBlock(stream.open));
    stream.open_begin += kFileBlockBytes;
    stream.open.clear();
  }
  return begin;
}

void StreamWriter::Finish() {
  is_finished_ = true;
  // First fit, largest first: remainders that together fit a block share it.
  std::vector<size_t> order(streams_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::erase_if(order, [&](size_t i) { return streams_[i]->open.empty(); });
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return streams_[a]->open.size() > streams_[b]->open.size(); });
  while (!order.empty()) {
    std::vector<std::byte> shared;
    std::vector<size_t> members, left;
    for (const size_t i : order) {
      Stream& stream = *streams_[i];
      if (shared.size() + stream.open.size() > kFileBlockBytes) {
        left.push_back(i);
        continue;
      }
      stream.last_offset = static_cast<uint32_t>(shared.size());
      shared.insert(shared.end(), stream.open.begin(), stream.open.end());
      members.push_back(i);
    }
    const auto block = WriteBlock(shared);
    for (const size_t i : members) {
      Stream& stream = *streams_[i];
      stream.last = block;
      stream.last_size = static_cast<uint32_t>(stream.open.size());
      stream.open = std::vector<std::byte>();
    }
    order = std::move(left);
  }
  reservation_.Reset();
}

Extents StreamWriter::Locate(size_t stream_index, uint64_t begin, uint64_t size_bytes) const {
  SCAUP_ASSERT(is_finished_);
  const Stream& stream = StreamOf(stream_index);
  Extents extents;
  while (size_bytes != 0) {
    const size_t block = begin / kFileBlockBytes;
    // The remainder has its place in a shared block, at last_offset.
    const bool is_last = block == stream.full.size();
    const uint32_t in_block = static_cast<uint32_t>(begin % kFileBlockBytes);
    const WrittenBlock& written = is_last ? *stream.last : *stream.full[block];
    const uint32_t room = is_last ? stream.last_size : kFileBlockBytes;
    // A range past the end of the stream would give an extent outside its block.
    SCAUP_CHECK(in_block < room);
    Extent extent;
    extent.block = written.pointer;
    extent.offset = in_block + (is_last ? stream.last_offset : 0);
    extent.size_bytes = static_cast<uint32_t>(std::min<uint64_t>(size_bytes, room - in_block));
    extents.push_back(extent);
    begin += extent.size_bytes;
    size_bytes -= extent.size_bytes;
  }
  return extents;
}

std::vector<std::shared_ptr<const WrittenBlock>> StreamWriter::blocks() const { return blocks_; }

}  // namespace scaup
