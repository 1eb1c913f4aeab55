// Window operator: evaluates window functions on streamed ordered rows, or on sorted hash partitions.
#pragma once

#include "execution/run/physical_operator.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// Outputs the first columns of the child, followed by the functions' results. Rows are output by hash
/// partition, in the window's order within each. Peers come in the order of the source, however many threads
/// work. Rows that come in the window's order are streamed in that order.
class WindowOperator final : public PhysicalOperator {
 public:
  /// `key_scan` returns the PARTITION BY and ORDER BY columns of the child's rows, in the same order. It is
  /// read first to find out whether rows can be streamed. Null if streaming is not to be tried.
  WindowOperator(PhysicalOperatorPtr child, PhysicalOperatorPtr key_scan, WindowSpecification specification,
                 std::vector<LogicalType> types);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  std::vector<uint64_t> BatchOffsets(QueryContext& context, SharedState& shared) const override;
  std::vector<std::string> RunDetails(const SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  class Shared;
  class Local;

  bool ComeInOrder(QueryContext& context, Shared& shared) const;
  void Collect(QueryContext& context, Shared& shared) const;
  void ProduceStreamed(QueryContext& context, Shared& shared, Local& local, DataChunk& output) const;

  WindowSpecification specification_;
  PhysicalOperatorPtr key_scan_;
  SortSchema schema_;  // The input, and the batch index as last key.
};

}  // namespace scaup
