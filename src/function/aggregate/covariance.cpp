// covar_pop, covar_samp, corr and the regr_ functions: Welford's method for two variables.
#include <algorithm>
#include <cmath>

#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/finite_measure.hpp"

namespace scaup {
namespace {

enum class Measure {
  kCovarPop,
  kCovarSamp,
  kCorrelation,
  kMeanX,
  kMeanY,
  kSquaresX,
  kSquaresY,
  kProducts,
  kSlope,
  kIntercept,
  kFit
};

constexpr bool NeedsSquares(Measure measure) {
  return measure != Measure::kCovarPop && measure != Measure::kCovarSamp && measure != Measure::kMeanX &&
         measure != Measure::kMeanY && measure != Measure::kProducts;
}

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
    double products = 0;  ///< the sum of (y - y_mean) * (x - x_mean)
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
    if constexpr (NeedsSquares(kMeasure)) {
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
    CheckOverflow(state);
    const auto value = Measured(state);
    if (value) result.MutableData<double>()[row] = *value;
    return value.has_value();
  }
  void Finish() {}

 private:
  static void CheckOverflow(const State& state) {
    const double mean = state.x_mean + state.y_mean;
    FiniteMeasure(state.products, mean);
    if constexpr (NeedsSquares(kMeasure)) {
      FiniteMeasure(state.y_squares, mean);
      FiniteMeasure(state.x_squares, mean);
    }
  }
  static std::optional<double> Measured(const State& state) {
    const double count = static_cast<double>(state.count);
    switch (kMeasure) {
      case Measure::kCovarPop: return state.products / count;
      case Measure::kCovarSamp: return state.products / (count - 1);
      case Measure::kMeanX: return state.x_mean;
      case Measure::kMeanY: return state.y_mean;
      case Measure::kSquaresX: return state.x_squares;
      case Measure::kSquaresY: return state.y_squares;
      case Measure::kProducts: return state.products;
      case Measure::kCorrelation: {
        // The correlation with a constant variable is undefined.
        if (state.y_squares == 0 || state.x_squares == 0) return std::nullopt;
        const double value = state.products / (std::sqrt(state.y_squares) * std::sqrt(state.x_squares));
        return std::isnan(value) ? value : std::clamp(value, -1.0, 1.0);  // against rounding errors
      }
      case Measure::kSlope:
      case Measure::kIntercept: {
        if (state.x_squares == 0) return std::nullopt;
        const double slope = FiniteMeasure(state.products / state.x_squares, state.x_mean + state.y_mean);
        return kMeasure == Measure::kSlope ? slope : state.y_mean - slope * state.x_mean;
      }
      case Measure::kFit:
        if (state.x_squares == 0) return std::nullopt;
        if (state.y_squares == 0) return 1;
        return FiniteMeasure(state.products * state.products / (state.x_squares * state.y_squares),
                             state.x_mean + state.y_mean);
    }
    return std::nullopt;
  }
};

class PairCount {
 public:
  using First = double;
  using Second = double;
  struct State {
    int64_t count = 0;
  };
  explicit PairCount(const AggregateCall&) {}
  void Add(State& state, const double&, const double&) { state.count++; }
  void Combine(State& target, const State& source) { target.count += source.count; }
  bool Finalize(const State& state, Vector& result, size_t row) {
    result.MutableData<int64_t>()[row] = state.count;
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
  add("regr_avgx", "The mean of x over rows without NULL.", "regr_avgx(y, x)",
      BinaryAggregate<Covariance<Measure::kMeanX>>::Fill);
  add("regr_avgy", "The mean of y over rows without NULL.", "regr_avgy(y, x)",
      BinaryAggregate<Covariance<Measure::kMeanY>>::Fill);
  add("regr_sxx", "The sum of squared distances of x from its mean.", "regr_sxx(y, x)",
      BinaryAggregate<Covariance<Measure::kSquaresX>>::Fill);
  add("regr_syy", "The sum of squared distances of y from its mean.", "regr_syy(y, x)",
      BinaryAggregate<Covariance<Measure::kSquaresY>>::Fill);
  add("regr_sxy", "The sum of products of the distances of y and x from their means.", "regr_sxy(y, x)",
      BinaryAggregate<Covariance<Measure::kProducts>>::Fill);
  add("regr_slope", "The slope of the line that fits the points best.", "regr_slope(y, x)",
      BinaryAggregate<Covariance<Measure::kSlope>>::Fill);
  add("regr_intercept", "Where the line that fits the points best meets x = 0.", "regr_intercept(y, x)",
      BinaryAggregate<Covariance<Measure::kIntercept>>::Fill);
  add("regr_r2", "The square of the correlation coefficient.", "regr_r2(y, x)",
      BinaryAggregate<Covariance<Measure::kFit>>::Fill);
  add("regr_count", "The number of rows where neither is NULL.", "regr_count(y, x)",
      BinaryAggregate<PairCount>::Fill);
  list.back().return_type = TypeId::kBigInt;
}

}  // namespace scaup
