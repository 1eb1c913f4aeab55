// arg_min and arg_max: the x of the row with the least or greatest y.
#include <cstring>

#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/kept_value.hpp"
#include "function/aggregate/value_order.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

/// The storage of x. Templates are over y's type only: x is merely copied, so its size suffices.
class ArgumentLayout : public FunctionData {
 public:
  explicit ArgumentLayout(PhysicalType type)
      : size_bytes(PhysicalSize(type)), is_string(type == PhysicalType::kString) {}
  const size_t size_bytes;
  const bool is_string;
};

/// Skips rows where x or y is NULL. Of rows with equal y, the first one added wins.
template <typename Y, bool kMax>
class ArgExtreme {
 public:
  struct State {
    KeptValue<Y> y;
    KeptValue<StringRef> x;  ///< for other types, their bytes are in x.value
    bool seen = false;
  };
  explicit ArgExtreme(const AggregateCall& call)
      : arena_(call.arena), layout_(static_cast<const ArgumentLayout&>(*call.data)) {}

  void Combine(State& target, const State& source) {
    if (!source.seen || !IsBetter(target, source.y.value)) return;
    target.y.Adopt(source.y);
    target.x.Adopt(source.x);
    target.seen = true;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (!state.seen) return false;
    if (layout_.is_string) {
      state.x.Store(result, row);
    } else {
      std::memcpy(result.MutableData<std::byte>() + row * layout_.size_bytes, &state.x.value,
                  layout_.size_bytes);
    }
    return true;
  }
  void Finish() {}

 private:
  friend struct RowAggregate<ArgExtreme>;

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    if (arguments[0].is_null_constant() || arguments[1].is_null_constant()) return;
    ArgExtreme aggregate(call);
    const UnifiedView xs = arguments[0].View(count);
    const auto ys = arguments[1].ViewAs<Y>(count);
    for (size_t row = 0; row < count; row++) {
      if (!ys.IsValid(row) || !xs.IsValid(row)) continue;
      State& state = get_state(row);
      if (!IsBetter(state, ys[row])) continue;
      state.y.Set(ys[row], aggregate.arena_);
      aggregate.SetArgument(state, xs.data + xs.selection[row] * aggregate.layout_.size_bytes);
      state.seen = true;
    }
  }

  static bool IsBetter(const State& state, const Y& y) {
    if (!state.seen) return true;
    return kMax ? OrderedBefore(state.y.value, y) : OrderedBefore(y, state.y.value);
  }

  void SetArgument(State& state, const std::byte* x) {
    if (layout_.is_string) {
      state.x.Set(*reinterpret_cast<const StringRef*>(x), arena_);
    } else {
      std::memcpy(static_cast<void*>(&state.x.value), x, layout_.size_bytes);
    }
  }

  Arena& arena_;
  const ArgumentLayout& layout_;
};

template <bool kMax>
std::unique_ptr<FunctionData> BindArgMinMax(AggregateFunction& function,
                                            std::span<const BindArgument> arguments) {
  function.return_type = SettleAnyArgument(function, arguments, 0);
  const PhysicalType y_type = PhysicalTypeOf(SettleAnyArgument(function, arguments, 1));
  VisitPhysicalType(y_type, [&]<typename Y>() { RowAggregate<ArgExtreme<Y, kMax>>::Fill(function); });
  return std::make_unique<ArgumentLayout>(PhysicalTypeOf(function.return_type));
}

}  // namespace

void AddArgMinMax(AggregateList& list) {
  const auto add = [&](const char* name, const char* description, const std::string& example,
                       AggregateBind bind) {
    list.push_back(
        MakeAggregate(name, {TypeId::kNull, TypeId::kNull}, TypeId::kNull, description, example.c_str()));
    list.back().any_types = true;
    list.back().ignores_duplicates = true;
    list.back().bind = bind;
  };
  for (const char* name : {"arg_min", "min_by", "argmin"}) {
    add(name, "The x of the row with the least y; rows with a NULL are left out.",
        std::string(name) + "(x, y)", BindArgMinMax<false>);
  }
  for (const char* name : {"arg_max", "max_by", "argmax"}) {
    add(name, "The x of the row with the greatest y; rows with a NULL are left out.",
        std::string(name) + "(x, y)", BindArgMinMax<true>);
  }
}

}  // namespace scaup
