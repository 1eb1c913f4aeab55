// skewness, kurtosis, kurtosis_pop and sem of DOUBLE, and count_if.
#include <cmath>

#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/finite_measure.hpp"

namespace scaup {
namespace {

enum class Moment { kSkewness, kKurtosis, kKurtosisPop, kStandardError };

/// Central moments, updated incrementally and merged without losing precision when the mean is large (Pebay,
/// 2008).
template <Moment kMoment>
class Moments {
 public:
  using Input = double;
  struct State {
    uint64_t count = 0;
    double mean = 0;
    double second = 0, third = 0, fourth = 0;  ///< sums of powers of the distance from the mean
  };
  explicit Moments(const AggregateCall&) {}

  void Add(State& state, const double& value) {
    State single;
    single.count = 1;
    single.mean = value;
    Combine(state, single);
  }
  void Combine(State& target, const State& source) {
    if (source.count == 0) return;
    if (target.count == 0) {
      target = source;
      return;
    }
    const double a = static_cast<double>(target.count), b = static_cast<double>(source.count), n = a + b;
    const double distance = source.mean - target.mean, part = distance / n;
    State joined;
    joined.count = target.count + source.count;
    joined.mean = target.mean + part * b;
    joined.second = target.second + source.second + distance * part * a * b;
    joined.third = target.third + source.third + distance * part * part * a * b * (a - b) +
                   3 * part * (a * source.second - b * target.second);
    joined.fourth = target.fourth + source.fourth +
                    distance * part * part * part * a * b * (a * a - a * b + b * b) +
                    6 * part * part * (a * a * source.second + b * b * target.second) +
                    4 * part * (a * source.third - b * target.third);
    target = joined;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    constexpr uint64_t kLeast[] = {3, 4, 2, 1};
    if (state.count < kLeast[static_cast<size_t>(kMoment)]) return false;
    const double n = static_cast<double>(state.count);
    const double variance = state.second / n;
    FiniteMeasure(variance, state.mean);
    // The shape of a constant distribution is undefined.
    if (variance == 0 && kMoment != Moment::kStandardError) return false;
    double value = 0;
    switch (kMoment) {
      case Moment::kSkewness:
        value = std::sqrt(n * (n - 1)) / (n - 2) * (state.third / n) / std::pow(variance, 1.5);
        break;
      case Moment::kKurtosis:
        value = (n - 1) / ((n - 2) * (n - 3)) *
                ((n + 1) * (state.fourth / n) / (variance * variance) - 3 * (n - 1));
        break;
      case Moment::kKurtosisPop: value = state.fourth / n / (variance * variance) - 3; break;
      case Moment::kStandardError: value = std::sqrt(variance) / std::sqrt(n); break;
    }
    result.MutableData<double>()[row] = FiniteMeasure(value, state.mean);
    return true;
  }
  void Finish() {}
};

class CountIf {
 public:
  using Input = uint8_t;
  struct State {
    int64_t count = 0;
  };
  explicit CountIf(const AggregateCall&) {}
  void Add(State& state, const uint8_t& value) { state.count += value; }
  void AddRepeated(State& state, const uint8_t& value, size_t count) {
    if (value != 0) state.count += static_cast<int64_t>(count);
  }
  void Combine(State& target, const State& source) { target.count += source.count; }
  bool Finalize(const State& state, Vector& result, size_t row) {
    result.MutableData<int64_t>()[row] = state.count;
    return true;
  }
  void Finish() {}
};

}  // namespace

void AddMoments(AggregateList& list) {
  const auto add = [&](const char* name, TypeId argument, TypeId type, void (*fill)(AggregateFunction&),
                       const char* description, const char* example) {
    list.push_back(MakeAggregate(name, {argument}, type, description, example));
    fill(list.back());
  };
  constexpr TypeId kDouble = TypeId::kDouble;
  add("skewness", kDouble, kDouble, UnaryAggregate<Moments<Moment::kSkewness>>::Fill,
      "How far the values lean to one side, for a sample.", "skewness(x)");
  add("kurtosis", kDouble, kDouble, UnaryAggregate<Moments<Moment::kKurtosis>>::Fill,
      "How heavy the tails are, beyond the normal distribution's, for a sample.", "kurtosis(x)");
  add("kurtosis_pop", kDouble, kDouble, UnaryAggregate<Moments<Moment::kKurtosisPop>>::Fill,
      "How heavy the tails are, beyond the normal distribution's, for a whole population.",
      "kurtosis_pop(x)");
  add("sem", kDouble, kDouble, UnaryAggregate<Moments<Moment::kStandardError>>::Fill,
      "The standard error of the mean.", "sem(x)");
  add("count_if", TypeId::kBoolean, TypeId::kBigInt, UnaryAggregate<CountIf>::Fill,
      "The number of rows where the condition is true.", "count_if(x > 1)");
}

}  // namespace scaup
