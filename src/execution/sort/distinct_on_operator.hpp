// DISTINCT ON operator: the first row of those with equal keys.
#pragma once

#include <vector>

#include "execution/run/physical_operator.hpp"
#include "execution/sort/sort_key.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// DISTINCT ON (keys): outputs the first row, in input order, of those with equal keys. Pulled by one thread.
class DistinctOnOperator final : public PhysicalOperator {
 public:
  /// With `orders`, the input is sorted by the keys: only the last row's keys are stored, and rows come in
  /// input order. Without, all keys are, and rows that must be compared with spilled keys come last.
  DistinctOnOperator(PhysicalOperatorPtr child, std::vector<ExpressionPtr> keys,
                     std::vector<SortOrder> orders);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  class Shared;

  std::vector<ExpressionPtr> keys_;
  std::vector<SortOrder> orders_;  // By key; empty if the input is not sorted by them.
};

}  // namespace scaup
