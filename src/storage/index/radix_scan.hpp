// RadixScan: reads the entries of a radix tree in key order, batch by batch.
#pragma once

#include <vector>

#include "storage/index/radix_tree.hpp"

namespace scaup {

/// The entries of a scan, with keys if wanted: entry i has key keys[key_ends[i - 1] .. key_ends[i]).
struct IndexBatch {
  std::vector<uint64_t> values;
  std::vector<std::byte> keys;
  std::vector<size_t> key_ends;

  KeyBytes key(size_t entry) const {
    const size_t begin = entry == 0 ? 0 : key_ends[entry - 1];
    return {keys.data() + begin, keys.data() + key_ends[entry]};
  }
};

/// Scans a range of keys, ascending or descending; the values of one key have the same direction. The tree is
/// locked only while a batch is collected. Entries that exist all the time are found exactly once. Entries
/// that come or go meanwhile may or may not be found. An entry whose value is replaced by a smaller one may
/// be missed under both values. Used by one thread; must not outlive the tree.
class RadixScan {
 public:
  RadixScan(KeyRange range, bool descending) : range_(std::move(range)), descending_(descending) {}

  /// Replaces the contents of `batch` by up to `most` > 0 entries; fewer if keys are long. Returns false with
  /// an empty batch when there are no more. All calls must pass the same tree, or one that has the rest of
  /// its entries in the range.
  bool Next(const RadixTree& tree, size_t most, bool with_keys, IndexBatch& batch);
  /// Returns the key of the last entry; null before the first.
  const IndexKey* last_key() const { return has_last_ ? &last_key_ : nullptr; }
  const KeyRange& range() const { return range_; }

 private:
  struct Walk;
  bool IsInRange(KeyBytes key) const;
  bool Gather(Walk& walk, size_t most, bool with_keys, IndexBatch& batch);

  KeyRange range_;
  bool descending_;
  bool is_at_end_ = false;
  bool has_last_ = false;  // whether there was an entry, which follows
  IndexKey last_key_;
  uint64_t last_value_ = 0;
};

/// Returns the number of entries in the range, at most `most`.
uint64_t CountEntries(const RadixTree& tree, const KeyRange& range, uint64_t most);

/// Calls visit(key, value) for all entries in order; a key is valid during the call. The tree may change
/// meanwhile, as between calls of RadixScan::Next.
template <typename Visit>
void ForEachEntry(const RadixTree& tree, const Visit& visit) {
  constexpr size_t kBatchEntries = 1024;
  RadixScan scan({}, false);
  IndexBatch batch;
  while (scan.Next(tree, kBatchEntries, true, batch))
    for (size_t i = 0; i < batch.values.size(); i++) visit(batch.key(i), batch.values[i]);
}

}  // namespace scaup
