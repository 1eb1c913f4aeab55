// The rows of one hash partition in the window's order, and where its partitions and groups of peers begin.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/memory/large_vector.hpp"
#include "execution/rows/column_collection.hpp"
#include "execution/rows/random_access_rows.hpp"
#include "execution/run/query_context.hpp"
#include "execution/sort/row_order.hpp"

namespace scaup {

/// Rows in order. Immutable: any number of threads may read.
class SortedRows {
 public:
  /// Row i is CollectionRow `order[i]` of the collections, which are borrowed. `shared_keys` is as OrderRows
  /// tells of PARTITION BY and of all keys.
  SortedRows(std::vector<const ColumnCollection*> collections, LargeVector<uint64_t> order,
             LargeVector<uint8_t> shared_keys, MemoryReservation memory);
  /// The rows of one collection, which are in order already. Borrowed.
  explicit SortedRows(const ColumnCollection& rows);
  /// Finished rows that are in order already.
  explicit SortedRows(std::unique_ptr<SpillableRows> rows);
  SortedRows(SortedRows&&) noexcept = default;

  size_t row_count() const { return row_count_; }
  /// target[i] = column[begin + i]; `target` becomes flat. Long strings are not copied, nor are other values
  /// where whole pieces stand in order: the rows keep them, or `target` itself does.
  void Read(size_t column, size_t begin, size_t count, Vector& target) const;
  /// target[i] = column[rows[i]]. REQUIRES: at most 1024 of them.
  void Gather(size_t column, const uint64_t* rows, size_t count, Vector& target) const;
  const std::vector<LogicalType>& types() const {
    return pieces_ ? pieces_->rows().types() : collections_[0]->types();
  }
  /// SharedKeys of each row; empty where that is not known.
  const LargeVector<uint8_t>& shared_keys() const { return shared_keys_; }

 private:
  std::unique_ptr<RandomAccessRows> pieces_;  // Null: the rows are those of the collections.
  std::vector<const ColumnCollection*> collections_;
  LargeVector<uint64_t> order_;  // Empty: as in the collection.
  LargeVector<uint8_t> shared_keys_;
  std::optional<MemoryReservation> memory_;  // Of the order and the shared keys.
  size_t row_count_;
};

/// First rows of partitions and of groups of peers, each list ending with the number of rows. Immutable.
struct RowGroups {
  /// The first row of a group of peers, or the number of rows for the one behind the last.
  uint64_t FirstOfPeers(uint64_t group) const { return each_is_alone ? group : peers[group]; }

  /// Finds groups by `key_columns`, of which the first ones partition. Without `has_peers` no function asks
  /// for peers.
  RowGroups(QueryContext& context, const SortedRows& rows, std::vector<size_t> key_columns,
            std::vector<SortOrder> orders, size_t partition_key_count, bool has_peers);

  std::vector<uint64_t> partitions;
  std::vector<uint64_t> peers;            ///< empty if nobody asks, or each row is alone
  bool each_is_alone = false;             ///< no row has peers: the number of a group is that of its row
  std::vector<uint64_t> partition_peers;  ///< for each partition the number of its first group of peers

 private:
  MemoryReservation memory_;
};

/// The groups of each of up to 1024 neighbouring rows.
struct BlockGroups {
  void Fill(const RowGroups& groups, size_t begin, size_t count);

  size_t begin = 0;
  size_t count = 0;
  std::vector<uint64_t> partition;  ///< its number
  std::vector<uint64_t> partition_begin;
  std::vector<uint64_t> partition_end;
  std::vector<uint64_t> peer_group;  ///< its number; this and what follows only where there are peers
  std::vector<uint64_t> peer_begin;
  std::vector<uint64_t> peer_end;
};

}  // namespace scaup
