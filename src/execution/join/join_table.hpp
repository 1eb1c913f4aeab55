// Join table: the built side of a hash join, with a tagged directory.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "execution/rows/row_layout.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Rows of the built side, reached by hash. A directory slot holds the address of the first row of a chain in
/// its low 48 bits and, above, a 16-bit Bloom filter of the hashes in the chain, so that most probes without
/// a partner end at the directory (after Birler, Schmidt, Fent, Neumann: Simple, Efficient, and Robust Hash
/// Tables for Join Processing, 2024). Row header: hash, next row, matched flag. Built by several threads,
/// each with its RowCollection; then read-only but for the matched flags, which any thread may set.
class JoinTable {
 public:
  static constexpr size_t kNextOffset = 8;
  static constexpr size_t kMatchedOffset = 16;
  static constexpr size_t kHeaderBytes = 24;

  JoinTable(const RowLayout& layout, MemoryTracker& memory) : layout_(layout), reservation_(memory) {}

  /// Takes the rows of one thread. Rows whose `matched` flag is kNotInDirectory are kept but not found.
  void AddRows(RowCollection rows);
  /// The bytes that the directory of so many rows takes.
  static constexpr size_t kDirectoryBytesPerRow = 16;  ///< at least
  static size_t DirectoryBytes(size_t row_count) { return SlotsFor(row_count) * sizeof(uint64_t); }
  /// Reserves that; false where there is no memory for it.
  bool TryReserve(size_t row_count);
  /// Makes the directory, by up to so many tasks; call once, after all AddRows.
  void Build(const FunctionContext& context, size_t max_tasks = SIZE_MAX);

  size_t row_count() const { return row_count_; }
  bool is_empty() const { return row_count_ == 0; }
  /// Frees the rows; their number stays. Instead of Build, where others have what they say.
  void ReleaseRows() { collections_.clear(); }
  const std::vector<RowCollection>& collections() const { return collections_; }

  /// The first row of the chain that may hold this hash, or null.
  std::byte* First(uint64_t hash) const {
    const uint64_t entry = directory_[hash >> shift_].load(std::memory_order_relaxed);
    return (entry & TagOf(hash)) != 0 ? reinterpret_cast<std::byte*>(entry & kPointerMask) : nullptr;
  }
  /// Asks for the directory slot of a hash that is looked up soon.
  void Prefetch(uint64_t hash) const { __builtin_prefetch(&directory_[hash >> shift_]); }
  static std::byte* NextOf(const std::byte* row) {
    std::byte* next;
    __builtin_memcpy(&next, row + kNextOffset, sizeof(next));
    return next;
  }
  static void SetMatched(std::byte* row) {
    std::atomic_ref<uint8_t>(*reinterpret_cast<uint8_t*>(row + kMatchedOffset))
        .store(kMatched, std::memory_order_relaxed);
  }
  /// Sets the flag; true for the one caller that found it not set.
  static bool TakeFirstMatch(std::byte* row) {
    return std::atomic_ref<uint8_t>(*reinterpret_cast<uint8_t*>(row + kMatchedOffset))
               .exchange(kMatched, std::memory_order_relaxed) != kMatched;
  }
  /// May be called while others set the flag.
  static bool IsMatched(std::byte* row) {
    return std::atomic_ref<uint8_t>(*reinterpret_cast<uint8_t*>(row + kMatchedOffset))
               .load(std::memory_order_relaxed) == kMatched;
  }

  static constexpr uint8_t kUnmatched = 0;
  static constexpr uint8_t kMatched = 1;
  static constexpr uint8_t kNotInDirectory = 2;  ///< a NULL key: unmatched for ever

 private:
  static constexpr uint64_t kPointerMask = (uint64_t{1} << 48) - 1;
  /// One of sixteen bits, chosen by hash bits that do not choose the slot.
  static uint64_t TagOf(uint64_t hash) { return uint64_t{1} << (48 + (hash & 15)); }
  static size_t SlotsFor(size_t row_count);
  void InsertRows(std::byte* first, size_t count);

  const RowLayout& layout_;
  MemoryReservation reservation_;
  std::vector<RowCollection> collections_;
  size_t row_count_ = 0;
  std::unique_ptr<std::atomic<uint64_t>[]> directory_;
  int shift_ = 63;
};

}  // namespace scaup
