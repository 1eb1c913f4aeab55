// PlanRun: one run of a plan, with its states and the rows that are left of it.
#pragma once

#include <memory>
#include <vector>

#include "execution/rows/result_parts.hpp"
#include "execution/run/physical_operator.hpp"
#include "main/statement/result_data.hpp"

namespace scaup {

/// One run of a physical plan. A statement has one of its own, and more while it runs others within itself,
/// such as those of foreign keys. Used by one thread; its tasks share the context. Borrows the context, which
/// must outlive it.
class PlanRun {
 public:
  /// `returns_rows` is whether its rows are a result, even one without columns. Prepares the plan: pipeline
  /// breakers run, writes happen. Throws what the plan throws.
  PlanRun(QueryContext& context, std::shared_ptr<const PhysicalOperator> root,
          std::vector<ResultColumn> columns, bool returns_rows);
  PlanRun(const PlanRun&) = delete;
  PlanRun& operator=(const PlanRun&) = delete;
  ~PlanRun();

  /// Returns the columns of the result; none if the plan returns no rows.
  const std::vector<ResultColumn>& columns() const { return columns_; }
  bool returns_rows() const { return returns_rows_; }
  /// Moves the columns of the result out.
  std::vector<ResultColumn> TakeColumns() { return std::move(columns_); }
  /// Returns all rows. REQUIRES: none were taken yet.
  MaterializedResult Collect();
  /// Runs the plan to its end. Returns its rows for any number of scans. REQUIRES: none were taken yet.
  std::shared_ptr<const MaterializedRows> CollectForScans();
  /// Runs the plan to its end and materializes its rows for Next. The states of the plan end.
  void Materialize();
  /// Returns the next rows, at most `most_rows`; no rows at the end.
  MaterializedResult Next(size_t most_rows);
  /// Returns whether it is known that there are no more rows for Next.
  bool is_at_end() const { return parts_ != nullptr && parts_->is_at_end(); }
  /// Returns whether the plan has ended and its rows are materialized.
  bool is_materialized() const { return parts_ != nullptr && shared_ == nullptr; }

 private:
  // Destroyed from the last to the first: parts read the states, and the states refer to the plan.
  QueryContext& context_;
  std::shared_ptr<const PhysicalOperator> root_;
  std::vector<ResultColumn> columns_;
  const bool returns_rows_;
  std::unique_ptr<SharedState> shared_;  // null once the plan has ended
  std::unique_ptr<ResultParts> parts_;   // of a result that is taken part by part; otherwise null
};

}  // namespace scaup
