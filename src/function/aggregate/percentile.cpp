// percentile_cont, percentile_disc, quantile_cont, quantile_disc, median and mad: values at a fraction of the
// way through a group in order.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/collected_values.hpp"
#include "function/aggregate/value_order.hpp"
#include "type/date_time.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

/// Whether the group is taken in descending order; only calls with WITHIN GROUP have it.
struct PercentileData final : FunctionData {
  bool is_descending = false;
};

/// Between two neighbours, or one of them when they are the same.
double Interpolate(double low, double high, double part) {
  return part == 0 || low == high ? low : low + part * (high - low);
}
int64_t Interpolate(int64_t low, int64_t high, double part) {
  if (part == 0 || IsInfiniteTimestamp(low) || IsInfiniteTimestamp(high)) return low;
  return low + static_cast<int64_t>(std::rint(part * (static_cast<double>(high) - static_cast<double>(low))));
}

/// What the aggregates of this file share: they keep all values, and look at the end.
template <typename T>
class OfAllValues {
 public:
  struct State {
    CollectedValues<T> values;
    double fraction = 0.5;
    bool fraction_is_null = false;
  };
  explicit OfAllValues(const AggregateCall& call)
      : arena_(call.arena),
        scratch_(&call.context.memory),
        data_(static_cast<const PercentileData*>(call.data)) {}

  void Combine(State& target, const State& source) {
    if (source.values.count() == 0) return;
    target.values.Join(source.values, arena_);
    target.fraction = source.fraction;
    target.fraction_is_null = source.fraction_is_null;
  }
  void Finish() {}

  /// The second argument, if there is one, is the fraction: the same in all rows of a group.
  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    if (arguments.size() < 2 || arguments[1].type() != TypeId::kDouble) {
      ForEachValid<T>(arguments[0], count,
                      [&](size_t row, const T& value) { get_state(row).values.Add(value, call.arena); });
      return;
    }
    const auto fractions = arguments[1].ViewAs<double>(count);
    ForEachValid<T>(arguments[0], count, [&](size_t row, const T& value) {
      State& state = get_state(row);
      state.values.Add(value, call.arena);
      state.fraction_is_null = !fractions.IsValid(row);
      if (!state.fraction_is_null) state.fraction = fractions[row];
    });
  }
  static void Update(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                     std::byte** states) {
    AddRows(call, arguments, count, [&](size_t row) -> State& { return StateAt<State>(states[row]); });
  }
  static void UpdateSingle(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                           std::byte* state) {
    AddRows(call, arguments, count, [&](size_t) -> State& { return StateAt<State>(state); });
  }

 protected:
  static bool Before(const T& a, const T& b) { return OrderedBefore(a, b); }
  bool is_descending() const { return data_ != nullptr && data_->is_descending; }

  /// All values, in scratch memory, until the next call.
  T* Gather(const State& state) {
    scratch_.Reset();
    return state.values.Gather(scratch_, pending_);
  }
  static double CheckFraction(double fraction) {
    if (!(fraction >= 0 && fraction <= 1)) {
      ThrowOutOfRange(fmt::format("percentile value {} is not between 0 and 1", fraction));
    }
    return fraction;
  }
  /// The value at `index`, from 0, in ascending order. What comes before it in memory is no greater then.
  static const T& Nth(T* values, uint64_t count, uint64_t index) {
    std::nth_element(values, values + index, values + count, Before);
    return values[index];
  }
  /// Between the values around `position`, from 0, of a bag of `count`.
  static T ValueAt(T* values, uint64_t count, double position) {
    const auto low_index = static_cast<uint64_t>(std::floor(position));
    const T low = Nth(values, count, low_index);
    const double part = position - std::floor(position);
    if (part == 0 || low_index + 1 == count) return low;
    const T high = *std::min_element(values + low_index + 1, values + count, Before);
    return Interpolate(low, high, part);
  }

  Arena& arena_;
  Arena scratch_;
  std::vector<const void*> pending_;
  const PercentileData* data_;
};

template <typename T>
class Continuous : public OfAllValues<T> {
 public:
  using State = typename OfAllValues<T>::State;
  using OfAllValues<T>::OfAllValues;
  bool Finalize(const State& state, Vector& result, size_t row) {
    const uint64_t count = state.values.count();
    if (count == 0 || state.fraction_is_null) return false;
    double position = this->CheckFraction(state.fraction) * static_cast<double>(count - 1);
    if (this->is_descending()) position = static_cast<double>(count - 1) - position;
    result.MutableData<T>()[row] = this->ValueAt(this->Gather(state), count, position);
    return true;
  }
};

/// The first value at or behind the fraction.
template <typename T>
class Discrete : public OfAllValues<T> {
 public:
  using State = typename OfAllValues<T>::State;
  using OfAllValues<T>::OfAllValues;
  bool Finalize(const State& state, Vector& result, size_t row) {
    const uint64_t count = state.values.count();
    if (count == 0 || state.fraction_is_null) return false;
    const double place = std::ceil(this->CheckFraction(state.fraction) * static_cast<double>(count));
    uint64_t index = place < 1 ? 0 : std::min(static_cast<uint64_t>(place), count) - 1;
    if (this->is_descending()) index = count - 1 - index;
    const T& value = this->Nth(this->Gather(state), count, index);
    if constexpr (std::is_same_v<T, StringRef>) {
      result.MutableData<StringRef>()[row] = result.AddString(value.view());
    } else {
      result.MutableData<T>()[row] = value;
    }
    return true;
  }
};

/// The median of the distances from the median.
class MedianDeviation : public OfAllValues<double> {
 public:
  using OfAllValues<double>::OfAllValues;
  bool Finalize(const State& state, Vector& result, size_t row) {
    const uint64_t count = state.values.count();
    if (count == 0) return false;
    const double middle = static_cast<double>(count - 1) / 2;
    double* values = Gather(state);
    const double median = ValueAt(values, count, middle);
    for (uint64_t i = 0; i < count; i++) values[i] = std::fabs(values[i] - median);
    result.MutableData<double>()[row] = ValueAt(values, count, middle);
    return true;
  }
};

template <typename A>
void Fill(AggregateFunction& function) {
  AggregateBase<A>::Fill(function);
  function.update = A::Update;
  function.update_single = A::UpdateSingle;
}

/// The order that WITHIN GROUP gives, its last argument.
std::unique_ptr<FunctionData> KeepOrder(AggregateFunction& function,
                                        std::span<const BindArgument> arguments) {
  auto data = std::make_unique<PercentileData>();
  const Value* descending = function.is_ordered_set ? arguments.back().constant : nullptr;
  data->is_descending = descending != nullptr && !descending->is_null() && descending->GetBoolean();
  return data;
}

std::unique_ptr<FunctionData> BindDiscrete(AggregateFunction& function,
                                           std::span<const BindArgument> arguments) {
  function.return_type = SettleAnyArgument(function, arguments, 0);
  VisitPhysicalType(PhysicalTypeOf(function.return_type), [&]<typename T>() { Fill<Discrete<T>>(function); });
  return KeepOrder(function, arguments);
}

void AddContinuous(AggregateList& list, const char* name, bool has_fraction, bool is_ordered_set,
                   const char* description, const char* example) {
  for (const TypeId type : {TypeId::kDouble, TypeId::kTimestamp}) {
    std::vector<LogicalType> types = {type};
    if (has_fraction) types.push_back(TypeId::kDouble);
    if (is_ordered_set) types.push_back(TypeId::kBoolean);
    AggregateFunction function = MakeAggregate(name, std::move(types), type, description, example);
    type == TypeId::kDouble ? Fill<Continuous<double>>(function) : Fill<Continuous<int64_t>>(function);
    function.bind = KeepOrder;
    function.is_ordered_set = is_ordered_set;
    list.push_back(function);
  }
}

void AddDiscrete(AggregateList& list, const char* name, bool is_ordered_set, const char* description,
                 const char* example) {
  std::vector<LogicalType> types = {TypeId::kNull, TypeId::kDouble};
  if (is_ordered_set) types.push_back(TypeId::kBoolean);
  AggregateFunction function = MakeAggregate(name, std::move(types), TypeId::kNull, description, example);
  function.any_types = true;
  function.bind = BindDiscrete;
  function.is_ordered_set = is_ordered_set;
  list.push_back(function);
}

}  // namespace

void AddPercentile(AggregateList& list) {
  AddContinuous(
      list, "percentile_cont", true, true,
      "The value at a fraction of the way through a group in order, between two where none is there.",
      "percentile_cont(0.25) WITHIN GROUP (ORDER BY x)");
  AddDiscrete(list, "percentile_disc", true, "The first value at or behind a fraction of a group in order.",
              "percentile_disc(0.25) WITHIN GROUP (ORDER BY x)");
  for (const char* name : {"quantile_cont"}) {
    AddContinuous(list, name, true, false,
                  "The value at a fraction of all x in order, between two where none is there.",
                  "quantile_cont(x, 0.25)");
  }
  for (const char* name : {"quantile_disc", "quantile"}) {
    AddDiscrete(list, name, false, "The first value at or behind a fraction of all x in order.",
                "quantile_disc(x, 0.25)");
  }
  AddContinuous(list, "median", false, false, "The value in the middle, or between the two there.",
                "median(x)");
  AggregateFunction mad = MakeAggregate("mad", {TypeId::kDouble}, TypeId::kDouble,
                                        "The median of the distances from the median.", "mad(x)");
  Fill<MedianDeviation>(mad);
  list.push_back(mad);
}

}  // namespace scaup
