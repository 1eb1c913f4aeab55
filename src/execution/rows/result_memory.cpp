// The buffers of a result: malloc for small ones, pages of the system for large ones, mapped files for those
// that do not fit.
#include "execution/rows/result_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "common/memory/large_memory.hpp"
#include "common/throw.hpp"
#include "execution/run/query_context.hpp"

namespace scaup {

namespace {

// Smaller buffers stay in memory: a file for each would cost more than they take.
constexpr size_t kLeastMappedBytes = size_t{32} << 10;
// Blocks of strings double up to this size.
constexpr size_t kFirstBlockBytes = 4096, kMostBlockBytes = size_t{1} << 20;
// Mapped blocks are larger, as the number of mappings of a process is limited.
constexpr size_t kMappedBlockBytes = size_t{16} << 20;

}  // namespace

ResultMemory::ResultMemory(QueryContext& context) : tracker_(context.memory()), context_(&context) {}

TemporaryStorage& ResultMemory::storage() const {
  SCAUP_ASSERT(context_ != nullptr);
  return context_->temporary_storage;
}

bool ResultMemory::Reserve(MemoryReservation& reservation, size_t size_bytes) const {
  if (context_ == nullptr || size_bytes < kLeastMappedBytes) {
    reservation.Resize(size_bytes);
    return true;
  }
  // Half of the memory stays free for whoever uses the result, and for the statements that run meanwhile.
  const size_t margin = std::max(context_->grants.margin_bytes(), context_->MemoryBytes() / 2);
  return !context_->forces_spilling() && reservation.TryResize(size_bytes, margin);
}

ResultBuffer::~ResultBuffer() { Free(); }

ResultBuffer::ResultBuffer(ResultBuffer&& other) noexcept
    : memory_(other.memory_),
      reservation_(std::move(other.reservation_)),
      mapping_(std::move(other.mapping_)),
      data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)) {}

ResultBuffer& ResultBuffer::operator=(ResultBuffer&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(reservation_, other.reservation_);
  std::swap(mapping_, other.mapping_);
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

void ResultBuffer::Free() noexcept {
  if (mapping_) return mapping_.reset();
  if (capacity_ >= kLargeMemoryBytes) {
    FreeLarge(data_, capacity_);
  } else {
    std::free(data_);
  }
}

void ResultBuffer::Reserve(size_t size_bytes) {
  if (size_bytes <= capacity_) return;
  // Most small results have one row.
  constexpr size_t kFirstBytes = 64, kNextBytes = 1024;
  const size_t wanted = capacity_ == 0
                            ? std::max(size_bytes, kFirstBytes)
                            : std::max<size_t>({size_bytes, capacity_ + capacity_ / 2, kNextBytes});
  if (mapping_ || !memory_->Reserve(reservation_, wanted)) return MoveToFile(wanted);
  std::byte* grown = nullptr;
  if (wanted < kLargeMemoryBytes) {
    grown = static_cast<std::byte*>(std::realloc(data_, wanted));
  } else if (capacity_ >= kLargeMemoryBytes) {
    grown = GrowLarge(data_, capacity_, wanted);
  } else if ((grown = AllocateLarge(wanted)) != nullptr) {
    if (capacity_ != 0) std::memcpy(grown, data_, capacity_);
    std::free(data_);
  }
  if (grown == nullptr) {
    reservation_.Resize(capacity_);
    ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
               "the system has no memory left for the result");
  }
  data_ = grown;
  capacity_ = wanted;
}

// A file does not grow in place: its descriptor was closed, as a result of many columns would need too many.
void ResultBuffer::MoveToFile(size_t size_bytes) {
  std::unique_ptr<TemporaryMapping> file = memory_->storage().Map(size_bytes);
  constexpr size_t kPartBytes = size_t{256} << 10;
  for (size_t done = 0; done < capacity_; done += kPartBytes) {
    const size_t part = std::min(kPartBytes, capacity_ - done);
    std::memcpy(file->bytes().data() + done, data_ + done, part);
    file->NoteWritten(part);
  }
  Free();
  reservation_.Reset();
  mapping_ = std::move(file);
  data_ = mapping_->bytes().data();
  capacity_ = size_bytes;
}

char* ResultHeap::AllocateInNewBlock(size_t size_bytes) {
  const bool in_file = !blocks_.empty() && blocks_.back().is_mapped();
  if (in_file) blocks_.back().NoteWritten(block_bytes_);
  const size_t wanted =
      std::max(size_bytes,
               in_file ? kMappedBlockBytes : std::clamp(block_bytes_ * 2, kFirstBlockBytes, kMostBlockBytes));
  ResultBuffer block(*memory_);
  block.Reserve(wanted);
  blocks_.push_back(std::move(block));
  block_bytes_ = wanted;
  char* result = reinterpret_cast<char*>(blocks_.back().data());
  // The block before stays in use if it has more space left: short strings may still fit.
  if (wanted - size_bytes >= left_) {
    cursor_ = result + size_bytes;
    left_ = wanted - size_bytes;
  }
  return result;
}

}  // namespace scaup
