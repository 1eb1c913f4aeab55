// Dictionary groups: finds the rows of groups by the codes of their keys in dictionaries, without hashing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vector/vector.hpp"

namespace scaup {

/// A directory in front of a group table for keys that all come as codes of dictionaries: a slot for each
/// combination of entries, as long as the dictionaries stay the same, which is a row group mostly. It only
/// remembers where groups are; what is new, the table finds or makes. One thread at a time.
class DictionaryGroups {
 public:
  /// True if rows[i] is the row of the group of keys row i for all rows. If not, they are of no use.
  bool Find(std::span<Vector> keys, size_t count, std::byte** rows);
  /// Remembers the rows of groups, after Find of the same keys.
  void Note(size_t count, std::byte* const* rows);

 private:
  struct Source {
    const std::byte* data;
    size_t size;
    std::shared_ptr<const void> owner;  // So that no other dictionary comes to stand there.
  };
  bool TakeSources(std::span<Vector> keys);

  std::vector<Source> sources_;
  std::vector<std::byte*> rows_;  // By slot.
  uint32_t slots_[kVectorSize];
  bool has_slots_ = false;
};

}  // namespace scaup
