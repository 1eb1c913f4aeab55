// StoredPart, SpilledPart: a run of index entries in key order, in the file or in temporary storage.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/buffer/block_store.hpp"
#include "storage/buffer/temporary_file.hpp"
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

/// The entries of a range of keys in temporary storage. Immutable; shared by the index and its readers.
struct SpilledPart {
  std::shared_ptr<TemporaryStorage> storage;  ///< declared first: the slot must not outlive it
  TemporarySlot slot;
  uint64_t entry_count = 0;
};

/// Encodes the entries of a range of keys, and cuts them into parts of one to two times kPartBytes, so that a
/// part that grows is halved and leaves no tiny one. Used by one thread at a time.
class PartEncoder {
 public:
  /// An encoded part.
  struct Part {
    std::vector<std::byte> bytes;
    uint64_t entry_count = 0;
    IndexKey next_fence;  ///< of the part behind it
  };

  explicit PartEncoder(MemoryTracker& memory) : reservation_(memory) {}
  /// Adds an entry. Entries must come in tree order, with the values of a key together. Only the bytes that a
  /// key does not share with the key before are written. Returns a part that is complete, if there is one.
  std::optional<Part> Add(KeyBytes key, uint64_t value);
  /// Returns whether this is the entry that was added last.
  bool IsLast(KeyBytes key, uint64_t value) const { return IsLastKey(key) && value == last_value_; }
  /// Returns the last part, which has no entries if none is left, and begins anew.
  Part Finish();

 private:
  /// A key at which a part may end.
  struct Cut {
    size_t begin = 0;         // of the key in the bytes
    size_t values_begin = 0;  // of its values
    uint64_t entry_count = 0;
    uint64_t key_bytes = 0;
    IndexKey key;
    IndexKey fence;
  };

  bool IsLastKey(KeyBytes key) const;
  void EndKey();
  Part TakeFirst(KeyBytes next);

  // A part is loaded and written as a whole. Long keys that share much grow when they are loaded; the second
  // limit bounds that.
  static constexpr size_t kPartBytes = 16 * 1024;
  static constexpr size_t kPartKeyBytes = 256 * 1024;
  static constexpr size_t kAccountedValues = 4096;
  static constexpr size_t kMostValueBytes = 10;

  ByteWriter writer_;
  IndexKey key_;  // the last key, which is not written yet
  IndexKey previous_key_;
  uint64_t value_count_ = 0;  // of the last key
  uint64_t first_value_ = 0, last_value_ = 0;
  ByteWriter values_;  // all but the first, encoded
  uint64_t entry_count_ = 0;
  uint64_t key_bytes_ = 0;
  std::optional<Cut> cut_;
  MemoryReservation reservation_;  // for the values of keys that have many
};

/// Returns the fence between parts that end and begin with these keys: the shortest bytes that separate the
/// two, which keeps the directory small.
IndexKey FenceBetween(KeyBytes last, KeyBytes next);

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
/// Reads the entries of a spilled part; throws as LoadPart does.
void ReadPart(const SpilledPart& spilled, DecodedPart& part);

}  // namespace scaup
