// Explain operator: renders the plan, for ANALYZE after running it with profiling.
#include "execution/plan/explain_operator.hpp"

#include "common/stack_bound.hpp"

namespace scaup {
namespace {

class ExplainShared final : public SharedState {
 public:
  std::vector<std::string> lines;
  size_t next_line = 0;
};

class DropSink final : public ChunkSink {
 public:
  void Consume(DataChunk&) override {}
};

}  // namespace

ExplainOperator::ExplainOperator(bool analyze, ExplainFormat format, PhysicalOperatorPtr child)
    : PhysicalOperator("Explain", {TypeId::kVarchar}), analyze_(analyze), format_(format) {
  children.push_back(std::move(child));
}

std::vector<std::string> ExplainOperator::Render(const SharedState* shared, const RunSummary* run) const {
  if (format_ == ExplainFormat::kJson) return {RenderPlanAsJson(*children[0], shared, run)};
  return RenderPlan(*children[0], shared, run);
}

std::unique_ptr<SharedState> ExplainOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<ExplainShared>();
  if (analyze_) shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void ExplainOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<ExplainShared&>(shared_state);
  if (!analyze_) {
    shared.lines = Render(nullptr, nullptr);
    return;
  }
  // The child runs here rather than in Produce, so that its figures are complete before the first line.
  context.profiling = true;
  SharedState& run = *shared.children[0];
  const uint64_t begin = NowNanoseconds();
  children[0]->Prepare(context, run);
  OperatorProfile profile;
  DrainParallel(context, *children[0], run, profile, [](size_t) { return std::make_unique<DropSink>(); });
  const RunSummary summary{NowNanoseconds() - begin, context.scheduler().thread_count()};
  shared.lines = Render(&run, &summary);
}

void ExplainOperator::Produce(QueryContext&, SharedState& shared_state, LocalState&,
                              DataChunk& output) const {
  auto& shared = static_cast<ExplainShared&>(shared_state);
  output.ResetForWriting();
  size_t count = 0;
  while (count < kVectorSize && shared.next_line < shared.lines.size()) {
    output.column(0).MutableData<StringRef>()[count++] =
        output.column(0).AddString(shared.lines[shared.next_line++]);
  }
  output.SetSize(count);
}

}  // namespace scaup
