// sum and avg over integers and DECIMAL: exact integer sums; avg divides once at the end.
#include <cmath>
#include <type_traits>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {
namespace {

/// The scale of avg's DECIMAL argument.
class DecimalScale : public FunctionData {
 public:
  explicit DecimalScale(uint8_t scale) : scale(scale) {}
  const uint8_t scale;
};

/// Computes sum / (count * 10^scale), rounded only once if both numbers are exact in a double.
double ExactAverage(int128_t sum, uint64_t count, uint8_t scale) {
  constexpr int128_t kExact = int128_t{1} << 53;
  if (scale == 0 && sum <= kExact && sum >= -kExact && count <= uint64_t{1} << 53)
    return static_cast<double>(static_cast<int64_t>(sum)) / static_cast<double>(count);
  const int128_t power = PowerOfTen(scale);
  if (sum <= kExact && sum >= -kExact && power <= kExact / static_cast<int128_t>(count)) {
    return static_cast<double>(sum) / static_cast<double>(static_cast<int128_t>(count) * power);
  }
  const long double divisor = static_cast<long double>(count) * static_cast<long double>(power);
  return static_cast<double>(static_cast<long double>(sum) / divisor);
}

/// Sums values of type `T` in `Accumulator`, int64 or int128. With `kAverage`, Finalize computes the average.
template <typename T, typename Accumulator, bool kAverage>
class IntegerSum {
 public:
  using Input = T;
  static constexpr bool kIsPlain = true;
  struct State {
    Accumulator sum = 0;
    uint64_t count = 0;
  };
  /// A sum of at most 2^64 values of half its width cannot overflow 128 bits.
  static constexpr bool kCanOverflow = sizeof(Accumulator) == 8 || sizeof(T) == 16;

  explicit IntegerSum(const AggregateCall& call) : call_(call) {}

  void Add(State& state, const T& value) {
    AddSum(state, value);
    state.count++;
  }
  // Not for 128-bit values: an intermediate sum could overflow although the sum of the frame does not.
  void Remove(State& state, const T& value) requires(sizeof(T) < 16) {
    state.sum -= value;
    state.count--;
  }
  void AddFlat(State& state, const T* values, size_t count) {
    if constexpr (std::is_signed_v<T> && (sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8)) {
      int128_t sum = 0;
      call_.context.kernels.sum_integers[sizeof(T) == 2 ? 0 : sizeof(T) == 4 ? 1 : 2](values, count, &sum);
      AddWide(state, sum);
    } else {
      for (size_t row = 0; row < count; row++) AddSum(state, values[row]);
    }
    state.count += count;
  }
  void AddSelected(State& state, const T* values, const sel_t* rows, size_t count) requires(sizeof(T) <= 8) {
    // Two sums in parallel, so that additions do not depend on each other.
    if constexpr (sizeof(T) == 8 && !std::is_signed_v<T>) {
      int128_t sum = 0;
      for (size_t i = 0; i < count; i++) sum += values[rows[i]];
      AddWide(state, sum);
    } else if constexpr (sizeof(T) == 8) {
      uint64_t low[2] = {};  // the lowest 64 bits of a sum,
      int64_t high[2] = {};  // and the sum of the higher halves, from which the rest follows
      const auto add = [&](size_t lane, int64_t value) {
        low[lane] += static_cast<uint64_t>(value);
        high[lane] += value >> 32;
      };
      for (size_t i = 0; i + 2 <= count; i += 2) {
        add(0, values[rows[i]]);
        add(1, values[rows[i + 1]]);
      }
      if (count % 2 != 0) add(0, values[rows[count - 1]]);
      const int128_t halves = static_cast<int128_t>(high[0] + high[1]) * (static_cast<int128_t>(1) << 32);
      AddWide(state, halves + (low[0] + low[1] - static_cast<uint64_t>(halves)));
    } else {
      int64_t sums[2] = {};
      for (size_t i = 0; i + 2 <= count; i += 2) {
        sums[0] += values[rows[i]];
        sums[1] += values[rows[i + 1]];
      }
      if (count % 2 != 0) sums[0] += values[rows[count - 1]];
      AddWide(state, sums[0] + sums[1]);
    }
    state.count += count;
  }
  bool RunFlat(State& state, const T* values, size_t count, Vector& result, size_t row) {
    // In these cases the result is not the sum itself, or must be checked.
    if (kAverage || kCanOverflow || result.type().id() == TypeId::kDecimal) return false;
    Accumulator sum = state.sum;
    auto* sums = result.MutableData<Accumulator>() + row;
    for (size_t i = 0; i < count; i++) sums[i] = sum += values[i];
    state.sum = sum;
    state.count += count;
    return true;
  }
  void AddRepeated(State& state, const T& value, size_t count) {
    int128_t product;
    overflow_ |= __builtin_mul_overflow(static_cast<int128_t>(value), static_cast<int128_t>(count), &product);
    AddWide(state, product);
    state.count += count;
  }
  void Combine(State& target, const State& source) {
    overflow_ |= __builtin_add_overflow(target.sum, source.sum, &target.sum);
    target.count += source.count;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.count == 0) return false;
    if constexpr (kAverage) {
      const auto* data = static_cast<const DecimalScale*>(call_.data);
      result.MutableData<double>()[row] =
          ExactAverage(state.sum, state.count, data == nullptr ? 0 : data->scale);
    } else {
      if (sizeof(Accumulator) == 16 && result.type().id() == TypeId::kDecimal) {
        const int128_t limit = PowerOfTen(LogicalType::kMaxDecimalWidth);
        overflow_ |= state.sum >= limit || state.sum <= -limit;
      }
      result.MutableData<Accumulator>()[row] = state.sum;
    }
    return true;
  }
  void Finish() const {
    if (!overflow_) return;
    if constexpr (sizeof(Accumulator) == 8) {
      ThrowOutOfRange(
          "the sum is out of range for BIGINT; cast the argument to BIGINT for a sum of type HUGEINT");
    }
    ThrowOutOfRange(
        "the sum has too many digits for its type; cast the argument to DOUBLE for an approximate sum");
  }

 private:
  void AddSum(State& state, T value) {
    if constexpr (kCanOverflow) {
      overflow_ |= __builtin_add_overflow(state.sum, value, &state.sum);
    } else {
      state.sum += value;
    }
  }
  void AddWide(State& state, int128_t value) {
    overflow_ |= __builtin_add_overflow(value, state.sum, &state.sum);
  }

  const AggregateCall& call_;
  bool overflow_ = false;
};

template <bool kAverage>
void Pick(AggregateFunction& function, PhysicalType physical, bool wide) {
  switch (physical) {
    case PhysicalType::kInt8:
      return wide ? UnaryAggregate<IntegerSum<int8_t, int128_t, kAverage>>::Fill(function)
                  : UnaryAggregate<IntegerSum<int8_t, int64_t, kAverage>>::Fill(function);
    case PhysicalType::kInt16:
      return wide ? UnaryAggregate<IntegerSum<int16_t, int128_t, kAverage>>::Fill(function)
                  : UnaryAggregate<IntegerSum<int16_t, int64_t, kAverage>>::Fill(function);
    case PhysicalType::kInt32:
      return wide ? UnaryAggregate<IntegerSum<int32_t, int128_t, kAverage>>::Fill(function)
                  : UnaryAggregate<IntegerSum<int32_t, int64_t, kAverage>>::Fill(function);
    case PhysicalType::kInt64: return UnaryAggregate<IntegerSum<int64_t, int128_t, kAverage>>::Fill(function);
    case PhysicalType::kInt128:
      return UnaryAggregate<IntegerSum<int128_t, int128_t, kAverage>>::Fill(function);
    // No DECIMAL is stored without a sign, so that these have one width each.
    case PhysicalType::kUInt8: return UnaryAggregate<IntegerSum<uint8_t, int64_t, kAverage>>::Fill(function);
    case PhysicalType::kUInt16:
      return UnaryAggregate<IntegerSum<uint16_t, int64_t, kAverage>>::Fill(function);
    case PhysicalType::kUInt32:
      return UnaryAggregate<IntegerSum<uint32_t, int64_t, kAverage>>::Fill(function);
    case PhysicalType::kUInt64:
      return UnaryAggregate<IntegerSum<uint64_t, int128_t, kAverage>>::Fill(function);
    case PhysicalType::kBool:
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
    case PhysicalType::kString:
    case PhysicalType::kInterval: break;
  }
  ThrowInternal("no integer sum over " + function.argument_types[0].ToString());
}

std::unique_ptr<FunctionData> BindDecimalSum(AggregateFunction& function,
                                             std::span<const BindArgument> arguments) {
  const LogicalType& type = arguments[0].type;
  function.argument_types[0] = type.id() == TypeId::kDecimal ? type : LogicalType::Decimal(18, 3);
  const uint8_t scale = function.argument_types[0].scale();
  const bool is_sum = function.name == "sum";
  if (is_sum) function.return_type = LogicalType::Decimal(LogicalType::kMaxDecimalWidth, scale);
  PickIntegerSum(function, function.argument_types[0]);
  if (is_sum) return nullptr;
  return std::make_unique<DecimalScale>(scale);
}

std::unique_ptr<FunctionData> BindBooleanSum(AggregateFunction& function, std::span<const BindArgument>) {
  function.argument_types[0] = TypeId::kInteger;
  PickIntegerSum(function, TypeId::kInteger);
  return nullptr;
}

}  // namespace

void PickIntegerSum(AggregateFunction& function, const LogicalType& argument) {
  SCAUP_ASSERT(function.name == "avg" || (function.name == "sum" && function.return_type.IsNumeric()));
  const PhysicalType physical = PhysicalTypeOf(argument);
  if (function.name == "avg") return Pick<true>(function, physical, argument.id() == TypeId::kDecimal);
  Pick<false>(function, physical, function.return_type.id() != TypeId::kBigInt);
}

void AddSum(AggregateList& list) {
  const char* sum = "The sum of all x that are not NULL.";
  const char* average = "The mean of all x that are not NULL.";
  for (const TypeId id :
       {TypeId::kTinyInt, TypeId::kSmallInt, TypeId::kInteger, TypeId::kBigInt, TypeId::kHugeInt,
        TypeId::kUTinyInt, TypeId::kUSmallInt, TypeId::kUInteger, TypeId::kUBigInt}) {
    const TypeId result = PhysicalSize(id) >= sizeof(int64_t) ? TypeId::kHugeInt : TypeId::kBigInt;
    list.push_back(MakeAggregate("sum", {id}, result, sum, "sum(x)"));
    PickIntegerSum(list.back(), id);
    list.push_back(MakeAggregate("avg", {id}, TypeId::kDouble, average, "avg(x)"));
    PickIntegerSum(list.back(), id);
  }
  // True counts as 1.
  list.push_back(MakeAggregate("sum", {TypeId::kBoolean}, TypeId::kBigInt, "The number of x that are true.",
                               "sum(x > 1)"));
  list.back().bind = BindBooleanSum;
  // `bind` chooses the functions by the argument's width and scale.
  list.push_back(MakeAggregate("sum", {TypeId::kDecimal}, TypeId::kDecimal, sum, "sum(x)"));
  list.back().bind = BindDecimalSum;
  list.push_back(MakeAggregate("avg", {TypeId::kDecimal}, TypeId::kDouble, average, "avg(x)"));
  list.back().bind = BindDecimalSum;
}

}  // namespace scaup
