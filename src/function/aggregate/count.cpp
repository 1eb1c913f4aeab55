// count(*) and count(x).
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"

namespace scaup {
namespace {

/// Combine and Finalize of both functions.
struct Count {
  struct State {
    int64_t count = 0;
  };
  explicit Count(const AggregateCall&) {}
  void Combine(State& target, const State& source) { target.count += source.count; }
  bool Finalize(const State& state, Vector& result, size_t row) {
    result.MutableData<int64_t>()[row] = state.count;
    return true;
  }
  void Finish() {}
};

void CountRows(const AggregateCall&, std::span<Vector>, size_t count, std::byte** states) {
  for (size_t row = 0; row < count; row++) StateAt<Count::State>(states[row]).count++;
}

void CountRowsSingle(const AggregateCall&, std::span<Vector>, size_t count, std::byte* state) {
  StateAt<Count::State>(state).count += static_cast<int64_t>(count);
}

/// Only validity matters, not the type of the values.
void CountValues(const AggregateCall& call, std::span<Vector> arguments, size_t count, std::byte** states) {
  const UnifiedView view = arguments[0].View(count);
  if (view.validity == nullptr) return CountRows(call, arguments, count, states);
  for (size_t row = 0; row < count; row++) {
    StateAt<Count::State>(states[row]).count += view.IsValid(row) ? 1 : 0;
  }
}

void CountValuesSingle(const AggregateCall&, std::span<Vector> arguments, size_t count, std::byte* state) {
  Vector& input = arguments[0];
  size_t valid = 0;
  if (input.is_flat()) {
    valid = CountValid(input.Validity(), count);
  } else {
    const UnifiedView view = input.View(count);
    if (view.validity == nullptr) {
      valid = count;
    } else {
      for (size_t row = 0; row < count; row++) valid += view.IsValid(row) ? 1 : 0;
    }
  }
  StateAt<Count::State>(state).count += static_cast<int64_t>(valid);
}

std::unique_ptr<FunctionData> BindCount(AggregateFunction& function,
                                        std::span<const BindArgument> arguments) {
  function.argument_types[0] = arguments[0].type;
  return nullptr;
}

}  // namespace

void AddCount(AggregateList& list) {
  AggregateFunction rows =
      MakeAggregate("count_star", {}, TypeId::kBigInt, "The number of rows: count(*).", "count(*)");
  AggregateBase<Count>::Fill(rows);
  rows.update = CountRows;
  rows.update_single = CountRowsSingle;
  list.push_back(rows);

  AggregateFunction values = MakeAggregate("count", {TypeId::kNull}, TypeId::kBigInt,
                                           "The number of rows where x is not NULL.", "count(x)");
  AggregateBase<Count>::Fill(values);
  values.update = CountValues;
  values.update_single = CountValuesSingle;
  values.bind = BindCount;
  values.any_types = true;
  list.push_back(values);
}

}  // namespace scaup
