// KeyLookupPredicate: keys that a transaction looked up in an index, for precision locking.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/lock/mutex.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/table_index/index_edits.hpp"

namespace scaup {

class KeySearch;
class Table;

/// A read of some columns of all rows that have one of some keys, or keys with such a prefix. Keys are added
/// while the statement runs. Thread-safe.
class KeyLookupPredicate final : public ReadPredicate {
 public:
  /// `key_count` tells how many of the index's first columns the keys have, `scan` what else is read of the
  /// rows.
  KeyLookupPredicate(std::shared_ptr<const Table> table, std::string table_name,
                     const TableColumns& table_columns, TableIndexRef index, size_t key_count,
                     const TableScanSpecification& scan);
  ~KeyLookupPredicate() override;
  /// Throws Error(kOutOfMemory).
  void Add(KeyBytes key);
  bool IsHitBy(const ChangeSet& changes) const override;
  std::string Describe() const override { return "rows of table \"" + table_name_ + "\""; }

 private:
  std::shared_ptr<const Table> table_;
  std::string table_name_;
  size_t key_count_;
  std::vector<size_t> columns_;  // ascending; include the key's
  mutable Mutex mutex_;
  std::unique_ptr<IndexEntryList> keys_ SCAUP_GUARDED_BY(mutex_);
  // Over keys_; null if a key was added since.
  mutable std::unique_ptr<KeySearch> search_ SCAUP_GUARDED_BY(mutex_);
  bool is_all_ SCAUP_GUARDED_BY(mutex_) = false;  // there were too many keys, so any row counts
};

}  // namespace scaup
