// The number of documents in a collection that have each attribute, per version.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/byte_stream.hpp"
#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

class DocumentRecord;

/// The change of the documents per attribute by one statement. Attributes are in the order in which they were
/// added. One thread at a time.
class AttributeDelta {
 public:
  using Entry = std::pair<AttributeId, int64_t>;

  void Add(AttributeId id, int64_t documents);
  /// Adds `documents` for each attribute of a record, in the order of the document.
  void AddRecord(const DocumentRecord& record, int64_t documents);
  std::span<const Entry> entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }

 private:
  std::vector<Entry> entries_;
  std::unordered_map<AttributeId, size_t> places_;  // index in entries_
};

class AttributeChanges;

/// The number of documents per attribute after one commit. Attributes that no document has any more are
/// absent, although the dictionary knows them. Immutable and thread-safe; versions share pages that did not
/// change.
class AttributeCensus {
 public:
  struct Entry {
    uint64_t documents = 0;
    /// The order of first occurrence: attributes met earlier have smaller ranks. Valid for present attributes
    /// only.
    uint64_t rank = 0;
  };
  /// The census of a collection without documents.
  AttributeCensus() = default;

  Entry operator[](AttributeId id) const {
    const size_t page = id / kPageSize;
    return page < pages_.size() && pages_[page] ? (*pages_[page])[id % kPageSize] : Entry{};
  }
  bool Has(AttributeId id) const { return (*this)[id].documents != 0; }
  /// An upper bound: one above the largest id that may be present.
  size_t attribute_end() const { return pages_.size() * kPageSize; }
  /// Changes whenever an attribute appears or disappears (AttributeDictionary::NextEpoch). 0 if there never
  /// was one.
  uint64_t epoch() const { return epoch_; }
  /// The attributes that appeared or disappeared with the commit that made this version.
  const std::vector<AttributeId>& moved() const { return moved_; }

  /// The census after a transaction with these changes has committed on top of this version.
  std::shared_ptr<const AttributeCensus> After(const AttributeChanges& changes,
                                               AttributeDictionary& dictionary) const;

  /// The byte layout is in docs/file-format.md. Read throws Error(kIo, XX001).
  void Write(ByteWriter& writer) const;
  static std::shared_ptr<const AttributeCensus> Read(AttributeDictionary& dictionary, ByteReader& reader);

 private:
  static constexpr size_t kPageSize = 128;
  using Page = std::array<Entry, kPageSize>;

  Entry& Require(AttributeId id, std::vector<bool>& is_own);

  std::vector<std::shared_ptr<Page>>
      pages_;  // null if no attribute of the page is present; shared with other versions
  std::vector<AttributeId> moved_;
  uint64_t next_rank_ = 0;
  uint64_t epoch_ = 0;
};

/// The changes of one transaction to a census, statement by statement. One thread at a time.
class AttributeChanges {
 public:
  struct Change {
    int64_t documents = 0;
    /// The rank of an attribute that is absent from the transaction's snapshot; attributes met earlier have
    /// smaller ranks.
    uint64_t rank = 0;
  };
  /// Adds the changes of a statement. `seen` is the census of the transaction's snapshot. If it throws,
  /// nothing was added.
  void Add(const AttributeDelta& delta, const AttributeCensus& seen, AttributeDictionary& dictionary);
  /// Undoes Add.
  void TakeBack(const AttributeDelta& delta, AttributeDictionary& dictionary) noexcept;

  Change operator[](AttributeId id) const {
    const auto found = changes_.find(id);
    return found == changes_.end() ? Change{} : found->second;
  }
  const std::unordered_map<AttributeId, Change>& changes() const { return changes_; }
  /// 0 while the transaction sees exactly the attributes of its snapshot. Otherwise a number that differs
  /// from every census's and from earlier ones of these changes.
  uint64_t epoch() const { return epoch_; }

 private:
  std::unordered_map<AttributeId, Change> changes_;
  uint64_t next_rank_ = 0;
  uint64_t epoch_ = 0;
};

}  // namespace scaup
