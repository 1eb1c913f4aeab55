// Aggregates without GROUP BY: one state per task, combined at the end.
#pragma once

#include "execution/aggregate/aggregate_specification.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

/// Computes one row of aggregates over the whole input. HashAggregate computes aggregates with DISTINCT.
class UngroupedAggregate final : public PhysicalOperator {
 public:
  UngroupedAggregate(PhysicalOperatorPtr child, std::vector<AggregateSpecification> aggregates,
                     std::vector<LogicalType> types);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  /// Whether the only aggregate takes all rows at once, as columns.
  bool TakesColumns() const;
  void FinishColumns(QueryContext& context, SharedState& shared) const;

  std::vector<AggregateSpecification> aggregates_;
};

}  // namespace scaup
