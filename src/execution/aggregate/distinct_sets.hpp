// DISTINCT in aggregates: rows of distinct arguments are found by grouping them, and aggregated like others.
#pragma once

#include <memory>
#include <vector>

#include "execution/aggregate/grouping.hpp"

namespace scaup {

/// Which arguments the aggregates of a GROUP BY want distinct. The input of the aggregation has one column
/// more then, its last: which rows these are. Those of the operator's input are rows of source 0; those of
/// set i, which have its groups and arguments alone, of source i + 1. Immutable; owned by the operator.
class DistinctSets {
 public:
  /// Tells the aggregates which source they have their rows from.
  DistinctSets(std::vector<AggregateSpecification>& aggregates, const std::vector<LogicalType>& input_types,
               size_t group_count);

  bool empty() const { return sets_.empty(); }
  size_t size() const { return sets_.size(); }
  /// The types of the aggregation's input.
  std::vector<LogicalType> InputTypes() const;

 private:
  friend class DistinctGroupings;
  struct Set {
    AggregateSpecification columns;  ///< of the operator's input: groups and arguments; and the filter
    std::vector<LogicalType> types;
  };
  std::vector<LogicalType> input_types_;
  size_t group_count_;
  std::vector<Set> sets_;
  bool wants_rows_ = false;  // Of the operator's input.
};

/// Finds the distinct rows of a running query. Owned by the operator's shared state; borrows all.
class DistinctGroupings {
 public:
  DistinctGroupings(QueryContext& context, const DistinctSets& sets, Grouping& aggregation);

  /// Adds rows of the operator's input to the aggregation and to each set.
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
