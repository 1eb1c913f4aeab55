// What one thread knows of a dictionary, so that documents like those before take no locks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Paths and attributes by key and type, with guesses which key comes next. One thread.
class KeyCache {
 public:
  static constexpr PathId kNoPath = UINT32_MAX;

  struct Path {
    const char* key = nullptr;  ///< null: not known here yet
    uint32_t key_size = 0;
    /// The key has no character that JSON escapes: where its bytes stand in quotes, it is meant.
    bool is_plain = false;
    PathId first = kNoPath;   ///< the key that came first in this object the last time
    PathId next = kNoPath;    ///< the key that followed this one the last time
    uint64_t last_event = 0;  ///< of DocumentScanner: when the key was last met
    std::array<AttributeId, kAttributeTypeCount> attributes;
  };

  explicit KeyCache(std::shared_ptr<AttributeDictionary> dictionary);

  /// The path of a key, added to the dictionary if need be.
  PathId Find(PathId parent, std::string_view key);
  AttributeId AttributeOf(PathId path, AttributeType type) {
    AttributeId& id = paths_[path].attributes[static_cast<size_t>(type)];
    if (id == kNoAttribute) id = dictionary_->AddAttribute(path, type);
    return id;
  }
  /// A path that Find returned, or that was made known. Valid until the next Find or MakeKnown.
  Path& path(PathId path) { return paths_[path]; }
  void MakeKnown(PathId path);
  AttributeDictionary& dictionary() { return *dictionary_; }

 private:
  static constexpr AttributeId kNoAttribute = UINT32_MAX;
  void Insert(PathId path);

  std::shared_ptr<AttributeDictionary> dictionary_;
  std::vector<Path> paths_;    // By id.
  std::vector<PathId> slots_;  // A hash table, a power of two long, kNoPath where empty.
  size_t used_slots_ = 0;
};

}  // namespace scaup
