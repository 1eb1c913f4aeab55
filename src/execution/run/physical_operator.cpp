// The parallel Vector Volcano: defaults of operators, profiling, and draining pipelines in parallel.
#include "execution/run/physical_operator.hpp"

#include <chrono>

#include "common/stack_bound.hpp"

namespace scaup {

uint64_t NowNanoseconds() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

std::unique_ptr<SharedState> PhysicalOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<SharedState>();
  for (const auto& child : children) shared->children.push_back(child->MakeShared(context));
  return shared;
}

void PhysicalOperator::Prepare(QueryContext& context, SharedState& shared) const {
  CheckStack();
  for (size_t i = 0; i < children.size(); i++) children[i]->Prepare(context, *shared.children[i]);
}

void PhysicalOperator::ApplyRuntimeFilter(SharedState&, size_t, const RuntimeFilter&) const {}

std::unique_ptr<LocalState> PhysicalOperator::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<LocalState>();
  for (size_t i = 0; i < children.size(); i++)
    local->children.push_back(children[i]->MakeLocal(context, *shared.children[i]));
  return local;
}

size_t PhysicalOperator::MaxTasks(QueryContext& context, SharedState& shared) const {
  CheckStack();
  return children.empty() ? 1 : children[0]->MaxTasks(context, *shared.children[0]);
}

void PhysicalOperator::Next(QueryContext& context, SharedState& shared, LocalState& local,
                            DataChunk& output) const {
  CheckStack(kRowStackReserve);
  context.functions.CheckInterrupt();
  // Long queries must not keep short ones waiting, and this is called once per chunk.
  context.scheduler().GiveWay();
  output.Release();
  if (local.is_at_end) return;
  if (!context.profiling) {
    Produce(context, shared, local, output);
    local.is_at_end = output.size() == 0;
    return;
  }
  // A child runs within Produce of its parent, so its time is subtracted to get the operator's own time.
  uint64_t below = 0;
  for (const auto& child : local.children) below += child ? child->inclusive_nanoseconds : 0;
  const uint64_t begin = NowNanoseconds();
  Produce(context, shared, local, output);
  local.is_at_end = output.size() == 0;
  const uint64_t elapsed = NowNanoseconds() - begin;
  uint64_t below_after = 0;
  for (const auto& child : local.children) below_after += child ? child->inclusive_nanoseconds : 0;
  local.inclusive_nanoseconds += elapsed;
  const uint64_t in_children = below_after - below;
  shared.profile.own_nanoseconds.fetch_add(elapsed > in_children ? elapsed - in_children : 0,
                                           std::memory_order_relaxed);
  shared.profile.rows.fetch_add(output.size(), std::memory_order_relaxed);
}

size_t DrainTasks(QueryContext& context, const PhysicalOperator& input, SharedState& input_shared) {
  return std::max<size_t>(
      1, std::min(input.MaxTasks(context, input_shared), context.scheduler().thread_count()));
}

std::vector<std::unique_ptr<ChunkSink>> DrainParallel(
    QueryContext& context, const PhysicalOperator& input, SharedState& input_shared, OperatorProfile& profile,
    const std::function<std::unique_ptr<ChunkSink>(size_t task)>& make_sink, size_t max_tasks) {
  const size_t task_count = std::min(max_tasks, DrainTasks(context, input, input_shared));
  std::vector<std::unique_ptr<ChunkSink>> sinks(task_count);
  std::atomic<bool> has_failed{false};  // The other tasks then stop early.
  const auto run = [&](size_t task) {
    const uint64_t begin = context.profiling ? NowNanoseconds() : 0;
    sinks[task] = make_sink(task);
    const auto local = input.MakeLocal(context, input_shared);
    DataChunk chunk(input.types());
    while (!has_failed.load(std::memory_order_relaxed)) {
      input.Next(context, input_shared, *local, chunk);
      if (chunk.size() == 0) break;
      sinks[task]->Consume(chunk);
    }
    if (has_failed.load(std::memory_order_relaxed)) {
      sinks[task].reset();
      return;
    }
    sinks[task]->Finish();
    if (context.profiling) {
      const uint64_t elapsed = NowNanoseconds() - begin;
      profile.own_nanoseconds.fetch_add(elapsed - std::min(elapsed, local->inclusive_nanoseconds),
                                        std::memory_order_relaxed);
    }
  };
  context.scheduler().RunAll(task_count, [&](size_t task) {
    try {
      run(task);
    } catch (...) {
      has_failed.store(true, std::memory_order_relaxed);
      // Free the sink here, not when all tasks have ended: other tasks may need its memory.
      sinks[task].reset();
      throw;
    }
  });
  return sinks;
}

}  // namespace scaup
