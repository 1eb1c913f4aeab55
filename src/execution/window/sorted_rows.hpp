// Sorted rows: the rows of one hash partition in the window's order, with its partitions and groups of peers.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/memory/large_vector.hpp"
#include "execution/rows/column_collection.hpp"
#include "execution/rows/random_access_rows.hpp"
#include "execution/run/query_context.hpp"
#include "execution/sort/neighbour_comparer.hpp"
#include "execution/sort/row_order.hpp"

namespace scaup {

/// Rows in the window's order. Immutable: any number of threads may read.
class SortedRows {
 public:
  /// Row i is CollectionRow `order[i]` of the collections, which are borrowed. `shared_keys` comes from
  /// OrderRows, for PARTITION BY and for all keys.
  SortedRows(std::vector<const ColumnCollection*> collections, LargeVector<uint64_t> order,
             LargeVector<uint8_t> shared_keys, MemoryReservation memory);
  /// The rows of one collection that is already in order. Borrowed.
  explicit SortedRows(const ColumnCollection& rows);
  /// Finished rows that are already in order.
  explicit SortedRows(std::unique_ptr<SpillableRows> rows);
  SortedRows(SortedRows&&) noexcept = default;

  size_t row_count() const { return row_count_; }
  /// target[i] = column[begin + i]; `target` becomes flat. Long strings are not copied, and neither are whole
  /// pieces of rows in order: this object owns the values, or `target` pins them.
  void Read(size_t column, size_t begin, size_t count, Vector& target) const;
  /// target[i] = column[rows[i]]. REQUIRES: at most 1024 rows.
  void Gather(size_t column, const uint64_t* rows, size_t count, Vector& target) const;
  const std::vector<LogicalType>& types() const {
    return pieces_ ? pieces_->rows().types() : collections_[0]->types();
  }
  /// The CollectionRows in order; empty if they are as in the collection.
  const LargeVector<uint64_t>& order() const { return order_; }
  /// SharedKeys of each row; empty if unknown.
  const LargeVector<uint8_t>& shared_keys() const { return shared_keys_; }

 private:
  std::unique_ptr<RandomAccessRows> pieces_;  // Null if the rows are in collections_.
  std::vector<const ColumnCollection*> collections_;
  LargeVector<uint64_t> order_;  // Empty: as in the collection.
  LargeVector<uint8_t> shared_keys_;
  std::optional<MemoryReservation> memory_;  // Reserved for order_ and shared_keys_.
  size_t row_count_;
};

/// Returns which keys rows share with the previous row: known from sorting, or found by comparing. One thread
/// at a time.
class SharedKeyReader {
 public:
  /// The first `partition_key_count` of the columns partition. Borrows the rows and the columns.
  SharedKeyReader(const SortedRows& rows, const std::vector<size_t>& columns,
                  const std::vector<SortOrder>& orders, size_t partition_key_count);

  /// REQUIRES: blocks are read in order. The result is valid until the next call.
  const uint8_t* Read(size_t begin, size_t count);

 private:
  const SortedRows& rows_;
  const std::vector<size_t>& columns_;
  const size_t partition_key_count_;
  NeighbourComparer comparer_;
  std::vector<Vector> keys_;
  size_t end_ = 0;  // The end of the last block.
  uint8_t shared_[kVectorSize];
};

/// The first rows of partitions and of groups of peers; each list ends with the number of rows. Immutable.
struct RowGroups {
  /// Returns the first row of a group of peers, or the number of rows for the group after the last.
  uint64_t FirstOfPeers(uint64_t group) const { return each_is_alone ? group : peers[group]; }

  /// Finds groups by `key_columns`, whose first `partition_key_count` columns partition. Without `has_peers`
  /// no function uses peers.
  RowGroups(QueryContext& context, const SortedRows& rows, std::vector<size_t> key_columns,
            std::vector<SortOrder> orders, size_t partition_key_count, bool has_peers);

  std::vector<uint64_t> partitions;
  std::vector<uint64_t> peers;            ///< empty if unused, or if each_is_alone
  bool each_is_alone = false;             ///< no row has peers: group numbers are row numbers
  std::vector<uint64_t> partition_peers;  ///< by partition: the number of its first group of peers

 private:
  MemoryReservation memory_;
};

/// The groups of up to 1024 consecutive rows.
struct BlockGroups {
  void Fill(const RowGroups& groups, size_t begin, size_t count);

  size_t begin = 0;
  size_t count = 0;
  std::vector<uint64_t> partition;  ///< its number
  std::vector<uint64_t> partition_begin;
  std::vector<uint64_t> partition_end;
  std::vector<uint64_t> peer_group;  ///< its number; this and the following only if there are peers
  std::vector<uint64_t> peer_begin;
  std::vector<uint64_t> peer_end;
};

}  // namespace scaup
