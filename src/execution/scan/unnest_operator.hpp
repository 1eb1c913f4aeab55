// Unnest: turns the elements of lists into rows.
#pragma once

#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// Emits, for each row of the child, one row per element of its lists; see LogicalUnnest.
class UnnestOperator final : public PhysicalOperator {
 public:
  UnnestOperator(PhysicalOperatorPtr child, std::vector<ExpressionPtr> lists, bool has_ordinality,
                 bool is_outer, std::vector<LogicalType> types);
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  std::vector<ExpressionPtr> lists_;
  bool has_ordinality_;
  bool is_outer_;
};

}  // namespace scaup
