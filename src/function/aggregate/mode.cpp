// mode and entropy, which depend on how often each value of a group occurs.
#include <algorithm>
#include <cmath>

#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/collected_values.hpp"
#include "function/aggregate/kept_value.hpp"
#include "function/aggregate/value_order.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

struct ModeData final : FunctionData {
  bool is_descending = false;
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
      : arena_(call.arena), scratch_(&call.context.memory), data_(static_cast<const ModeData*>(call.data)) {}
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
  bool prefers_last() const { return data_ != nullptr && data_->is_descending; }
  void Count(Summary& summary, const T& value, uint64_t occurrences, uint64_t total, Arena& arena) {
    A::Count(summary, value, occurrences, total, prefers_last(), arena);
  }

  Arena& arena_;
  Arena scratch_;
  std::vector<const void*> pending_;
  const ModeData* data_;
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
  static void Count(Summary& best, const T& value, uint64_t occurrences, uint64_t, bool prefers_last,
                    Arena& arena) {
    if (occurrences < best.occurrences || (occurrences == best.occurrences && !prefers_last)) return;
    best.value.Set(value, arena);
    best.occurrences = occurrences;
  }
  static bool Store(const Summary& best, Vector& result, size_t row) {
    if (best.occurrences != 0) best.value.Store(result, row);
    return best.occurrences != 0;
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
  static void Count(Summary& entropy, const T&, uint64_t occurrences, uint64_t total, bool, Arena&) {
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
  auto data = std::make_unique<ModeData>();
  const Value* descending = function.is_ordered_set ? arguments.back().constant : nullptr;
  data->is_descending = descending != nullptr && !descending->is_null() && descending->GetBoolean();
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
  add("entropy", {TypeId::kNull}, TypeId::kDouble, BindEntropy,
      "The entropy, in bits, of how often the values occur.", "entropy(x)");
}

}  // namespace scaup
