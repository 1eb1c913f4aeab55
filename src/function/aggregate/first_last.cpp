// first and last: the values of the first and the last row; any_value: the first value that is not NULL.
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/kept_value.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

template <typename T>
class AnyValue {
 public:
  using Input = T;
  struct State {
    KeptValue<T> kept;
    bool seen = false;
  };
  explicit AnyValue(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, const T& value) {
    if (state.seen) return;
    state.kept.Set(value, arena_);
    state.seen = true;
  }
  void AddRepeated(State& state, const T& value, size_t) { Add(state, value); }
  void AddFlat(State& state, const T* values, size_t) { Add(state, values[0]); }
  /// The source's rows count as following the target's.
  void Combine(State& target, const State& source) {
    if (!source.seen || target.seen) return;
    target.kept.Adopt(source.kept);
    target.seen = true;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.seen) state.kept.Store(result, row);
    return state.seen;
  }
  void Finish() {}

 private:
  Arena& arena_;
};

/// The value of the first or last row, which may be NULL.
template <typename T, bool kLast>
class EdgeRow {
 public:
  struct State {
    KeptValue<T> kept;
    bool seen = false;
    bool is_null = false;
  };
  explicit EdgeRow(const AggregateCall& call) : arena_(call.arena) {}

  void Combine(State& target, const State& source) {
    if (!source.seen || (!kLast && target.seen)) return;
    target.kept.Adopt(source.kept);
    target.seen = true;
    target.is_null = source.is_null;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (!state.seen || state.is_null) return false;
    state.kept.Store(result, row);
    return true;
  }
  void Finish() {}

  static void Fill(AggregateFunction& function) {
    AggregateBase<EdgeRow>::Fill(function);
    function.update = [](const AggregateCall& call, std::span<Vector> arguments, size_t count,
                         std::byte** states) {
      EdgeRow aggregate(call);
      const auto values = arguments[0].ViewAs<T>(count);
      for (size_t row = 0; row < count; row++) aggregate.Add(StateAt<State>(states[row]), values, row);
    };
    function.update_single = [](const AggregateCall& call, std::span<Vector> arguments, size_t count,
                                std::byte* state) {
      if (count == 0) return;
      const auto values = arguments[0].ViewAs<T>(count);
      EdgeRow(call).Add(StateAt<State>(state), values, kLast ? count - 1 : 0);
    };
  }

 private:
  template <typename View>
  void Add(State& state, const View& values, size_t row) {
    if (!kLast && state.seen) return;
    state.seen = true;
    state.is_null = !values.IsValid(row);
    if (!state.is_null) state.kept.Set(values[row], arena_);
  }

  Arena& arena_;
};

template <template <typename> typename Aggregate>
std::unique_ptr<FunctionData> BindEdge(AggregateFunction& function, std::span<const BindArgument> arguments) {
  function.return_type = SettleAnyArgument(function, arguments, 0);
  VisitBits(PhysicalTypeOf(function.return_type), [&]<typename T>() { Aggregate<T>::Fill(function); });
  return nullptr;
}

template <typename T>
using FirstRow = EdgeRow<T, false>;
template <typename T>
using LastRow = EdgeRow<T, true>;
template <typename T>
using AnyOfValues = UnaryAggregate<AnyValue<T>>;

}  // namespace

void AddFirstLast(AggregateList& list) {
  const auto add = [&](const char* name, const char* description, const char* example, AggregateBind bind) {
    list.push_back(MakeAggregate(name, {TypeId::kNull}, TypeId::kNull, description, example));
    list.back().any_types = true;
    list.back().bind = bind;
  };
  add("first", "The x of the first row, even if it is NULL.", "first(x)", BindEdge<FirstRow>);
  add("any_value", "Some x that is not NULL.", "any_value(x)", BindEdge<AnyOfValues>);
  add("last", "The x of the last row, even if it is NULL.", "last(x)", BindEdge<LastRow>);
}

}  // namespace scaup
