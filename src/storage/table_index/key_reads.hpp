// Keys that a transaction found free, and has given up again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/table_index/index_edits.hpp"

namespace scaup {

/// Keys that statements found free before they were rolled back to a savepoint: they have still told that the
/// keys were free. While a key is reserved no other transaction can have it, so only then is it noted as
/// something that was read. Shared by the transaction's changes of a table, which add to it, and by the
/// predicate that tests it.
class KeyReads {
 public:
  void Add(std::unique_ptr<IndexEntryList> keys) noexcept {
    keys->next = std::move(first_);
    first_ = std::move(keys);
  }
  IndexEntryList* first() const { return first_.get(); }
  ~KeyReads() {
    while (first_) first_ = std::move(first_->next);  // Without recursion.
  }
  KeyReads() = default;
  KeyReads(const KeyReads&) = delete;
  KeyReads& operator=(const KeyReads&) = delete;

 private:
  std::unique_ptr<IndexEntryList> first_;
};

}  // namespace scaup
