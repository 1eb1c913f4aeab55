// Rows that several parts of a plan read: who keeps them, who scans them, and recursion over them.
#pragma once

#include "execution/run/physical_operator.hpp"

namespace scaup {

/// Keeps the rows of its first child, once a scan asks for them, and streams the second.
class MaterializeOperator final : public PhysicalOperator {
 public:
  /// `is_change`: the rows are made even if nobody reads them.
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

/// A statement with parts that change data: has all of them read and gives their rows to one another, and
/// only then has them write, in order. Keeps the rows that come out.
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
  std::vector<size_t> columns_;  // All of them.
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

/// WITH RECURSIVE: the rows of the first child, then round by round those of the second over the rows of the
/// round before. A round runs when somebody asks for its rows, so that a LIMIT above ends an endless
/// recursion.
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
  /// Runs a child, whose rows are the next ones.
  void KeepRows(QueryContext& context, Shared& shared, size_t child) const;

  size_t share_;
  bool is_distinct_;
  std::vector<size_t> columns_;  // All of them.
};

}  // namespace scaup
