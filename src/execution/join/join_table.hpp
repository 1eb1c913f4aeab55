// Join table: the hash table of a hash join's build side, with a tagged directory.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "execution/rows/row_layout.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// The rows of the build side, found by hash. A directory slot holds the address of a chain's first row in
/// its low 48 bits and a 16-bit Bloom filter of the chain's hashes above, so that most probes without a
/// partner end at the directory (after Birler, Schmidt, Fent, Neumann: Simple, Efficient, and Robust Hash
/// Tables for Join Processing, 2024).
///
/// A row's header holds its hash, the next row, and a matched flag. Several threads fill the table, each with
/// its own RowCollection. After Build it is read-only except for the matched flags, which any thread may set.
class JoinTable {
 public:
  static constexpr size_t kNextOffset = 8;
  static constexpr size_t kMatchedOffset = 16;
  static constexpr size_t kHeaderBytes = 24;

  JoinTable(const RowLayout& layout, MemoryTracker& memory) : layout_(layout), reservation_(memory) {}

  /// Takes the rows of one thread. Rows flagged kNotInDirectory are retained but never found by a probe.
  void AddRows(RowCollection rows);
  /// The bytes that the directory of so many rows takes.
  static constexpr size_t kDirectoryBytesPerRow = 16;  ///< at least
  static size_t DirectoryBytes(size_t row_count) { return SlotsFor(row_count) * sizeof(uint64_t); }
  /// Reserves the memory of the directory; false if there is not enough, or less than `margin_bytes` would
  /// stay free.
  bool TryReserve(size_t row_count, size_t margin_bytes) {
    return reservation_.TryResize(DirectoryBytes(row_count), margin_bytes);
  }
  /// Builds the directory with at most `max_tasks` tasks. Called once, after all AddRows.
  void Build(const FunctionContext& context, size_t max_tasks = SIZE_MAX);

  size_t row_count() const { return row_count_; }
  bool is_empty() const { return row_count_ == 0; }
  /// Frees the rows; row_count() stays. Called instead of Build if a dense table holds the rows' values.
  void ReleaseRows() { collections_.clear(); }
  const std::vector<RowCollection>& collections() const { return collections_; }

  /// Returns the first row of the chain that may contain this hash, or null.
  std::byte* First(uint64_t hash) const {
    const uint64_t entry = directory_[hash >> shift_].load(std::memory_order_relaxed);
    return (entry & TagOf(hash)) != 0 ? reinterpret_cast<std::byte*>(entry & kPointerMask) : nullptr;
  }
  /// Prefetches the directory slot of a hash.
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
  /// Sets the flag. Returns true for the one caller that found it unset.
  static bool TakeFirstMatch(std::byte* row) {
    return std::atomic_ref<uint8_t>(*reinterpret_cast<uint8_t*>(row + kMatchedOffset))
               .exchange(kMatched, std::memory_order_relaxed) != kMatched;
  }
  /// May be called while other threads set the flag.
  static bool IsMatched(std::byte* row) {
    return std::atomic_ref<uint8_t>(*reinterpret_cast<uint8_t*>(row + kMatchedOffset))
               .load(std::memory_order_relaxed) == kMatched;
  }

  static constexpr uint8_t kUnmatched = 0;
  static constexpr uint8_t kMatched = 1;
  static constexpr uint8_t kNotInDirectory = 2;  ///< a NULL key: never matches

 private:
  static constexpr uint64_t kPointerMask = (uint64_t{1} << 48) - 1;
  /// One of sixteen bits, selected by hash bits that do not select the slot.
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
