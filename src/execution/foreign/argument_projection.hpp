// Argument projection: the arguments of calls that get all rows.
#pragma once

#include <memory>
#include <vector>

#include "execution/rows/materialized_result.hpp"
#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// Computes expressions for each row, and others once, whose values are the same for all rows.
class ArgumentProjection final : public PhysicalOperator {
 public:
  ArgumentProjection(PhysicalOperatorPtr child, std::vector<ExpressionPtr> columns,
                     std::vector<ExpressionPtr> constants);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  std::vector<uint64_t> BatchOffsets(QueryContext& context, SharedState& shared) const override;
  /// Moves the constants out as one row; without a row if there was none. Called once, after all rows were
  /// pulled.
  std::shared_ptr<const MaterializedResult> TakeConstants(SharedState& shared) const;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  struct Shared;
  struct Local;

  std::vector<ExpressionPtr> columns_;
  std::vector<ExpressionPtr> constants_;
};

}  // namespace scaup
