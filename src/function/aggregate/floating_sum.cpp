// sum, avg and product over REAL and DOUBLE.
#include <cmath>
#include <cstring>
#include <type_traits>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"

namespace scaup {
namespace {

/// Detects overflow, as for + and *: a sum or product of finite values that is not finite is an error;
/// infinities among the values are not.
class OverflowWatch {
 public:
  void Look(double before, double value, double after) {
    if (!std::isfinite(after)) [[unlikely]]
      overflow_ |= std::isfinite(before) && std::isfinite(value);
  }
  void ThrowIfSeen() const {
    if (overflow_) ThrowOutOfRange("value out of range: overflow");
  }

 private:
  bool overflow_ = false;
};

/// Sums in double precision, whatever the input type; `Result` is the type that Finalize writes.
template <typename T, typename Result, bool kAverage>
class FloatingSum {
 public:
  using Input = T;
  static constexpr bool kIsPlain = true;
  struct State {
    double sum = 0;
    uint64_t count = 0;
  };
  explicit FloatingSum(const AggregateCall&) {}

  void Add(State& state, const T& value) {
    AddSum(state, static_cast<double>(value));
    state.count++;
  }
  void AddFlat(State& state, const T* values, size_t count) {
    AddLanes(
        state, count, [&](size_t i) -> const T& { return values[i]; },
        [&](size_t i) { return PairAt(values + i); });
  }
  void AddSelected(State& state, const T* values, const sel_t* rows, size_t count) {
    AddLanes(
        state, count, [&](size_t i) -> const T& { return values[rows[i]]; },
        [&](size_t i) {
          return Pair{static_cast<double>(values[rows[i]]), static_cast<double>(values[rows[i + 1]])};
        });
  }
  void AddShifted(State (&states)[8], const T* values, size_t count) requires(std::is_same_v<T, double>) {
    Pair a{}, b{}, c{}, d{};
    for (size_t i = 0; i < count; i++) {
      a += PairAt(values + i);
      b += PairAt(values + i + 2);
      c += PairAt(values + i + 4);
      d += PairAt(values + i + 6);
    }
    const double sums[] = {a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]};
    double zero = 0;  // becomes NaN if any sum is not finite
    for (size_t lane = 0; lane < 8; lane++) zero += sums[lane] * 0;
    for (size_t lane = 0; lane < 8; lane++) {
      if (zero == 0) {
        states[lane] = {sums[lane], count};
      } else {  // One by one, to distinguish infinite values from an overflow.
        for (size_t i = 0; i < count; i++) Add(states[lane], values[lane + i]);
      }
    }
  }
  void AddRepeated(State& state, const T& value, size_t count) {
    const double product = static_cast<double>(value) * static_cast<double>(count);
    watch_.Look(static_cast<double>(value), 0, product);
    AddSum(state, product);
    state.count += count;
  }
  void Combine(State& target, const State& source) {
    AddSum(target, source.sum);
    target.count += source.count;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.count == 0) return false;
    const double value = kAverage ? state.sum / static_cast<double>(state.count) : state.sum;
    const auto stored = static_cast<Result>(value);
    watch_.Look(value, 0, static_cast<double>(stored));
    result.MutableData<Result>()[row] = stored;
    return true;
  }
  void Finish() const { watch_.ThrowIfSeen(); }

 private:
  /// A SIMD register with two values, which every processor has; by itself the compiler would hold an array
  /// of sums in memory.
  using Pair [[gnu::vector_size(16)]] = double;
  static Pair PairAt(const T* values) {
    if constexpr (std::is_same_v<T, double>) {
      Pair pair;
      std::memcpy(&pair, values, sizeof(pair));
      return pair;
    } else {
      return Pair{static_cast<double>(values[0]), static_cast<double>(values[1])};
    }
  }

  /// Eight sums in parallel: the additions do not depend on each other, and rounding errors are smaller.
  /// `pair_at(i)` is value_at(i) and value_at(i + 1).
  template <typename ValueAt, typename PairAt>
  void AddLanes(State& state, size_t count, ValueAt value_at, PairAt pair_at) {
    Pair a{}, b{}, c{}, d{};
    const size_t whole = count / 8 * 8;
    for (size_t i = 0; i < whole; i += 8) {
      a += pair_at(i);
      b += pair_at(i + 2);
      c += pair_at(i + 4);
      d += pair_at(i + 6);
    }
    const Pair even = a + c, odd = b + d;
    double sum = (even[0] + even[1]) + (odd[0] + odd[1]);
    for (size_t i = whole; i < count; i++) sum += static_cast<double>(value_at(i));
    if (std::isfinite(state.sum + sum)) {
      state.sum += sum;
      state.count += count;
    } else {  // One by one, to distinguish infinite values from an overflow.
      for (size_t i = 0; i < count; i++) Add(state, value_at(i));
    }
  }

  void AddSum(State& state, double value) {
    const double sum = state.sum + value;
    watch_.Look(state.sum, value, sum);
    state.sum = sum;
  }

  OverflowWatch watch_;
};

class Product {
 public:
  using Input = double;
  struct State {
    double product = 1;
    uint64_t count = 0;
  };
  explicit Product(const AggregateCall&) {}
  void Add(State& state, const double& value) {
    Multiply(state, value);
    state.count++;
  }
  void Combine(State& target, const State& source) {
    Multiply(target, source.product);
    target.count += source.count;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.count == 0) return false;
    result.MutableData<double>()[row] = state.product;
    return true;
  }
  void Finish() const { watch_.ThrowIfSeen(); }

 private:
  void Multiply(State& state, double value) {
    const double product = state.product * value;
    watch_.Look(state.product, value, product);
    state.product = product;
  }

  OverflowWatch watch_;
};

}  // namespace

void AddFloatingSum(AggregateList& list) {
  const char* sum = "The sum of all x that are not NULL.";
  const char* average = "The mean of all x that are not NULL.";
  list.push_back(MakeAggregate("sum", {TypeId::kReal}, TypeId::kReal, sum, "sum(x)"));
  UnaryAggregate<FloatingSum<float, float, false>>::Fill(list.back());
  list.push_back(MakeAggregate("sum", {TypeId::kDouble}, TypeId::kDouble, sum, "sum(x)"));
  UnaryAggregate<FloatingSum<double, double, false>>::Fill(list.back());
  list.push_back(MakeAggregate("avg", {TypeId::kReal}, TypeId::kDouble, average, "avg(x)"));
  UnaryAggregate<FloatingSum<float, double, true>>::Fill(list.back());
  list.push_back(MakeAggregate("avg", {TypeId::kDouble}, TypeId::kDouble, average, "avg(x)"));
  UnaryAggregate<FloatingSum<double, double, true>>::Fill(list.back());
  list.push_back(MakeAggregate("product", {TypeId::kDouble}, TypeId::kDouble,
                               "The product of all x that are not NULL.", "product(x)"));
  UnaryAggregate<Product>::Fill(list.back());
}

}  // namespace scaup
