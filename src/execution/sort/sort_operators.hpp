// Sort operator: ORDER BY, and ORDER BY with LIMIT (TopN).
#pragma once

#include "execution/run/physical_operator.hpp"
#include "execution/sort/sort_key.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// Sorts its input by keys over its columns. With a limit, it retains only the first rows while collecting.
class SortOperator final : public PhysicalOperator {
 public:
  static constexpr uint64_t kNoLimit = UINT64_MAX;
  SortOperator(PhysicalOperatorPtr child, std::vector<ExpressionPtr> keys, std::vector<SortOrder> orders,
               uint64_t limit = kNoLimit, uint64_t offset = 0);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  uint64_t SkipRows(SharedState& shared, uint64_t row_count) const override;
  std::vector<uint64_t> BatchOffsets(QueryContext& context, SharedState& shared) const override;
  std::vector<std::string> RunDetails(const SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  /// Lets the scans below skip rows that come after those retained so far.
  void BoundInput(SharedState& shared) const;

  SortSchema schema_;  // The input's columns, then computed keys.
  std::vector<ExpressionPtr> computed_keys_;
  uint64_t limit_;
  uint64_t offset_;
};

}  // namespace scaup
