// A run of index entries in the file: one behind the other, in the order of their keys.
#pragma once

#include <memory>
#include <vector>

#include "storage/buffer/block_store.hpp"
#include "storage/index/radix_tree.hpp"

namespace scaup {

/// Where the entries of a range of keys are. Immutable; shared by the index and by those that read it. Keeps
/// its blocks from being reused.
struct StoredPart {
  Extents extents;
  uint64_t entry_count = 0;
  std::vector<std::shared_ptr<const void>> holds;

  uint64_t size_bytes() const;
};

/// Puts the entries of a range of keys into bytes. One thread at a time.
class PartEncoder {
 public:
  explicit PartEncoder(MemoryTracker& memory) : reservation_(memory) {}
  /// Entries come in the order of the tree, a key's values together. Keys are written as what they do not
  /// share with the one before.
  void Add(KeyBytes key, uint64_t value);
  /// True if what was added is as much as one part should have, so that the next key begins another one.
  bool IsFull() const {
    return writer_.size() + 10 * values_.size() >= kFullBytes || key_bytes_ >= kFullKeyBytes;
  }
  bool IsLastKey(KeyBytes key) const;
  const IndexKey& last_key() const { return key_; }
  uint64_t entry_count() const { return entry_count_; }
  /// Hands over the bytes and begins anew.
  std::vector<std::byte> Finish();

 private:
  void EndKey();

  // A part is what is loaded and written at once. With long keys that share much it can grow when it is
  // loaded, which the second bound keeps within reason.
  static constexpr size_t kFullBytes = 16 * 1024;
  static constexpr size_t kFullKeyBytes = 256 * 1024;

  ByteWriter writer_;
  IndexKey key_;  // The last one; its values are in values_ and not written yet.
  IndexKey previous_key_;
  std::vector<uint64_t> values_;
  uint64_t entry_count_ = 0;
  uint64_t key_bytes_ = 0;
  MemoryReservation reservation_;  // Of values, where a key has many.
};

/// Reads a part into an empty tree. Throws Error(kIo, XX001) if it is none, or Error(kOutOfMemory).
void LoadPart(BlockStore& store, const StoredPart& part, RadixTree& tree);

}  // namespace scaup
