// IndexEntryList: entries of an index that a statement has changed, in pages that can be spilled.
#pragma once

#include <memory>
#include <vector>

#include "storage/buffer/temporary_file.hpp"
#include "storage/table_index/table_index.hpp"

namespace scaup {

/// Entries of one index, with copies of their keys, in the order in which they were added. Accounts for its
/// memory. A list that may spill keeps only a part of the memory limit; beyond that, its full pages lie in
/// temporary storage. So do all pages after Spill. One page at a time is read back; as rollbacks and commits
/// need it, it may exceed the memory limit. Used by one thread.
class IndexEntryList {
 public:
  /// `storage` is null if the list must stay in memory.
  IndexEntryList(TableIndexRef index, MemoryTracker& memory,
                 std::shared_ptr<TemporaryStorage> storage = nullptr);
  ~IndexEntryList();

  const TableIndexRef& index() const { return index_; }
  size_t size() const { return size_; }
  MemoryTracker& memory() const { return memory_; }
  /// Returns a key, which is valid until an entry of another page is looked at. Throws Error(kIo) if the
  /// page cannot be read.
  KeyBytes key(size_t i) const {
    const Page& page = PageOf(i);
    const size_t at = i - page.first, begin = at == 0 ? 0 : page.ends[at - 1];
    return {page.bytes.data() + begin, page.ends[at] - begin};
  }
  /// Throws as `key` does.
  uint64_t value(size_t i) const {
    const Page& page = PageOf(i);
    return page.values[i - page.first];
  }
  /// Throws as `key` does.
  void SetValue(size_t i, uint64_t value);
  /// Returns the end of the page that has entry i; keys up to there are valid at the same time. A list that
  /// must stay in memory has one page.
  size_t PageEnd(size_t i) const;
  /// Returns whether any entry is of a row that has no number yet.
  bool has_local() const { return has_local_; }
  /// Throws Error(kOutOfMemory), and Error(kIo) if temporary storage is full; then nothing is added.
  void Add(KeyBytes key, uint64_t value);
  /// REQUIRES: the last entry was added just now.
  void RemoveLast() noexcept;
  /// Writes all pages to temporary storage, for a list that nobody looks at soon. Does nothing if that would
  /// free little, or the list must stay in memory. Throws Error(kIo) if temporary storage is full.
  void Spill();
  /// Frees the page that was read back; call it when a list has been looked at. Throws as Spill does.
  void FreeReadPage() const;
  /// Returns the bytes that the list has reserved.
  size_t reserved_bytes() const { return reservation_.size_bytes() + read_reservation_.size_bytes(); }
  /// Returns the bytes that its pages have allocated, which are never more.
  size_t allocated_bytes() const;
  std::unique_ptr<IndexEntryList> next;  ///< next list in KeyReads

 private:
  struct Page {
    size_t first = 0;
    size_t count = 0;
    // Bytes of keys; empty, as the two below, while the page is in temporary storage only.
    std::vector<std::byte> bytes;
    std::vector<size_t> ends;
    std::vector<uint64_t> values;
    TemporarySlot slot;
    bool is_spilled = false;
    bool is_changed = false;  // since it was spilled

    bool is_in_memory() const { return values.size() == count; }
    size_t size_bytes() const {
      return bytes.capacity() + ends.capacity() * sizeof(size_t) + values.capacity() * sizeof(uint64_t);
    }
    void FreeMemory() noexcept;
  };

  Page& PageOf(size_t i) const {
    Page& page = pages_[current_];
    return i >= page.first && i - page.first < page.values.size() ? page : Open(i);
  }
  Page& Open(size_t i) const;
  size_t PlaceOf(size_t i) const;
  void Read(Page& page) const;
  void Write(Page& page) const;
  bool NeedsPage(KeyBytes key) const;
  void AddPage();
  void SpillPages();

  TableIndexRef index_;
  MemoryTracker& memory_;
  std::shared_ptr<TemporaryStorage> storage_;
  mutable std::vector<Page> pages_;  // never empty; all but the last are full
  mutable size_t current_ = 0;       // the page that was looked at last
  mutable size_t read_ = 0;          // the only spilled page that may be in memory
  size_t size_ = 0;
  size_t spilled_count_ = 0;                    // pages that were spilled, which are the first ones
  size_t full_bytes_ = 0;                       // of the full pages that were not, but for the last one
  MemoryReservation reservation_;               // for pages that were not spilled
  mutable MemoryReservation read_reservation_;  // for the one that is read back
  bool has_local_ = false;
};

}  // namespace scaup
