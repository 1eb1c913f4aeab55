// Explain operator: EXPLAIN and EXPLAIN ANALYZE give the plan as text, a row per line, or as one JSON
// document.
#pragma once

#include "common/explain_format.hpp"
#include "execution/plan/plan_text.hpp"

namespace scaup {

/// Emits the text of the child's plan. ANALYZE first runs the child to its end and drops its rows.
class ExplainOperator final : public PhysicalOperator {
 public:
  ExplainOperator(bool analyze, ExplainFormat format, PhysicalOperatorPtr child);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext&, SharedState&) const override {
    return std::make_unique<LocalState>();
  }
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  /// Renders the plan. `shared` and `run` are null if it did not run.
  std::vector<std::string> Render(const SharedState* shared, const RunSummary* run) const;

  bool analyze_;
  ExplainFormat format_;
};

}  // namespace scaup
