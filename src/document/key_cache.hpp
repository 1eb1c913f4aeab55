// A per-thread cache of a dictionary, so that similar documents take no locks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Paths and attributes by key and type, with a guess of the next key. One thread at a time.
class KeyCache {
 public:
  static constexpr PathId kNoPath = UINT32_MAX;

  struct Path {
    const char* key = nullptr;  ///< null: not cached yet
    uint32_t key_size = 0;
    /// The key has no character that JSON escapes, so its quoted bytes can be compared directly.
    bool is_plain = false;
    PathId first = kNoPath;   ///< the first key of this object, the last time
    PathId next = kNoPath;    ///< the key after this one, the last time
    uint64_t last_event = 0;  ///< for DocumentScanner: when the key last occurred
    std::array<AttributeId, kAttributeTypeCount> attributes;
  };

  explicit KeyCache(std::shared_ptr<AttributeDictionary> dictionary);

  /// The path of a key; added to the dictionary if missing.
  PathId Find(PathId parent, std::string_view key);
  AttributeId AttributeOf(PathId path, AttributeType type) {
    AttributeId& id = paths_[path].attributes[static_cast<size_t>(type)];
    if (id == kNoAttribute) id = dictionary_->AddAttribute(path, type);
    return id;
  }
  /// A cached path: one that Find returned or MakeKnown was called for. Valid until the next Find or
  /// MakeKnown.
  Path& path(PathId path) { return paths_[path]; }
  void MakeKnown(PathId path);
  AttributeDictionary& dictionary() { return *dictionary_; }

 private:
  static constexpr AttributeId kNoAttribute = UINT32_MAX;
  void Insert(PathId path);

  std::shared_ptr<AttributeDictionary> dictionary_;
  std::vector<Path> paths_;    // by id
  std::vector<PathId> slots_;  // a hash table; the size is a power of two, empty slots hold kNoPath
  size_t used_slots_ = 0;
};

}  // namespace scaup
