// Streaming operators: filter, projection, grouping sets, limit and union.
#pragma once

#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// WHERE and HAVING: passes the rows for which the predicate is true.
class FilterOperator final : public PhysicalOperator {
 public:
  FilterOperator(PhysicalOperatorPtr child, ExpressionPtr predicate);
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  std::vector<BatchRange> BatchRanges(QueryContext& context, SharedState& shared,
                                      size_t column) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  ExpressionPtr predicate_;
};

/// Computes one output column for each expression.
class ProjectOperator final : public PhysicalOperator {
 public:
  ProjectOperator(PhysicalOperatorPtr child, std::vector<ExpressionPtr> expressions);
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  uint64_t SkipRows(SharedState& shared, uint64_t row_count) const override;
  std::vector<uint64_t> BatchOffsets(QueryContext& context, SharedState& shared) const override;
  std::vector<BatchRange> BatchRanges(QueryContext& context, SharedState& shared,
                                      size_t column) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  std::vector<ExpressionPtr> expressions_;
};

/// Outputs each chunk once for each grouping set. The last `column_count` columns of the input are the
/// grouping columns; a column that is not in the set is NULL. The number of the set is appended as a column.
class ExpandOperator final : public PhysicalOperator {
 public:
  ExpandOperator(PhysicalOperatorPtr child, size_t column_count, std::vector<std::vector<size_t>> sets);
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  size_t passed_columns_;
  std::vector<std::vector<size_t>> sets_;
};

/// LIMIT and OFFSET in the input's order; pulled by one thread. Stops pulling once it has enough rows.
class LimitOperator final : public PhysicalOperator {
 public:
  /// Either expression may be null. Both are evaluated once, when the query begins. If `counts` is given, it
  /// returns one row, and the expressions refer to its columns.
  LimitOperator(PhysicalOperatorPtr child, ExpressionPtr limit, ExpressionPtr offset,
                PhysicalOperatorPtr counts = nullptr);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  void SetCounts(QueryContext& context, SharedState& shared, DataChunk& counts) const;
  ExpressionPtr limit_;
  ExpressionPtr offset_;
};

/// Outputs all rows of the first child, then of the second, and so on.
class UnionAllOperator final : public PhysicalOperator {
 public:
  UnionAllOperator(std::vector<PhysicalOperatorPtr> inputs, std::vector<LogicalType> types);
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;
};

}  // namespace scaup
