// Aggregate table: the groups of one thread or partition with the states of their aggregates.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "execution/hash_table/dense_groups.hpp"
#include "execution/hash_table/dictionary_groups.hpp"
#include "execution/hash_table/group_table.hpp"
#include "execution/operator/aggregate_specification.hpp"
#include "execution/partition/hash_partitions.hpp"

namespace scaup {

/// Layouts of a GROUP BY, made once and shared by its tables. Immutable.
struct AggregateLayout {
  AggregateLayout(const std::vector<LogicalType>& input_types, size_t group_count,
                  const std::vector<AggregateSpecification>& aggregates);

  size_t group_count;
  std::vector<LogicalType> group_types;
  std::vector<LogicalType> input_types;
  const std::vector<AggregateSpecification>& aggregates;
  RowLayout rows;                        ///< groups, and a state per aggregate
  std::vector<RowLayout> distinct_rows;  ///< per aggregate with DISTINCT: groups and arguments; else empty
};

/// The bits of a group's hash that choose its partition, and those that divide a partition again. They are
/// apart from the salt of a table's entries (above).
inline constexpr unsigned kGroupPartitionShifts[] = {40, 32, 24};

/// One thread at a time.
class AggregateTable {
 public:
  /// `memory` accounts everything; `bits` choose the partitions that tables are merged by.
  AggregateTable(const AggregateLayout& layout, const FunctionContext& context, MemoryTracker& memory,
                 PartitionBits bits);

  /// The hashes of the groups of a chunk of the operator's input.
  void Hash(DataChunk& input, uint64_t* hashes) const;
  /// Aggregates all rows of a chunk of the operator's input.
  void Add(DataChunk& input);
  /// Aggregates the rows of groups that are there. The others go to `missing`; returns how many.
  size_t AddKnown(DataChunk& input, const uint64_t* hashes, sel_t* missing);
  /// Takes over rows of other tables of the same layout: groups are joined, states combined. The other
  /// tables' memory must outlive this one.
  void MergeRows(std::span<std::byte* const> rows);
  /// The same for the rows of the distinct table of an aggregate.
  void MergeDistinct(size_t aggregate, std::span<std::byte* const> rows);
  /// Updates the states of aggregates with DISTINCT from their distinct tables; once, at the end.
  void FinishDistinct();
  /// The hash of the group with these values.
  uint64_t HashOf(const std::vector<Value>& group) const;
  /// Makes the group, unless it is there.
  void EnsureGroup(const std::vector<Value>& group);

  GroupTable& groups() { return groups_; }
  const GroupTable& groups() const { return groups_; }
  size_t size_bytes() const;
  /// What Add of so many rows reserves at most, besides long strings and what states collect.
  size_t MostGrowBytes(size_t count) const;
  /// Null for an aggregate without DISTINCT.
  GroupTable* distinct(size_t aggregate) { return distinct_[aggregate].get(); }
  /// Writes rows[0, count) to `output`: groups, then finished aggregates.
  void Finalize(std::byte** rows, size_t count, DataChunk& output);

 private:
  AggregateCall CallOf(size_t aggregate) {
    return {context_, layout_.aggregates[aggregate].data.get(), groups_.rows().arena()};
  }
  void HashGroups(std::span<Vector> groups, size_t count, uint64_t* hashes) const;
  std::span<Vector> GroupsOf(DataChunk& input) const { return {input.columns().data(), layout_.group_count}; }
  /// rows[i] is that of the group of the input's row i. The hashes are for aggregates with DISTINCT alone.
  void UpdateStates(DataChunk& input, const uint64_t* hashes, std::byte* const* rows);
  void AddDistinct(size_t aggregate, DataChunk& input, const uint64_t* group_hashes);
  void CombineStates(std::byte** sources, std::byte** targets, size_t count);

  const AggregateLayout& layout_;
  const FunctionContext& context_;
  PartitionBits bits_;
  GroupTable groups_;
  std::vector<std::unique_ptr<GroupTable>> distinct_;
  std::vector<AggregateArguments> arguments_;
  std::vector<std::unique_ptr<DataChunk>> distinct_keys_;
  DataChunk known_;  // The rows of groups that are there.
  bool has_distinct_ = false;
  // In front of groups_, once rows have come and as long as it pays.
  std::optional<DenseGroups> dense_;
  DictionaryGroups coded_;
  bool is_first_ = true;
};

}  // namespace scaup
