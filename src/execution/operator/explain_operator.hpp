// EXPLAIN and EXPLAIN ANALYZE: the plan as text, a row per line.
#pragma once

#include "execution/physical_operator.hpp"

namespace scaup {

/// The plan as a tree of lines: name, estimated rows and, after a run, true rows and time; details below.
/// `shared` is null when the plan did not run.
std::vector<std::string> RenderPlan(const PhysicalOperator& root, const SharedState* shared);

/// ANALYZE runs the child to its end and drops its rows.
class ExplainOperator final : public PhysicalOperator {
 public:
  ExplainOperator(bool analyze, PhysicalOperatorPtr child);
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
  bool analyze_;
};

}  // namespace scaup
