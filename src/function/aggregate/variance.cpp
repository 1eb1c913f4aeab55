// Variance and standard deviation by Welford's method, which does not lose precision when the mean is large.
#include <cmath>

#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/finite_measure.hpp"

namespace scaup {
namespace {

/// `kSample` divides by count - 1 instead of count; `kRoot` yields the standard deviation.
template <bool kSample, bool kRoot>
class Variance {
 public:
  using Input = double;
  struct State {
    double mean = 0;
    double squares = 0;  ///< the sum of squared distances from the mean
    uint64_t count = 0;
  };
  explicit Variance(const AggregateCall&) {}

  void Add(State& state, const double& value) {
    state.count++;
    const double distance = value - state.mean;
    state.mean += distance / static_cast<double>(state.count);
    state.squares += distance * (value - state.mean);
  }
  void Combine(State& target, const State& source) {
    if (source.count == 0) return;
    if (target.count == 0) {
      target = source;
      return;
    }
    const double a = static_cast<double>(target.count), b = static_cast<double>(source.count);
    const double distance = source.mean - target.mean;
    target.mean += distance * (b / (a + b));
    target.squares += source.squares + distance * distance * (a * b / (a + b));
    target.count += source.count;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.count < (kSample ? 2 : 1)) return false;
    const double variance = FiniteMeasure(state.squares, state.mean) /
                            static_cast<double>(kSample ? state.count - 1 : state.count);
    result.MutableData<double>()[row] = kRoot ? std::sqrt(variance) : variance;
    return true;
  }
  void Finish() {}
};

}  // namespace

void AddVariance(AggregateList& list) {
  const auto add = [&](const char* name, const char* description, const char* example,
                       void (*fill)(AggregateFunction&)) {
    list.push_back(MakeAggregate(name, {TypeId::kDouble}, TypeId::kDouble, description, example));
    fill(list.back());
  };
  const char* var_samp = "The variance of a sample: squared distances from the mean, divided by count - 1.";
  const char* stddev_samp = "The standard deviation of a sample: the root of var_samp.";
  add("var_samp", var_samp, "var_samp(x)", UnaryAggregate<Variance<true, false>>::Fill);
  add("variance", var_samp, "variance(x)", UnaryAggregate<Variance<true, false>>::Fill);
  add("var_pop", "The variance of a whole population: squared distances from the mean, divided by count.",
      "var_pop(x)", UnaryAggregate<Variance<false, false>>::Fill);
  add("stddev_samp", stddev_samp, "stddev_samp(x)", UnaryAggregate<Variance<true, true>>::Fill);
  add("stddev", stddev_samp, "stddev(x)", UnaryAggregate<Variance<true, true>>::Fill);
  add("stddev_pop", "The standard deviation of a whole population: the root of var_pop.", "stddev_pop(x)",
      UnaryAggregate<Variance<false, true>>::Fill);
}

}  // namespace scaup
