// DISTINCT in aggregates: distinct arguments are found by grouping, and then aggregated like other rows.
#pragma once

#include <memory>
#include <vector>

#include "execution/aggregate/grouping.hpp"

namespace scaup {

/// The sets of distinct arguments of a GROUP BY. The aggregation's input gets an additional last column, the
/// source of the row: 0 for rows of the operator's input, i + 1 for rows of set i, which have only the set's
/// groups and arguments. Immutable; owned by the operator.
class DistinctSets {
 public:
  /// Sets in each aggregate the source from which it takes its rows.
  DistinctSets(std::vector<AggregateSpecification>& aggregates, const std::vector<LogicalType>& input_types,
               size_t group_count);

  bool empty() const { return sets_.empty(); }
  size_t size() const { return sets_.size(); }
  /// The types of the aggregation's input.
  std::vector<LogicalType> InputTypes() const;

 private:
  friend class DistinctGroupings;
  /// The distinct arguments of one or more aggregates.
  struct Set {
    AggregateSpecification columns;  ///< groups and arguments in the operator's input, and the filter
    std::vector<LogicalType> types;
  };
  std::vector<LogicalType> input_types_;
  size_t group_count_;
  std::vector<Set> sets_;
  bool wants_rows_ = false;  // Whether an aggregate or group needs source 0.
};

/// Finds the distinct rows in a running query. Owned by the operator's shared state; borrows all arguments.
class DistinctGroupings {
 public:
  /// The sets share the grant of the aggregation's sinks.
  DistinctGroupings(QueryContext& context, const DistinctSets& sets, Grouping& aggregation,
                    const std::shared_ptr<MemoryGrant>& grant);

  /// Makes a sink that adds rows of the operator's input to the aggregation and to each set.
  std::unique_ptr<ChunkSink> MakeSink();
  /// Adds the distinct rows to the aggregation, with as many tasks as there are sinks. Returns its sinks.
  std::vector<std::unique_ptr<ChunkSink>> Merge(std::vector<std::unique_ptr<ChunkSink>> sinks);

 private:
  class Sink;
  void AddRows(size_t set, DataChunk& rows, DataChunk& chunk, AggregateSink& aggregation) const;

  QueryContext& context_;
  const DistinctSets& sets_;
  Grouping& aggregation_;
  std::vector<std::unique_ptr<Grouping>> groupings_;  // By set.
};

}  // namespace scaup
