// MemorySegment: a segment in memory, in blocks of plain values or dictionary codes.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/check.hpp"
#include "common/memory/arena.hpp"
#include "storage/row_group/column_segment.hpp"
#include "storage/row_group/growing_array.hpp"
#include "vector/selection_vector.hpp"

namespace scaup {

/// How a block stores its values.
enum class BlockEncoding : uint8_t {
  kFlat = 1,        ///< an array of values
  kDictionary = 2,  ///< positions in the segment's dictionary
};

/// Up to 1024 values of one column, which one vector of a scan refers to. Immutable, although later versions
/// of the block may have more rows in the same memory. Copies share the memory.
class ColumnBlock {
 public:
  using Memory = std::shared_ptr<GrowingArray<std::byte>>;

  BlockEncoding encoding = BlockEncoding::kFlat;
  /// Null if there are no NULLs. Used with kFlat only, as a dictionary has an entry for NULL.
  std::shared_ptr<ValidityWord[]> validity;
  ZoneMap zone;

  /// Returns the memory: values, or codes, which always have space for 1024.
  const Memory& memory() const { return memory_; }
  void SetMemory(Memory memory) {
    memory_ = std::move(memory);
    data_ = memory_->data();
  }
  const std::byte* data() const { return data_; }
  const sel_t* codes() const { return reinterpret_cast<const sel_t*>(data_); }

 private:
  const std::byte* data_ = nullptr;  // copied from memory_, which spares scans a dependent load per block
  Memory memory_;
};

/// The blocks of a segment. Versions of a segment share the list of full blocks.
class BlockList {
 public:
  size_t size() const { return full_count_ + (last_ ? 1 : 0); }
  bool empty() const { return size() == 0; }
  const ColumnBlock& operator[](size_t index) const {
    return index < full_count_ ? full_->data()[index] : *last_;
  }
  /// Appends a full block; only full blocks may be before it.
  void AddFull(ColumnBlock block);
  /// Sets the last block, which may be partial.
  void SetLast(ColumnBlock block) { last_ = std::move(block); }
  /// Drops the last block if it is partial, and prepares for more blocks.
  void Resume();
  /// Allows the next version to continue where this one ends.
  void Close() {
    if (full_) full_->right.GiveBack(full_count_);
  }

 private:
  void MakeOwn(size_t capacity);

  using Blocks = GrowingArray<ColumnBlock>;
  std::shared_ptr<Blocks> full_;
  size_t full_count_ = 0;
  std::optional<ColumnBlock> last_;
};

/// The entries of a dictionary, and the hash table by which the builder finds them. Shared by versions of a
/// segment.
struct DictionaryMemory {
  /// REQUIRES: a power of two.
  explicit DictionaryMemory(size_t capacity) : entries(capacity), slots(capacity * 4) {
    SCAUP_ASSERT(std::has_single_bit(capacity));
  }
  void AddSlot(uint64_t hash, sel_t code) {
    size_t slot = hash & (slots.size() - 1);
    while (slots[slot] != 0) slot = (slot + 1) & (slots.size() - 1);
    slots[slot] = static_cast<uint16_t>(code + 1);
  }
  GrowingArray<StringRef> entries;
  std::vector<uint16_t>
      slots;  ///< open addressing: code + 1, or 0 if empty; only for the holder of the right to append
};

/// A segment made by ColumnBuilder; immutable from then on. Row groups that differ only in their tail share
/// it.
class MemorySegment final : public ColumnSegment {
 public:
  explicit MemorySegment(PhysicalType type_in) : type(type_in) {}
  const ZoneMap& block_zone(size_t block) const override { return blocks[block].zone; }
  std::unique_ptr<SegmentReader> MakeReader(const KernelTable& kernels) const override;
  SegmentSummary Summarize() const override;
  /// Merges the zone map of more rows into the segment's.
  void MergeZone(const ZoneMap& zone) { zone_.Merge(zone, type); }
  /// Makes `vector` refer to a block without a copy; the vector keeps the segment alive.
  void ReferenceBlock(size_t block, Vector& vector) const;

  PhysicalType type;
  BlockList blocks;
  /// The distinct values of a dictionary segment, including an entry for NULL if one occurs.
  std::span<const StringRef> dictionary;
  std::shared_ptr<DictionaryMemory> dictionary_memory;
  std::vector<ValidityWord> dictionary_validity;  ///< empty if there are no NULLs
  /// The memory of long strings; null if there are none. Shared by segments that resume one another. Only the
  /// builder that resumes the newest of them, under the table's lock, adds to it. Existing bytes never move.
  std::shared_ptr<Arena> string_heap;
  size_t size_bytes = 0;  ///< of the blocks
};

}  // namespace scaup
