// array_agg, also called list: all values as a list, including NULLs.
#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/collected_values.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {
namespace {

class ArrayAgg {
 public:
  /// The slots of the list.
  struct State {
    CollectedValues<char> slots;
    bool seen = false;
  };
  explicit ArrayAgg(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, std::string_view slots) {
    CheckSize(state.slots.count() + slots.size());
    state.slots.AddAll(slots.data(), slots.size(), arena_);
    state.seen = true;
  }
  void Combine(State& target, const State& source) {
    CheckSize(target.slots.count() + source.slots.count());
    target.slots.Join(source.slots, arena_);
    target.seen = target.seen || source.seen;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.seen) result.MutableData<StringRef>()[row] = StoreBytes(state.slots, 0, result, pending_);
    return state.seen;
  }
  void Finish() {}
  static CollectedValues<char>& BytesOf(State& state) { return state.slots; }

 private:
  friend struct RowAggregate<ArrayAgg>;

  static constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    Vector& values = arguments[0];
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

  static void CheckSize(uint64_t size) {
    if (size > kMaxBytes) {
      ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
                 "array_agg: the list takes more than 1 GiB; aggregate fewer or smaller values");
    }
  }

  Arena& arena_;
  std::vector<const void*> pending_;
};

std::unique_ptr<FunctionData> BindArrayAgg(AggregateFunction& function,
                                           std::span<const BindArgument> arguments) {
  function.return_type = LogicalType::List(SettleAnyArgument(function, arguments, 0));
  return nullptr;
}

}  // namespace

void AddArrayAgg(AggregateList& list) {
  for (const auto& [name, example] : {std::pair("array_agg", "array_agg(x)"), std::pair("list", "list(x)")}) {
    AggregateFunction function = MakeAggregate(name, {TypeId::kNull}, LogicalType::List(TypeId::kNull),
                                               "All x, NULLs too, as a list.", example);
    RowAggregate<ArrayAgg>::Fill(function);
    RetainedBytes<ArrayAgg>::Fill(function);
    function.bind = BindArrayAgg;
    function.any_types = true;
    list.push_back(function);
  }
}

}  // namespace scaup
