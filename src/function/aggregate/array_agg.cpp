// array_agg, also called list: all values as a list, NULLs among them.
#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {
namespace {

class ArrayAgg {
 public:
  /// The slots of the list, in memory of the arena.
  struct State {
    char* slots = nullptr;
    uint64_t size = 0;
    uint64_t capacity = 0;
    bool seen = false;
  };
  explicit ArrayAgg(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, std::string_view slots) {
    const uint64_t size = state.size + slots.size();
    if (size > state.capacity) Grow(state, size);
    std::memcpy(state.slots + state.size, slots.data(), slots.size());
    state.size = size;
    state.seen = true;
  }
  void Combine(State& target, const State& source) {
    if (!source.seen) return;
    if (!target.seen) {
      target = source;
    } else {
      Add(target, {source.slots, source.size});
    }
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.seen) result.MutableData<StringRef>()[row] = result.AddString({state.slots, state.size});
    return state.seen;
  }
  void Finish() {}

  static void Update(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                     std::byte** states) {
    AddRows(call, arguments[0], count, [&](size_t row) -> State& { return StateAt<State>(states[row]); });
  }
  static void UpdateSingle(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                           std::byte* state) {
    AddRows(call, arguments[0], count, [&](size_t) -> State& { return StateAt<State>(state); });
  }

 private:
  static constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

  template <typename GetState>
  static void AddRows(const AggregateCall& call, Vector& values, size_t count, GetState&& get_state) {
    ArrayAgg aggregate(call);
    const LogicalType type = values.type();
    const SlotAppender append = FindSlotAppender(type);
    const UnifiedView view = values.View(count);
    std::string slot;
    for (size_t row = 0; row < count; row++) {
      slot.clear();
      append(type, view, row, slot);
      aggregate.Add(get_state(row), slot);
    }
  }

  /// Capacity doubles, so all outgrown copies together are no larger than the last.
  void Grow(State& state, uint64_t size) {
    if (size > kMaxBytes) {
      ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
                 "array_agg: the list takes more than 1 GiB; aggregate fewer or smaller values");
    }
    const uint64_t capacity = std::max({size, state.capacity * 2, uint64_t{64}});
    char* slots = reinterpret_cast<char*>(arena_.Allocate(capacity, 1));
    if (state.size > 0) std::memcpy(slots, state.slots, state.size);
    state.slots = slots;
    state.capacity = capacity;
  }

  Arena& arena_;
};

std::unique_ptr<FunctionData> Bind(AggregateFunction& function, std::span<const BindArgument> arguments) {
  function.return_type = LogicalType::List(SettleAnyArgument(function, arguments, 0));
  return nullptr;
}

}  // namespace

void AddArrayAgg(AggregateList& list) {
  for (const auto& [name, example] : {std::pair("array_agg", "array_agg(x)"), std::pair("list", "list(x)")}) {
    AggregateFunction function = MakeAggregate(name, {TypeId::kNull}, LogicalType::List(TypeId::kNull),
                                               "All x, NULLs too, as a list.", example);
    AggregateBase<ArrayAgg>::Fill(function);
    function.update = ArrayAgg::Update;
    function.update_single = ArrayAgg::UpdateSingle;
    function.bind = Bind;
    function.any_types = true;
    list.push_back(function);
  }
}

}  // namespace scaup
