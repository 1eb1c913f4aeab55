// Positional join: pairs the rows of two inputs by their places.
#pragma once

#include "execution/run/physical_operator.hpp"

namespace scaup {

/// POSITIONAL JOIN: the first rows of both inputs, then the second rows, and so on, with NULLs where one
/// input has fewer rows. Pulled by one thread, which gets the rows of both inputs in their order.
class PositionalJoin final : public PhysicalOperator {
 public:
  PositionalJoin(PhysicalOperatorPtr left, PhysicalOperatorPtr right, std::vector<LogicalType> types);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;
};

}  // namespace scaup
