// Temporary mappings: temporary storage that is used like memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "common/file/file_mapping.hpp"

namespace scaup {

/// Bytes of a mapped temporary file, counted in the storage that made it, which it may outlive. Any number of
/// threads may use it.
class TemporaryMapping {
 public:
  /// Takes over the count of the mapping's bytes.
  TemporaryMapping(std::unique_ptr<FileMapping> mapping, std::shared_ptr<std::atomic<uint64_t>> mapped_bytes)
      : mapping_(std::move(mapping)), mapped_bytes_(std::move(mapped_bytes)) {}
  ~TemporaryMapping() { mapped_bytes_->fetch_sub(bytes().size(), std::memory_order_relaxed); }
  TemporaryMapping(const TemporaryMapping&) = delete;
  TemporaryMapping& operator=(const TemporaryMapping&) = delete;

  std::span<std::byte> bytes() const { return mapping_->bytes(); }
  /// Says that so many bytes were written. Once they are many, the pages leave the process, as the memory
  /// limit does not count them.
  void NoteWritten(size_t size_bytes) noexcept {
    constexpr size_t kMostWrittenBytes = size_t{256} << 10;
    const size_t before = written_bytes_.fetch_add(size_bytes, std::memory_order_relaxed);
    if (before / kMostWrittenBytes != (before + size_bytes) / kMostWrittenBytes) mapping_->ReleasePages();
  }

 private:
  std::unique_ptr<FileMapping> mapping_;
  std::shared_ptr<std::atomic<uint64_t>> mapped_bytes_;
  std::atomic<size_t> written_bytes_{0};
};

}  // namespace scaup
