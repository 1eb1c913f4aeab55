// The states of percentiles: all values of a group, in which positions are looked up at the end.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/collected_values.hpp"
#include "function/aggregate/place_selection.hpp"
#include "function/aggregate/value_order.hpp"
#include "type/packed_value.hpp"
#include "type/time/date_time.hpp"

/// States and loops that the sources of percentiles share. Their templates take long to compile, so there are
/// three of these sources.
namespace scaup::percentile {

/// Whether the group is sorted in descending order, which only calls with WITHIN GROUP can request.
struct PercentileData final : FunctionData {
  bool is_descending = false;
};

/// Interpolates between two neighbours. Equal ones are returned unchanged: the difference of infinities is
/// NaN.
inline double Interpolate(double low, double high, double part) {
  return part == 0 || low == high ? low : low + part * (high - low);
}
inline int64_t Interpolate(int64_t low, int64_t high, double part) {
  if (part == 0 || IsInfiniteTimestamp(low) || IsInfiniteTimestamp(high)) return low;
  return low + static_cast<int64_t>(std::rint(part * (static_cast<double>(high) - static_cast<double>(low))));
}

/// Reports a fraction that is not between 0 and 1.
[[noreturn]] void ThrowBadFraction(double fraction);

/// The values around a position, found among values that arrive in order.
template <typename T>
struct FoundValues {
  uint64_t index = UINT64_MAX;
  T low{}, high{};
};

/// The shared part: retains all values and looks up positions at the end. If the rows are retained elsewhere,
/// it counts them; then they arrive in order, and the values around the position are stored.
template <typename T, bool kIsContinuous>
class OfAllValues {
 public:
  using Element = T;
  struct Apart {
    uint64_t count = 0;
    uint64_t seen_count = 0;
    FoundValues<T> found;
  };
  struct State {
    CollectedValues<T> values;
    double fraction = 0.5;
    bool fraction_is_null = false;
    Apart* apart = nullptr;  ///< null unless the rows are retained elsewhere
    uint64_t count() const { return values.count() + (apart == nullptr ? 0 : apart->count); }
  };
  explicit OfAllValues(const AggregateCall& call)
      : arena_(call.arena),
        scratch_(&call.context.memory),
        data_(static_cast<const PercentileData*>(call.data)) {}

  void Combine(State& target, const State& source) {
    if (source.count() == 0) return;
    target.values.Join(source.values, arena_);
    JoinApart(target.apart, source.apart);
    target.fraction = source.fraction;
    target.fraction_is_null = source.fraction_is_null;
  }
  void Finish() {}

  void Add(State& state, const T& value) { state.values.Add(value, arena_); }
  static void Note(State& state, Arena& arena) { ApartOf(state.apart, arena).count++; }
  void AddOrdered(State& state, const T& value) {
    Apart& apart = *state.apart;
    if (apart.seen_count == 0 && !state.fraction_is_null)
      apart.found.index = PlaceOf(apart.count, state.fraction).index;
    Look(apart.found, apart.seen_count++, value);
  }

  /// Adds all rows at once if possible; otherwise adds none and returns false.
  static bool AddFlat(const AggregateCall& call, std::span<Vector> arguments, size_t count, State& state) {
    if constexpr (std::is_same_v<T, StringRef>) {
      return false;
    } else {
      if (count == 0 || !arguments[0].is_flat() || arguments[0].Validity() != nullptr) return false;
      if (arguments.size() > 1) {
        const Vector& fraction = arguments[1];
        if (fraction.type() != TypeId::kDouble || !fraction.is_constant() || fraction.is_null_constant())
          return false;
        state.fraction = *fraction.Data<double>();
        state.fraction_is_null = false;
      }
      state.values.AddAll(arguments[0].Data<T>(), count, call.arena);
      return true;
    }
  }

  /// Adds rows. The optional second argument is the fraction, which is the same in all rows of a group.
  template <typename GetState, typename AddValue>
  static void AddRows(const AggregateCall&, std::span<Vector> arguments, size_t count, GetState&& get_state,
                      AddValue&& add) {
    if (arguments.size() < 2 || arguments[1].type() != TypeId::kDouble) {
      ForEachValid<T>(arguments[0], count, [&](size_t row, const T& value) { add(get_state(row), value); });
      return;
    }
    const auto fractions = arguments[1].ViewAs<double>(count);
    ForEachValid<T>(arguments[0], count, [&](size_t row, const T& value) {
      State& state = get_state(row);
      add(state, value);
      state.fraction_is_null = !fractions.IsValid(row);
      if (!state.fraction_is_null) state.fraction = fractions[row];
    });
  }

 protected:
  struct Before {
    bool operator()(const T& a, const T& b) const { return OrderedBefore(a, b); }
  };

  template <typename A>
  static A& ApartOf(A*& apart, Arena& arena) {
    if (apart == nullptr) apart = new (arena.Allocate(sizeof(A), 16)) A();
    return *apart;
  }
  template <typename A>
  static void JoinApart(A*& target, A* source) {
    if (target == nullptr) {
      target = source;
    } else if (source != nullptr) {
      target->count += source->count;
    }
  }

  /// All values in scratch memory, valid until the next call.
  T* Gather(const CollectedValues<T>& values) {
    scratch_.Reset();
    return values.Gather(scratch_, pending_);
  }
  /// The position of a fraction in ascending order.
  ValuePlace PlaceOf(uint64_t count, double fraction) const { return PlaceOf(data_, count, fraction); }
  static ValuePlace PlaceOf(const PercentileData* data, uint64_t count, double fraction) {
    if (!(fraction >= 0 && fraction <= 1)) {
      ThrowBadFraction(fraction);
    }
    const bool is_descending = data != nullptr && data->is_descending;
    if constexpr (kIsContinuous) {
      double position = fraction * static_cast<double>(count - 1);
      if (is_descending) position = static_cast<double>(count - 1) - position;
      const double whole = std::floor(position);
      return {static_cast<uint64_t>(whole), position - whole};
    } else {
      const double place = std::ceil(fraction * static_cast<double>(count));
      const uint64_t index = place < 1 ? 0 : std::min(static_cast<uint64_t>(place), count) - 1;
      return {is_descending ? count - 1 - index : index, 0};
    }
  }
  T ValueAt(const CollectedValues<T>& values, const ValuePlace& place) {
    if constexpr (kIsSelected) {
      if (values.count() >= PlaceSelection<T>::kLeastCount) {
        std::vector<typename PlaceSelection<T>::Run> runs;
        values.VisitRuns(pending_, [&](const T* run, size_t count) { runs.push_back({run, count}); });
        if (const std::optional<T> value = Select(runs, values.count(), place)) return *value;
      }
    }
    return ValueAt(Gather(values), values.count(), place);
  }
  /// The value at a position. Reorders the values.
  static T ValueAt(T* values, uint64_t count, const ValuePlace& place) {
    std::nth_element(values, values + place.index, values + count, Before());
    const T low = values[place.index];
    if (place.part == 0 || place.index + 1 == count) return low;
    return Between(low, *std::min_element(values + place.index + 1, values + count, Before()), place.part);
  }
  static T Between(const FoundValues<T>& found, const ValuePlace& place) {
    return Between(found.low, found.high, place.part);
  }
  static T Between(const T& low, [[maybe_unused]] const T& high, [[maybe_unused]] double part) {
    if constexpr (kIsContinuous) {
      return Interpolate(low, high, part);
    } else {
      return low;
    }
  }
  /// Stores the next value in order if it is one of the wanted ones.
  void Look(FoundValues<T>& found, uint64_t index, const T& value) {
    if (index == found.index) found.low = Keep(value);
    if (kIsContinuous && index == found.index + 1) found.high = value;
  }
  T Keep(const T& value) {
    if constexpr (std::is_same_v<T, StringRef>) return KeepString(value, arena_);
    return value;
  }
  static void Store(const T& value, Vector& result, size_t row) {
    if constexpr (std::is_same_v<T, StringRef>) {
      result.MutableData<StringRef>()[row] = result.AddString(value.view());
    } else {
      result.MutableData<T>()[row] = value;
    }
  }

  Arena& arena_;

 private:
  static constexpr bool kIsSelected = std::is_arithmetic_v<T>;

  template <typename Run>
  std::optional<T> Select(const std::vector<Run>& runs, uint64_t count, const ValuePlace& place) {
    scratch_.Reset();
    const auto found = PlaceSelection<T>(runs, count, scratch_).At(place.index);
    if (!found) return std::nullopt;
    return place.part == 0 || !found->next ? found->value : Between(found->value, *found->next, place.part);
  }

  Arena scratch_;
  std::vector<const void*> pending_;
  const PercentileData* data_;
};

/// The value at a fraction: interpolated between its neighbours if continuous, otherwise the first one at or
/// after it.
template <typename T, bool kIsContinuous>
class AtFraction : public OfAllValues<T, kIsContinuous> {
 public:
  using State = typename OfAllValues<T, kIsContinuous>::State;
  using OfAllValues<T, kIsContinuous>::OfAllValues;
  /// As the members of SelectedValue.
  static ValuePlace PlaceAmong(const AggregateCall& call, uint64_t count, double fraction) {
    return OfAllValues<T, kIsContinuous>::PlaceOf(static_cast<const PercentileData*>(call.data), count,
                                                  fraction);
  }
  static void WriteBetween(const Vector& low, const Vector& high, const double* parts, size_t count,
                           Vector& result) {
    for (size_t i = 0; i < count; i++)
      result.MutableData<T>()[i] = Interpolate(low.Data<T>()[i], high.Data<T>()[i], parts[i]);
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    const uint64_t count = state.count();
    if (count == 0 || state.fraction_is_null) return false;
    const ValuePlace place = this->PlaceOf(count, state.fraction);
    this->Store(state.apart == nullptr ? this->ValueAt(state.values, place)
                                       : this->Between(state.apart->found, place),
                result, row);
    return true;
  }
};

/// The values at a list of fractions, as a list.
template <typename T, bool kIsContinuous>
class AtEachFraction : public OfAllValues<T, kIsContinuous> {
 public:
  struct Apart {
    uint64_t count = 0;
    uint64_t seen_count = 0;
    FoundValues<T>* found = nullptr;   ///< one per fraction
    uint64_t next_index = UINT64_MAX;  ///< no value is wanted before this index
  };
  struct State {
    CollectedValues<T> values;
    StringRef fractions;  ///< slots of the list of fractions
    bool knows_fractions = false;
    bool fractions_are_null = false;
    Apart* apart = nullptr;
    uint64_t count() const { return values.count() + (apart == nullptr ? 0 : apart->count); }
  };
  using OfAllValues<T, kIsContinuous>::OfAllValues;

  void Combine(State& target, const State& source) {
    if (source.count() == 0) return;
    target.values.Join(source.values, this->arena_);
    this->JoinApart(target.apart, source.apart);
    target.fractions = source.fractions;
    target.knows_fractions = source.knows_fractions;
    target.fractions_are_null = source.fractions_are_null;
  }

  void Add(State& state, const T& value) { state.values.Add(value, this->arena_); }
  static bool AddFlat(const AggregateCall&, std::span<Vector>, size_t, State&) { return false; }
  static void Note(State& state, Arena& arena) {
    OfAllValues<T, kIsContinuous>::ApartOf(state.apart, arena).count++;
  }
  void AddOrdered(State& state, const T& value) {
    Apart& apart = *state.apart;
    const bool begins = apart.seen_count == 0 && !state.fractions_are_null;
    if (begins) MakePlaces(state);
    const uint64_t index = apart.seen_count++;
    if (index < apart.next_index && !begins) return;
    uint64_t next = UINT64_MAX;
    size_t number = 0;
    ForEachFraction(state, [&](std::string_view) {
      FoundValues<T>& found = apart.found[number++];
      this->Look(found, index, value);
      if (found.index == UINT64_MAX) return;
      if (found.index > index) next = std::min(next, found.index);
      if (kIsContinuous && found.index == index) next = index + 1;
    });
    apart.next_index = next;
  }

  static void KeepArguments(State& state, Arena& arena) {
    state.fractions = KeepString(state.fractions, arena);
  }

  bool Finalize(const State& state, Vector& result, size_t row) {
    const uint64_t count = state.count();
    if (count == 0 || state.fractions_are_null) return false;
    const LogicalType element = result.type().element();
    T* values = state.apart == nullptr ? this->Gather(state.values) : nullptr;
    slots_.clear();
    size_t number = 0;
    ForEachFraction(state, [&](std::string_view fraction) {
      const size_t index = number++;
      if (IsNullSlot(fraction)) return AppendNullSlot(element, slots_);
      const ValuePlace place = this->PlaceOf(count, ReadFixedSlot<double>(fraction));
      if (values != nullptr) return Append(element, this->ValueAt(values, count, place));
      Append(element, this->Between(state.apart->found[index], place));
    });
    result.MutableData<StringRef>()[row] = result.AddString(slots_);
    return true;
  }

  template <typename GetState, typename AddValue>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state, AddValue&& add) {
    const auto fractions = arguments[1].ViewAs<StringRef>(count);
    ForEachValid<T>(arguments[0], count, [&](size_t row, const T& value) {
      State& state = get_state(row);
      add(state, value);
      if (state.knows_fractions) return;  // the same in all rows of a group
      state.knows_fractions = true;
      state.fractions_are_null = !fractions.IsValid(row);
      if (!state.fractions_are_null) state.fractions = KeepString(fractions[row], call.arena);
    });
  }

 private:
  template <typename Visit>
  static void ForEachFraction(const State& state, Visit&& visit) {
    for (std::string_view rest = state.fractions.view(); !rest.empty();)
      visit(TakeSlot(TypeId::kDouble, rest));
  }

  void MakePlaces(State& state) {
    size_t fraction_count = 0;
    ForEachFraction(state, [&](std::string_view) { fraction_count++; });
    std::byte* memory = this->arena_.Allocate(fraction_count * sizeof(FoundValues<T>), 16);
    state.apart->found = reinterpret_cast<FoundValues<T>*>(memory);
    size_t number = 0;
    ForEachFraction(state, [&](std::string_view fraction) {
      FoundValues<T>* found = new (&state.apart->found[number++]) FoundValues<T>();
      if (!IsNullSlot(fraction))
        found->index = this->PlaceOf(state.apart->count, ReadFixedSlot<double>(fraction)).index;
    });
  }

  void Append(const LogicalType& type, const T& value) {
    if constexpr (!std::is_same_v<T, StringRef>) {
      AppendFixedSlot(value, slots_);
    } else if (IsPacked(type.id())) {
      AppendNestedSlot(type, value.view(), slots_);
    } else {
      AppendStringSlot(value.view(), slots_);
    }
  }

  std::string slots_;
};

template <typename A>
void Update(const AggregateCall& call, std::span<Vector> arguments, size_t count, std::byte** states) {
  using State = typename A::State;
  A aggregate(call);
  A::AddRows(
      call, arguments, count, [&](size_t row) -> State& { return StateAt<State>(states[row]); },
      [&](auto& state, const auto& value) { aggregate.Add(state, value); });
}
template <typename A>
void UpdateSingle(const AggregateCall& call, std::span<Vector> arguments, size_t count, std::byte* state) {
  using State = typename A::State;
  if (A::AddFlat(call, arguments, count, StateAt<State>(state))) return;
  A aggregate(call);
  A::AddRows(
      call, arguments, count, [&](size_t) -> State& { return StateAt<State>(state); },
      [&](auto& target, const auto& value) { aggregate.Add(target, value); });
}
template <typename A>
void Note(const AggregateCall& call, std::span<Vector> arguments, size_t count, std::byte** states) {
  using State = typename A::State;
  A::AddRows(
      call, arguments, count, [&](size_t row) -> State& { return StateAt<State>(states[row]); },
      [&](auto& state, const auto&) { A::Note(state, call.arena); });
}

/// Makes an AtFraction's SelectedValue.
template <typename T, bool kIsContinuous>
const SelectedValue* SelectedBy(AtFraction<T, kIsContinuous>*) {
  using A = AtFraction<T, kIsContinuous>;
  if constexpr (kIsContinuous) {
    static constexpr SelectedValue kSelected{&A::PlaceAmong, &A::WriteBetween};
    return &kSelected;
  } else {
    static constexpr SelectedValue kSelected{&A::PlaceAmong, nullptr};
    return &kSelected;
  }
}

template <typename A>
void Fill(AggregateFunction& function) {
  if constexpr (requires { SelectedBy(static_cast<A*>(nullptr)); })
    function.selected_value = SelectedBy(static_cast<A*>(nullptr));
  AggregateBase<A>::Fill(function);
  function.update = Update<A>;
  function.update_single = UpdateSingle<A>;
  RetainedValues<A>::Fill(function, Note<A>);
}

/// Stores the sort direction of WITHIN GROUP, which is the last argument.
std::unique_ptr<FunctionData> KeepOrder(AggregateFunction& function, std::span<const BindArgument> arguments);

/// Binds a discrete percentile, at one fraction or at a list of them, of values of any type.
std::unique_ptr<FunctionData> BindDiscrete(AggregateFunction& function,
                                           std::span<const BindArgument> arguments);
/// Gives a discrete percentile at a list of fractions its code for values of a type.
void FillDiscreteList(AggregateFunction& function, PhysicalType type);

}  // namespace scaup::percentile
