// histogram: how often each value of a group occurs, as a map.
#include <algorithm>
#include <cstring>

#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "type/packed_value.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {
namespace {

struct HistogramData final : FunctionData {
  explicit HistogramData(LogicalType value_in) : value(std::move(value_in)) {}
  LogicalType value;
};

/// Values as slots, each followed by its count. They are merged whenever the buffer is full, so that a group
/// takes memory for its distinct values, not for its rows.
class Histogram {
 public:
  struct State {
    char* bytes = nullptr;
    uint64_t size = 0;
    uint64_t capacity = 0;
  };
  explicit Histogram(const AggregateCall& call)
      : arena_(call.arena), value_(static_cast<const HistogramData&>(*call.data).value) {}

  void Combine(State& target, const State& source) { Append(target, {source.bytes, source.size}); }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.size == 0) return false;
    std::string slots, count;
    for (const Entry& entry : Merged({state.bytes, state.size})) {
      count.clear();
      AppendFixedSlot(entry.count, count);
      AppendMapEntry(entry.value, count, slots);
    }
    result.MutableData<StringRef>()[row] = result.AddString(slots);
    return true;
  }
  void Finish() {}

 private:
  friend struct RowAggregate<Histogram>;

  static constexpr uint64_t kFirstCapacity = 256, kEagerCapacity = 4096;
  struct Entry {
    std::string_view value;
    uint64_t count;
  };

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t row_count,
                      GetState&& get_state) {
    Histogram aggregate(call);
    const SlotAppender append = FindSlotAppender(aggregate.value_);
    const UnifiedView view = arguments[0].View(row_count);
    const uint64_t once = 1;
    std::string entry;
    for (size_t row = 0; row < row_count; row++) {
      if (!view.IsValid(row)) continue;
      entry.clear();
      append(aggregate.value_, view, row, entry);
      entry.append(reinterpret_cast<const char*>(&once), sizeof once);
      aggregate.Append(get_state(row), entry);
    }
  }

  void Append(State& state, std::string_view entries) {
    if (entries.empty()) return;
    if (state.capacity - state.size < entries.size()) MakeRoom(state, entries.size());
    std::memcpy(state.bytes + state.size, entries.data(), entries.size());
    state.size += entries.size();
  }

  /// Merges entries in place, and takes a larger buffer if they still fill half of the one there is.
  void MakeRoom(State& state, uint64_t wanted) {
    std::string merged;
    for (const Entry& entry : Merged({state.bytes, state.size})) {
      merged.append(entry.value);
      merged.append(reinterpret_cast<const char*>(&entry.count), sizeof entry.count);
    }
    uint64_t capacity = std::max(state.capacity, kFirstCapacity);
    if (state.capacity != 0 && (capacity < kEagerCapacity || merged.size() > capacity / 2)) capacity *= 2;
    while (capacity - merged.size() < wanted) capacity *= 2;
    if (capacity > state.capacity) {
      state.bytes = reinterpret_cast<char*>(arena_.Allocate(capacity, 16));
      state.capacity = capacity;
    }
    std::memcpy(state.bytes, merged.data(), merged.size());
    state.size = merged.size();
  }

  /// The distinct values in ascending order, which is that of their slots, and their counts.
  std::vector<Entry> Merged(std::string_view bytes) const {
    std::vector<Entry> entries;
    while (!bytes.empty()) {
      Entry entry{TakeSlot(value_, bytes), 0};
      std::memcpy(&entry.count, bytes.data(), sizeof entry.count);
      bytes.remove_prefix(sizeof entry.count);
      entries.push_back(entry);
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.value < b.value; });
    size_t kept = 0;
    for (size_t i = 1; i < entries.size(); i++) {
      if (entries[i].value == entries[kept].value) {
        entries[kept].count += entries[i].count;
      } else {
        entries[++kept] = entries[i];
      }
    }
    if (!entries.empty()) entries.resize(kept + 1);
    return entries;
  }

  Arena& arena_;
  const LogicalType value_;
};

std::unique_ptr<FunctionData> BindHistogram(AggregateFunction& function,
                                            std::span<const BindArgument> arguments) {
  const LogicalType value = SettleAnyArgument(function, arguments, 0);
  function.return_type = LogicalType::Map(value, TypeId::kUBigInt);
  return std::make_unique<HistogramData>(value);
}

}  // namespace

void AddHistogram(AggregateList& list) {
  AggregateFunction function =
      MakeAggregate("histogram", {TypeId::kNull}, LogicalType::Map(TypeId::kNull, TypeId::kUBigInt),
                    "How often each x occurs, as a map of values and counts.", "histogram(x)");
  RowAggregate<Histogram>::Fill(function);
  function.bind = BindHistogram;
  function.any_types = true;
  list.push_back(function);
}

}  // namespace scaup
