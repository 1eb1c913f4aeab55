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

struct FrequencyData final : FunctionData {
  bool is_descending = false;  ///< of mode: of equally frequent values, the last one
  size_t most_values = 1;      ///< of approx_top_k
};

/// The shared part: sorts the values at the end, so that equal ones are adjacent. If the rows are retained
/// elsewhere, they arrive sorted, and adjacent equal values are counted.
template <typename A, typename T, typename Summary>
class OfFrequencies {
 public:
  using Input = T;
  using Element = T;
  struct Apart {
    uint64_t count = 0;
    KeptValue<T> value;        ///< the last one
    uint64_t occurrences = 0;  ///< of the value, so far
    Summary summary;           ///< of the preceding values
  };
  struct State {
    CollectedValues<T> values;
    Apart* apart = nullptr;  ///< null unless the rows are retained elsewhere
  };
  explicit OfFrequencies(const AggregateCall& call)
      : arena_(call.arena),
        scratch_(&call.context.memory),
        data_(static_cast<const FrequencyData*>(call.data)) {}
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
    if (state.apart == nullptr) return A::Store(Summarize(state.values), result, row);
    const Apart& apart = *state.apart;
    scratch_.Reset();
    Summary summary = apart.summary;
    if (apart.occurrences != 0) Count(summary, apart.value.value, apart.occurrences, apart.count, scratch_);
    return A::Store(summary, result, row);
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
    UnaryAggregate<A>::Fill(function);
    RetainedValues<A>::Fill(function, NoteRows);
  }

 private:
  /// Counts the distinct values in ascending order.
  Summary Summarize(const CollectedValues<T>& collected) {
    Summary summary;
    const uint64_t count = collected.count();
    scratch_.Reset();
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
  void Count(Summary& summary, const T& value, uint64_t occurrences, uint64_t total, Arena& arena) {
    A::Count(summary, value, occurrences, total, data_, arena);
  }

  Arena& arena_;
  Arena scratch_;
  std::vector<const void*> pending_;
  const FrequencyData* data_;
};

template <typename T>
struct MostFrequent {
  KeptValue<T> value;
  uint64_t occurrences = 0;
};

/// The most frequent value; of equally frequent ones, the first in the requested order.
template <typename T>
class Mode : public OfFrequencies<Mode<T>, T, MostFrequent<T>> {
 public:
  using Summary = MostFrequent<T>;
  using OfFrequencies<Mode<T>, T, Summary>::OfFrequencies;
  static void Count(Summary& best, const T& value, uint64_t occurrences, uint64_t, const FrequencyData* data,
                    Arena& arena) {
    const bool prefers_last = data != nullptr && data->is_descending;
    if (occurrences < best.occurrences || (occurrences == best.occurrences && !prefers_last)) return;
    best.value.Set(value, arena);
    best.occurrences = occurrences;
  }
  static bool Store(const Summary& best, Vector& result, size_t row) {
    if (best.occurrences != 0) best.value.Store(result, row);
    return best.occurrences != 0;
  }
};

/// The most frequent values so far, in descending order of their numbers.
template <typename T>
struct FrequentValues {
  KeptValue<T>* values = nullptr;
  uint64_t* occurrences = nullptr;
  size_t count = 0;
};

/// The most frequent values, as a list; equally frequent ones in their order.
template <typename T>
class TopValues : public OfFrequencies<TopValues<T>, T, FrequentValues<T>> {
 public:
  using Summary = FrequentValues<T>;
  using OfFrequencies<TopValues<T>, T, Summary>::OfFrequencies;
  static void Count(Summary& top, const T& value, uint64_t occurrences, uint64_t, const FrequencyData* data,
                    Arena& arena) {
    const size_t most = data->most_values;
    if (top.values == nullptr) {
      top.values = reinterpret_cast<KeptValue<T>*>(arena.Allocate(most * sizeof(KeptValue<T>), 16));
      top.occurrences = reinterpret_cast<uint64_t*>(arena.Allocate(most * sizeof(uint64_t), 16));
      std::uninitialized_default_construct_n(top.values, most);
    }
    if (top.count == most && top.occurrences[most - 1] >= occurrences) return;
    // The least frequent one makes place, and its buffer serves the new value.
    size_t place = top.count < most ? top.count++ : most - 1;
    KeptValue<T> entry = top.values[place];
    for (; place > 0 && top.occurrences[place - 1] < occurrences; place--) {
      top.values[place] = top.values[place - 1];
      top.occurrences[place] = top.occurrences[place - 1];
    }
    entry.Set(value, arena);
    top.values[place] = entry;
    top.occurrences[place] = occurrences;
  }
  static bool Store(const Summary& top, Vector& result, size_t row) {
    if (top.count == 0) return false;
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
    return true;
  }
};

struct SummedEntropy {
  double bits = 0;
};

/// The entropy in bits; 0 for no values.
template <typename T>
class Entropy : public OfFrequencies<Entropy<T>, T, SummedEntropy> {
 public:
  using Summary = SummedEntropy;
  using OfFrequencies<Entropy<T>, T, Summary>::OfFrequencies;
  static void Count(Summary& entropy, const T&, uint64_t occurrences, uint64_t total, const FrequencyData*,
                    Arena&) {
    const double part = static_cast<double>(occurrences) / static_cast<double>(total);
    entropy.bits -= part * std::log2(part);
  }
  static bool Store(const Summary& entropy, Vector& result, size_t row) {
    result.MutableData<double>()[row] = entropy.bits == 0 ? 0 : entropy.bits;
    return true;
  }
};

std::unique_ptr<FunctionData> BindMode(AggregateFunction& function, std::span<const BindArgument> arguments) {
  function.return_type = SettleAnyArgument(function, arguments, 0);
  VisitPhysicalType(PhysicalTypeOf(function.return_type), [&]<typename T>() { Mode<T>::Fill(function); });
  auto data = std::make_unique<FrequencyData>();
  const Value* descending = function.is_ordered_set ? arguments.back().constant : nullptr;
  data->is_descending = descending != nullptr && !descending->is_null() && descending->GetBoolean();
  return data;
}

std::unique_ptr<FunctionData> BindTopValues(AggregateFunction& function,
                                            std::span<const BindArgument> arguments) {
  constexpr int64_t kMostValues = 10000;
  const LogicalType element = SettleAnyArgument(function, arguments, 0);
  function.return_type = LogicalType::List(element);
  VisitPhysicalType(PhysicalTypeOf(element), [&]<typename T>() { TopValues<T>::Fill(function); });
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
  auto data = std::make_unique<FrequencyData>();
  data->most_values = static_cast<size_t>(count.GetBigInt());
  return data;
}

std::unique_ptr<FunctionData> BindEntropy(AggregateFunction& function,
                                          std::span<const BindArgument> arguments) {
  VisitPhysicalType(PhysicalTypeOf(SettleAnyArgument(function, arguments, 0)),
                    [&]<typename T>() { Entropy<T>::Fill(function); });
  return nullptr;
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
