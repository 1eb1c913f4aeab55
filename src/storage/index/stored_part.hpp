// StoredPart: a run of index entries in the file, in key order.
#pragma once

#include <memory>
#include <vector>

#include "storage/buffer/block_store.hpp"
#include "storage/index/radix_tree.hpp"

namespace scaup {

/// The location of the entries of a range of keys. Immutable; shared by the index and its readers. Keeps its
/// blocks from being reused.
struct StoredPart {
  Extents extents;
  uint64_t entry_count = 0;
  std::vector<std::shared_ptr<const void>> holds;

  uint64_t size_bytes() const;
};

/// Encodes the entries of a range of keys. Used by one thread at a time.
class PartEncoder {
 public:
  explicit PartEncoder(MemoryTracker& memory) : reservation_(memory) {}
  /// Adds an entry. Entries must come in tree order, with the values of a key together. Only the bytes that a
  /// key does not share with the key before are written.
  void Add(KeyBytes key, uint64_t value);
  /// Returns whether the part is full, so that the next key should begin another one.
  bool IsFull() const {
    return writer_.size() + 10 * values_.size() >= kFullBytes || key_bytes_ >= kFullKeyBytes;
  }
  bool IsLastKey(KeyBytes key) const;
  const IndexKey& last_key() const { return key_; }
  uint64_t entry_count() const { return entry_count_; }
  /// Returns the bytes and begins a new part.
  std::vector<std::byte> Finish();

 private:
  void EndKey();

  // A part is loaded and written as a whole. Long keys that share much grow when they are loaded; the second
  // limit bounds that.
  static constexpr size_t kFullBytes = 16 * 1024;
  static constexpr size_t kFullKeyBytes = 256 * 1024;

  ByteWriter writer_;
  IndexKey key_;  // the last key; its values are in values_ and not written yet
  IndexKey previous_key_;
  std::vector<uint64_t> values_;
  uint64_t entry_count_ = 0;
  uint64_t key_bytes_ = 0;
  MemoryReservation reservation_;  // for the values of keys that have many
};

/// The entries of a part in memory. Keys point into `bytes`. Movable; used by one thread at a time.
struct DecodedPart {
  explicit DecodedPart(MemoryTracker& memory) : reservation(memory) {}
  std::vector<std::byte> bytes;
  std::vector<RadixEntry> entries;
  MemoryReservation reservation;
};

/// Decodes a part that has `entry_count` entries. Calls reader.Fail if it is damaged; throws
/// Error(kOutOfMemory).
void DecodePart(ByteReader& reader, uint64_t entry_count, DecodedPart& part);
/// Loads a part into an empty tree. Throws Error(kIo, XX001) if it is damaged, or Error(kOutOfMemory).
void LoadPart(BlockStore& store, const StoredPart& part, RadixTree& tree);

}  // namespace scaup
