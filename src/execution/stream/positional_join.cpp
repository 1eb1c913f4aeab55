// Positional join: advances through the chunks of two inputs, whose borders need not agree.
#include "execution/stream/positional_join.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "execution/run/sole_reader.hpp"

namespace scaup {

namespace {

/// One input: its current chunk, and how many of the chunk's rows are joined already.
struct Input {
  size_t rows_left() const { return chunk.size() - begin; }

  std::unique_ptr<LocalState> local;
  DataChunk chunk;
  DataChunk part;
  size_t begin = 0;
  bool is_at_end = false;
};

class PositionalShared final : public SharedState {
 public:
  ~PositionalShared() override {
    for (Input& input : inputs) input.local.reset();
  }
  SoleReader reader;
  Input inputs[2];
  uint64_t batch_count = 0;
};

}  // namespace

PositionalJoin::PositionalJoin(PhysicalOperatorPtr left, PhysicalOperatorPtr right,
                               std::vector<LogicalType> types)
    : PhysicalOperator("PositionalJoin", std::move(types)) {
  children.push_back(std::move(left));
  children.push_back(std::move(right));
}

std::unique_ptr<SharedState> PositionalJoin::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<PositionalShared>();
  for (const auto& child : children) shared->children.push_back(child->MakeShared(context));
  return shared;
}

std::unique_ptr<LocalState> PositionalJoin::MakeLocal(QueryContext&, SharedState&) const {
  return std::make_unique<LocalState>();
}

void PositionalJoin::Produce(QueryContext& context, SharedState& shared_state, LocalState& local,
                             DataChunk& output) const {
  auto& shared = static_cast<PositionalShared&>(shared_state);
  if (!shared.reader.IsTask(local)) return;
  size_t count = kVectorSize;
  for (size_t side = 0; side < 2; side++) {
    Input& input = shared.inputs[side];
    if (!input.local) {
      input.local = children[side]->MakeLocal(context, *shared.children[side]);
      input.chunk.Initialize(children[side]->types());
      input.part.Initialize(children[side]->types());
    }
    if (input.rows_left() == 0 && !input.is_at_end) {
      children[side]->Next(context, *shared.children[side], *input.local, input.chunk);
      input.begin = 0;
      input.is_at_end = input.chunk.size() == 0;
    }
    if (!input.is_at_end) count = std::min(count, input.rows_left());
  }
  if (shared.inputs[0].is_at_end && shared.inputs[1].is_at_end) return;
  size_t column = 0;
  for (Input& input : shared.inputs) {
    if (!input.is_at_end) {
      input.part.Release();
      if (input.begin == 0 && count == input.chunk.size()) {
        input.part.Reference(input.chunk);
      } else {
        input.part.SliceRange(input.chunk, input.begin, count);
      }
      input.begin += count;
    }
    for (Vector& value : input.part.columns()) {
      if (input.is_at_end) value.SetConstantNull();
      output.column(column++).Reference(value);
    }
  }
  output.SetSize(count);
  output.batch_index = shared.batch_count++;
}

}  // namespace scaup
