// PlanRun: prepares a plan, and takes its rows at once or part by part.
#include "main/statement/plan_run.hpp"

#include "common/stack_bound.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Says to whom the memory of a plan's operators belongs, for PRAGMA memory.
void NameOwners(const PhysicalOperator& node, SharedState& shared, uint64_t transaction) {
  CheckStack();
  shared.profile.memory.owner = &node.name();
  shared.profile.memory.transaction = transaction;
  for (size_t i = 0; i < node.children.size() && i < shared.children.size(); i++) {
    if (shared.children[i]) NameOwners(*node.children[i], *shared.children[i], transaction);
  }
}

}  // namespace

PlanRun::PlanRun(QueryContext& context, std::shared_ptr<const PhysicalOperator> root,
                 std::vector<ResultColumn> columns, bool returns_rows)
    : context_(context), root_(std::move(root)), columns_(std::move(columns)), returns_rows_(returns_rows) {
  try {
    shared_ = root_->MakeShared(context_);
    NameOwners(*root_, *shared_, context_.transaction.id() - kFirstTransactionId);
    root_->Prepare(context_, *shared_);
  } catch (...) {
    // The destructor does not run if the constructor throws.
    context_.progress.Clear();
    throw;
  }
}

PlanRun::~PlanRun() {
  // Another thread may ask for the progress at any time, so that ends before the states do. Once the rows are
  // materialized, the progress belongs to another statement.
  if (!is_materialized()) context_.progress.Clear();
}

MaterializedResult PlanRun::Collect() {
  SCAUP_ASSERT(parts_ == nullptr);
  return CollectResult(context_, *root_, *shared_);
}

std::shared_ptr<const MaterializedRows> PlanRun::CollectForScans() {
  SCAUP_ASSERT(parts_ == nullptr);
  OperatorProfile profile;
  return MaterializedRows::Collect(context_, *root_, *shared_, profile);
}

void PlanRun::Materialize() {
  parts_ = std::make_unique<ResultParts>(context_, *root_, *shared_);
  parts_->Keep();
  context_.progress.Clear();
  shared_.reset();
}

MaterializedResult PlanRun::Next(size_t most_rows) {
  if (!parts_) parts_ = std::make_unique<ResultParts>(context_, *root_, *shared_);
  return parts_->Next(most_rows);
}

}  // namespace scaup
