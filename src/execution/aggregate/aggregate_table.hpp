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

/// Layouts of a GROUP BY, made once and shared by its tables. Immutable.
struct AggregateLayout {
  AggregateLayout(const std::vector<LogicalType>& input_types, size_t group_count,
                  const std::vector<AggregateSpecification>& aggregates, size_t tables_at_once = 1);

  size_t group_count;
  std::vector<LogicalType> group_types;
  std::vector<LogicalType> input_types;
  const std::vector<AggregateSpecification>& aggregates;
  size_t tables_at_once;  ///< by a task, of this layout and others
  RowLayout rows;         ///< groups, and a state per aggregate
};

/// The bits of a group's hash that choose its partition, and those that divide a partition again. They are
/// apart from the salt of a table's entries (above).
inline constexpr unsigned kGroupPartitionShifts[] = {40, 32, 24};

/// One thread at a time.
class AggregateTable {
 public:
  /// `memory` accounts everything.
  AggregateTable(const AggregateLayout& layout, const FunctionContext& context, MemoryTracker& memory);

  /// The hashes of the groups of a chunk of the operator's input.
  void Hash(DataChunk& input, uint64_t* hashes) const;
  /// Aggregates all rows of a chunk of the operator's input.
  void Add(DataChunk& input);
  /// Aggregates the rows of groups that are there. The others go to `missing`; returns how many.
  size_t AddKnown(DataChunk& input, const uint64_t* hashes, sel_t* missing);
  /// Takes over rows of other tables of the same layout: groups are joined, states combined. The other
  /// tables' memory must outlive this one.
  void MergeRows(std::span<std::byte* const> rows);
  /// The hash of the group with these values.
  uint64_t HashOf(const std::vector<Value>& group) const;
  /// Makes the group, unless it is there.
  void EnsureGroup(const std::vector<Value>& group);

  GroupTable& groups() { return groups_; }
  const GroupTable& groups() const { return groups_; }
  size_t size_bytes() const;
  /// The most bytes that Add of a chunk reserves, besides long strings and what states collect that retain no
  /// rows.
  size_t MostGrowBytes(DataChunk& input) const;
  /// The most bytes where all groups are there already.
  size_t MostKeepBytes(DataChunk& input) const;
  /// The bytes that KeepRowsApart would free.
  size_t kept_bytes() const;
  bool keeps_rows() const;
  bool are_rows_apart() const { return are_rows_apart_; }
  /// Moves the rows that states keep out of them, to temporary storage, in pieces of about `piece_bytes`,
  /// which must be free; what comes later is kept there, too. Called again, writes away what has come since.
  void KeepRowsApart(QueryContext& context, size_t piece_bytes);
  /// Gives the rows back to their states, in order; nothing is added afterwards.
  void FinishRowsApart(QueryContext& context);
  /// Writes rows[0, count) to `output`: groups, then finished aggregates.
  void Finalize(std::byte** rows, size_t count, DataChunk& output);

 private:
  AggregateCall CallOf(size_t aggregate) {
    if (kept_[aggregate]) return kept_[aggregate]->call();
    return {context_, layout_.aggregates[aggregate].data.get(), groups_.rows().arena()};
  }
  void HashGroups(std::span<Vector> groups, size_t count, uint64_t* hashes) const;
  std::span<Vector> GroupsOf(DataChunk& input) const { return {input.columns().data(), layout_.group_count}; }
  /// rows[i] is that of the group of the input's row i.
  void UpdateStates(DataChunk& input, std::byte* const* rows);
  void CombineStates(std::byte** sources, std::byte** targets, size_t count);

  const AggregateLayout& layout_;
  const FunctionContext& context_;
  GroupTable groups_;
  std::vector<std::unique_ptr<RetainedRowsStore>> kept_;  // Null for aggregates that keep no rows.
  bool are_rows_apart_ = false;
  std::vector<AggregateArguments> arguments_;
  DataChunk known_;  // The rows of groups that are there.
  // In front of groups_, once rows have come and as long as it pays.
  std::optional<DenseGroups> dense_;
  DictionaryGroups coded_;
  bool is_first_ = true;  // Of the rows that do not ascend.
};

}  // namespace scaup
