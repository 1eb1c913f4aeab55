// min and max over every type.
#include <limits>
#include <optional>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/kept_value.hpp"
#include "function/aggregate/value_order.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/kernel_type.hpp"

namespace scaup {
namespace {

/// Returns `a` if it is less (kMax: greater), else `b`; for equal values `b`.
template <typename T, bool kMax>
T Better(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (kMax) return a > b || std::isnan(a) ? a : b;
    return a < b || std::isnan(b) ? a : b;
  } else {
    if constexpr (kMax) return a > b ? a : b;
    return a < b ? a : b;
  }
}

/// The value that no other value is worse than. As the empty state, it makes checks for emptiness
/// unnecessary.
template <typename T, bool kMax>
constexpr T WorstValue() {
  if constexpr (std::is_floating_point_v<T>) {
    return kMax ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::quiet_NaN();
  } else if constexpr (sizeof(T) == 16) {  // numeric_limits does not know 128-bit integers in strict mode
    constexpr auto kGreatest = static_cast<T>(~static_cast<uint128_t>(0) >> 1);
    return kMax ? -kGreatest - 1 : kGreatest;
  } else {
    return kMax ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
}

/// For numbers, and all types stored as numbers. After RetargetAggregate the result may be a wider integer
/// than the input.
template <typename T, bool kMax>
class NumericExtreme {
 public:
  using Input = T;
  static constexpr bool kIsPlain = true;
  struct State {
    T value = WorstValue<T, kMax>();
    bool seen = false;
  };
  explicit NumericExtreme(const AggregateCall& call) : call_(call) {}

  void Add(State& state, const T& value) {
    state.value = Better<T, kMax>(value, state.value);
    state.seen = true;
  }
  void AddFlat(State& state, const T* values, size_t count) {
    constexpr std::optional<KernelType> kernel = KernelTypeOf<T>();
    if constexpr (kernel.has_value()) {
      T least, greatest;
      call_.context.kernels.min_max[static_cast<size_t>(*kernel)](values, count, &least, &greatest);
      Add(state, kMax ? greatest : least);
    } else {
      T best = values[0];  // in a register, not in the state
      for (size_t row = 1; row < count; row++) best = Better<T, kMax>(values[row], best);
      Add(state, best);
    }
  }
  void AddRepeated(State& state, const T& value, size_t) { Add(state, value); }
  void Combine(State& target, const State& source) {
    if (source.seen) Add(target, source.value);
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (!state.seen) return false;
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
      StoreWidened(state.value, result, row);
    } else {
      result.MutableData<T>()[row] = state.value;
    }
    return true;
  }
  void Finish() {}

 private:
  static void StoreWidened(T value, Vector& result, size_t row) {
    switch (PhysicalSize(result.physical_type())) {
      case 1: result.MutableData<int8_t>()[row] = static_cast<int8_t>(value); return;
      case 2: result.MutableData<int16_t>()[row] = static_cast<int16_t>(value); return;
      case 4: result.MutableData<int32_t>()[row] = static_cast<int32_t>(value); return;
      case 8: result.MutableData<int64_t>()[row] = static_cast<int64_t>(value); return;
      default: result.MutableData<int128_t>()[row] = value; return;
    }
  }

  const AggregateCall& call_;
};

/// For strings and intervals.
template <typename T, bool kMax>
class GeneralExtreme {
 public:
  using Input = T;
  struct State {
    KeptValue<T> best;
    bool seen = false;
  };
  explicit GeneralExtreme(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, const T& value) {
    if (!IsBetter(state, value)) return;
    state.best.Set(value, arena_);
    state.seen = true;
  }
  void AddRepeated(State& state, const T& value, size_t) { Add(state, value); }
  void Combine(State& target, const State& source) {
    if (!source.seen || !IsBetter(target, source.best.value)) return;
    target.best.Adopt(source.best);
    target.seen = true;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.seen) state.best.Store(result, row);
    return state.seen;
  }
  void Finish() {}

 private:
  static bool IsBetter(const State& state, const T& value) {
    if (!state.seen) return true;
    return kMax ? OrderedBefore(state.best.value, value) : OrderedBefore(value, state.best.value);
  }

  Arena& arena_;
};

template <bool kMax>
void Pick(AggregateFunction& function, PhysicalType physical) {
  VisitPhysicalType(physical, [&]<typename T>() {
    if constexpr (std::is_same_v<T, StringRef> || std::is_same_v<T, Interval>) {
      UnaryAggregate<GeneralExtreme<T, kMax>>::Fill(function);
    } else {
      UnaryAggregate<NumericExtreme<T, kMax>>::Fill(function);
    }
  });
}

std::unique_ptr<FunctionData> BindMinMax(AggregateFunction& function,
                                         std::span<const BindArgument> arguments) {
  function.return_type = SettleAnyArgument(function, arguments, 0);
  PickMinMax(function, function.argument_types[0]);
  return nullptr;
}

}  // namespace

void PickMinMax(AggregateFunction& function, const LogicalType& argument) {
  SCAUP_ASSERT(function.name == "min" || function.name == "max");
  if (function.name == "max") return Pick<true>(function, PhysicalTypeOf(argument));
  Pick<false>(function, PhysicalTypeOf(argument));
}

void AddMinMax(AggregateList& list) {
  AggregateFunction least =
      MakeAggregate("min", {TypeId::kNull}, TypeId::kNull, "The least x that is not NULL.", "min(x)");
  least.any_types = true;
  least.ignores_duplicates = true;
  least.bind = BindMinMax;
  list.push_back(least);
  AggregateFunction greatest =
      MakeAggregate("max", {TypeId::kNull}, TypeId::kNull, "The greatest x that is not NULL.", "max(x)");
  greatest.any_types = true;
  greatest.ignores_duplicates = true;
  greatest.bind = BindMinMax;
  list.push_back(greatest);
}

}  // namespace scaup
