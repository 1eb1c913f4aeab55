// Share operators: materializing and scanning rows that several parts of a plan read, and recursion.
#pragma once

#include "execution/run/physical_operator.hpp"

namespace scaup {

/// Materializes the rows of its first child once a scan asks for them, and streams the second child.
class MaterializeOperator final : public PhysicalOperator {
 public:
  /// With `is_change` the rows are materialized even if no scan reads them.
  MaterializeOperator(size_t share, PhysicalOperatorPtr definition, PhysicalOperatorPtr reader,
                      bool is_change);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  std::vector<uint64_t> BatchOffsets(QueryContext& context, SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  size_t share_;
  bool is_change_;
};

/// A statement with data-modifying parts. It lets all parts read and exchange their rows, and only then lets
/// them write, in order. Materializes the rows that it outputs.
class StatementOperator final : public PhysicalOperator {
 public:
  explicit StatementOperator(PhysicalOperatorPtr child);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  std::vector<size_t> columns_;  // The indexes of all columns.
};

/// Scans some columns of shared rows.
class SharedScanOperator final : public PhysicalOperator {
 public:
  SharedScanOperator(size_t share, std::vector<size_t> columns, std::vector<LogicalType> types);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  std::vector<uint64_t> BatchOffsets(QueryContext& context, SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  size_t share_;
  std::vector<size_t> columns_;
};

/// WITH RECURSIVE: outputs the rows of the first child, then, round by round, the rows of the second child
/// over the previous round's rows. A round runs only when its rows are pulled, so that a LIMIT above ends an
/// endless recursion.
class RecursionOperator final : public PhysicalOperator {
 public:
  RecursionOperator(size_t share, bool is_distinct, PhysicalOperatorPtr first, PhysicalOperatorPtr next);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }
  std::vector<std::string> RunDetails(const SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  struct Shared;
  void RunRound(QueryContext& context, Shared& shared) const;
  /// Runs a child and materializes its rows as the next ones to output.
  void KeepRows(QueryContext& context, Shared& shared, size_t child) const;

  size_t share_;
  bool is_distinct_;
  std::vector<size_t> columns_;  // The indexes of all columns.
};

}  // namespace scaup
