// sum, avg, variances and standard deviations of NUMERIC: exact, but for a last division or root.
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/numeric_total.hpp"
#include "function/numeric_rows.hpp"

namespace scaup {

namespace {

void StoreResult(Numeric& number, Vector& result, size_t row) {
  std::string bytes;
  StoreNumeric(number, bytes);
  result.MutableData<StringRef>()[row] = result.AddString(bytes);
}

template <bool kAverage>
class NumericSum {
 public:
  using Input = StringRef;
  struct State {
    NumericTotal total;
    uint64_t count = 0;
  };
  explicit NumericSum(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, const StringRef& value) {
    state.total.Add(value.view(), arena_);
    state.count++;
  }
  void Combine(State& target, const State& source) {
    target.total.Combine(source.total, arena_);
    target.count += source.count;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.count == 0) return false;
    Numeric number = state.total.Sum();
    if (kAverage) {
      const Numeric count = NumericFromInteger(static_cast<int64_t>(state.count));
      ThrowNumericFault(DivideNumeric(number, count, number));
    }
    StoreResult(number, result, row);
    return true;
  }
  void Finish() {}

 private:
  Arena& arena_;
};

/// From the exact sums of the numbers and of their squares. `kSample` divides by count - 1 instead of count;
/// `kRoot` yields the standard deviation.
template <bool kSample, bool kRoot>
class NumericVariance {
 public:
  using Input = StringRef;
  struct State {
    NumericTotal total, squares;
    uint64_t count = 0;
  };
  explicit NumericVariance(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, const StringRef& value) {
    state.total.Add(value.view(), arena_);
    state.count++;
    SmallNumeric small;
    if (LoadSmallNumeric(value.view(), small)) {
      const int scale = -2 * small.exponent * kLimbDigits;
      return state.squares.Add(ShortNumeric(int128_t{small.value} * small.value, scale).view(), arena_);
    }
    LoadNumeric(value.view(), number_);
    ThrowNumericFault(MultiplyNumeric(number_, number_, number_));
    StoreNumeric(number_, bytes_);
    state.squares.Add(bytes_, arena_);
  }
  void Combine(State& target, const State& source) {
    target.total.Combine(source.total, arena_);
    target.squares.Combine(source.squares, arena_);
    target.count += source.count;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.count < (kSample ? 2 : 1)) return false;
    Numeric variance = VarianceOf(state);
    StoreResult(variance, result, row);
    return true;
  }
  void Finish() {}

 private:
  /// Returns (count * squares - total^2) / (count * divisor), or its root, with as many digits as PostgreSQL.
  static Numeric VarianceOf(const State& state) {
    const Numeric count = NumericFromInteger(static_cast<int64_t>(state.count));
    const Numeric divisor = NumericFromInteger(static_cast<int64_t>(state.count - (kSample ? 1 : 0)));
    Numeric total = state.total.Sum(), squares = state.squares.Sum(), product;
    if (!total.IsFinite() || !squares.IsFinite()) return SpecialNumeric(NumericKind::kNaN);
    ThrowNumericFault(MultiplyNumeric(total, total, total));
    ThrowNumericFault(MultiplyNumeric(squares, count, squares));
    ThrowNumericFault(SubtractNumeric(squares, total, squares));
    if (squares.is_negative || squares.IsZero()) return Numeric();
    ThrowNumericFault(MultiplyNumeric(count, divisor, product));
    const int scale = QuotientScale(squares, product);
    ThrowNumericFault(DivideNumeric(squares, product, squares));
    return kRoot ? SquareRootToScale(squares, scale) : squares;
  }

  Arena& arena_;
  Numeric number_;
  std::string bytes_;
};

}  // namespace

void AddNumericAggregates(AggregateList& list) {
  const auto add = [&](const char* name, const char* description, const char* example,
                       void (*fill)(AggregateFunction&)) {
    list.push_back(MakeAggregate(name, {TypeId::kNumeric}, TypeId::kNumeric, description, example));
    fill(list.back());
  };
  add("sum", "The sum of all x that are not NULL.", "sum(x::NUMERIC)",
      UnaryAggregate<NumericSum<false>>::Fill);
  add("avg", "The mean of all x that are not NULL.", "avg(x::NUMERIC)",
      UnaryAggregate<NumericSum<true>>::Fill);
  const char* of_sample = "The variance of a sample: squared distances from the mean, divided by count - 1.";
  const char* root = "The standard deviation of a sample: the root of var_samp.";
  add("var_samp", of_sample, "var_samp(x::NUMERIC)", UnaryAggregate<NumericVariance<true, false>>::Fill);
  add("variance", of_sample, "variance(x::NUMERIC)", UnaryAggregate<NumericVariance<true, false>>::Fill);
  add("stddev_samp", root, "stddev_samp(x::NUMERIC)", UnaryAggregate<NumericVariance<true, true>>::Fill);
  add("stddev", root, "stddev(x::NUMERIC)", UnaryAggregate<NumericVariance<true, true>>::Fill);
  add("var_pop", "The variance of a whole population: squared distances from the mean, divided by count.",
      "var_pop(x::NUMERIC)", UnaryAggregate<NumericVariance<false, false>>::Fill);
  add("stddev_pop", "The standard deviation of a whole population: the root of var_pop.",
      "stddev_pop(x::NUMERIC)", UnaryAggregate<NumericVariance<false, true>>::Fill);
}

}  // namespace scaup
