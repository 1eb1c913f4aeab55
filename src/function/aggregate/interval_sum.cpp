// sum and avg over INTERVAL: months, days and microseconds are added separately, as in PostgreSQL.
#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "type/time/date_time.hpp"

namespace scaup {
namespace {

/// Computes numerator / denominator, rounded half to even. REQUIRES: denominator > 0.
int128_t DivideRounded(int128_t numerator, int128_t denominator) {
  SCAUP_ASSERT(denominator > 0);
  int128_t quotient = numerator / denominator;
  const int128_t rest = numerator % denominator;
  const int128_t twice = (rest < 0 ? -rest : rest) * 2;
  if (twice > denominator || (twice == denominator && quotient % 2 != 0)) quotient += numerator < 0 ? -1 : 1;
  return quotient;
}

template <bool kAverage>
class IntervalSum {
 public:
  using Input = Interval;
  struct State {
    int64_t months = 0;
    int64_t days = 0;
    int64_t micros = 0;
    uint64_t count = 0;
  };
  explicit IntervalSum(const AggregateCall&) {}

  void Add(State& state, const Interval& value) {
    state.months += value.months;
    state.days += value.days;
    overflow_ |= __builtin_add_overflow(state.micros, value.micros, &state.micros);
    state.count++;
  }
  void Combine(State& target, const State& source) {
    target.months += source.months;
    target.days += source.days;
    overflow_ |= __builtin_add_overflow(target.micros, source.micros, &target.micros);
    target.count += source.count;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.count == 0) return false;
    result.MutableData<Interval>()[row] =
        kAverage ? Average(state) : Store(state.months, state.days, state.micros);
    return true;
  }
  void Finish() const {
    if (overflow_)
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "the sum of intervals is out of range");
  }

 private:
  Interval Store(int128_t months, int128_t days, int128_t micros) {
    Interval interval{static_cast<int32_t>(months), static_cast<int32_t>(days), static_cast<int64_t>(micros)};
    overflow_ |= interval.months != months || interval.days != days || interval.micros != micros;
    return interval;
  }

  /// Computes the average. The fraction of a month is carried into days (30 per month), and the fraction of a
  /// day into the time.
  Interval Average(const State& state) {
    const auto count = static_cast<int128_t>(state.count);
    const int128_t month_days = state.months % count * 30;
    const int128_t day_fraction = state.days % count + month_days % count;  // in 1/count days
    const int128_t days = state.days / count + month_days / count + day_fraction / count;
    const int128_t micros = DivideRounded(state.micros + day_fraction % count * kMicrosPerDay, count);
    return Store(state.months / count, days, micros);
  }

  bool overflow_ = false;
};

}  // namespace

void AddIntervalSum(AggregateList& list) {
  list.push_back(MakeAggregate("sum", {TypeId::kInterval}, TypeId::kInterval,
                               "The sum of all x that are not NULL.", "sum(x)"));
  UnaryAggregate<IntervalSum<false>>::Fill(list.back());
  list.push_back(MakeAggregate("avg", {TypeId::kInterval}, TypeId::kInterval,
                               "The mean of all x that are not NULL.", "avg(x)"));
  UnaryAggregate<IntervalSum<true>>::Fill(list.back());
}

}  // namespace scaup
