// Retains the rows of each group, sorts them at the end, and passes them to the real aggregate.
#include "function/aggregate/sorted_aggregate.hpp"

#include <algorithm>
#include <cstring>

#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/collected_values.hpp"
#include "function/aggregate/value_order.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

/// Compares values: negative, zero or positive, as memcmp.
using CompareValues = int (*)(const std::byte* a, const std::byte* b);

template <typename T>
int Compare(const std::byte* a, const std::byte* b) {
  const T& left = *reinterpret_cast<const T*>(a);
  const T& right = *reinterpret_cast<const T*>(b);
  return OrderedBefore(left, right) ? -1 : OrderedBefore(right, left) ? 1 : 0;
}

/// The layout of retained rows: one byte per column, 1 if it is not NULL, then the values. String bytes are
/// stored elsewhere.
class SortedRows final : public FunctionData {
 public:
  struct Column {
    LogicalType type;
    PhysicalType physical;
    size_t size_bytes;
    size_t offset;
  };
  struct Key {
    size_t column;
    bool descending;
    bool nulls_first;
    CompareValues compare;
  };

  SortedRows(AggregateFunction inner_in, std::shared_ptr<const FunctionData> data_in,
             std::vector<LogicalType> types, const std::vector<AggregateOrder>& order)
      : inner(std::move(inner_in)), inner_data(std::move(data_in)) {
    constexpr size_t kAlignment = 16;
    const auto aligned = [](size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; };
    row_bytes = aligned(types.size());
    for (const LogicalType& type : types) {
      const PhysicalType physical = PhysicalTypeOf(type);
      columns.push_back({type, physical, PhysicalSize(physical), row_bytes});
      row_bytes += aligned(columns.back().size_bytes);
    }
    for (const AggregateOrder& key : order) {
      const CompareValues compare = VisitPhysicalType(
          columns[key.argument].physical, []<typename T>() -> CompareValues { return Compare<T>; });
      keys.push_back({key.argument, key.descending, key.nulls_first, compare});
    }
  }

  bool IsBefore(const std::byte* a, const std::byte* b) const {
    for (const Key& key : keys) {
      const bool a_is_valid = a[key.column] != std::byte{0}, b_is_valid = b[key.column] != std::byte{0};
      if (a_is_valid != b_is_valid) return a_is_valid != key.nulls_first;
      if (!a_is_valid) continue;
      const size_t offset = columns[key.column].offset;
      const int compared = key.compare(a + offset, b + offset);
      if (compared != 0) return (compared < 0) != key.descending;
    }
    return false;
  }

  /// Writes a column of a retained row.
  void WriteValue(const std::byte* kept, size_t column, Vector& output, size_t row) const {
    if (kept[column] == std::byte{0}) return output.SetNull(row);
    const size_t size_bytes = columns[column].size_bytes;
    std::memcpy(output.MutableData<std::byte>() + row * size_bytes, kept + columns[column].offset,
                size_bytes);
  }

  const AggregateFunction inner;
  const std::shared_ptr<const FunctionData> inner_data;
  std::vector<Column> columns;
  std::vector<Key> keys;
  size_t row_bytes = 0;
};

class SortedAggregate {
 public:
  struct State {
    CollectedValues<const std::byte*> rows;
    std::byte* inner = nullptr;  ///< null unless the rows are retained elsewhere and come in order
  };
  explicit SortedAggregate(const AggregateCall& call)
      : call_(call), layout_(static_cast<const SortedRows&>(*call.data)), scratch_(&call.context.memory) {}

  void Combine(State& target, const State& source) { target.rows.Join(source.rows, call_.arena); }

  /// Finalizes many groups by one call of the inner aggregate, whose calls may cost much, as those of the
  /// program do.
  static void FinalizeAll(const AggregateCall& call, std::byte** states, size_t count, Vector& result,
                          size_t offset) {
    SortedAggregate aggregate(call);
    const AggregateFunction& inner = aggregate.layout_.inner;
    std::byte* inner_states[kVectorSize];
    for (size_t first = 0, next = 0; first < count; first = next) {
      aggregate.scratch_.Reset();
      size_t bytes = 0;
      do {
        const State& state = StateAt<State>(states[next]);
        inner_states[next - first] = state.inner != nullptr ? state.inner : aggregate.AddSorted(state);
        bytes += state.rows.count() * aggregate.layout_.row_bytes;
        next++;
      } while (next < count && bytes < kMostBytes);
      inner.finalize(aggregate.InnerCall(), inner_states, next - first, result, offset + first);
    }
  }

  void Finish() {}

  /// Sorting needs no counts.
  static void Note(const AggregateCall&, std::span<Vector>, size_t, std::byte**) {}
  static void Take(const AggregateCall& call, std::byte* state, RetainedRowsOutput& output) {
    const auto& layout = static_cast<const SortedRows&>(*call.data);
    StateAt<State>(state).rows.TakeAll([&](const std::byte* kept) {
      const size_t row = output.AddRow(state);
      for (size_t i = 0; i < layout.columns.size(); i++)
        layout.WriteValue(kept, i, output.rows().column(i), row);
    });
  }
  static void UpdateOrdered(const AggregateCall& call, std::span<Vector> rows, size_t count,
                            std::byte** states) {
    const auto& layout = static_cast<const SortedRows&>(*call.data);
    const AggregateFunction& inner = layout.inner;
    std::byte* inner_states[kVectorSize];
    for (size_t row = 0; row < count; row++) {
      State& state = StateAt<State>(states[row]);
      if (state.inner == nullptr) {
        state.inner = call.arena.Allocate(inner.state_size, 16);
        inner.initialize(state.inner);
      }
      inner_states[row] = state.inner;
    }
    inner.update({call.context, layout.inner_data.get(), call.arena}, rows.first(inner.argument_types.size()),
                 count, inner_states);
  }

 private:
  friend struct RowAggregate<SortedAggregate>;

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    const auto& layout = static_cast<const SortedRows&>(*call.data);
    std::byte* const rows = call.arena.Allocate(layout.row_bytes * count, 16);
    for (size_t i = 0; i < layout.columns.size(); i++) {
      const SortedRows::Column& column = layout.columns[i];
      const UnifiedView view = arguments[i].View(count);
      for (size_t row = 0; row < count; row++) {
        std::byte* const kept = rows + row * layout.row_bytes;
        const bool is_valid = view.IsValid(row);
        kept[i] = std::byte{is_valid};
        if (!is_valid) continue;
        const std::byte* value = view.data + view.selection[row] * column.size_bytes;
        if (column.physical == PhysicalType::kString) {
          const StringRef text = Keep(*reinterpret_cast<const StringRef*>(value), call.arena);
          std::memcpy(kept + column.offset, &text, sizeof(text));
        } else {
          std::memcpy(kept + column.offset, value, column.size_bytes);
        }
      }
    }
    for (size_t row = 0; row < count; row++)
      get_state(row).rows.Add(rows + row * layout.row_bytes, call.arena);
  }

  static StringRef Keep(const StringRef& text, Arena& arena) {
    if (text.is_inline()) return text;
    char* bytes = reinterpret_cast<char*>(arena.Allocate(text.size(), 1));
    std::memcpy(bytes, text.data(), text.size());
    return StringRef(bytes, text.size());
  }

  /// About the memory of the rows that are sorted at once, unless one group has more.
  static constexpr size_t kMostBytes = size_t{4} << 20;

  AggregateCall InnerCall() { return {call_.context, layout_.inner_data.get(), scratch_}; }

  /// Returns a state of the inner aggregate with the rows in order, in the scratch memory.
  std::byte* AddSorted(const State& state) {
    const AggregateFunction& inner = layout_.inner;
    const size_t count = state.rows.count();
    const std::byte** rows = state.rows.Gather(scratch_, pending_);
    std::stable_sort(rows, rows + count,
                     [&](const std::byte* a, const std::byte* b) { return layout_.IsBefore(a, b); });
    std::byte* inner_state = scratch_.Allocate(inner.state_size, 16);
    inner.initialize(inner_state);
    for (size_t begin = 0; begin < count; begin += kVectorSize) {
      const size_t size = std::min(kVectorSize, count - begin);
      MakeVectors(rows + begin, size);
      inner.update_single(InnerCall(), vectors_, size, inner_state);
    }
    return inner_state;
  }

  /// Copies the arguments of the inner aggregate into vectors.
  void MakeVectors(const std::byte* const* rows, size_t count) {
    const size_t argument_count = layout_.inner.argument_types.size();
    while (vectors_.size() < argument_count) vectors_.emplace_back(layout_.columns[vectors_.size()].type);
    for (size_t i = 0; i < argument_count; i++) {
      vectors_[i].Reset();
      for (size_t row = 0; row < count; row++) layout_.WriteValue(rows[row], i, vectors_[i], row);
    }
  }

  const AggregateCall& call_;
  const SortedRows& layout_;
  Arena scratch_;
  std::vector<const void*> pending_;
  std::vector<Vector> vectors_;
};

}  // namespace

std::shared_ptr<const FunctionData> MakeSorted(AggregateFunction& function,
                                               std::shared_ptr<const FunctionData> data,
                                               std::vector<LogicalType> types,
                                               std::vector<AggregateOrder> order) {
  auto sorted = std::make_shared<SortedRows>(function, std::move(data), types, order);
  const bool collects = function.row_retention != nullptr && function.row_retention->collects;
  function.unsorted_arguments = function.argument_types.size();
  function.argument_types = std::move(types);
  function.order = std::move(order);
  RowAggregate<SortedAggregate>::Fill(function);
  RowRetention kept;
  kept.column_count = function.argument_types.size();
  kept.order = function.order;
  kept.collects = collects;
  kept.note = SortedAggregate::Note;
  kept.take = SortedAggregate::Take;
  kept.update_ordered = SortedAggregate::UpdateOrdered;
  function.row_retention = std::make_shared<const RowRetention>(std::move(kept));
  return sorted;
}

}  // namespace scaup
