// Window functions: hash partitions by PARTITION BY, each sorted and evaluated by itself.
#pragma once

#include "execution/physical_operator.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// Columns [0, passed_columns) of the child come out, then the functions' results. Rows come out by hash
/// partition, in each in the window's order; peers in the order of the source, however many threads work.
class WindowOperator final : public PhysicalOperator {
 public:
  WindowOperator(PhysicalOperatorPtr child, WindowSpecification specification,
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
  WindowSpecification specification_;
  SortSchema schema_;  // The input, and the place of its chunk in the source's order as its last key.
};

}  // namespace scaup
