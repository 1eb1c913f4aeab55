// KeyReads: keys that a transaction found free in unique indexes and then gave up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/table_index/index_edits.hpp"

namespace scaup {

/// Keys that statements found free before they were rolled back to a savepoint; the statements have already
/// reported that the keys were free. A reserved key cannot be taken by another transaction, so it is logged
/// as a read only when the reservation ends. Shared by the transaction's changes to a table, which add keys,
/// and by the predicate that tests them.
class KeyReads {
 public:
  void Add(std::unique_ptr<IndexEntryList> keys) noexcept {
    keys->next = std::move(first_);
    first_ = std::move(keys);
  }
  IndexEntryList* first() const { return first_.get(); }
  ~KeyReads() {
    while (first_) first_ = std::move(first_->next);  // iteratively, as the list may be long
  }
  KeyReads() = default;
  KeyReads(const KeyReads&) = delete;
  KeyReads& operator=(const KeyReads&) = delete;

 private:
  std::unique_ptr<IndexEntryList> first_;
};

}  // namespace scaup
