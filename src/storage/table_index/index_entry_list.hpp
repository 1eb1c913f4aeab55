// IndexEntryList: entries of an index that a statement has changed, in pages that can be spilled.
#pragma once

#include <memory>
#include <vector>

#include "storage/buffer/temporary_file.hpp"
#include "storage/table_index/table_index.hpp"

namespace scaup {

/// Entries of one index, with copies of their keys, in the order in which they were added. Accounts for its
/// memory. A list that may spill keeps only a part of the memory limit; beyond that, its full pages lie in
/// temporary storage, and one at a time is read back. Used by one thread.
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
  /// Throws Error(kOutOfMemory), and Error(kIo) if temporary storage is full; then nothing is added.
  void Add(KeyBytes key, uint64_t value);
  /// REQUIRES: the last entry was added just now.
  void RemoveLast() noexcept;
  std::unique_ptr<IndexEntryList> next;  ///< next list in KeyReads

 private:
  struct Page {
    size_t first = 0;
    size_t count = 0;
    std::vector<std::byte> bytes;  // of the keys; empty, as the rest, while the page is only spilled
    std::vector<size_t> ends;
    std::vector<uint64_t> values;
    TemporarySlot slot;
    bool is_spilled = false;
    bool is_changed = false;  // since it was spilled

    size_t size_bytes() const {
      return bytes.capacity() + ends.capacity() * sizeof(size_t) + values.capacity() * sizeof(uint64_t);
    }
  };

  Page& PageOf(size_t i) const {
    Page& page = pages_[current_];
    return i >= page.first && i - page.first < page.count ? page : Open(i);
  }
  Page& Open(size_t i) const;
  size_t PlaceOf(size_t i) const;
  void Read(Page& page) const;
  void Write(Page& page) const;
  bool NeedsPage(KeyBytes key) const;
  void AddPage();
  void SpillFullPages();

  TableIndexRef index_;
  MemoryTracker& memory_;
  std::shared_ptr<TemporaryStorage> storage_;
  mutable std::vector<Page> pages_;  // never empty; all but the last are full
  mutable size_t current_ = 0;       // a page in memory
  size_t size_ = 0;
  size_t spilled_count_ = 0;            // pages that were spilled, which are the first ones
  MemoryReservation reservation_;       // for the pages in memory
  MemoryReservation read_reservation_;  // for the one that is read back, so that a rollback can read
  size_t full_bytes_ = 0;               // of the full pages in memory
};

}  // namespace scaup
