// What a statement has done to foreign keys, so that they can be checked at its end.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "catalog/catalog.hpp"
#include "execution/rows/column_collection.hpp"

namespace scaup {

/// Thread-safe; owned by the statement.
class KeyChanges {
 public:
  /// Rows that were written: the columns of one of their table's foreign keys.
  struct Written {
    TableEntryRef table;
    size_t foreign_key;  ///< in table->constraints
    ColumnCollection keys;
  };
  /// Keys that rows had: the columns that a foreign key refers to, in its order. Of updated rows, as many
  /// columns follow with what the keys have become.
  struct Removed {
    Catalog::Reference reference;
    bool is_update;
    ColumnCollection keys;
  };

  KeyChanges(const KeyChanges&) = delete;
  KeyChanges& operator=(const KeyChanges&) = delete;
  explicit KeyChanges(MemoryTracker& memory) : memory_(memory) {}
  void AddWritten(const TableEntryRef& table, size_t foreign_key, DataChunk& keys);
  void AddRemoved(const Catalog::Reference& reference, bool is_update, DataChunk& keys);
  bool empty() const;
  /// The changes that were added since the last call.
  std::vector<std::unique_ptr<Written>> TakeWritten();
  std::vector<std::unique_ptr<Removed>> TakeRemoved();

 private:
  MemoryTracker& memory_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Written>> written_;
  std::vector<std::unique_ptr<Removed>> removed_;
};

}  // namespace scaup
