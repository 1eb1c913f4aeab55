// EXPLAIN and EXPLAIN ANALYZE.
#include "execution/operator/explain_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

std::string GroupDigits(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string TimeText(uint64_t nanoseconds) {
  return fmt::format("{:.2f} ms", static_cast<double>(nanoseconds) / 1e6);
}

void Render(const PhysicalOperator& node, const SharedState* shared, const std::string& first_prefix,
            const std::string& prefix, std::vector<std::string>& lines) {
  std::string head = first_prefix + node.name();
  std::vector<std::string> facts;
  if (node.estimated_rows >= 0) {
    const double rounded = std::round(std::min(node.estimated_rows, 1e18));
    facts.push_back("~" + GroupDigits(static_cast<uint64_t>(rounded)) + " rows");
  }
  if (shared != nullptr) {
    facts.push_back(GroupDigits(shared->profile.rows.load()) + " rows");
    facts.push_back(TimeText(shared->profile.own_nanoseconds.load()));
  }
  if (!facts.empty()) head += fmt::format("  ({})", fmt::join(facts, ", "));
  lines.push_back(std::move(head));
  const std::string detail_prefix = prefix + (node.children.empty() ? "    " : "│   ");
  for (const auto& detail : node.details) lines.push_back(detail_prefix + detail);
  if (shared != nullptr) {
    for (const auto& detail : node.RunDetails(*shared)) lines.push_back(detail_prefix + detail);
  }
  for (size_t i = 0; i < node.children.size(); i++) {
    const bool is_last = i + 1 == node.children.size();
    // A child that was not needed has not run.
    const bool has_run = shared != nullptr && i < shared->children.size();
    Render(*node.children[i], has_run ? shared->children[i].get() : nullptr,
           prefix + (is_last ? "└── " : "├── "), prefix + (is_last ? "    " : "│   "), lines);
  }
}

}  // namespace

std::vector<std::string> RenderPlan(const PhysicalOperator& root, const SharedState* shared) {
  std::vector<std::string> lines;
  Render(root, shared, "", "", lines);
  return lines;
}

ExplainOperator::ExplainOperator(bool analyze, PhysicalOperatorPtr child)
    : PhysicalOperator("Explain", {TypeId::kVarchar}), analyze_(analyze) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> ExplainOperator::MakeShared(QueryContext& context) const {
  auto shared = std::make_unique<ExplainShared>();
  if (analyze_) shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void ExplainOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  auto& shared = static_cast<ExplainShared&>(shared_state);
  if (!analyze_) {
    shared.lines = RenderPlan(*children[0], nullptr);
    return;
  }
  context.profiling = true;
  SharedState& run = *shared.children[0];
  const uint64_t begin = NowNanoseconds();
  children[0]->Prepare(context, run);
  OperatorProfile profile;
  DrainParallel(context, *children[0], run, profile, [](size_t) { return std::make_unique<DropSink>(); });
  const uint64_t elapsed = NowNanoseconds() - begin;
  shared.lines = RenderPlan(*children[0], &run);
  shared.lines.push_back(fmt::format("Total: {} on {} thread{}", TimeText(elapsed),
                                     context.scheduler().thread_count(),
                                     context.scheduler().thread_count() == 1 ? "" : "s"));
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
