// Calls of foreign functions for all rows at once.
#pragma once

#include <memory>
#include <vector>

#include "execution/foreign/argument_projection.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// Computes calls of foreign functions for all rows of its input, which it keeps in memory, in the order of
/// their source. A pipeline breaker. Outputs the first columns of the input, then a column for each call.
class WholeCalls final : public PhysicalOperator {
 public:
  /// The columns of `child` are those to output, `kept_count` of them, then the arguments of the first call,
  /// of the second one, and so on; its constants are theirs, likewise. The calls are FunctionExpressions.
  WholeCalls(std::unique_ptr<ArgumentProjection> child, size_t kept_count, std::vector<ExpressionPtr> calls);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  std::vector<uint64_t> BatchOffsets(QueryContext& context, SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  struct Shared;
  struct Local;

  size_t kept_count_;
  std::vector<ExpressionPtr> calls_;
};

}  // namespace scaup
