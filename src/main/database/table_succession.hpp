// Table succession: what became of tables whose rows ALTER TABLE made anew.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/lock/mutex.hpp"

namespace scaup {

/// Successors of tables in one database, as long as it is open: a table stays the same to callers that hold
/// on to it for longer than a statement, though its rows are elsewhere. Thread-safe.
class TableSuccession {
 public:
  /// The rows of the table of storage `before` will be those of storage `after`, if the transaction commits.
  void Note(uint64_t before, uint64_t after) {
    const MutexLock lock(mutex_);
    after_.emplace(before, after);
  }
  /// The table as the transaction sees it that began with this storage; null if it was dropped.
  TableEntryRef Find(const Catalog& catalog, const Transaction& transaction, uint64_t storage) const {
    std::vector<uint64_t> candidates{storage};
    while (!candidates.empty()) {
      const uint64_t candidate = candidates.back();
      candidates.pop_back();
      if (TableEntryRef found = catalog.FindTableOfStorage(transaction, candidate)) return found;
      const MutexLock lock(mutex_);
      const auto [begin, end] = after_.equal_range(candidate);
      for (auto each = begin; each != end; each++) candidates.push_back(each->second);
    }
    return nullptr;
  }

 private:
  mutable Mutex mutex_;
  std::multimap<uint64_t, uint64_t> after_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
