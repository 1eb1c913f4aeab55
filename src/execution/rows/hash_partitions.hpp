// Hash partitions: rows partitioned by bits of their hashes, in memory or in temporary storage.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "execution/rows/spilled_chunks.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The bits of a hash that select a partition.
struct PartitionBits {
  unsigned shift = 0;
  unsigned bit_count = 0;

  size_t partition_count() const { return size_t{1} << bit_count; }
  size_t Of(uint64_t hash) const { return (hash >> shift) & (partition_count() - 1); }
  uint64_t mask() const { return (partition_count() - 1) << shift; }
  /// The number of bits that tests force: few partitions, each with a few rows.
  static constexpr unsigned kForcedBitCount = 2;
  /// The number of bits for a thread with this share of the memory.
  static unsigned BitCountFor(size_t memory_share_bytes);
};

/// Detects whether a single hash dominates, in which case partitioning does not help. It counts the majority
/// candidate: pairs of different hashes cancel out (Boyer, Moore: MJRTY, 1991).
class MajorityHash {
 public:
  void Add(uint64_t hash) {
    added_++;
    Count(hash, 1);
  }
  void Merge(const MajorityHash& other) {
    added_ += other.added_;
    Count(other.hash_, other.count_);
  }
  /// True if one hash makes up three quarters of what was added, false if none makes up half.
  bool stands_out() const { return added_ >= kLeastAdded && count_ >= added_ / 2; }

 private:
  static constexpr uint64_t kLeastAdded = 16;
  void Count(uint64_t hash, uint64_t count) {
    if (hash == hash_) {
      count_ += count;
    } else if (count <= count_) {
      count_ -= count;
    } else {
      hash_ = hash;
      count_ = count - count_;
    }
  }
  uint64_t hash_ = 0;
  uint64_t count_ = 0;
  uint64_t added_ = 0;
};

class PartitionReader;

/// Rows scattered to partitions by their hashes. One thread at a time; movable.
class HashPartitions {
 public:
  /// Pieces are smaller if the thread's share of the memory is small: the open pieces of all partitions
  /// together take about half of ReserveBytes. `memory` is borrowed and accounts for all rows.
  HashPartitions(std::vector<LogicalType> types, PartitionBits bits, size_t memory_share_bytes,
                 MemoryTracker& memory);
  /// The minimum of a thread that partitions rows: a small piece for each partition, or larger ones if the
  /// thread's share of the memory is large.
  static size_t LeastBytes(const std::vector<LogicalType>& types, PartitionBits bits,
                           size_t memory_share_bytes);
  /// The memory that a thread reserves if it may have to partition its rows.
  static size_t ReserveBytes(size_t memory_share_bytes) {
    return std::min(memory_share_bytes / 16, size_t{32} << 20);
  }
  ~HashPartitions();
  HashPartitions(HashPartitions&&) noexcept;

  /// Copies rows[0, count) of the chunk, or its first `count` rows if `rows` is null. hashes[r] belongs to
  /// row r of the chunk.
  void Append(DataChunk& chunk, const uint64_t* hashes, const sel_t* rows, size_t count);
  /// An upper bound of the bytes that appending these rows of the chunk reserves; `rows` as in Append.
  size_t MostAppendBytes(DataChunk& chunk, const sel_t* rows, size_t count) const;
  /// Appends within the memory that `memory` has left, and spills once no more row fits. At most a row that
  /// is longer than all of it needs more.
  void AppendWithin(MemoryTracker& memory, TemporaryStorage& storage, DataChunk& chunk,
                    const uint64_t* hashes, const sel_t* rows, size_t count);
  /// Spills all rows that are in memory.
  void Spill(TemporaryStorage& storage);

  const PartitionBits& bits() const { return bits_; }
  const std::vector<LogicalType>& types() const { return types_; }
  uint64_t row_count(size_t partition) const;
  uint64_t row_count() const { return row_count_; }
  bool has_spilled() const { return storage_ != nullptr; }
  /// Moves the rows of a partition out. The reader refers to the types and the memory account of this object.
  PartitionReader Take(size_t partition);

 private:
  friend class PartitionReader;
  /// Up to piece_rows_ rows: column after column, followed by their validity words.
  using Piece = std::unique_ptr<std::byte[]>;
  struct Partition;
  class StringSpace;

  size_t AppendBytes(DataChunk& chunk, const uint64_t* hashes, const sel_t* rows, size_t count) const;
  void BeginPiece(size_t number);
  template <size_t kBytes>
  void ScatterFixed(size_t column, const UnifiedView& view, const sel_t* rows, size_t count);
  void ScatterStrings(size_t column, const UnifiedView& view, const sel_t* rows, size_t count);
  void ScatterNulls(size_t column, const UnifiedView& view, const sel_t* rows, size_t count);
  void Read(const Piece& piece, size_t row_count, DataChunk& output) const;

  std::vector<LogicalType> types_;
  PartitionBits bits_;
  MemoryTracker* memory_;
  size_t piece_rows_ = 0;
  size_t piece_bytes_ = 0;
  std::vector<size_t> offsets_;           // Offset of each column within a piece.
  std::vector<size_t> validity_offsets_;  // Offset of each column's validity words.
  std::vector<bool> has_nulls_;           // Whether the column has ever had a NULL.
  std::vector<Partition> partitions_;
  // The last piece of each partition, side by side for the cache.
  struct Cursor {
    std::byte* piece = nullptr;
    uint32_t row_count = 0;
  };
  std::vector<Cursor> cursors_;
  uint64_t row_count_ = 0;
  TemporaryStorage* storage_ = nullptr;  // Set once rows have been spilled.
  // The destination of each row of the chunk that is being appended.
  struct Target {
    std::byte* piece;
    uint32_t place;
    uint32_t partition;
  };
  std::unique_ptr<Target[]> targets_;
};

/// Reads the rows of one partition. One thread at a time; movable. Must not outlive the HashPartitions.
class PartitionReader {
 public:
  PartitionReader(PartitionReader&&) noexcept;
  PartitionReader& operator=(PartitionReader&&) noexcept;
  ~PartitionReader();

  uint64_t row_count() const;
  /// The majority candidate among a sample of the rows' hashes.
  const MajorityHash& majority() const;
  /// Makes `output` refer to the next rows; false if there are no more. They are valid until the next call.
  bool Next(DataChunk& output);
  /// Sets whether rows that are read from now on are retained, so that they can be read again.
  void SetKeeping(bool keeps);
  /// Goes back to the first row. REQUIRES: all rows read so far were retained.
  void Rewind();

 private:
  friend class HashPartitions;
  struct State;
  explicit PartitionReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace scaup
