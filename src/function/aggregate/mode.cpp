// mode and entropy: how often the values of a group occur.
#include <algorithm>
#include <cmath>

#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/collected_values.hpp"
#include "function/aggregate/value_order.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

struct ModeData final : FunctionData {
  bool is_descending = false;
};

/// Sorts the values at the end, so that equal ones stand side by side.
template <typename T>
class OfFrequencies {
 public:
  using Input = T;
  using State = CollectedValues<T>;
  explicit OfFrequencies(const AggregateCall& call)
      : arena_(call.arena), scratch_(&call.context.memory), data_(static_cast<const ModeData*>(call.data)) {}
  void Add(State& state, const T& value) { state.Add(value, arena_); }
  void Combine(State& target, const State& source) { target.Join(source, arena_); }
  void Finish() {}

 protected:
  /// Calls visit(value, how often) for each distinct value in ascending order.
  template <typename Visit>
  void ForEachDistinct(const State& state, Visit&& visit) {
    const uint64_t count = state.count();
    scratch_.Reset();
    T* values = state.Gather(scratch_, pending_);
    std::sort(values, values + count, [](const T& a, const T& b) { return OrderedBefore(a, b); });
    for (uint64_t begin = 0; begin < count;) {
      uint64_t end = begin + 1;
      while (end < count && !OrderedBefore(values[begin], values[end])) end++;
      visit(values[begin], end - begin);
      begin = end;
    }
  }

  Arena& arena_;
  Arena scratch_;
  std::vector<const void*> pending_;
  const ModeData* data_;
};

/// Of values that occur alike often the first in order.
template <typename T>
class Mode : public OfFrequencies<T> {
 public:
  using State = typename OfFrequencies<T>::State;
  using OfFrequencies<T>::OfFrequencies;
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.count() == 0) return false;
    T best{};
    uint64_t most = 0;
    const bool prefers_last = this->data_ != nullptr && this->data_->is_descending;
    this->ForEachDistinct(state, [&](const T& value, uint64_t count) {
      if (count < most || (count == most && !prefers_last)) return;
      best = value;
      most = count;
    });
    if constexpr (std::is_same_v<T, StringRef>) {
      result.MutableData<StringRef>()[row] = result.AddString(best.view());
    } else {
      result.MutableData<T>()[row] = best;
    }
    return true;
  }
};

/// In bits. No values have none.
template <typename T>
class Entropy : public OfFrequencies<T> {
 public:
  using State = typename OfFrequencies<T>::State;
  using OfFrequencies<T>::OfFrequencies;
  bool Finalize(const State& state, Vector& result, size_t row) {
    double entropy = 0;
    const auto total = static_cast<double>(state.count());
    if (state.count() > 0) {
      this->ForEachDistinct(state, [&](const T&, uint64_t count) {
        const double part = static_cast<double>(count) / total;
        entropy -= part * std::log2(part);
      });
    }
    result.MutableData<double>()[row] = entropy == 0 ? 0 : entropy;
    return true;
  }
};

std::unique_ptr<FunctionData> BindMode(AggregateFunction& function, std::span<const BindArgument> arguments) {
  function.return_type = SettleAnyArgument(function, arguments, 0);
  VisitPhysicalType(PhysicalTypeOf(function.return_type),
                    [&]<typename T>() { UnaryAggregate<Mode<T>>::Fill(function); });
  auto data = std::make_unique<ModeData>();
  const Value* descending = function.is_ordered_set ? arguments.back().constant : nullptr;
  data->is_descending = descending != nullptr && !descending->is_null() && descending->GetBoolean();
  return data;
}

std::unique_ptr<FunctionData> BindEntropy(AggregateFunction& function,
                                          std::span<const BindArgument> arguments) {
  VisitPhysicalType(PhysicalTypeOf(SettleAnyArgument(function, arguments, 0)),
                    [&]<typename T>() { UnaryAggregate<Entropy<T>>::Fill(function); });
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
