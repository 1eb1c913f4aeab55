// percentile_cont, percentile_disc (of one fraction or of a list), quantile_cont, quantile_disc, median and
// mad: values at a fraction of the way through a group in order.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/collected_values.hpp"
#include "function/aggregate/value_order.hpp"
#include "type/date_time.hpp"
#include "type/packed_value.hpp"
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
  T* Gather(const CollectedValues<T>& values) {
    scratch_.Reset();
    return values.Gather(scratch_, pending_);
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

/// The value at the fraction, or between its two neighbours.
template <typename T>
class Continuous : public OfAllValues<T> {
 public:
  using Element = T;
  using State = typename OfAllValues<T>::State;
  using OfAllValues<T>::OfAllValues;
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.values.count() == 0 || state.fraction_is_null) return false;
    result.MutableData<T>()[row] = At(this->Gather(state.values), state.values.count(), state.fraction);
    return true;
  }

 protected:
  T At(T* values, uint64_t count, double fraction) const {
    double position = this->CheckFraction(fraction) * static_cast<double>(count - 1);
    if (this->is_descending()) position = static_cast<double>(count - 1) - position;
    return this->ValueAt(values, count, position);
  }
};

/// The first value at or behind the fraction.
template <typename T>
class Discrete : public OfAllValues<T> {
 public:
  using Element = T;
  using State = typename OfAllValues<T>::State;
  using OfAllValues<T>::OfAllValues;
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.values.count() == 0 || state.fraction_is_null) return false;
    const T& value = At(this->Gather(state.values), state.values.count(), state.fraction);
    if constexpr (std::is_same_v<T, StringRef>) {
      result.MutableData<StringRef>()[row] = result.AddString(value.view());
    } else {
      result.MutableData<T>()[row] = value;
    }
    return true;
  }

 protected:
  const T& At(T* values, uint64_t count, double fraction) const {
    const double place = std::ceil(this->CheckFraction(fraction) * static_cast<double>(count));
    uint64_t index = place < 1 ? 0 : std::min(static_cast<uint64_t>(place), count) - 1;
    if (this->is_descending()) index = count - 1 - index;
    return this->Nth(values, count, index);
  }
};

/// A list of fractions in the place of one: what `A` gives for each of them, as a list.
template <typename A>
class AtEachFraction : public A {
 public:
  using Element = typename A::Element;
  struct State {
    CollectedValues<Element> values;
    StringRef fractions;  ///< a list's slots
    bool knows_fractions = false;
    bool fractions_are_null = false;
  };
  using A::A;

  void Combine(State& target, const State& source) {
    if (source.values.count() == 0) return;
    target.values.Join(source.values, this->arena_);
    target.fractions = source.fractions;
    target.knows_fractions = source.knows_fractions;
    target.fractions_are_null = source.fractions_are_null;
  }

  bool Finalize(const State& state, Vector& result, size_t row) {
    const uint64_t count = state.values.count();
    if (count == 0 || state.fractions_are_null) return false;
    const LogicalType element = result.type().element();
    Element* values = this->Gather(state.values);
    slots_.clear();
    for (std::string_view rest = state.fractions.view(); !rest.empty();) {
      const std::string_view fraction = TakeSlot(TypeId::kDouble, rest);
      if (IsNullSlot(fraction)) {
        AppendNullSlot(element, slots_);
      } else {
        Append(element, this->At(values, count, ReadFixedSlot<double>(fraction)));
      }
    }
    result.MutableData<StringRef>()[row] = result.AddString(slots_);
    return true;
  }

  static void Update(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                     std::byte** states) {
    AddRows(call, arguments, count, [&](size_t row) -> State& { return StateAt<State>(states[row]); });
  }
  static void UpdateSingle(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                           std::byte* state) {
    AddRows(call, arguments, count, [&](size_t) -> State& { return StateAt<State>(state); });
  }

 private:
  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    const auto fractions = arguments[1].ViewAs<StringRef>(count);
    ForEachValid<Element>(arguments[0], count, [&](size_t row, const Element& value) {
      State& state = get_state(row);
      state.values.Add(value, call.arena);
      if (state.knows_fractions) return;  // They are the same in all rows of a group.
      state.knows_fractions = true;
      state.fractions_are_null = !fractions.IsValid(row);
      if (!state.fractions_are_null) state.fractions = KeepString(fractions[row], call.arena);
    });
  }

  void Append(const LogicalType& type, const Element& value) {
    if constexpr (!std::is_same_v<Element, StringRef>) {
      AppendFixedSlot(value, slots_);
    } else if (type.IsNested()) {
      AppendNestedSlot(type, value.view(), slots_);
    } else {
      AppendStringSlot(value.view(), slots_);
    }
  }

  std::string slots_;
};

/// The median of the distances from the median.
class MedianDeviation : public OfAllValues<double> {
 public:
  using OfAllValues<double>::OfAllValues;
  bool Finalize(const State& state, Vector& result, size_t row) {
    const uint64_t count = state.values.count();
    if (count == 0) return false;
    const double middle = static_cast<double>(count - 1) / 2;
    double* values = Gather(state.values);
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
  const LogicalType& type = SettleAnyArgument(function, arguments, 0);
  const bool takes_list = function.argument_types[1].id() == TypeId::kList;
  function.return_type = takes_list ? LogicalType::List(type) : type;
  VisitPhysicalType(PhysicalTypeOf(type), [&]<typename T>() {
    takes_list ? Fill<AtEachFraction<Discrete<T>>>(function) : Fill<Discrete<T>>(function);
  });
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

/// percentile_cont and percentile_disc of a list of fractions.
void AddOfLists(AggregateList& list) {
  const LogicalType fractions = LogicalType::List(TypeId::kDouble);
  for (const TypeId type : {TypeId::kDouble, TypeId::kTimestamp}) {
    AggregateFunction function =
        MakeAggregate("percentile_cont", {type, fractions, TypeId::kBoolean}, LogicalType::List(type),
                      "The values at each of some fractions of the way through a group in order.",
                      "percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY x)");
    type == TypeId::kDouble ? Fill<AtEachFraction<Continuous<double>>>(function)
                            : Fill<AtEachFraction<Continuous<int64_t>>>(function);
    function.bind = KeepOrder;
    function.is_ordered_set = true;
    list.push_back(function);
  }
  AggregateFunction function =
      MakeAggregate("percentile_disc", {TypeId::kNull, fractions, TypeId::kBoolean}, TypeId::kNull,
                    "The first values at or behind each of some fractions of a group in order.",
                    "percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY x)");
  function.any_types = true;
  function.bind = BindDiscrete;
  function.is_ordered_set = true;
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
  AddOfLists(list);
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
