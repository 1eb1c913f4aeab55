// Bytes that grow, accounted for.
#include "format/parquet/write/byte_buffer.hpp"

#include <algorithm>

namespace scaup {

void ByteBuffer::Grow(size_t size_bytes) {
  constexpr size_t kLeastBytes = 512;
  const size_t capacity = std::max({size_ + size_bytes, capacity_ * 2, kLeastBytes});
  // Both the old and the new bytes are there while they are copied.
  MemoryReservation grown(*memory_);
  grown.Resize(capacity + kPadding);
  std::unique_ptr<std::byte[]> data(new std::byte[capacity + kPadding]);  // not zeroed
  if (size_ != 0) std::memcpy(data.get(), data_.get(), size_);
  std::memset(data.get() + capacity, 0, kPadding);
  data_ = std::move(data);
  reservation_ = std::move(grown);
  capacity_ = capacity;
}

}  // namespace scaup
