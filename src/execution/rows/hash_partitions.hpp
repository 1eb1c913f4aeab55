// Hash partitions: rows divided by bits of their hashes, in memory or in temporary storage.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "storage/buffer/temporary_file.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The bits of a hash that choose a partition.
struct PartitionBits {
  unsigned shift = 0;
  unsigned bit_count = 0;

  size_t partition_count() const { return size_t{1} << bit_count; }
  size_t Of(uint64_t hash) const { return (hash >> shift) & (partition_count() - 1); }
  uint64_t mask() const { return (partition_count() - 1) << shift; }
  /// The number of bits of few partitions, each with a few rows, that tests force.
  static constexpr unsigned kForcedBitCount = 2;
  /// How many bits are right for a thread whose share of the memory is this.
  static unsigned BitCountFor(size_t memory_share_bytes);
};

/// Whether one hash stands out among many, which dividing rows by their hashes does not change: pairs of
/// different ones cancel each other out, and what is left may be it (Boyer, Moore: MJRTY, 1991).
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
  /// True where one hash has three quarters of what was added, false where none has half.
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

/// One thread at a time; movable.
class HashPartitions {
 public:
  /// Pieces are smaller where the thread's share of the memory is small: those of all partitions together
  /// take about half of ReserveBytes. `memory` is borrowed, and accounts all rows.
  HashPartitions(std::vector<LogicalType> types, PartitionBits bits, size_t memory_share_bytes,
                 MemoryTracker& memory);
  /// The memory that a thread reserves if it may have to partition its rows.
  static size_t ReserveBytes(size_t memory_share_bytes) {
    return std::min(memory_share_bytes / 16, size_t{32} << 20);
  }
  ~HashPartitions();
  HashPartitions(HashPartitions&&) noexcept;

  /// Copies rows[0, count) of the chunk, or its first `count` rows if `rows` is null. hashes[r] belongs to
  /// row r of the chunk.
  void Append(DataChunk& chunk, const uint64_t* hashes, const sel_t* rows, size_t count);
  /// The most bytes that Append of a chunk would reserve.
  size_t MostAppendBytes(DataChunk& chunk) const;
  /// Writes all rows that are in memory away.
  void Spill(TemporaryStorage& storage);

  const PartitionBits& bits() const { return bits_; }
  const std::vector<LogicalType>& types() const { return types_; }
  uint64_t row_count(size_t partition) const;
  uint64_t row_count() const { return row_count_; }
  bool has_spilled() const { return storage_ != nullptr; }
  /// Moves the rows of a partition out. They refer to these partitions' types and memory account.
  PartitionReader Take(size_t partition);

 private:
  friend class PartitionReader;
  /// Up to piece_rows_ rows: column after column, then their validity.
  using Piece = std::unique_ptr<std::byte[]>;
  struct Partition;
  class StringSpace;

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
  std::vector<size_t> offsets_;           // Of each column in a piece.
  std::vector<size_t> validity_offsets_;  // The same of its validity words.
  std::vector<bool> has_nulls_;           // Whether any row ever had one in the column.
  std::vector<Partition> partitions_;
  // The last piece of each partition, close together.
  struct Cursor {
    std::byte* piece = nullptr;
    uint32_t row_count = 0;
  };
  std::vector<Cursor> cursors_;
  uint64_t row_count_ = 0;
  TemporaryStorage* storage_ = nullptr;  // Once something has been written.
  // Where the rows of the chunk that is appended go.
  struct Target {
    std::byte* piece;
    uint32_t place;
    uint32_t partition;
  };
  std::unique_ptr<Target[]> targets_;
};

/// The rows of one partition. One thread at a time; movable. Must not outlive the HashPartitions.
class PartitionReader {
 public:
  PartitionReader(PartitionReader&&) noexcept;
  PartitionReader& operator=(PartitionReader&&) noexcept;
  ~PartitionReader();

  uint64_t row_count() const;
  /// The most frequent hash in a sample of the rows.
  const MajorityHash& majority() const;
  /// Makes `output` the next rows; false if there are no more. They are valid until the next call.
  bool Next(DataChunk& output);
  /// Whether rows that are read from now on stay, to be read again.
  void SetKeeping(bool keeps);
  /// To the first row. REQUIRES: all were kept.
  void Rewind();

 private:
  friend class HashPartitions;
  struct State;
  explicit PartitionReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace scaup
