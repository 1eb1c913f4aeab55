// percentile_cont, percentile_disc, quantile_cont, quantile_disc, median and mad.
#include <fmt/format.h>

#include <cmath>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/percentile_states.hpp"

namespace scaup {

void percentile::ThrowBadFraction(double fraction) {
  ThrowOutOfRange(fmt::format("percentile value {} is not between 0 and 1", fraction));
}

std::unique_ptr<FunctionData> percentile::KeepOrder(AggregateFunction& function,
                                                    std::span<const BindArgument> arguments) {
  auto data = std::make_unique<PercentileData>();
  const Value* descending = function.is_ordered_set ? arguments.back().constant : nullptr;
  data->is_descending = descending != nullptr && !descending->is_null() && descending->GetBoolean();
  return data;
}

namespace {

using percentile::AtEachFraction;
using percentile::AtFraction;
using percentile::BindDiscrete;
using percentile::Fill;
using percentile::KeepOrder;

/// The median absolute deviation: the median of the distances from the median.
class MedianDeviation : public percentile::OfAllValues<double, true> {
 public:
  struct State : percentile::OfAllValues<double, true>::State {
    double median = 0;
    bool has_median = false;  ///< for rows retained elsewhere: from now on, distances arrive
  };
  using percentile::OfAllValues<double, true>::OfAllValues;
  bool Finalize(const State& state, Vector& result, size_t row) {
    const uint64_t count = state.count();
    if (count == 0) return false;
    const ValuePlace middle = PlaceOf(count, state.fraction);
    if (state.apart != nullptr) {
      Store(Between(state.apart->found, middle), result, row);
      return true;
    }
    double* values = Gather(state.values);
    const double median = ValueAt(values, count, middle);
    for (uint64_t i = 0; i < count; i++) values[i] = std::fabs(values[i] - median);
    Store(ValueAt(values, count, middle), result, row);
    return true;
  }

  /// Replaces the values by their distances from the median.
  static void Change(const AggregateCall& call, std::span<Vector> rows, size_t count, std::byte** states) {
    const MedianDeviation aggregate(call);
    Vector distances(rows[0].type());
    distances.Reset();
    double* out = distances.MutableData<double>();
    const auto values = rows[0].ViewAs<double>(count);
    for (size_t row = 0; row < count; row++) {
      if (!values.IsValid(row)) {
        distances.SetNull(row);
        continue;
      }
      auto& state = StateAt<State>(states[row]);
      if (!state.has_median) {
        const ValuePlace middle = aggregate.PlaceOf(state.apart->count, state.fraction);
        state.median = Between(state.apart->found, middle);
        state.has_median = true;
        state.apart->seen_count = 0;
      }
      out[row] = std::fabs(values[row] - state.median);
    }
    rows[0] = std::move(distances);
  }
};

void AddContinuous(AggregateList& list, const char* name, bool has_fraction, bool is_ordered_set,
                   const char* description, const char* example) {
  for (const TypeId type : {TypeId::kDouble, TypeId::kTimestamp}) {
    std::vector<LogicalType> types = {type};
    if (has_fraction) types.push_back(TypeId::kDouble);
    if (is_ordered_set) types.push_back(TypeId::kBoolean);
    AggregateFunction function = MakeAggregate(name, std::move(types), type, description, example);
    type == TypeId::kDouble ? Fill<AtFraction<double, true>>(function)
                            : Fill<AtFraction<int64_t, true>>(function);
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

/// Adds percentile_cont and percentile_disc with a list of fractions.
void AddOfLists(AggregateList& list) {
  const LogicalType fractions = LogicalType::List(TypeId::kDouble);
  for (const TypeId type : {TypeId::kDouble, TypeId::kTimestamp}) {
    AggregateFunction function =
        MakeAggregate("percentile_cont", {type, fractions, TypeId::kBoolean}, LogicalType::List(type),
                      "The values at each of some fractions of the way through a group in order.",
                      "percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY x)");
    type == TypeId::kDouble ? Fill<AtEachFraction<double, true>>(function)
                            : Fill<AtEachFraction<int64_t, true>>(function);
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
