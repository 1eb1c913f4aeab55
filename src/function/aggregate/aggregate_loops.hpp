// The loops of all aggregates: from a class with a state and its operations, they make the five functions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

#include "function/aggregate_function.hpp"

namespace scaup {

/// Calls visit(row, value) for every row that is not NULL, in ascending order.
template <typename T, typename Visit>
void ForEachValid(Vector& input, size_t count, Visit&& visit) {
  if (input.is_flat()) {
    const T* data = input.Data<T>();
    const ValidityWord* validity = input.Validity();
    if (validity == nullptr) {
      for (size_t row = 0; row < count; row++) visit(row, data[row]);
      return;
    }
    for (size_t begin = 0; begin < count; begin += 64) {
      ValidityWord word = validity[begin / 64];
      if (count - begin < 64) word &= (ValidityWord{1} << (count - begin)) - 1;
      for (; word != 0; word &= word - 1) {
        const size_t row = begin + static_cast<size_t>(std::countr_zero(word));
        visit(row, data[row]);
      }
    }
    return;
  }
  if (input.is_null_constant()) return;
  const auto view = input.ViewAs<T>(count);
  for (size_t row = 0; row < count; row++) {
    if (view.IsValid(row)) visit(row, view[row]);
  }
}

/// Calls visit(row, a, b) for every row where neither is NULL, in ascending order.
template <typename A, typename B, typename Visit>
void ForEachValidPair(Vector& a, Vector& b, size_t count, Visit&& visit) {
  if (a.is_null_constant() || b.is_null_constant()) return;
  const auto a_view = a.ViewAs<A>(count);
  const auto b_view = b.ViewAs<B>(count);
  for (size_t row = 0; row < count; row++) {
    if (a_view.IsValid(row) && b_view.IsValid(row)) visit(row, a_view[row], b_view[row]);
  }
}

template <typename State>
State& StateAt(std::byte* state) {
  return *reinterpret_cast<State*>(state);
}

/// Makes initialize, combine and finalize from an aggregate class `A`. One object is made per call. `A` has
///   using State                                     trivially copyable; its default is the empty state
///   explicit A(const AggregateCall&)
///   void Combine(State& target, const State& source)
///   bool Finalize(const State&, Vector& result, size_t row)    writes the row, or returns false for NULL
///   void Finish()                                   throws the error of this call's rows, if there is one
/// or, instead of Finalize, FinalizeAll with the arguments of AggregateFunction::finalize.
template <typename A>
struct AggregateBase {
  using State = typename A::State;
  static_assert(std::is_trivially_copyable_v<State> && alignof(State) <= 16);

  static void Initialize(std::byte* state) { new (state) State(); }

  static void Combine(const AggregateCall& call, std::byte** sources, std::byte** targets, size_t count) {
    A aggregate(call);
    for (size_t i = 0; i < count; i++)
      aggregate.Combine(StateAt<State>(targets[i]), StateAt<State>(sources[i]));
    aggregate.Finish();
  }

  static void Finalize(const AggregateCall& call, std::byte** states, size_t count, Vector& result,
                       size_t offset) {
    A aggregate(call);
    for (size_t i = 0; i < count; i++) {
      if (!aggregate.Finalize(StateAt<State>(states[i]), result, offset + i)) result.SetNull(offset + i);
    }
    aggregate.Finish();
  }

  static void Fill(AggregateFunction& function) {
    function.state_alignment = alignof(State) <= 8 ? 8 : 16;
    function.state_size =
        (sizeof(State) + function.state_alignment - 1) / function.state_alignment * function.state_alignment;
    function.initialize = Initialize;
    function.combine = Combine;
    if constexpr (requires { A::FinalizeAll; }) {
      function.finalize = A::FinalizeAll;
    } else {
      function.finalize = Finalize;
    }
  }
};

/// Makes the functions of an aggregate of one argument. Besides the members for AggregateBase, `A` has
///   using Input
///   void Add(State&, const Input&)
/// and may have, for runs of rows without NULL that belong to one state,
///   void AddFlat(State&, const Input* values, size_t count)      count >= 1
///   void AddRepeated(State&, const Input& value, size_t count)   count >= 1
///   void AddSelected(State&, const Input* values, const sel_t* rows, size_t count)   adds values[rows[i]]
/// and, if states contain no pointers, so that window functions may use `run` and `slide`,
///   static constexpr bool kIsPlain = true
///   void Remove(State&, const Input&)      the exact inverse of Add, if there is one
///   bool RunFlat(State&, const Input* values, size_t count, Vector& result, size_t row)
///                                          Add and Finalize row by row, without NULL; false: not done
///   void AddShifted(State (&)[kLanes], const Input* values, size_t count)
///                                          adds values[lane], ..., values[lane + count - 1] in that order to
///                                          each state, all of which are empty
template <typename A>
struct UnaryAggregate : AggregateBase<A> {
  using State = typename A::State;
  using Input = typename A::Input;

  static void Update(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                     std::byte** states) {
    A aggregate(call);
    ForEachValid<Input>(arguments[0], count, [&](size_t row, const Input& value) {
      aggregate.Add(StateAt<State>(states[row]), value);
    });
    aggregate.Finish();
  }

  static void UpdateSingle(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                           std::byte* state) {
    if (count == 0) return;
    A aggregate(call);
    State local = StateAt<State>(state);  // a copy, so that it can stay in registers
    AddAll(aggregate, arguments[0], count, local);
    StateAt<State>(state) = local;
    aggregate.Finish();
  }

  static void Run(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                  const uint8_t* restarts, std::byte* state, Vector& result) {
    A aggregate(call);
    State local = StateAt<State>(state);
    size_t row = 0;
    if constexpr (requires(const Input* values) { aggregate.RunFlat(local, values, count, result, row); }) {
      if (arguments[0].is_flat() && arguments[0].Validity() == nullptr) {
        const Input* values = arguments[0].Data<Input>();
        while (row < count) {
          if (restarts[row] != 0) local = State();
          const size_t end =
              static_cast<size_t>(std::find(restarts + row + 1, restarts + count, 1) - restarts);
          if (!aggregate.RunFlat(local, values + row, end - row, result, row)) break;
          row = end;
        }
      }
    }
    const auto view = arguments[0].ViewAs<Input>(count);
    for (; row < count; row++) {
      if (restarts[row] != 0) local = State();
      if (view.IsValid(row)) aggregate.Add(local, view[row]);
      if (!aggregate.Finalize(local, result, row)) result.SetNull(row);
    }
    StateAt<State>(state) = local;
    aggregate.Finish();
  }

  static void Slide(const AggregateCall& call, const SlideInput& input, const uint64_t* begins,
                    const uint64_t* ends, size_t count, Vector& result) {
    A aggregate(call);
    const auto* values = reinterpret_cast<const Input*>(input.values);
    const auto is_valid = [&](uint64_t row) {
      return input.validity == nullptr || TestValid(input.validity, row);
    };
    State state;
    uint64_t begin = 0, end = 0;
    for (size_t row = 0; row < count; row++) {
      if constexpr (kHasAddShifted) {
        if (input.validity == nullptr && AreShifted(begins + row, ends + row, count - row)) {
          State states[kLanes];
          aggregate.AddShifted(states, values + begins[row], ends[row] - begins[row]);
          for (size_t lane = 0; lane < kLanes; lane++)
            if (!aggregate.Finalize(states[lane], result, row + lane)) result.SetNull(row + lane);
          row += kLanes - 1;
          continue;
        }
      }
      if (!kHasRemove || begins[row] >= end) {
        state = State();
        begin = end = begins[row];
      }
      if constexpr (kHasRemove) {
        for (; begin < begins[row]; begin++)
          if (is_valid(begin)) aggregate.Remove(state, values[begin]);
      }
      for (; end < ends[row]; end++)
        if (is_valid(end)) aggregate.Add(state, values[end]);
      if (!aggregate.Finalize(state, result, row)) result.SetNull(row);
    }
    aggregate.Finish();
  }

  static void Fill(AggregateFunction& function) {
    AggregateBase<A>::Fill(function);
    function.update = Update;
    function.update_single = UpdateSingle;
    if constexpr (requires { A::kIsPlain; }) {
      function.run = Run;
      function.slide = Slide;
      function.most_slide_rows = kHasRemove ? 4096 : 48;
    }
  }

 private:
  static constexpr bool kHasRemove = requires(A & aggregate, State& state, const Input& value) {
    aggregate.Remove(state, value);
  };

  static constexpr size_t kLanes = 8;
  // Computes each state from the rows of its own frame. Adjacent frames are then independent of each other,
  // so the processor works on all lanes at once.
  static constexpr bool kHasAddShifted =
      !kHasRemove && requires(A & aggregate, State (&states)[kLanes], const Input* values) {
    aggregate.AddShifted(states, values, kLanes);
  };

  /// Whether the next kLanes frames have one size and are shifted by one row each.
  static bool AreShifted(const uint64_t* begins, const uint64_t* ends, size_t count) {
    if (count < kLanes) return false;
    bool are_shifted = true;
    for (size_t lane = 1; lane < kLanes; lane++)
      are_shifted &= begins[lane] == begins[0] + lane && ends[lane] == ends[0] + lane;
    return are_shifted;
  }

  static void AddAll(A& aggregate, Vector& input, size_t count, State& state) {
    if constexpr (requires(const Input& value) { aggregate.AddRepeated(state, value, count); }) {
      if (input.is_constant()) {
        if (!input.is_null_constant()) aggregate.AddRepeated(state, *input.Data<Input>(), count);
        return;
      }
    }
    if constexpr (requires(const Input* values) { aggregate.AddFlat(state, values, count); }) {
      if (input.is_flat() && input.Validity() == nullptr) {
        aggregate.AddFlat(state, input.Data<Input>(), count);
        return;
      }
      if (sizeof(Input) <= 8 && !input.is_constant() && !input.is_flat()) {
        // Rows that passed a filter: gathering them first is cheaper than adding them one by one.
        const auto view = input.ViewAs<Input>(count);
        if (view.all_valid()) {
          if constexpr (requires { aggregate.AddSelected(state, view.data, view.selection, count); })
            return aggregate.AddSelected(state, view.data, view.selection, count);
          Input values[kVectorSize];
          for (size_t row = 0; row < count; row++) values[row] = view[row];
          aggregate.AddFlat(state, values, count);
          return;
        }
      }
    }
    ForEachValid<Input>(input, count, [&](size_t, const Input& value) { aggregate.Add(state, value); });
  }
};

/// Makes the functions of an aggregate of two arguments that ignores rows where either is NULL. `A` has
///   using First, Second
///   void Add(State&, const First&, const Second&)
template <typename A>
struct BinaryAggregate : AggregateBase<A> {
  using State = typename A::State;
  using First = typename A::First;
  using Second = typename A::Second;

  static void Update(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                     std::byte** states) {
    A aggregate(call);
    ForEachValidPair<First, Second>(arguments[0], arguments[1], count,
                                    [&](size_t row, const First& first, const Second& second) {
                                      aggregate.Add(StateAt<State>(states[row]), first, second);
                                    });
    aggregate.Finish();
  }

  static void UpdateSingle(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                           std::byte* state) {
    A aggregate(call);
    State local = StateAt<State>(state);
    ForEachValidPair<First, Second>(
        arguments[0], arguments[1], count,
        [&](size_t, const First& first, const Second& second) { aggregate.Add(local, first, second); });
    StateAt<State>(state) = local;
    aggregate.Finish();
  }

  static void Fill(AggregateFunction& function) {
    AggregateBase<A>::Fill(function);
    function.update = Update;
    function.update_single = UpdateSingle;
  }
};

/// Makes the functions of an aggregate that reads all arguments of its rows together. `A` has
///   static void A::AddRows(const AggregateCall&, std::span<Vector> arguments, size_t count, get_state)
/// which adds each row to the state get_state(row). It serves update and update_single.
template <typename A>
struct RowAggregate : AggregateBase<A> {
  using State = typename A::State;

  static void Update(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                     std::byte** states) {
    A::AddRows(call, arguments, count, [&](size_t row) -> State& { return StateAt<State>(states[row]); });
  }
  static void UpdateSingle(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                           std::byte* state) {
    A::AddRows(call, arguments, count, [&](size_t) -> State& { return StateAt<State>(state); });
  }
  static void Fill(AggregateFunction& function) {
    AggregateBase<A>::Fill(function);
    function.update = Update;
    function.update_single = UpdateSingle;
  }
};

}  // namespace scaup
