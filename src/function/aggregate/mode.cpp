// mode, approx_top_k and entropy, which depend on how often each value of a group occurs.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/collected_values.hpp"
#include "function/aggregate/kept_value.hpp"
#include "function/aggregate/value_order.hpp"
#include "type/value_cast.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {
namespace {

/// The use that is made of how often each value occurs.
enum class FrequencyUse : uint8_t { kMode, kTopValues, kEntropy };

struct FrequencyData final : FunctionData {
  explicit FrequencyData(FrequencyUse of) : use(of) {}
  FrequencyUse use;
  bool prefers_last = false;  ///< of equally frequent values
  size_t most_values = 1;     ///< that are kept
};

/// A summary of the values so far: the most frequent ones in descending order of their numbers, or the
/// entropy. One type serves all uses: each would have the code below once for every physical type.
template <typename T>
struct FrequencySummary {
  KeptValue<T>* values = nullptr;
  uint64_t* occurrences = nullptr;
  size_t count = 0;
  double bits = 0;
};

/// Sorts the values at the end, so that equal ones are adjacent. If the rows are retained elsewhere, they
/// arrive sorted, and adjacent equal values are counted.
template <typename T>
class OfFrequencies {
 public:
  using Input = T;
  using Element = T;
  struct Apart {
    uint64_t count = 0;
    KeptValue<T> value;           ///< the last one
    uint64_t occurrences = 0;     ///< of the value, so far
    FrequencySummary<T> summary;  ///< of the preceding values
  };
  struct State {
    CollectedValues<T> values;
    Apart* apart = nullptr;  ///< null unless the rows are retained elsewhere
  };
  explicit OfFrequencies(const AggregateCall& call)
      : arena_(call.arena),
        scratch_(&call.context.memory),
        data_(static_cast<const FrequencyData&>(*call.data)) {}
  void Add(State& state, const T& value) { state.values.Add(value, arena_); }
  void Combine(State& target, const State& source) {
    target.values.Join(source.values, arena_);
    if (target.apart == nullptr) {
      target.apart = source.apart;
    } else if (source.apart != nullptr) {
      target.apart->count += source.apart->count;
    }
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    scratch_.Reset();
    if (state.apart == nullptr) return Store(Summarize(state.values), result, row);
    const Apart& apart = *state.apart;
    FrequencySummary<T> summary = apart.summary;
    if (apart.occurrences != 0) Count(summary, apart.value.value, apart.occurrences, apart.count, scratch_);
    return Store(summary, result, row);
  }
  void Finish() {}

  static void Note(State& state, Arena& arena) {
    if (state.apart == nullptr) state.apart = new (arena.Allocate(sizeof(Apart), 16)) Apart();
    state.apart->count++;
  }
  void AddOrdered(State& state, const T& value) {
    Apart& apart = *state.apart;
    if (apart.occurrences != 0 && !OrderedBefore(apart.value.value, value)) {
      apart.occurrences++;
      return;
    }
    if (apart.occurrences != 0)
      Count(apart.summary, apart.value.value, apart.occurrences, apart.count, arena_);
    apart.value.Set(value, arena_);
    apart.occurrences = 1;
  }
  static void NoteRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                       std::byte** states) {
    ForEachValid<T>(arguments[0], count,
                    [&](size_t row, const T&) { Note(StateAt<State>(states[row]), call.arena); });
  }

  static void Fill(AggregateFunction& function) {
    UnaryAggregate<OfFrequencies>::Fill(function);
    RetainedValues<OfFrequencies>::Fill(function, NoteRows);
  }

 private:
  /// Counts the distinct values in ascending order.
  FrequencySummary<T> Summarize(const CollectedValues<T>& collected) {
    FrequencySummary<T> summary;
    const uint64_t count = collected.count();
    T* values = collected.Gather(scratch_, pending_);
    std::sort(values, values + count, [](const T& a, const T& b) { return OrderedBefore(a, b); });
    for (uint64_t begin = 0; begin < count;) {
      uint64_t end = begin + 1;
      while (end < count && !OrderedBefore(values[begin], values[end])) end++;
      Count(summary, values[begin], end - begin, count, scratch_);
      begin = end;
    }
    return summary;
  }

  void Count(FrequencySummary<T>& summary, const T& value, uint64_t occurrences, uint64_t total,
             Arena& arena) {
    if (data_.use == FrequencyUse::kEntropy) {
      const double part = static_cast<double>(occurrences) / static_cast<double>(total);
      summary.bits -= part * std::log2(part);
      summary.count++;
    } else {
      Rank(summary, value, occurrences, arena);
    }
  }

  /// Gives a value its place among the most frequent ones, if it has one.
  void Rank(FrequencySummary<T>& top, const T& value, uint64_t occurrences, Arena& arena) {
    const size_t most = data_.most_values;
    if (top.values == nullptr) {
      top.values = reinterpret_cast<KeptValue<T>*>(arena.Allocate(most * sizeof(KeptValue<T>), 16));
      top.occurrences = reinterpret_cast<uint64_t*>(arena.Allocate(most * sizeof(uint64_t), 16));
      std::uninitialized_default_construct_n(top.values, most);
    }
    const auto yields = [&](uint64_t number) {
      return number < occurrences || (number == occurrences && data_.prefers_last);
    };
    if (top.count == most && !yields(top.occurrences[most - 1])) return;
    // The least frequent one makes place, and its buffer serves the new value.
    size_t place = top.count < most ? top.count++ : most - 1;
    KeptValue<T> entry = top.values[place];
    for (; place > 0 && yields(top.occurrences[place - 1]); place--) {
      top.values[place] = top.values[place - 1];
      top.occurrences[place] = top.occurrences[place - 1];
    }
    entry.Set(value, arena);
    top.values[place] = entry;
    top.occurrences[place] = occurrences;
  }

  /// Writes the result; false says that it is NULL.
  bool Store(const FrequencySummary<T>& summary, Vector& result, size_t row) const {
    if (data_.use == FrequencyUse::kEntropy) {
      result.MutableData<double>()[row] = summary.bits == 0 ? 0 : summary.bits;
      return true;
    }
    if (summary.count == 0) return false;
    if (data_.use == FrequencyUse::kMode) {
      summary.values[0].Store(result, row);
    } else {
      StoreList(summary, result, row);
    }
    return true;
  }

  static void StoreList(const FrequencySummary<T>& top, Vector& result, size_t row) {
    const LogicalType& type = result.type().element();
    const SlotAppender append = FindSlotAppender(type);
    Vector value(type);
    std::string slots;
    for (size_t i = 0; i < top.count; i++) {
      value.Reset();
      top.values[i].Store(value, 0);
      append(type, value.View(1), 0, slots);
    }
    result.MutableData<StringRef>()[row] = result.AddString(slots);
  }

  Arena& arena_;
  Arena scratch_;
  std::vector<const void*> pending_;
  const FrequencyData& data_;
};

void FillForType(AggregateFunction& function, const LogicalType& type) {
  VisitPhysicalType(PhysicalTypeOf(type), [&]<typename T>() { OfFrequencies<T>::Fill(function); });
}

std::unique_ptr<FunctionData> BindMode(AggregateFunction& function, std::span<const BindArgument> arguments) {
  function.return_type = SettleAnyArgument(function, arguments, 0);
  FillForType(function, function.return_type);
  auto data = std::make_unique<FrequencyData>(FrequencyUse::kMode);
  const Value* descending = function.is_ordered_set ? arguments.back().constant : nullptr;
  data->prefers_last = descending != nullptr && !descending->is_null() && descending->GetBoolean();
  return data;
}

std::unique_ptr<FunctionData> BindTopValues(AggregateFunction& function,
                                            std::span<const BindArgument> arguments) {
  constexpr int64_t kMostValues = 10000;
  const LogicalType element = SettleAnyArgument(function, arguments, 0);
  function.return_type = LogicalType::List(element);
  FillForType(function, element);
  const Value* number = arguments[1].constant;
  if (number == nullptr && arguments[1].type.id() == TypeId::kNull)
    return nullptr;  // a literal is typed first
  Value count;
  const bool is_number =
      number != nullptr && !number->is_null() && CastValue(*number, TypeId::kBigInt, count);
  if (!is_number || count.GetBigInt() < 1 || count.GetBigInt() > kMostValues) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "approx_top_k needs a constant number of values from 1 to " + std::to_string(kMostValues));
  }
  auto data = std::make_unique<FrequencyData>(FrequencyUse::kTopValues);
  data->most_values = static_cast<size_t>(count.GetBigInt());
  return data;
}

std::unique_ptr<FunctionData> BindEntropy(AggregateFunction& function,
                                          std::span<const BindArgument> arguments) {
  FillForType(function, SettleAnyArgument(function, arguments, 0));
  return std::make_unique<FrequencyData>(FrequencyUse::kEntropy);
}

}  // namespace

void AddMode(AggregateList& list) {
  const auto add = [&](const char* name, std::vector<LogicalType> types, LogicalType type, AggregateBind bind,
                       const char* description, const char* example) -> AggregateFunction& {
    list.push_back(MakeAggregate(name, std::move(types), type, description, example));
    list.back().any_types = true;
    list.back().bind = bind;
    return list.back();
  };
  const char* mode = "The value that occurs most often; of several the first in order.";
  add("mode", {TypeId::kNull}, TypeId::kNull, BindMode, mode, "mode(x)");
  add("mode", {TypeId::kNull, TypeId::kBoolean}, TypeId::kNull, BindMode, mode,
      "mode() WITHIN GROUP (ORDER BY x)")
      .is_ordered_set = true;
  add("approx_top_k", {TypeId::kNull, TypeId::kBigInt}, TypeId::kNull, BindTopValues,
      "The k values that occur most often, as a list; counted exactly.", "approx_top_k(x, 2)");
  add("entropy", {TypeId::kNull}, TypeId::kDouble, BindEntropy,
      "The entropy, in bits, of how often the values occur.", "entropy(x)");
}

}  // namespace scaup
