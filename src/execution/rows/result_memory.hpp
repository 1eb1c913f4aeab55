// Result memory: the buffers of a result, in memory while there is enough, and in mapped files beyond it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "storage/buffer/temporary_mapping.hpp"

namespace scaup {

struct QueryContext;
class TemporaryStorage;

/// The source of memory for the buffers of a result, which may be larger than the memory limit: buffers that
/// would leave too little of it for what runs lie in mapped temporary files, and are used all the same.
/// Borrows the context, which buffers need only while they grow; the result keeps the account alive.
class ResultMemory {
 public:
  explicit ResultMemory(QueryContext& context);
  /// Buffers stay in memory, in whatever the limit leaves.
  explicit ResultMemory(MemoryTracker& tracker) : tracker_(tracker) {}

  MemoryTracker& tracker() const { return tracker_; }
  /// REQUIRES: it was made with a context.
  TemporaryStorage& storage() const;
  /// Reserves `size_bytes` in all. Returns false if they belong in a file. Throws Error(kOutOfMemory) if
  /// there is no memory for a buffer that is too small for one.
  bool Reserve(MemoryReservation& reservation, size_t size_bytes) const;

 private:
  MemoryTracker& tracker_;
  QueryContext* context_ = nullptr;  // null: no files
};

/// Memory that grows, in place where the system allows it: large blocks are remapped, not copied. Movable.
/// One thread at a time, except where said.
class ResultBuffer {
 public:
  /// `memory` is borrowed; it is needed by Reserve alone.
  explicit ResultBuffer(const ResultMemory& memory) : memory_(&memory), reservation_(memory.tracker()) {}
  ~ResultBuffer();
  ResultBuffer(ResultBuffer&& other) noexcept;
  ResultBuffer& operator=(ResultBuffer&& other) noexcept;

  /// Ensures a capacity of at least `size_bytes` and preserves the contents. Throws Error(kOutOfMemory), and
  /// what TemporaryStorage::Map throws.
  void Reserve(size_t size_bytes);
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  /// Says that so many bytes were written, so that pages of a file do not gather in memory. Any thread.
  void NoteWritten(size_t size_bytes) noexcept {
    if (mapping_) mapping_->NoteWritten(size_bytes);
  }
  bool is_mapped() const { return mapping_ != nullptr; }

 private:
  void MoveToFile(size_t size_bytes);
  void Free() noexcept;

  const ResultMemory* memory_;
  MemoryReservation reservation_;
  std::unique_ptr<TemporaryMapping> mapping_;  // null in memory
  std::byte* data_ = nullptr;
  size_t capacity_ = 0;
};

/// The long strings of a result: a bump allocator. One thread at a time.
class ResultHeap {
 public:
  /// `memory` is borrowed; it is needed by Allocate alone.
  explicit ResultHeap(const ResultMemory& memory) : memory_(&memory) {}

  /// Allocates bytes without alignment. They live as long as the heap. Throws as ResultBuffer::Reserve does.
  char* Allocate(size_t size_bytes) {
    if (size_bytes > left_) return AllocateInNewBlock(size_bytes);
    char* result = cursor_;
    cursor_ += size_bytes;
    left_ -= size_bytes;
    return result;
  }

 private:
  char* AllocateInNewBlock(size_t size_bytes);

  const ResultMemory* memory_;
  std::vector<ResultBuffer> blocks_;
  size_t block_bytes_ = 0;  // of the last block
  char* cursor_ = nullptr;
  size_t left_ = 0;
};

}  // namespace scaup
