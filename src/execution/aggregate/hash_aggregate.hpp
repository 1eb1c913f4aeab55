// GROUP BY by hashing: thread-local pre-aggregation, then a parallel merge by radix partition.
#pragma once

#include "execution/aggregate/aggregate_specification.hpp"
#include "execution/aggregate/distinct_sets.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

/// Groups its input by the first `group_count` columns and outputs the groups, followed by the aggregates.
/// Without groups there is one row. The `certain_groups` have a row even if the input has none.
class HashAggregate final : public PhysicalOperator {
 public:
  HashAggregate(PhysicalOperatorPtr child, size_t group_count, std::vector<AggregateSpecification> aggregates,
                std::vector<LogicalType> types, std::vector<std::vector<Value>> certain_groups = {});

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  std::vector<std::string> RunDetails(const SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  size_t group_count_;
  std::vector<AggregateSpecification> aggregates_;
  DistinctSets distinct_sets_;
  std::vector<std::vector<Value>> certain_groups_;
};

}  // namespace scaup
