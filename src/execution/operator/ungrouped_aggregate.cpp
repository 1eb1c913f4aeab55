// Aggregates without GROUP BY.
#include "execution/operator/ungrouped_aggregate.hpp"

namespace scaup {

namespace {

/// The states of one task, in one piece of its arena.
class StateSink final : public ChunkSink {
 public:
  StateSink(const std::vector<AggregateSpecification>& aggregates,
            const std::vector<LogicalType>& input_types, const FunctionContext& context)
      : aggregates_(aggregates), context_(context), arena_(&context.memory) {
    for (const auto& aggregate : aggregates) {
      arguments_.emplace_back(aggregate, input_types);
      states.push_back(arena_.Allocate(aggregate.function.state_size, 16));
      aggregate.function.initialize(states.back());
    }
  }

  void Consume(DataChunk& chunk) override {
    for (size_t i = 0; i < aggregates_.size(); i++) {
      const size_t count = arguments_[i].Load(chunk);
      if (count != 0)
        aggregates_[i].function.update_single(CallOf(i), arguments_[i].chunk().columns(), count, states[i]);
    }
  }

  void Combine(StateSink& other) {
    for (size_t i = 0; i < aggregates_.size(); i++) {
      aggregates_[i].function.combine(CallOf(i), &other.states[i], &states[i], 1);
    }
  }

  AggregateCall CallOf(size_t aggregate) { return {context_, aggregates_[aggregate].data.get(), arena_}; }

  std::vector<std::byte*> states;

 private:
  const std::vector<AggregateSpecification>& aggregates_;
  const FunctionContext& context_;
  Arena arena_;
  std::vector<AggregateArguments> arguments_;
};

class UngroupedShared final : public SharedState {
 public:
  std::vector<std::unique_ptr<ChunkSink>> sinks;
  std::atomic<bool> is_done{false};
};

}  // namespace

UngroupedAggregate::UngroupedAggregate(PhysicalOperatorPtr child,
                                       std::vector<AggregateSpecification> aggregates,
                                       std::vector<LogicalType> types)
    : PhysicalOperator("Aggregate", std::move(types)), aggregates_(std::move(aggregates)) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> UngroupedAggregate::MakeShared(QueryContext& context) const {
  auto shared = std::make_unique<UngroupedShared>();
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void UngroupedAggregate::Prepare(QueryContext& context, SharedState& shared_state) const {
  auto& shared = static_cast<UngroupedShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  shared.sinks = DrainParallel(context, *children[0], *shared.children[0], shared.profile, [&](size_t) {
    return std::make_unique<StateSink>(aggregates_, children[0]->types(), context.functions);
  });
  auto& first = static_cast<StateSink&>(*shared.sinks[0]);
  for (size_t i = 1; i < shared.sinks.size(); i++) first.Combine(static_cast<StateSink&>(*shared.sinks[i]));
}

std::unique_ptr<LocalState> UngroupedAggregate::MakeLocal(QueryContext&, SharedState&) const {
  return std::make_unique<LocalState>();
}

void UngroupedAggregate::Produce(QueryContext&, SharedState& shared_state, LocalState&,
                                 DataChunk& output) const {
  auto& shared = static_cast<UngroupedShared&>(shared_state);
  if (shared.is_done.exchange(true)) return;
  auto& sink = static_cast<StateSink&>(*shared.sinks[0]);
  output.ResetForWriting();
  for (size_t i = 0; i < aggregates_.size(); i++) {
    aggregates_[i].function.finalize(sink.CallOf(i), &sink.states[i], 1, output.column(i), 0);
  }
  output.SetSize(1);
}

}  // namespace scaup
