// Table succession: finds the table that has replaced another one after ALTER TABLE rewrote its rows.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "common/lock/mutex.hpp"

namespace scaup {

/// The successors of tables, for as long as the database is open. ALTER TABLE may give a table another
/// storage; an appender still finds it, although it refers to the old one. Owned by the database.
/// Thread-safe.
class TableSuccession {
 public:
  /// Notes that storage `after` replaces storage `before` if the transaction commits.
  void Note(uint64_t before, uint64_t after) {
    const MutexLock lock(mutex_);
    after_.emplace(before, after);
  }
  /// Returns the table that began with this storage, as the transaction sees it; null if it was dropped.
  TableEntryRef Find(const Catalog& catalog, const Transaction& transaction, uint64_t storage) const {
    // Several transactions may have noted a successor of the same storage, and some of them were rolled back.
    // The catalog decides: it knows only the storage that was committed.
    std::vector<uint64_t> candidates{storage};
    while (!candidates.empty()) {
      const uint64_t candidate = candidates.back();
      candidates.pop_back();
      if (TableEntryRef found = FindTableOfStorage(catalog, transaction, candidate)) return found;
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
