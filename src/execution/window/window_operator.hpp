// Window functions: as rows pass by where these come in order, else over hash partitions by PARTITION BY,
// each sorted and evaluated by itself.
#pragma once

#include "execution/run/physical_operator.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// The first columns of the child come out, then the functions' results. Rows come out by hash partition, in
/// each in the window's order; peers in the order of the source, however many threads work. Rows that come in
/// the window's order pass by as they come.
class WindowOperator final : public PhysicalOperator {
 public:
  /// `key_scan` gives PARTITION BY and ORDER BY of the child's rows, in the same order: it is read first to
  /// see whether rows can pass by. Null: that is not to be tried.
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
  SortSchema schema_;  // The input, and the place of its chunk in the source's order as its last key.
};

}  // namespace scaup
