// Versioned entries by name, and the schema, which is such a set.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "common/lock/mutex.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// Versioned entries by name. Owned jointly by its schema and by the undo entries of transactions that change
/// it. Thread-safe. Entries that it returns are immutable and live as long as they are referred to.
class CatalogSet : public std::enable_shared_from_this<CatalogSet> {
 public:
  /// Returns the entry that the transaction sees; null if there is none.
  CatalogEntryRef Find(const Transaction& transaction, std::string_view name) const;
  std::vector<CatalogEntryRef> List(const Transaction& transaction) const;
  /// Lists the entries whose names begin so.
  std::vector<CatalogEntryRef> ListWithPrefix(const Transaction& transaction, std::string_view prefix) const;
  /// Adds `entry` as the newest version of `name`; null means a deletion. Throws Error(kTransaction, 40001)
  /// if another transaction has changed that name meanwhile.
  void Put(Transaction& transaction, const std::string& name, CatalogEntryRef entry);
  /// Closes the set: `transaction`, which has removed all entries, drops it, and no other transaction may put
  /// anything in. Throws Error(kTransaction, 40001) if another transaction has put something in meanwhile.
  void Close(Transaction& transaction);

 private:
  struct Version {
    Timestamp timestamp;
    CatalogEntryRef entry;
  };
  class ChangeUndo;
  class CloseUndo;
  mutable Mutex mutex_;
  Timestamp closed_by_ SCAUP_GUARDED_BY(mutex_) = 0;  // the transaction that closed it; 0 if it is open
  // Each name's versions, the oldest first.
  std::map<std::string, std::vector<Version>, std::less<>> entries_ SCAUP_GUARDED_BY(mutex_);
};

/// A schema. Immutable, except that its sets have versions of their own, which all versions of the entry
/// share.
struct SchemaEntry final : CatalogEntry {
  explicit SchemaEntry(std::string name_in)
      : CatalogEntry(CatalogEntryKind::kSchema, std::move(name_in)),
        relations(std::make_shared<CatalogSet>()),
        functions(std::make_shared<CatalogSet>()) {}
  std::shared_ptr<CatalogSet> relations;  ///< tables, indexes, sequences, views and types
  std::shared_ptr<CatalogSet> functions;  ///< by FunctionKey
};
using SchemaEntryRef = std::shared_ptr<const SchemaEntry>;

}  // namespace scaup
