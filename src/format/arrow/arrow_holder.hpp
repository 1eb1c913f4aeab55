// ArrowHolder: the memory and the children of an exported Arrow array.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "scaup/arrow.h"

namespace scaup {

/// Owns the buffers and children of an ArrowArray under construction. Publish() transfers them to the array.
class ArrowHolder {
 public:
  explicit ArrowHolder(MemoryTracker& memory) : reservation_(memory) {}
  ~ArrowHolder();
  ArrowHolder(const ArrowHolder&) = delete;
  ArrowHolder& operator=(const ArrowHolder&) = delete;

  /// Keeps the foreign memory that buffers point into alive, and the tracker.
  void KeepAlive(std::shared_ptr<const void> owner) { owner_ = std::move(owner); }
  void AddBuffer(const void* data) { buffers_.push_back(data); }
  /// Allocates memory, zeroed if `is_zeroed`. It becomes a buffer only by AddBuffer.
  std::byte* Allocate(size_t size_bytes, bool is_zeroed = false);
  /// Adds a child array, for the caller to fill.
  ArrowArray* AddChild();
  ArrowArray* MakeDictionary();

  static void Publish(std::unique_ptr<ArrowHolder> holder, size_t length, size_t null_count, ArrowArray* out);

 private:
  std::shared_ptr<const void> owner_;  // must outlive the reservation
  MemoryReservation reservation_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  std::vector<const void*> buffers_;
  std::vector<std::unique_ptr<ArrowArray>> children_;
  std::vector<ArrowArray*> child_pointers_;
  std::unique_ptr<ArrowArray> dictionary_;
};

}  // namespace scaup
