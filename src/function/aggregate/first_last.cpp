// first (also called any_value) and last: the first or last value that is not NULL, in the order of the rows.
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/kept_value.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

template <typename T, bool kLast>
class EdgeValue {
 public:
  using Input = T;
  struct State {
    KeptValue<T> kept;
    bool seen = false;
  };
  explicit EdgeValue(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, const T& value) {
    if (!kLast && state.seen) return;
    state.kept.Set(value, arena_);
    state.seen = true;
  }
  void AddRepeated(State& state, const T& value, size_t) { Add(state, value); }
  void AddFlat(State& state, const T* values, size_t count) {
    Add(state, kLast ? values[count - 1] : values[0]);
  }
  /// The source's rows count as following the target's.
  void Combine(State& target, const State& source) {
    if (!source.seen || (!kLast && target.seen)) return;
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

template <bool kLast>
std::unique_ptr<FunctionData> BindFirstLast(AggregateFunction& function,
                                            std::span<const BindArgument> arguments) {
  function.return_type = SettleAnyArgument(function, arguments, 0);
  VisitPhysicalType(PhysicalTypeOf(function.return_type),
                    [&]<typename T>() { UnaryAggregate<EdgeValue<T, kLast>>::Fill(function); });
  return nullptr;
}

}  // namespace

void AddFirstLast(AggregateList& list) {
  const auto add = [&](const char* name, const char* description, const char* example, AggregateBind bind) {
    list.push_back(MakeAggregate(name, {TypeId::kNull}, TypeId::kNull, description, example));
    list.back().any_types = true;
    list.back().bind = bind;
  };
  add("first", "The first x that is not NULL.", "first(x)", BindFirstLast<false>);
  add("any_value", "Some x that is not NULL.", "any_value(x)", BindFirstLast<false>);
  add("last", "The last x that is not NULL.", "last(x)", BindFirstLast<true>);
}

}  // namespace scaup
