// Sources: table scans, table functions, constant rows.
#pragma once

#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"
#include "function/table_function.hpp"
#include "planner/node/get.hpp"
#include "storage/scan/table_scan.hpp"

namespace scaup {

/// Scans the snapshot of a table that the query's transaction sees: by an index if that finds few rows, else
/// by morsels, with zone maps, runtime filters and late materialization.
class TableScanOperator final : public PhysicalOperator {
 public:
  TableScanOperator(TableEntryRef table, TableScanSpecification specification,
                    std::vector<LogicalType> types);
  /// Passes the predicate of a filter operator above, so that the scan does not materialize remaining columns
  /// for rows that fail it. The filter operator still tests all rows. REQUIRES: `predicate` refers to output
  /// columns and is deterministic, as it is evaluated twice.
  void SetRowFilter(ExpressionPtr predicate);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  std::vector<uint64_t> BatchOffsets(QueryContext& context, SharedState& shared) const override;
  std::vector<BatchRange> BatchRanges(QueryContext& context, SharedState& shared,
                                      size_t column) const override;
  std::vector<std::string> RunDetails(const SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  TableEntryRef table_;
  TableColumns table_columns_;
  TableScanSpecification specification_;
  ExpressionPtr row_filter_;  // null for none
  std::vector<size_t> row_filter_columns_;
};

/// Calls a table function. `filters` are predicates that the function may use to skip rows.
class TableFunctionOperator final : public PhysicalOperator {
 public:
  TableFunctionOperator(TableFunction function, std::shared_ptr<const BoundTableFunction> bound,
                        std::vector<size_t> columns, std::vector<ScanFilter> filters,
                        std::vector<LogicalType> types);
  /// As TableScanOperator::SetRowFilter, for functions that take filters.
  void SetRowFilter(ExpressionPtr predicate);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return SIZE_MAX; }
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  std::vector<std::string> RunDetails(const SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  TableFunctionCall CallOf(QueryContext& context) const {
    return {context.functions, *bound_, columns_, filters_};
  }
  TableFunction function_;
  std::shared_ptr<const BoundTableFunction> bound_;
  std::vector<size_t> columns_;
  std::vector<ScanFilter> filters_;
  ExpressionPtr row_filter_;                // over row_filter_columns_; null for none
  std::vector<size_t> row_filter_columns_;  // indexes into the bound columns
};

/// Rows of VALUES, and the single row without columns of SELECT without FROM.
class ValuesOperator final : public PhysicalOperator {
 public:
  ValuesOperator(std::vector<std::vector<ExpressionPtr>> rows, std::vector<LogicalType> types);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  std::vector<std::vector<ExpressionPtr>> rows_;
};

}  // namespace scaup
