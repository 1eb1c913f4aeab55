// Reads the entries of a radix tree in the order of their keys, batch by batch.
#pragma once

#include <vector>

#include "storage/index/radix_tree.hpp"

namespace scaup {

/// Entries of a scan. With keys if they are wanted: that of entry i is keys[key_ends[i - 1] .. key_ends[i]).
struct IndexBatch {
  std::vector<uint64_t> values;
  std::vector<std::byte> keys;
  std::vector<size_t> key_ends;

  KeyBytes key(size_t entry) const {
    const size_t begin = entry == 0 ? 0 : key_ends[entry - 1];
    return {keys.data() + begin, keys.data() + key_ends[entry]};
  }
};

/// A scan of a range of keys, ascending or descending; values of one key go the same way. The tree is locked
/// only while a batch is gathered: entries that are there all the time are found exactly once, those that
/// come and go meanwhile perhaps, and one whose value is replaced meanwhile by a smaller one perhaps neither
/// way. One thread; must not outlive the tree.
class RadixScan {
 public:
  RadixScan(KeyRange range, bool descending) : range_(std::move(range)), descending_(descending) {}

  /// Up to `most` > 0 entries replace those of `batch`, fewer where keys are long. False, and an empty batch,
  /// when there are no more. All calls get the same tree, or one that has what is left of it in the range.
  bool Next(const RadixTree& tree, size_t most, bool with_keys, IndexBatch& batch);
  /// The key of the last entry; null before the first.
  const IndexKey* last_key() const { return has_last_ ? &last_key_ : nullptr; }
  const KeyRange& range() const { return range_; }

 private:
  struct Walk;
  bool IsInRange(KeyBytes key) const;
  bool Gather(Walk& walk, size_t most, bool with_keys, IndexBatch& batch);

  KeyRange range_;
  bool descending_;
  bool is_at_end_ = false;
  bool has_last_ = false;  // Whether there was an entry: it is what follows.
  IndexKey last_key_;
  uint64_t last_value_ = 0;
};

/// How many entries the range has, at most `most`.
uint64_t CountEntries(const RadixTree& tree, const KeyRange& range, uint64_t most);

}  // namespace scaup
