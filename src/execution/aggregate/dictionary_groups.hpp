// Dictionary groups: finds the rows of groups by the dictionary codes of their keys, without hashing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vector/vector.hpp"

namespace scaup {

/// A cache in front of a group table for keys that are all dictionary-encoded. It has a slot for each
/// combination of entries and is valid as long as the dictionaries stay the same, mostly for a row group. It
/// only caches where groups are; the table finds or creates new ones. One thread at a time.
class DictionaryGroups {
 public:
  /// True if rows[i] is the row of the group of keys row i for all rows. Otherwise `rows` is unusable.
  bool Find(std::span<Vector> keys, size_t count, std::byte** rows);
  /// Caches the rows of groups, after Find of the same keys.
  void Note(size_t count, std::byte* const* rows);

 private:
  /// The dictionary of one key.
  struct Source {
    const std::byte* data;
    size_t size;
    std::shared_ptr<const void> owner;  // Pins the dictionary, so that its address is not reused.
  };
  bool TakeSources(std::span<Vector> keys);

  std::vector<Source> sources_;
  std::vector<std::byte*> rows_;  // By slot.
  uint32_t slots_[kVectorSize];
  bool has_slots_ = false;
};

}  // namespace scaup
