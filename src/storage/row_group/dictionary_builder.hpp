// DictionaryBuilder: builds the dictionary of a segment of strings; see column_builder.hpp.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include "common/check.hpp"
#include "common/hash.hpp"
#include "storage/row_group/memory_segment.hpp"

namespace scaup {

/// The distinct strings of a segment that is being built, with a hash table by which a string finds its code.
/// The builder does not copy strings: entries refer to the segment's heap. It takes memory with the first
/// entry. Used by one thread at a time.
/// Hash, Find and IsNull are inline, since ColumnBuilder calls them for each value.
class DictionaryBuilder {
 public:
  static constexpr sel_t kNoCode = static_cast<sel_t>(-1);

  static uint64_t Hash(const StringRef& value) {
    // An inline string is its 16 bytes, so two words identify it.
    if (!value.is_inline()) return HashBytes(value.data(), value.size());
    uint64_t words[2];
    std::memcpy(words, &value, sizeof(words));
    return HashInteger(words[0] ^ (words[1] * 0x9fb21c651e98df25ULL));
  }

  /// Continues the dictionary of a finished segment, in the same memory unless another builder did so before.
  /// REQUIRES: the builder is empty.
  void Resume(const MemorySegment& segment);
  /// Returns the code of a string with this hash, or kNoCode.
  sel_t Find(uint64_t hash, const StringRef& value) const {
    if (!memory_) return kNoCode;
    // Linear probing in a table four times as large as the dictionary.
    const uint16_t* slots = memory_->slots.data();
    const StringRef* strings = memory_->entries.data();
    const size_t mask = memory_->slots.size() - 1;
    for (size_t slot = hash & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      const sel_t code = slots[slot] - 1u;
      if (strings[code] == value) return code;
    }
    return kNoCode;
  }
  /// Adds a string that Find does not find, and returns its code. `value` must live as long as the segment.
  sel_t Add(uint64_t hash, const StringRef& value);
  /// Returns the code of NULL, which has an entry from the first call on.
  sel_t NullCode();
  bool IsNull(sel_t code) const { return code == null_code_; }

  size_t size() const { return size_; }
  /// Returns the strings by code. REQUIRES: size() != 0.
  const StringRef* entries() const {
    SCAUP_ASSERT(size_ != 0);
    return memory_->entries.data();
  }
  /// Makes a flat block, still without a zone map, of values with these codes. `memory` has space for them.
  ColumnBlock Decode(const sel_t* codes, size_t count, ColumnBlock::Memory memory) const;

  /// Drops all entries.
  void Clear();
  /// Hands the dictionary to the segment, which another builder may resume from then on.
  void Finish(MemorySegment& segment);

 private:
  sel_t AddEntry(const StringRef& value);
  void Grow(std::span<const StringRef> entries, size_t capacity);

  std::shared_ptr<DictionaryMemory> memory_;  // null until the first entry
  size_t size_ = 0;
  std::optional<sel_t> null_code_;
};

}  // namespace scaup
