// A bag of all values of a group, for aggregates that need them at the end: percentiles, mode, entropy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "common/memory/arena.hpp"
#include "function/aggregate_function.hpp"
#include "type/text/string_ref.hpp"

namespace scaup {

/// Copies the string to the arena unless it is inline.
inline StringRef KeepString(const StringRef& value, Arena& arena) {
  if (value.is_inline()) return value;
  char* bytes = reinterpret_cast<char*>(arena.Allocate(value.size(), 1));
  std::memcpy(bytes, value.data(), value.size());
  return StringRef(bytes, value.size());
}

/// A bag of values inside a state, allocated in the arena. Trivially copyable. The values are in runs; Join
/// links the runs of another bag without copying them, because the memory of a source state lives as long as
/// the target.
template <typename T>
class CollectedValues {
 public:
  uint64_t count() const { return count_; }

  void Add(const T& value, Arena& arena) {
    if (last_ == nullptr || last_->size == last_->capacity) NewRun(arena);
    T* slot = last_->values() + last_->size++;
    if constexpr (std::is_same_v<T, StringRef>) {
      *slot = KeepString(value, arena);
    } else {
      *slot = value;
    }
    count_++;
  }

  /// Adds values. REQUIRES: T is not a string.
  void AddAll(const T* values, size_t count, Arena& arena) {
    static_assert(!std::is_same_v<T, StringRef>);
    while (count > 0) {
      if (last_ == nullptr || last_->size == last_->capacity) NewRun(arena);
      const size_t part = std::min<size_t>(count, last_->capacity - last_->size);
      std::memcpy(last_->values() + last_->size, values, part * sizeof(T));
      last_->size += static_cast<uint32_t>(part);
      count_ += part;
      values += part;
      count -= part;
    }
  }

  void Join(const CollectedValues& other, Arena& arena) {
    if (other.count_ == 0) return;
    if (count_ == 0) {
      // A run of its own, so that values added later do not end up in the other bag's run.
      last_ = MakeRun(0, arena);
      last_->joined = other.last_;
    } else {
      Run* run = MakeRun(0, arena);
      run->previous = last_;
      run->joined = other.last_;
      last_ = run;
    }
    count_ += other.count_;
  }

  /// Calls visit(value) for all values in the order of Gather, and empties the bag.
  template <typename Visit>
  void TakeAll(Visit&& visit) {
    TakeRuns([&](const T* values, size_t count) {
      for (size_t i = 0; i < count; i++) visit(values[i]);
    });
  }

  /// Calls visit(const T* values, size_t count) for all runs, of at most 4096 values, in the order of Gather,
  /// and empties the bag.
  template <typename Visit>
  void TakeRuns(Visit&& visit) {
    std::vector<const Run*> runs;  // from the last run backwards
    std::vector<const Run*> pending = {last_};
    while (!pending.empty()) {
      const Run* run = pending.back();
      pending.pop_back();
      if (run == nullptr) continue;
      if (run->size > 0) runs.push_back(run);
      pending.push_back(run->previous);
      pending.push_back(run->joined);
    }
    last_ = nullptr;
    count_ = 0;
    for (; !runs.empty(); runs.pop_back()) visit(runs.back()->values(), size_t{runs.back()->size});
  }

  /// Calls visit(const T* values, size_t count) for all runs, without copying, in any order.
  template <typename Visit>
  void VisitRuns(std::vector<const void*>& pending, Visit&& visit) const {
    pending.assign(1, last_);
    while (!pending.empty()) {
      const Run* run = static_cast<const Run*>(pending.back());
      pending.pop_back();
      if (run == nullptr) continue;
      if (run->size > 0) visit(run->values(), size_t{run->size});
      pending.push_back(run->previous);
      pending.push_back(run->joined);
    }
  }

  /// Copies all values to memory of `scratch` in the order of insertion; those of a joined bag follow those
  /// that were there before. `pending` is a buffer reused from call to call.
  T* Gather(Arena& scratch, std::vector<const void*>& pending) const {
    T* values = reinterpret_cast<T*>(scratch.Allocate(count_ * sizeof(T), 16));
    CopyTo(values, pending);
    return values;
  }

  /// Copies all values to memory for count() values.
  void CopyTo(T* values, std::vector<const void*>& pending) const {
    T* out = values + count_;  // from the last run backwards
    pending.assign(1, last_);
    while (!pending.empty()) {
      const Run* run = static_cast<const Run*>(pending.back());
      pending.pop_back();
      if (run == nullptr) continue;
      out -= run->size;
      if (run->size > 0) std::memcpy(static_cast<void*>(out), run->values(), run->size * sizeof(T));
      pending.push_back(run->previous);
      pending.push_back(run->joined);
    }
  }

 private:
  struct alignas(16) Run {
    const Run* previous;  ///< the previous run of this bag
    const Run* joined;    ///< the last run of a joined bag
    uint32_t size;
    uint32_t capacity;
    T* values() { return reinterpret_cast<T*>(this + 1); }
    const T* values() const { return reinterpret_cast<const T*>(this + 1); }
  };
  static constexpr uint32_t kFirstCapacity = sizeof(T) == 1 ? 32 : 4, kLastCapacity = 4096;

  static Run* MakeRun(uint32_t capacity, Arena& arena) {
    std::byte* memory = arena.Allocate(sizeof(Run) + capacity * sizeof(T), 16);
    return new (memory) Run{nullptr, nullptr, 0, capacity};
  }

  void NewRun(Arena& arena) {
    uint32_t capacity = kFirstCapacity;
    while (capacity < kLastCapacity && capacity < count_) capacity *= 2;
    Run* run = MakeRun(capacity, arena);
    run->previous = last_;
    last_ = run;
  }

  Run* last_ = nullptr;
  uint64_t count_ = 0;
};

/// Stores the collected bytes, except for the first `skipped`, as a string of `result`.
inline StringRef StoreBytes(const CollectedValues<char>& bytes, size_t skipped, Vector& result,
                            std::vector<const void*>& pending) {
  char inline_bytes[StringRef::kInlineBytes];
  const bool is_short = bytes.count() <= StringRef::kInlineBytes;
  char* out = is_short ? inline_bytes : result.AllocateString(bytes.count());
  bytes.CopyTo(out, pending);
  return StringRef(out + skipped, static_cast<uint32_t>(bytes.count() - skipped));
}

/// Makes the RowRetention of an aggregate whose states collect bytes: their parts are the rows. `A` has
///   using State
///   static CollectedValues<char>& BytesOf(State&)
template <typename A>
struct RetainedBytes {
  using State = typename A::State;

  static void Take(const AggregateCall&, std::byte* state, RetainedRowsOutput& output) {
    A::BytesOf(*reinterpret_cast<State*>(state)).TakeRuns([&](const char* bytes, size_t count) {
      const size_t row = output.AddRow(state);
      output.rows().column(0).template MutableData<StringRef>()[row] =
          StringRef(bytes, static_cast<uint32_t>(count));
    });
  }
  static void UpdateOrdered(const AggregateCall& call, std::span<Vector> rows, size_t count,
                            std::byte** states) {
    const auto parts = rows[0].ViewAs<StringRef>(count);
    for (size_t row = 0; row < count; row++) {
      const StringRef& bytes = parts[row];
      A::BytesOf(*reinterpret_cast<State*>(states[row])).AddAll(bytes.data(), bytes.size(), call.arena);
    }
  }
  static void Fill(AggregateFunction& function) {
    RowRetention retention;
    retention.own_types = {TypeId::kBlob};
    retention.collects = true;
    retention.take = Take;
    retention.update_ordered = UpdateOrdered;
    function.row_retention = std::make_shared<const RowRetention>(std::move(retention));
  }
};

/// Makes the RowRetention of an aggregate whose states hold the values of their first argument. `A` has
///   using State, with a member CollectedValues `values`
///   using Element
///   static void Note(State&, Arena&)            counts one retained value
///   void AddOrdered(State&, const Element&)
/// and may have
///   static void KeepArguments(State&, Arena&)   moves other memory of the state to the arena
///   static void Change(...)                     RowRetention::change, if the rows must come twice
template <typename A>
struct RetainedValues {
  using State = typename A::State;
  using Element = typename A::Element;

  static void Take(const AggregateCall& call, std::byte* state, RetainedRowsOutput& output) {
    State& kept = *reinterpret_cast<State*>(state);
    if constexpr (requires { A::KeepArguments(kept, call.arena); }) A::KeepArguments(kept, call.arena);
    kept.values.TakeAll([&](const Element& value) {
      A::Note(kept, call.arena);
      const size_t row = output.AddRow(state);
      output.rows().column(0).MutableData<Element>()[row] = value;
    });
  }
  static void UpdateOrdered(const AggregateCall& call, std::span<Vector> rows, size_t count,
                            std::byte** states) {
    A aggregate(call);
    const auto values = rows[0].ViewAs<Element>(count);
    for (size_t row = 0; row < count; row++) {
      if (values.IsValid(row)) aggregate.AddOrdered(*reinterpret_cast<State*>(states[row]), values[row]);
    }
  }
  static void Fill(AggregateFunction& function, decltype(RowRetention::note) note) {
    RowRetention kept;
    kept.column_count = 1;
    kept.order = {{0, false, false}};
    kept.note = note;
    kept.take = Take;
    kept.update_ordered = UpdateOrdered;
    if constexpr (requires { A::Change; }) kept.change = A::Change;
    function.row_retention = std::make_shared<const RowRetention>(std::move(kept));
  }
};

}  // namespace scaup
