// LoadedTables: the tables that a reader keeps from one checkpoint to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "main/database/checkpoint_writer.hpp"

namespace scaup {

/// A table of a checkpoint as it was loaded. Shares the storage with the catalog.
struct LoadedTable {
  /// All that the checkpoint says of the table and its indexes, with the checksums of where their contents
  /// are.
  std::vector<std::byte> description;
  std::vector<uint64_t> block_ids;
  std::shared_ptr<Table> storage;
  std::vector<std::shared_ptr<TableIndex>> unique_indexes;             ///< of the definition's constraints
  std::map<std::string, std::shared_ptr<TableIndex>> further_indexes;  ///< by name
};

/// The tables of the checkpoint that a reader has loaded last. A table that the next checkpoint describes
/// alike has the same rows there, so that it need not be loaded again: what the reader has read of the log
/// since is in that checkpoint, too, and would have changed the place of the table's directory. Used by one
/// thread.
class LoadedTables {
 public:
  /// Returns what a checkpoint says of each of its tables, by their ids.
  static std::map<uint64_t, std::vector<std::byte>> DescriptionsOf(const CheckpointRoot& root);

  /// Returns the table of an earlier checkpoint whose description is the same; null if there is none.
  const LoadedTable* Find(uint64_t table_id, const std::vector<std::byte>& description) const;
  /// Takes the tables of a checkpoint that has been loaded, in the place of the others.
  void Set(std::map<uint64_t, LoadedTable> tables) { tables_ = std::move(tables); }

 private:
  std::map<uint64_t, LoadedTable> tables_;
};

}  // namespace scaup
