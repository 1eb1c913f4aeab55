// covar_pop, covar_samp and corr: Welford's method for two variables.
#include <algorithm>
#include <cmath>

#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"

namespace scaup {
namespace {

enum class Measure { kCovarPop, kCovarSamp, kCorrelation };

template <Measure kMeasure>
class Covariance {
 public:
  using First = double;
  using Second = double;
  struct State {
    double y_mean = 0;
    double x_mean = 0;
    double y_squares = 0;
    double x_squares = 0;
    double products = 0;  ///< The sum of (y - y_mean) * (x - x_mean).
    uint64_t count = 0;
  };
  explicit Covariance(const AggregateCall&) {}

  void Add(State& state, const double& y, const double& x) {
    state.count++;
    const double count = static_cast<double>(state.count);
    const double y_distance = y - state.y_mean, x_distance = x - state.x_mean;
    state.y_mean += y_distance / count;
    state.x_mean += x_distance / count;
    state.products += y_distance * (x - state.x_mean);
    if constexpr (kMeasure == Measure::kCorrelation) {
      state.y_squares += y_distance * (y - state.y_mean);
      state.x_squares += x_distance * (x - state.x_mean);
    }
  }
  void Combine(State& target, const State& source) {
    if (source.count == 0) return;
    if (target.count == 0) {
      target = source;
      return;
    }
    const double a = static_cast<double>(target.count), b = static_cast<double>(source.count);
    const double y_distance = source.y_mean - target.y_mean, x_distance = source.x_mean - target.x_mean;
    const double weight = a * b / (a + b);
    target.y_squares += source.y_squares + y_distance * y_distance * weight;
    target.x_squares += source.x_squares + x_distance * x_distance * weight;
    target.products += source.products + y_distance * x_distance * weight;
    target.y_mean += y_distance * (b / (a + b));
    target.x_mean += x_distance * (b / (a + b));
    target.count += source.count;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.count < (kMeasure == Measure::kCovarSamp ? 2 : 1)) return false;
    double value;
    if constexpr (kMeasure == Measure::kCorrelation) {
      // A variable that does not vary correlates with nothing.
      if (state.y_squares == 0 || state.x_squares == 0) return false;
      value = state.products / (std::sqrt(state.y_squares) * std::sqrt(state.x_squares));
      if (!std::isnan(value)) value = std::clamp(value, -1.0, 1.0);  // Rounding may lead just beyond.
    } else {
      value = state.products /
              static_cast<double>(kMeasure == Measure::kCovarSamp ? state.count - 1 : state.count);
    }
    result.MutableData<double>()[row] = value;
    return true;
  }
  void Finish() {}
};

}  // namespace

void AddCovariance(AggregateList& list) {
  const auto add = [&](const char* name, const char* description, const char* example,
                       void (*fill)(AggregateFunction&)) {
    list.push_back(
        MakeAggregate(name, {TypeId::kDouble, TypeId::kDouble}, TypeId::kDouble, description, example));
    fill(list.back());
  };
  add("covar_pop", "The covariance of a whole population; rows with a NULL are left out.", "covar_pop(y, x)",
      BinaryAggregate<Covariance<Measure::kCovarPop>>::Fill);
  add("covar_samp", "The covariance of a sample; rows with a NULL are left out.", "covar_samp(y, x)",
      BinaryAggregate<Covariance<Measure::kCovarSamp>>::Fill);
  add("corr", "The correlation coefficient, -1 to 1; NULL if y or x does not vary.", "corr(y, x)",
      BinaryAggregate<Covariance<Measure::kCorrelation>>::Fill);
}

}  // namespace scaup
