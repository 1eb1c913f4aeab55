// Writes index checkpoints: which parts are written, where they go, and how the index switches to them.
#include "storage/index/index_checkpoint.hpp"

#include <algorithm>
#include <map>

#include "common/throw.hpp"
#include "storage/index/index_spill.hpp"

namespace scaup {

namespace {

// Parts are moved out of a block of which they use less than half.
bool IsSparse(uint64_t used_bytes, const Extent& extent) { return used_bytes < extent.block.size_bytes / 2; }

// Cutting a part in memory takes a millisecond or two, while commits may be waiting.
constexpr size_t kMostCuts = 1000;

}  // namespace

void IndexCheckpoint::WriteParts(StreamWriter& data, size_t stream,
                                 const std::function<bool(uint64_t)>& leaves_block) {
  stream_ = stream;
  std::map<uint64_t, uint64_t> used_bytes;  // by block, for unchanged parts
  {
    // Only checkpoints remove parts, and spilling adds none during one, so the list may be used without the
    // lock from here on.
    const WriterLock lock(index_.mutex_);
    index_.has_checkpoint_ = true;
    memory_.Resize(index_.parts_.size() * (sizeof(Work) + sizeof(WrittenPart)));
    works_.reserve(index_.parts_.size());
    for (const auto& part : index_.parts_) {
      Work work;
      work.part = part.get();
      // The tree is shared: if the part changes again, its version tells.
      work.tree = part->changed;
      if (work.tree == nullptr) work.spilled = part->spilled;
      if (work.tree == nullptr && work.spilled == nullptr) {
        work.parts.push_back({part->fence, 0, 0, part->stored->entry_count, part->stored});
        for (const Extent& extent : part->stored->extents)
          used_bytes[extent.block.block_id] += extent.size_bytes;
      }
      works_.push_back(std::move(work));
    }
  }
  for (Work& work : works_) {
    if (work.tree != nullptr) {
      WriteTree(work, data);
      continue;
    }
    if (work.spilled != nullptr) {
      WriteSpilled(work, data);
      continue;
    }
    const Extents& extents = work.parts[0].stored->extents;
    const bool leaves = std::any_of(extents.begin(), extents.end(), [&](const Extent& extent) {
      const uint64_t block_id = extent.block.block_id;
      return IsSparse(used_bytes[block_id], extent) || (leaves_block && leaves_block(block_id));
    });
    if (leaves) CopyPart(work, data);
  }
}

void IndexCheckpoint::WriteTree(Work& work, StreamWriter& data) {
  // Read before the scan: a change during the scan makes the tree differ from what was written.
  work.version = work.tree->version();
  PartWriter writer(index_.memory_, data, stream_, work.part->fence, memory_);
  ForEachEntry(*work.tree, [&](KeyBytes key, uint64_t value) { WriteEntry(work, writer, key, value); });
  work.parts = writer.Finish();
}

// Needs no tree: the entries are in order.
void IndexCheckpoint::WriteSpilled(Work& work, StreamWriter& data) {
  DecodedPart part(index_.memory_);
  ReadPart(*work.spilled, part);
  PartWriter writer(index_.memory_, data, stream_, work.part->fence, memory_);
  for (const RadixEntry& entry : part.entries) WriteEntry(work, writer, entry.key, entry.value);
  work.parts = writer.Finish();
}

void IndexCheckpoint::WriteEntry(Work& work, PartWriter& writer, KeyBytes key, uint64_t value) const {
  // Uncommitted entries may be rolled back, so they must not be in the file.
  if (is_committed_(value)) {
    writer.Add(key, value);
  } else {
    work.has_others = true;
  }
}

void IndexCheckpoint::CopyPart(Work& work, StreamWriter& data) {
  WrittenPart& part = work.parts[0];
  part.size_bytes = part.stored->size_bytes();
  // The bytes are copied as they are; only their place changes.
  const StoredBytes stored = ExtentReader(*index_.store_, part.stored->extents).Read(0, part.size_bytes);
  part.begin = data.Append(stream_, stored.bytes);
  part.stored = nullptr;
}

void IndexCheckpoint::WriteDirectory(const StreamWriter& data, StreamWriter& directories) {
  SCAUP_ASSERT(data.is_finished());
  // Parts in the same block share one hold of it.
  std::map<uint64_t, std::shared_ptr<const void>> holds;
  for (const auto& block : data.blocks()) holds[block->pointer.block_id] = block;
  ByteWriter writer;
  KeyBytes previous;
  bool is_first = true;
  for (Work& work : works_) {
    for (WrittenPart& part : work.parts) {
      if (part.stored == nullptr) {
        LocatePart(
            data, stream_, [&](uint64_t block_id) { return holds.at(block_id); }, part);
      }
      // The first fence is empty even if parts before it have vanished.
      const KeyBytes fence = is_first ? KeyBytes{} : KeyBytes(part.fence);
      const size_t common = radix::CommonBytes(previous, fence);
      writer.WriteVarint(common);
      writer.WriteSizedBytes(fence.subspan(common));
      writer.WriteVarint(part.entry_count);
      WriteExtents(part.stored->extents, writer);
      for (const Extent& extent : part.stored->extents) place_.block_ids.push_back(extent.block.block_id);
      place_.entry_count += part.entry_count;
      previous = fence;
      is_first = false;
    }
  }
  directory_begin_ = directories.Append(0, writer.bytes());
  directory_bytes_ = writer.size();
}

const IndexPlace& IndexCheckpoint::Finish(const StreamWriter& directories) {
  SCAUP_ASSERT(directories.is_finished());
  place_.directory = directories.Locate(0, directory_begin_, directory_bytes_);
  std::map<uint64_t, std::shared_ptr<const void>> holds;
  for (const auto& block : directories.blocks()) holds[block->pointer.block_id] = block;
  for (const Extent& extent : place_.directory) {
    place_.block_ids.push_back(extent.block.block_id);
    directory_holds_.push_back(holds.at(extent.block.block_id));
  }
  std::sort(place_.block_ids.begin(), place_.block_ids.end());
  place_.block_ids.erase(std::unique(place_.block_ids.begin(), place_.block_ids.end()),
                         place_.block_ids.end());
  // Allocates what Install needs, since Install must not fail.
  size_t part_count = 0;
  for (Work& work : works_) {
    part_count += std::max<size_t>(work.parts.size(), 1);
    for (size_t i = 1; i < work.parts.size(); i++) {
      auto part = std::make_unique<IndexPart>();
      part->fence = work.parts[i].fence;
      part->stored = work.parts[i].stored;
      work.additional.push_back(std::move(part));
    }
  }
  parts_.reserve(part_count);
  return place_;
}

// Returns whether the part's entries are still those that the file has now.
bool IndexCheckpoint::IsWhatWasWritten(const Work& work) const noexcept {
  const IndexPart& part = *work.part;
  if (work.parts.empty() || work.has_others) return false;
  if (part.changed != nullptr) return part.changed == work.tree && work.tree->version() == work.version;
  return part.spilled == work.spilled;
}

// Returns whether the part still counts as changed.
bool IndexCheckpoint::InstallOne(Work& work) noexcept {
  IndexPart& part = *work.part;
  if (!work.parts.empty()) {
    part.stored = work.parts[0].stored;
  } else {
    part.stored = nullptr;
  }
  if (part.changed == nullptr && part.spilled == nullptr) return false;
  if (!IsWhatWasWritten(work)) return true;
  // Memory and file agree now. A tree that became a single part stays in the cache, or moves there. One that
  // became several parts is dropped; the parts are loaded on demand.
  const bool is_one = work.parts.size() == 1;
  if (!is_one) index_.store_->metadata().Drop({&part.loaded, 1});
  part.spilled = nullptr;
  std::shared_ptr<RadixTree> tree = std::move(part.changed);
  part.changed = nullptr;
  if (is_one && tree != nullptr) {
    const size_t size_bytes = tree->size_bytes();
    index_.store_->metadata().Keep(part.loaded, std::move(tree), size_bytes);
  }
  return false;
}

void IndexCheckpoint::Install() noexcept {
  {
    const WriterLock lock(index_.mutex_);
    for (size_t i = 0; i < works_.size(); i++) {
      Work& work = works_[i];
      const bool stays_changed = InstallOne(work);
      if (stays_changed && work.parts.empty() && work.tree != nullptr && work.tree->size() == 0 && i != 0) {
        work.part = nullptr;  // nothing is left here; the part before takes over its range
        continue;
      }
      parts_.push_back(std::move(index_.parts_[i]));
      // A part that still counts as changed covers the whole range for now; SplitOff may cut it.
      if (stays_changed) continue;
      for (auto& part : work.additional) parts_.push_back(std::move(part));
      work.additional.clear();
    }
    index_.parts_.swap(parts_);
    index_.parts_memory_ = std::move(memory_);
    index_.place_ = std::move(place_);
    index_.is_stored_ = true;
    index_.directory_holds_.swap(directory_holds_);
  }
  // Parts that have outgrown one part but changed since they were written are cut in memory, the last piece
  // first. Those that are not cut are written as a whole next time.
  size_t cut_count = 0;
  for (Work& work : works_) {
    // From here on the index alone owns its trees.
    work.tree = nullptr;
    while (work.part != nullptr && !work.additional.empty() && cut_count++ < kMostCuts && SplitOff(work))
      continue;
  }
  works_.clear();
  parts_.clear();
  index_.has_checkpoint_ = false;
  IndexSpill::Recount(index_);
}

// Moves the entries of the last additional part to a tree of their own. Returns false without memory.
bool IndexCheckpoint::SplitOff(Work& work) noexcept {
  try {
    std::unique_ptr<IndexPart> part = std::move(work.additional.back());
    work.additional.pop_back();
    const auto tree = std::make_shared<RadixTree>(index_.memory_);
    const WriterLock lock(index_.mutex_);
    if (work.part->changed == nullptr) return false;  // spilled meanwhile
    RadixTree& source = *work.part->changed;
    // All entries are copied first: once the first is erased from the source, nothing may fail.
    MemoryReservation memory(index_.memory_);
    std::vector<IndexBatch> batches(1);
    RadixScan scan({part->fence, std::nullopt}, false);
    while (scan.Next(source, kVectorSize, true, batches.back())) {
      const IndexBatch& batch = batches.back();
      memory.Resize(memory.size_bytes() + batch.keys.capacity() +
                    batch.values.capacity() * (sizeof(uint64_t) + sizeof(size_t)));
      for (size_t i = 0; i < batch.values.size(); i++) tree->Insert(batch.key(i), batch.values[i]);
      batches.emplace_back();
    }
    part->changed = tree;
    // The new part goes right behind the one it was cut from.
    const auto place = static_cast<ptrdiff_t>(index_.FindPlace(part->fence)) + 1;
    index_.parts_.insert(index_.parts_.begin() + place, std::move(part));
    for (const IndexBatch& batch : batches) {
      for (size_t i = 0; i < batch.values.size(); i++) source.Erase(batch.key(i), batch.values[i]);
    }
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace scaup
