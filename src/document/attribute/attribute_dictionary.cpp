// The key paths and attributes of a collection: arrays that are read without a lock, and an index behind one.
#include "document/attribute/attribute_dictionary.hpp"

#include <algorithm>

#include "common/hash.hpp"
#include "common/lock/mutex.hpp"
#include "common/memory/arena.hpp"
#include "common/throw.hpp"
#include "document/attribute/document_path.hpp"
#include "document/attribute/stable_array.hpp"

namespace scaup {

namespace {

/// Marks a missing path or attribute.
constexpr uint32_t kNone = UINT32_MAX;

uint64_t HashPath(PathId parent, std::string_view key) {
  return CombineHashes(HashInteger(parent), HashBytes(key.data(), key.size()));
}

bool IsKnownType(uint8_t type) { return type >= 1 && type < kAttributeTypeCount; }

struct PathEntry {
  PathId parent = kRootPath;
  uint32_t depth = 0;
  const char* key = nullptr;
  uint32_t key_size = 0;
  uint32_t hash = 0;  // The lower bits: they distinguish most keys, and serve tables of up to 2^32 slots.
};

/// The links of a path to its children and attributes; guarded by the lock.
struct PathLinks {
  PathId first_child = kNone, last_child = kNone, next_sibling = kNone;
  AttributeId first_attribute = kNone, last_attribute = kNone;
};

}  // namespace

struct AttributeDictionary::Content {
  mutable SharedMutex mutex;
  // Appended to under the lock, and read without it.
  StableArray<PathEntry> paths;
  StableArray<Attribute> attributes;

  Arena keys SCAUP_GUARDED_BY(mutex);
  std::vector<PathLinks> links SCAUP_GUARDED_BY(mutex);  // by path
  // By attribute: the next one of the same path.
  std::vector<AttributeId> next_attributes SCAUP_GUARDED_BY(mutex);
  // A hash table of paths; the size is a power of two, empty slots hold kNone.
  std::vector<PathId> slots SCAUP_GUARDED_BY(mutex);

  std::string_view Key(PathId path) const { return {paths[path].key, paths[path].key_size}; }
  PathId Find(PathId parent, std::string_view key, uint32_t hash) const SCAUP_REQUIRES_SHARED_LOCK(mutex) {
    const size_t mask = slots.size() - 1;
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      const PathId path = slots[slot];
      if (path == kNone) return kNone;
      const PathEntry& entry = paths[path];
      if (entry.hash == hash && entry.parent == parent && Key(path) == key) return path;
    }
  }
  AttributeId Find(PathId path, AttributeType type) const SCAUP_REQUIRES_SHARED_LOCK(mutex) {
    AttributeId id = links[path].first_attribute;
    while (id != kNone && attributes[id].type != type) id = next_attributes[id];
    return id;
  }
  void Insert(PathId path) SCAUP_REQUIRES_LOCK(mutex) {
    const size_t mask = slots.size() - 1;
    size_t slot = paths[path].hash & mask;
    while (slots[slot] != kNone) slot = (slot + 1) & mask;
    slots[slot] = path;
  }
  PathId Append(PathId parent, std::string_view key, uint32_t hash) SCAUP_REQUIRES_LOCK(mutex);
  AttributeId Append(PathId path, AttributeType type) SCAUP_REQUIRES_LOCK(mutex);
  /// Appends the attributes of all paths below `path` to `found`.
  void Collect(PathId path, std::vector<AttributeId>& found) const SCAUP_REQUIRES_SHARED_LOCK(mutex);
};

PathId AttributeDictionary::Content::Append(PathId parent, std::string_view key, uint32_t hash) {
  const size_t path = paths.size();
  if (path >= kNone || key.size() >= kNone)
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded, "a collection has too many keys");
  // Allocations come first, so that nothing is changed when one fails.
  if (2 * (path + 1) > slots.size()) {
    slots.assign(std::max<size_t>(64, 2 * slots.size()), kNone);
    for (PathId known = 1; known < path; known++) Insert(known);
  }
  links.resize(path + 1);
  // One byte more than needed, so that even the empty key has an address.
  char* copy = reinterpret_cast<char*>(keys.Allocate(key.size() + 1, 1));
  std::copy(key.begin(), key.end(), copy);
  const auto id = static_cast<PathId>(path);
  paths.Append({parent, path == kRootPath ? 0 : paths[parent].depth + 1, copy,
                static_cast<uint32_t>(key.size()), hash});
  if (id == kRootPath) return id;
  Insert(id);
  PathLinks& above = links[parent];
  (above.first_child == kNone ? above.first_child : links[above.last_child].next_sibling) = id;
  above.last_child = id;
  return id;
}

AttributeId AttributeDictionary::Content::Append(PathId path, AttributeType type) {
  const size_t count = attributes.size();
  if (count >= kNone)
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded, "a collection has too many keys");
  const auto id = static_cast<AttributeId>(count);
  next_attributes.resize(count + 1, kNone);
  attributes.Append({path, type});
  PathLinks& link = links[path];
  (link.first_attribute == kNone ? link.first_attribute : next_attributes[link.last_attribute]) = id;
  link.last_attribute = id;
  return id;
}

void AttributeDictionary::Content::Collect(PathId path, std::vector<AttributeId>& found) const {
  std::vector<PathId> open = {path};
  while (!open.empty()) {
    const PathLinks& link = links[open.back()];
    open.pop_back();
    for (AttributeId id = link.first_attribute; id != kNone; id = next_attributes[id]) found.push_back(id);
    for (PathId child = link.first_child; child != kNone; child = links[child].next_sibling)
      open.push_back(child);
  }
}

AttributeDictionary::AttributeDictionary() : content_(std::make_unique<Content>()) {
  content_->Append(kRootPath, "", 0);
}
AttributeDictionary::~AttributeDictionary() = default;

PathId AttributeDictionary::AddPath(PathId parent, std::string_view key) {
  const auto hash = static_cast<uint32_t>(HashPath(parent, key));
  {
    const ReaderLock lock(content_->mutex);
    const PathId path = content_->Find(parent, key, hash);
    if (path != kNone) return path;
  }
  const WriterLock lock(content_->mutex);
  const PathId path = content_->Find(parent, key, hash);
  return path != kNone ? path : content_->Append(parent, key, hash);
}

std::optional<PathId> AttributeDictionary::FindPath(PathId parent, std::string_view key) const {
  const auto hash = static_cast<uint32_t>(HashPath(parent, key));
  const ReaderLock lock(content_->mutex);
  const PathId path = content_->Find(parent, key, hash);
  return path != kNone ? std::optional(path) : std::nullopt;
}

std::optional<PathId> AttributeDictionary::FindPath(std::string_view name) const {
  const auto keys = SplitPath(name);
  if (!keys) return std::nullopt;
  std::optional<PathId> path = kRootPath;
  for (size_t i = 0; i < keys->size() && path; i++) path = FindPath(*path, (*keys)[i]);
  return path;
}

AttributeId AttributeDictionary::AddAttribute(PathId path, AttributeType type) {
  {
    const ReaderLock lock(content_->mutex);
    const AttributeId id = content_->Find(path, type);
    if (id != kNone) return id;
  }
  const WriterLock lock(content_->mutex);
  const AttributeId id = content_->Find(path, type);
  return id != kNone ? id : content_->Append(path, type);
}

std::optional<AttributeId> AttributeDictionary::FindAttribute(PathId path, AttributeType type) const {
  const ReaderLock lock(content_->mutex);
  const AttributeId id = content_->Find(path, type);
  return id != kNone ? std::optional(id) : std::nullopt;
}

size_t AttributeDictionary::path_count() const { return content_->paths.size(); }
size_t AttributeDictionary::attribute_count() const { return content_->attributes.size(); }
Attribute AttributeDictionary::attribute(AttributeId id) const {
  SCAUP_ASSERT(id < attribute_count());
  return content_->attributes[id];
}
PathId AttributeDictionary::ParentOf(PathId path) const {
  SCAUP_ASSERT(path < path_count());
  return content_->paths[path].parent;
}
size_t AttributeDictionary::DepthOf(PathId path) const {
  SCAUP_ASSERT(path < path_count());
  return content_->paths[path].depth;
}
std::string_view AttributeDictionary::KeyViewOf(PathId path) const {
  SCAUP_ASSERT(path < path_count());
  return content_->Key(path);
}
std::string AttributeDictionary::KeyOf(PathId path) const { return std::string(KeyViewOf(path)); }

std::string AttributeDictionary::NameOf(PathId path) const {
  std::vector<PathId> way;
  for (; path != kRootPath; path = ParentOf(path)) way.push_back(path);
  std::string name;
  for (; !way.empty(); way.pop_back()) AppendPathKey(KeyViewOf(way.back()), name);
  return name;
}

std::vector<AttributeId> AttributeDictionary::AttributesOf(PathId path) const {
  const ReaderLock lock(content_->mutex);
  std::vector<AttributeId> found;
  for (AttributeId id = content_->links[path].first_attribute; id != kNone;
       id = content_->next_attributes[id])
    found.push_back(id);
  return found;
}

std::vector<AttributeId> AttributeDictionary::AttributesBelow(PathId path) const {
  std::vector<AttributeId> found;
  {
    const ReaderLock lock(content_->mutex);
    content_->Collect(path, found);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool AttributeDictionary::AnyBelow(PathId path, bool includes_path,
                                   const std::function<bool(AttributeId)>& is_wanted) const {
  const ReaderLock lock(content_->mutex);
  std::vector<PathId> open = {path};
  while (!open.empty()) {
    const PathId next = open.back();
    const PathLinks& link = content_->links[next];
    open.pop_back();
    if (next != path || includes_path) {
      for (AttributeId id = link.first_attribute; id != kNone; id = content_->next_attributes[id]) {
        if (is_wanted(id)) return true;
      }
    }
    for (PathId child = link.first_child; child != kNone; child = content_->links[child].next_sibling)
      open.push_back(child);
  }
  return false;
}

std::vector<PathId> AttributeDictionary::AllPaths() const {
  const ReaderLock lock(content_->mutex);
  // Parents have smaller ids than their children, so one backward pass finds all paths with attributes below.
  const size_t count = content_->paths.size();
  std::vector<bool> has_attributes(count, false);
  for (size_t path = count - 1; path > 0; path--) {
    if (content_->links[path].first_attribute != kNone) has_attributes[path] = true;
    if (has_attributes[path]) has_attributes[content_->paths[path].parent] = true;
  }
  std::vector<PathId> paths;
  for (PathId path = 1; path < count; path++) {
    if (has_attributes[path]) paths.push_back(path);
  }
  return paths;
}

void AttributeDictionary::Write(size_t known_paths, size_t known_attributes, ByteWriter& writer) const {
  const ReaderLock lock(content_->mutex);
  const size_t path_count = content_->paths.size(), attribute_count = content_->attributes.size();
  const size_t first_path = std::min(std::max<size_t>(known_paths, 1), path_count);
  writer.WriteVarint(first_path);
  writer.WriteVarint(path_count - first_path);
  for (size_t path = first_path; path < path_count; path++) {
    writer.WriteVarint(content_->paths[path].parent);
    writer.WriteString(content_->Key(static_cast<PathId>(path)));
  }
  const size_t first_attribute = std::min(known_attributes, attribute_count);
  writer.WriteVarint(first_attribute);
  writer.WriteVarint(attribute_count - first_attribute);
  for (size_t id = first_attribute; id < attribute_count; id++) {
    writer.WriteVarint(content_->attributes[id].path);
    writer.WriteU8(static_cast<uint8_t>(content_->attributes[id].type));
  }
}

void AttributeDictionary::Read(ByteReader& reader) {
  const WriterLock lock(content_->mutex);
  const uint64_t first_path = reader.ReadVarint("number of the first key");
  if (first_path == 0 || first_path > content_->paths.size())
    reader.Fail("number of the first key", "there are none before it");
  const size_t path_count = reader.ReadCount("number of keys", 2);
  for (size_t i = 0; i < path_count; i++) {
    const uint64_t parent = reader.ReadVarint("object of a key");
    const std::string_view key = reader.ReadString("key");
    const uint64_t id = first_path + i;
    if (parent >= id) reader.Fail("object of a key", "it comes after the key");
    const auto above = static_cast<PathId>(parent);
    const auto hash = static_cast<uint32_t>(HashPath(above, key));
    const PathId known = content_->Find(above, key, hash);
    if (known != (id < content_->paths.size() ? id : kNone))
      reader.Fail("key", "it is another one than before");
    if (known == kNone) content_->Append(above, key, hash);
  }
  const uint64_t first_attribute = reader.ReadVarint("number of the first attribute");
  if (first_attribute > content_->attributes.size())
    reader.Fail("number of the first attribute", "there are none before it");
  const size_t attribute_count = reader.ReadCount("number of attributes", 2);
  for (size_t i = 0; i < attribute_count; i++) {
    const uint64_t path = reader.ReadVarint("key of an attribute");
    const uint8_t type = reader.ReadU8("type of an attribute");
    if (path == kRootPath || path >= content_->paths.size())
      reader.Fail("key of an attribute", "there is no such key");
    if (!IsKnownType(type)) reader.Fail("type of an attribute", "there is no such type");
    const uint64_t id = first_attribute + i;
    const auto path_id = static_cast<PathId>(path);
    const AttributeId known = content_->Find(path_id, static_cast<AttributeType>(type));
    if (known != (id < content_->attributes.size() ? id : kNone))
      reader.Fail("attribute", "it is another one than before");
    if (known == kNone) content_->Append(path_id, static_cast<AttributeType>(type));
  }
}

}  // namespace scaup
