// A per-thread cache of a dictionary.
#include "document/key_cache.hpp"

#include <algorithm>
#include <cstring>

#include "common/hash.hpp"

namespace scaup {

namespace {

size_t HashKey(PathId parent, std::string_view key) {
  return CombineHashes(HashInteger(parent), HashBytes(key.data(), key.size()));
}

bool IsPlain(std::string_view key) {
  return std::none_of(key.begin(), key.end(),
                      [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
}

}  // namespace

KeyCache::KeyCache(std::shared_ptr<AttributeDictionary> dictionary)
    : dictionary_(std::move(dictionary)), slots_(256, kNoPath) {
  MakeKnown(kRootPath);
}

void KeyCache::MakeKnown(PathId path) {
  if (path >= paths_.size()) {
    Path unknown;
    unknown.attributes.fill(kNoAttribute);
    paths_.resize(path + 1, unknown);
  }
  Path& known = paths_[path];
  if (known.key != nullptr) return;
  const std::string_view key = dictionary_->KeyViewOf(path);
  known.key = key.data();
  known.key_size = static_cast<uint32_t>(key.size());
  known.is_plain = IsPlain(key);
  if (path != kRootPath) Insert(path);
}

void KeyCache::Insert(PathId path) {
  if (2 * (used_slots_ + 1) > slots_.size()) {
    std::vector<PathId> old(2 * slots_.size(), kNoPath);
    old.swap(slots_);
    used_slots_ = 0;
    for (const PathId known : old) {
      if (known != kNoPath) Insert(known);
    }
  }
  const size_t mask = slots_.size() - 1;
  size_t slot = HashKey(dictionary_->ParentOf(path), {paths_[path].key, paths_[path].key_size}) & mask;
  while (slots_[slot] != kNoPath) slot = (slot + 1) & mask;
  slots_[slot] = path;
  used_slots_++;
}

PathId KeyCache::Find(PathId parent, std::string_view key) {
  const size_t mask = slots_.size() - 1;
  for (size_t slot = HashKey(parent, key) & mask; slots_[slot] != kNoPath; slot = (slot + 1) & mask) {
    const PathId path = slots_[slot];
    const Path& known = paths_[path];
    if (known.key_size == key.size() && std::memcmp(known.key, key.data(), key.size()) == 0 &&
        dictionary_->ParentOf(path) == parent)
      return path;
  }
  const PathId path = dictionary_->AddPath(parent, key);
  MakeKnown(path);
  return path;
}

}  // namespace scaup
