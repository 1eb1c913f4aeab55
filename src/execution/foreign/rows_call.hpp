// Calls of functions of the program that return rows.
#pragma once

#include <memory>
#include <vector>

#include "execution/foreign/foreign_rows.hpp"
#include "execution/run/physical_operator.hpp"
#include "execution/sort/sort_key.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// Runs a function of the program and outputs its rows as it returns them. Without partitions and batches
/// there is one run, which pulls its input as it asks for it. Partitions, and batches of rows, have a run
/// each, and several of them go on at once.
class RowsCall final : public PhysicalOperator {
 public:
  struct Specification {
    std::shared_ptr<const ForeignRowsCall> call;
    std::vector<size_t> columns;        ///< of the result, those to output
    std::vector<ExpressionPtr> values;  ///< of the parameters; without columns
    std::vector<size_t> required;       ///< the parameters of which a NULL value means that there are no rows
    /// The number of columns that a run gets. Keys of partitions follow, by which the rows are sorted.
    size_t input_count = 0;
    std::vector<SortOrder> partition_keys;
  };

  /// `child` is null if the function gets no rows.
  RowsCall(Specification specification, PhysicalOperatorPtr child, std::vector<LogicalType> types);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  std::vector<std::string> RunDetails(const SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  struct Shared;
  struct Local;
  /// Sets the input of the next run of this thread; null if there is none.
  std::unique_ptr<ForeignRowsInput> NextInput(QueryContext& context, Shared& shared, Local& local) const;
  MaterializedResult TakePartition(QueryContext& context, Shared& shared, uint64_t& number) const;
  MaterializedResult TakeBatch(QueryContext& context, Shared& shared, Local& local) const;
  bool has_partitions() const { return !specification_.partition_keys.empty(); }
  bool has_batches() const { return !has_partitions() && specification_.call->batch_rows != 0; }

  Specification specification_;
  std::vector<LogicalType> input_types_;
};

}  // namespace scaup
