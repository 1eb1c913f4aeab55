// ArrowHolder: the memory and the children of an exported array.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "scaup/arrow.h"

namespace scaup {

/// The buffers and children of an ArrowArray in the making; Publish() gives all of it to the array.
class ArrowHolder {
 public:
  explicit ArrowHolder(MemoryTracker& memory) : reservation_(memory) {}
  ~ArrowHolder();
  ArrowHolder(const ArrowHolder&) = delete;
  ArrowHolder& operator=(const ArrowHolder&) = delete;

  /// Keeps foreign memory alive that buffers point into, and the tracker.
  void KeepAlive(std::shared_ptr<const void> owner) { owner_ = std::move(owner); }
  void AddBuffer(const void* data) { buffers_.push_back(data); }
  /// Memory of its own, zeroed where `is_zeroed`; a buffer only when it is added as one.
  std::byte* Allocate(size_t size_bytes, bool is_zeroed = false);
  /// An array to be filled in.
  ArrowArray* AddChild();
  ArrowArray* MakeDictionary();

  static void Publish(std::unique_ptr<ArrowHolder> holder, size_t length, size_t null_count, ArrowArray* out);

 private:
  std::shared_ptr<const void> owner_;  // Outlives the reservation.
  MemoryReservation reservation_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  std::vector<const void*> buffers_;
  std::vector<std::unique_ptr<ArrowArray>> children_;
  std::vector<ArrowArray*> child_pointers_;
  std::unique_ptr<ArrowArray> dictionary_;
};

}  // namespace scaup
