// An index in parts: finding the part of a key, loading parts, and changing them.
#include "storage/index/ordered_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/throw.hpp"
#include "storage/index/index_spill.hpp"
#include "storage/index/part_writer.hpp"

namespace scaup {

namespace {

std::unique_ptr<IndexPart> MakePart() { return std::make_unique<IndexPart>(); }

}  // namespace

OrderedIndex::OrderedIndex(std::shared_ptr<BlockStore> store, MemoryTracker& memory)
    : store_(std::move(store)), memory_(memory), parts_memory_(memory) {
  // One part with an empty fence covers all keys.
  parts_.push_back(MakePart());
  parts_[0]->changed = std::make_shared<RadixTree>(memory_);
}

OrderedIndex::OrderedIndex(std::shared_ptr<BlockStore> store, const IndexPlace& place)
    : store_(std::move(store)),
      memory_(store_->memory()),
      parts_memory_(memory_),
      place_(place),
      is_stored_(true),
      size_(place.entry_count) {
  try {
    ReadDirectory();
  } catch (...) {
    // Slots must be empty before they are destroyed.
    for (const auto& part : parts_) store_->metadata().Drop({&part->loaded, 1});
    throw;
  }
}

OrderedIndex::~OrderedIndex() {
  if (!store_) return;
  for (const auto& part : parts_) store_->metadata().Drop({&part->loaded, 1});
  store_->changed_index_bytes() -= changed_bytes_;
}

void OrderedIndex::ReadDirectory() {
  DatabaseFile& file = store_->file();
  // Before the blocks are held: a damaged id would extend the file's block list.
  file.CheckBlockIds(place_.block_ids);
  std::map<uint64_t, std::shared_ptr<const void>> holds;
  for (const uint64_t block_id : place_.block_ids)
    holds[block_id] = std::make_shared<const BlockHold>(file.allocator().Hold(block_id));
  const auto hold = [&](const Extents& extents, std::vector<std::shared_ptr<const void>>& target) {
    for (const Extent& extent : extents) {
      // A block that the index does not hold could be reused.
      const auto found = holds.find(extent.block.block_id);
      if (found == holds.end()) {
        ThrowError(
            ErrorKind::kIo, sqlstate::kDataCorrupted,
            fmt::format("database file \"{}\" is damaged: an index refers to block {}, which is none of its",
                        file.path(), extent.block.block_id));
      }
      target.push_back(found->second);
    }
  };
  hold(place_.directory, directory_holds_);
  uint64_t size_bytes = 0;
  for (const Extent& extent : place_.directory) size_bytes += extent.size_bytes;
  const StoredBytes stored = ExtentReader(*store_, place_.directory).Read(0, size_bytes);
  ByteReader reader(stored.bytes, file.path());
  uint64_t entry_count = 0;
  // Fences are checked for order, as lookups rely on it.
  while (reader.remaining() != 0) {
    auto part = MakePart();
    const uint64_t common = reader.ReadVarint("fence of an index");
    const KeyBytes rest = reader.ReadSizedBytes("fence of an index");
    const KeyBytes previous = parts_.empty() ? KeyBytes{} : KeyBytes(parts_.back()->fence);
    if (common > previous.size()) reader.Fail("fence of an index", "it does not follow the one before");
    parts_memory_.Resize(parts_memory_.size_bytes() + common + rest.size() + sizeof(IndexPart) +
                         sizeof(StoredPart));
    part->fence.assign(previous.begin(), previous.begin() + static_cast<ptrdiff_t>(common));
    part->fence.insert(part->fence.end(), rest.begin(), rest.end());
    if (parts_.empty() ? !part->fence.empty() : !radix::IsLess(previous, part->fence))
      reader.Fail("fence of an index", "it does not follow the one before");
    auto where = std::make_shared<StoredPart>();
    where->entry_count = reader.ReadVarint("entries of a part");
    where->extents = ReadExtents(reader);
    entry_count += where->entry_count;
    hold(where->extents, where->holds);
    part->stored = std::move(where);
    parts_.push_back(std::move(part));
  }
  if (entry_count != place_.entry_count) reader.Fail("index", "it has another number of entries");
  if (parts_.empty()) {
    parts_.push_back(MakePart());
    parts_[0]->changed = std::make_shared<RadixTree>(memory_);
  }
}

// --- Parts

// The first fence is below every key, so it needs no comparison.
size_t OrderedIndex::FindPlace(KeyBytes key) const {
  const auto above =
      std::upper_bound(parts_.begin() + 1, parts_.end(), key,
                       [](KeyBytes wanted, const auto& part) { return radix::IsLess(wanted, part->fence); });
  return static_cast<size_t>(above - parts_.begin()) - 1;
}

bool OrderedIndex::Has(size_t place, KeyBytes key) const {
  return (place == 0 || !radix::IsLess(key, parts_[place]->fence)) &&
         (place + 1 == parts_.size() || radix::IsLess(key, parts_[place + 1]->fence));
}

IndexPart& OrderedIndex::Find(KeyBytes key) const { return *parts_[FindPlace(key)]; }

// Returns null if the tree must be loaded.
std::shared_ptr<RadixTree> OrderedIndex::TreeOf(IndexPart& part) const {
  if (part.changed) return part.changed;
  // A cached tree is not changed before it has left the cache, so it may be shared.
  return std::const_pointer_cast<RadixTree>(
      std::static_pointer_cast<const RadixTree>(store_->metadata().Find(part.loaded)));
}

std::shared_ptr<RadixTree> OrderedIndex::Load(const PartSource& source) const {
  auto tree = std::make_shared<RadixTree>(memory_);
  if (!source.spilled) {
    LoadPart(*store_, *source.stored, *tree);
    return tree;
  }
  DecodedPart part(memory_);
  ReadPart(*source.spilled, part);
  tree->Build(part.entries);
  return tree;
}

// Calls `use` with the tree of a part, under the lock. The tree is loaded without the lock, so the part may
// be another one afterwards and is looked up again.
template <typename FindPart, typename Use>
auto OrderedIndex::WithTree(const FindPart& find, const Use& use) const {
  PartSource source;
  std::shared_ptr<RadixTree> tree;
  while (true) {
    {
      const ReaderLock lock(mutex_);
      IndexPart& part = find();
      if (part.changed) return use(part, *part.changed);
      // The tree is current only if no checkpoint has replaced the part meanwhile, and no change.
      if (tree != nullptr && part.source() == source) {
        store_->metadata().Keep(part.loaded, tree, tree->size_bytes());
        return use(part, *tree);
      }
      if (const auto loaded = TreeOf(part)) return use(part, *loaded);
      source = part.source();
    }
    tree = Load(source);
  }
}

// Calls `use` with the tree that has the key. From now on this tree differs from what is stored.
template <typename Use>
bool OrderedIndex::Change(KeyBytes key, const Use& use) {
  PartSource source;
  std::shared_ptr<RadixTree> tree;
  while (true) {
    {
      const ReaderLock lock(mutex_);
      IndexPart& part = Find(key);
      // The common case needs the shared lock only, as the tree has a lock of its own.
      if (part.changed) {
        const size_t before = part.changed->size_bytes();
        const bool is_changed = use(*part.changed);
        if (store_) IndexSpill::Note(*this, before, part.changed->size_bytes());
        return is_changed;
      }
      if (part.source() != source) tree = nullptr;
      if (tree == nullptr) tree = TreeOf(part);
      source = part.source();
    }
    if (tree == nullptr) tree = Load(source);
    const WriterLock lock(mutex_);
    IndexPart& part = Find(key);
    // Another thread or a checkpoint was faster: starts over with the current state.
    if (part.changed || part.source() != source) continue;
    // Out of the cache first, as the cache must not drop a changed tree.
    store_->metadata().Drop({&part.loaded, 1});
    part.changed = tree;
    part.spilled = nullptr;
    IndexSpill::Note(*this, 0, tree->size_bytes());
  }
}

bool OrderedIndex::Insert(KeyBytes key, uint64_t value, std::vector<uint64_t>* present) {
  // Before the change: if temporary storage is full, nothing has happened yet.
  if (IndexSpill::IsDue(*this)) IndexSpill(*this).Run(key);
  const bool is_new = Change(key, [&](RadixTree& tree) { return tree.Insert(key, value, present); });
  // Counted outside the tree's lock, so a reader may see the new size a moment late.
  if (is_new) size_++;
  return is_new;
}

bool OrderedIndex::Erase(KeyBytes key, uint64_t value) {
  if (IndexSpill::IsDue(*this)) IndexSpill(*this).TryRun(key);
  const bool is_there = Change(key, [&](RadixTree& tree) { return tree.Erase(key, value); });
  if (is_there) size_--;
  return is_there;
}

bool OrderedIndex::Replace(KeyBytes key, uint64_t old_value, uint64_t new_value) {
  if (IndexSpill::IsDue(*this)) IndexSpill(*this).TryRun(key);
  bool is_merged = false;
  const bool is_there =
      Change(key, [&](RadixTree& tree) { return tree.Replace(key, old_value, new_value, &is_merged); });
  if (is_merged) size_--;
  return is_there;
}

// Not analysed: no other thread uses the index yet, so it takes no lock.
void OrderedIndex::Build(std::span<const RadixEntry> entries) SCAUP_NO_THREAD_SAFETY_ANALYSIS {
  SCAUP_CHECK(parts_.size() == 1 && parts_[0]->changed && size() == 0);
  parts_[0]->changed->Build(entries);
  if (store_) IndexSpill::Note(*this, 0, parts_[0]->changed->size_bytes());
  size_ = entries.size();
}

// Not analysed, as Build.
void OrderedIndex::BuildInFile(const std::function<bool(KeyBytes& key, uint64_t& value)>& next)
    SCAUP_NO_THREAD_SAFETY_ANALYSIS {
  SCAUP_CHECK(store_ && parts_.size() == 1 && parts_[0]->changed && size() == 0);
  DatabaseFile& file = store_->file();
  const uint64_t failed_syncs = file.failed_syncs();
  StreamWriter data(file, memory_, 1, false);
  MemoryReservation list_memory(memory_);
  PartWriter writer(memory_, data, 0, {}, list_memory);
  KeyBytes key;
  uint64_t value = 0;
  while (next(key, value)) writer.Add(key, value);
  std::vector<WrittenPart> written = writer.Finish();
  data.Finish();
  file.SyncSince(failed_syncs);
  std::map<uint64_t, std::shared_ptr<const void>> holds;
  for (const auto& block : data.blocks()) holds[block->pointer.block_id] = block;
  uint64_t entry_count = 0;
  std::vector<std::unique_ptr<IndexPart>> parts;
  for (WrittenPart& part : written) {
    LocatePart(
        data, 0, [&](uint64_t block_id) { return holds.at(block_id); }, part);
    entry_count += part.entry_count;
    parts.push_back(MakePart());
    parts.back()->fence = std::move(part.fence);
    parts.back()->stored = std::move(part.stored);
  }
  if (parts.empty()) return;
  parts_.swap(parts);
  parts_memory_ = std::move(list_memory);
  size_ = entry_count;
}

bool OrderedIndex::Contains(KeyBytes key) const {
  return WithTree([&]() SCAUP_REQUIRES_SHARED_LOCK(mutex_) -> IndexPart& { return Find(key); },
                  [&](IndexPart&, const RadixTree& tree) { return tree.Contains(key); });
}

void OrderedIndex::Lookup(KeyBytes key, std::vector<uint64_t>& values) const {
  WithTree([&]() SCAUP_REQUIRES_SHARED_LOCK(mutex_) -> IndexPart& { return Find(key); },
           [&](IndexPart&, const RadixTree& tree) {
             tree.Lookup(key, values);
             return true;
           });
}

void OrderedIndex::LookupMany(std::span<const KeyBytes> keys, std::vector<uint64_t>& values,
                              std::vector<size_t>& ends, size_t most_values) const {
  // Looks up runs of keys in loaded trees; a part that must be loaded ends a run.
  while (!keys.empty()) {
    size_t done = 0;
    {
      const ReaderLock lock(mutex_);
      while (done < keys.size()) {
        const size_t place = FindPlace(keys[done]);
        const std::shared_ptr<RadixTree> tree = TreeOf(*parts_[place]);
        if (tree == nullptr) break;
        // Takes the following keys along as far as they belong to the same part.
        size_t end = done + 1;
        if (parts_.size() == 1) {
          end = keys.size();
        } else {
          while (end < keys.size() && Has(place, keys[end])) end++;
        }
        // Fewer ends than keys mean that the limit was reached.
        const size_t ends_before = ends.size();
        tree->LookupMany(keys.subspan(done, end - done), values, ends, most_values);
        if (ends.size() - ends_before != end - done || values.size() >= most_values) return;
        done = end;
      }
    }
    keys = keys.subspan(done);
    if (keys.empty()) return;
    // Loads the part, so that the next round finds it.
    Lookup(keys[0], values);
    ends.push_back(values.size());
    if (values.size() >= most_values) return;
    keys = keys.subspan(1);
  }
}

size_t OrderedIndex::part_count() const {
  const ReaderLock lock(mutex_);
  return parts_.size();
}

bool OrderedIndex::HasChanges() const {
  const ReaderLock lock(mutex_);
  return !is_stored_ || std::any_of(parts_.begin(), parts_.end(), [](const auto& part) {
    return part->spilled || (part->changed && (part->stored || part->changed->size() != 0));
  });
}

IndexPlace OrderedIndex::place() const {
  const ReaderLock lock(mutex_);
  return place_;
}

// --- Scans

// Returns the part in which the rest of the range begins.
IndexPart& OrderedIndexScan::FindPart() const {
  const auto& parts = index_.parts_;
  if (const IndexKey* last = scan_.last_key(); last != nullptr) return index_.Find(*last);
  if (!descending_) return index_.Find(range_.lower);
  if (!range_.upper) return *parts.back();
  // Returns the last part that begins below the upper end, which is exclusive.
  const size_t place = index_.FindPlace(*range_.upper);
  return *parts[place != 0 && !radix::IsLess(parts[place]->fence, *range_.upper) ? place - 1 : place];
}

// Removes the part's keys from the range. Returns false if nothing is left.
bool OrderedIndexScan::MoveOn(const IndexPart& part) {
  const auto& parts = index_.parts_;
  if (descending_) {
    if (&part == parts.front().get() || !radix::IsLess(range_.lower, part.fence)) return false;
    // Parts may have been cut since the scan began, so the range is adjusted by fences, not by positions.
    range_.upper = part.fence;
  } else {
    const size_t next = index_.FindPlace(part.fence) + 1;
    if (next == parts.size() || (range_.upper && !radix::IsLess(parts[next]->fence, *range_.upper)))
      return false;
    range_.lower = parts[next]->fence;
  }
  scan_ = RadixScan(range_, descending_);
  return true;
}

bool OrderedIndexScan::Next(size_t most, bool with_keys, IndexBatch& batch) {
  while (!is_at_end_) {
    const bool has_found = index_.WithTree(
        [&]() -> IndexPart& {
          index_.mutex_.AssertHeldShared();
          return FindPart();
        },
        [&](IndexPart& part, const RadixTree& tree) {
          index_.mutex_.AssertHeldShared();
          if (scan_.Next(tree, most, with_keys, batch)) return true;
          is_at_end_ = !MoveOn(part);
          return false;
        });
    if (has_found) return true;
  }
  batch.values.clear();
  batch.keys.clear();
  batch.key_ends.clear();
  return false;
}

}  // namespace scaup
