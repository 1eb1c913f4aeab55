// Aggregate table: the groups of one thread or partition with the states of their aggregates.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "execution/aggregate/aggregate_specification.hpp"
#include "execution/aggregate/dense_groups.hpp"
#include "execution/aggregate/dictionary_groups.hpp"
#include "execution/aggregate/retained_rows_store.hpp"
#include "execution/rows/group_table.hpp"
#include "execution/rows/hash_partitions.hpp"

namespace scaup {

/// The layouts of a GROUP BY, made once and shared by its tables. Immutable.
struct AggregateLayout {
  AggregateLayout(const std::vector<LogicalType>& input_types, size_t group_count,
                  const std::vector<AggregateSpecification>& aggregates, size_t tables_at_once = 1);

  size_t group_count;
  std::vector<LogicalType> group_types;
  std::vector<LogicalType> input_types;
  const std::vector<AggregateSpecification>& aggregates;
  size_t tables_at_once;  ///< tables that a task fills at once, of this and other layouts
  RowLayout rows;         ///< groups, then one state per aggregate
};

/// The bits of a group's hash that select its partition at each level. They do not overlap the salt of the
/// table's entries, which are the upper 16 bits.
inline constexpr unsigned kGroupPartitionShifts[] = {40, 32, 24};

/// A hash table of groups with their aggregate states. One thread at a time.
class AggregateTable {
 public:
  /// `memory` accounts for everything.
  AggregateTable(const AggregateLayout& layout, const FunctionContext& context, MemoryTracker& memory);

  /// Computes the hashes of the groups of a chunk of the operator's input.
  void Hash(DataChunk& input, uint64_t* hashes) const;
  /// Aggregates all rows of a chunk of the operator's input. REQUIRES: FinishRowsApart was not called.
  void Add(DataChunk& input);
  /// Aggregates the rows of known groups. The other rows go to `missing`; returns their number. REQUIRES: as
  /// Add.
  size_t AddKnown(DataChunk& input, const uint64_t* hashes, sel_t* missing);
  /// Takes over rows of other tables of the same layout: adopts new groups, and combines states of known
  /// ones. The other tables' memory must outlive this table.
  void MergeRows(std::span<std::byte* const> rows);
  /// The hash of the group with these values.
  uint64_t HashOf(const std::vector<Value>& group) const;
  /// Creates the group if it does not exist.
  void EnsureGroup(const std::vector<Value>& group);

  GroupTable& groups() { return groups_; }
  const GroupTable& groups() const { return groups_; }
  size_t size_bytes() const;
  /// An upper bound of the bytes that Add of a chunk reserves. It excludes long strings and what states
  /// without row retention collect.
  size_t MostGrowBytes(DataChunk& input) const;
  /// Like MostGrowBytes, but assumes that all groups exist already.
  size_t MostKeepBytes(DataChunk& input) const;
  /// The bytes that KeepRowsApart would free.
  size_t kept_bytes() const;
  bool keeps_rows() const;
  bool are_rows_apart() const { return are_rows_apart_; }
  /// Whether KeepRowsApart takes rows out of states, for which it needs memory.
  bool takes_rows() const;
  /// Spills the rows that states retain, in runs of about `piece_bytes`, which must be free. Rows added later
  /// go to runs as well, and each further call spills them.
  void KeepRowsApart(QueryContext& context, size_t piece_bytes);
  /// Returns the rows to their states, in order, unless the states grow by them: Finalize then does. Ends
  /// adding. Takes memory for merges from `grant`.
  void FinishRowsApart(QueryContext& context, MemoryGrant& grant);
  /// Computes results of all groups at once where functions gain by that, as far as memory suffices. Ends
  /// adding. REQUIRES: no rows are apart.
  void FinishAhead();
  /// Writes rows of the table to `output`: groups, then finalized aggregates. Writes at most `count` adjacent
  /// rows from `first` on, and returns how many: fewer if retained rows return to their states and take about
  /// `most_bytes`. Such rows come in the order of their addresses, and only once.
  size_t Finalize(std::byte* first, size_t count, size_t most_bytes, DataChunk& output);

 private:
  AggregateCall CallOf(size_t aggregate) {
    if (kept_[aggregate]) return kept_[aggregate]->call();
    return {context_, layout_.aggregates[aggregate].data.get(), groups_.rows().arena()};
  }
  void HashGroups(std::span<Vector> groups, size_t count, uint64_t* hashes) const;
  std::span<Vector> GroupsOf(DataChunk& input) const { return {input.columns().data(), layout_.group_count}; }
  /// Updates the states; rows[i] is the row of the group of the input's row i.
  void UpdateStates(DataChunk& input, std::byte* const* rows);
  void CombineStates(std::byte** sources, std::byte** targets, size_t count);
  size_t ReturnRows(std::byte* first, size_t count, size_t most_bytes);

  const AggregateLayout& layout_;
  const FunctionContext& context_;
  GroupTable groups_;
  std::vector<std::unique_ptr<RetainedRowsStore>> kept_;  // Null for aggregates that retain no rows.
  bool are_rows_apart_ = false;
  bool is_finished_ = false;   // Later rows would be out of order.
  bool is_returning_ = false;  // Finalize returns rows to states that grow by them.
  std::vector<AggregateArguments> arguments_;
  DataChunk known_;  // The rows of known groups.
  // Caches in front of groups_, made from the first rows and used as long as they pay.
  std::optional<DenseGroups> dense_;
  DictionaryGroups coded_;
  bool is_first_ = true;  // No rows have come since the table left the ascending mode.
};

}  // namespace scaup
