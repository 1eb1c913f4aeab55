// bool_and (also called every) and bool_or.
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"

namespace scaup {
namespace {

template <bool kAnd>
class BooleanFold {
 public:
  using Input = uint8_t;
  struct State {
    uint8_t value = kAnd ? 1 : 0;
    bool seen = false;
  };
  explicit BooleanFold(const AggregateCall&) {}
  void Add(State& state, const uint8_t& value) {
    state.value = static_cast<uint8_t>(kAnd ? state.value & value : state.value | value);
    state.seen = true;
  }
  void AddRepeated(State& state, const uint8_t& value, size_t) { Add(state, value); }
  void Combine(State& target, const State& source) {
    if (source.seen) Add(target, source.value);
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.seen) result.MutableData<uint8_t>()[row] = state.value;
    return state.seen;
  }
  void Finish() {}
};

}  // namespace

void AddBoolean(AggregateList& list) {
  const auto add = [&](const char* name, const char* description, const char* example, bool is_and) {
    AggregateFunction function =
        MakeAggregate(name, {TypeId::kBoolean}, TypeId::kBoolean, description, example);
    is_and ? UnaryAggregate<BooleanFold<true>>::Fill(function)
           : UnaryAggregate<BooleanFold<false>>::Fill(function);
    function.ignores_duplicates = true;
    list.push_back(function);
  };
  add("bool_and", "True if all x that are not NULL are true.", "bool_and(x > 0)", true);
  add("every", "True if all x that are not NULL are true.", "every(x > 0)", true);
  add("bool_or", "True if any x is true.", "bool_or(x > 0)", false);
}

}  // namespace scaup
