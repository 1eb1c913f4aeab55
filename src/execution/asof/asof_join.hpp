// Asof join: joins each left row with the nearest right row, over sorted hash partitions of both sides.
#pragma once

#include "execution/asof/asof_specification.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

/// Collects both inputs in hash partitions of the equality keys. If they fit in memory, the partitions are
/// sorted and matched in parallel, and blocks of rows are given out to any number of threads. Otherwise both
/// sides are spilled as sorted runs, which are merged while one thread pulls.
class AsofJoin final : public PhysicalOperator {
 public:
  /// The right input has no NULLs in its keys, unless these match NULLs.
  AsofJoin(PhysicalOperatorPtr left, PhysicalOperatorPtr right, AsofSpecification specification,
           std::vector<LogicalType> types);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  std::vector<std::string> RunDetails(const SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  class Shared;

  bool MatchInMemory(QueryContext& context, Shared& shared) const;

  const AsofSpecification specification_;
  const SortSchema schemas_[2];  // Of the stored rows of each side.
};

}  // namespace scaup
