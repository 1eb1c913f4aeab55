// range_agg: all values of many ranges, as a multirange; range_intersect_agg: those that all ranges have.
#include <algorithm>
#include <cstring>

#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "type/packed_value.hpp"
#include "type/range_value.hpp"

namespace scaup {
namespace {

struct RangeAggData final : FunctionData {
  explicit RangeAggData(LogicalType argument_in)
      : argument(std::move(argument_in)), multirange(MultirangeType(RangeBoundType(argument))) {}
  LogicalType argument;    // a range or a multirange
  LogicalType multirange;  // of the same bounds
  bool is_union = false;   // or else what all have in common
};
const RangeAggData& RangeDataOf(const AggregateCall& call) {
  return static_cast<const RangeAggData&>(*call.data);
}

/// The union of ranges keeps them one behind the other, and merges them whenever the buffer is full, so that
/// a group takes memory for the gaps between its ranges, not for its rows. The intersection keeps that of
/// those that were added, as a multirange.
class RangeAgg {
 public:
  struct State {
    char* bytes = nullptr;
    uint64_t size = 0;
    uint64_t capacity = 0;
    bool seen = false;
  };
  explicit RangeAgg(const AggregateCall& call) : arena_(call.arena), data_(RangeDataOf(call)) {}

  void Combine(State& target, const State& source) {
    if (!source.seen) return;
    added_.clear();
    ReadSpans(data_.multirange, {source.bytes, source.size}, added_);
    Add(target);
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (!state.seen) return false;
    if (result.type().id() == TypeId::kMultirange) {
      result.MutableData<StringRef>()[row] = result.AddString(Merged(state));
      return true;
    }
    std::string range;
    RangeSpans spans;
    ReadSpans(data_.multirange, {state.bytes, state.size}, spans);
    spans.empty() ? AppendEmptyRange(result.type(), range) : AppendRange(result.type(), spans[0], range);
    result.MutableData<StringRef>()[row] = result.AddString(range);
    return true;
  }
  void Finish() {}

 private:
  friend struct RowAggregate<RangeAgg>;

  static constexpr uint64_t kFirstCapacity = 128;

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t row_count,
                      GetState&& get_state) {
    RangeAgg aggregate(call);
    const auto ranges = arguments[0].ViewAs<StringRef>(row_count);
    for (size_t row = 0; row < row_count; row++) {
      if (!ranges.IsValid(row)) continue;
      aggregate.added_.clear();
      ReadSpans(aggregate.data_.argument, ranges[row].view(), aggregate.added_);
      aggregate.Add(get_state(row));
    }
  }

  /// Adds the spans in `added_`, which are in order.
  void Add(State& state) {
    if (!data_.is_union && state.seen) {
      merged_spans_.clear();
      common_.clear();
      ReadSpans(data_.multirange, {state.bytes, state.size}, merged_spans_);
      IntersectSpans(merged_spans_, added_, common_);
      added_.swap(common_);
      added_bytes_.clear();
      AppendSpans(data_.multirange, added_, added_bytes_);
      state.size = 0;
    } else {
      added_bytes_.clear();
      AppendSpans(data_.multirange, added_, added_bytes_);
    }
    state.seen = true;
    if (added_bytes_.empty()) return;
    if (state.capacity - state.size < added_bytes_.size()) MakeRoom(state, added_bytes_.size());
    std::memcpy(state.bytes + state.size, added_bytes_.data(), added_bytes_.size());
    state.size += added_bytes_.size();
  }

  /// Merges ranges in place, and takes a larger buffer if they still fill half of the one there is.
  void MakeRoom(State& state, uint64_t wanted) {
    const std::string& merged = Merged(state);
    uint64_t capacity = std::max(state.capacity, kFirstCapacity);
    while (capacity / 2 < merged.size() || capacity - merged.size() < wanted) capacity *= 2;
    if (capacity > state.capacity) {
      state.bytes = reinterpret_cast<char*>(arena_.Allocate(capacity, 16));
      state.capacity = capacity;
    }
    std::memcpy(state.bytes, merged.data(), merged.size());
    state.size = merged.size();
  }

  const std::string& Merged(const State& state) {
    merged_spans_.clear();
    merged_.clear();
    ReadSpans(data_.multirange, {state.bytes, state.size}, merged_spans_);
    MergeSpans(merged_spans_);
    AppendSpans(data_.multirange, merged_spans_, merged_);
    return merged_;
  }

  Arena& arena_;
  const RangeAggData& data_;
  RangeSpans added_, merged_spans_, common_;
  std::string added_bytes_, merged_;
};

std::unique_ptr<FunctionData> BindRangeAgg(AggregateFunction& function,
                                           std::span<const BindArgument> arguments) {
  LogicalType& argument = function.argument_types[0];
  // A bare NULL is a range of any type: there is nothing in it.
  const bool is_known = IsRangeOrMultirange(arguments[0].type.id());
  argument = is_known ? arguments[0].type : RangeType(TypeId::kInteger);
  auto data = std::make_unique<RangeAggData>(argument);
  data->is_union = function.name == "range_agg";
  function.return_type = data->is_union ? data->multirange : argument;
  return data;
}

}  // namespace

void AddRangeAgg(AggregateList& list) {
  for (const LogicalType& type : {RangeType(TypeId::kNull), MultirangeType(TypeId::kNull)}) {
    for (const bool is_union : {true, false}) {
      AggregateFunction function = MakeAggregate(
          is_union ? "range_agg" : "range_intersect_agg", {type},
          is_union ? MultirangeType(TypeId::kNull) : type,
          is_union ? "All values of the ranges, as a multirange." : "The values that all ranges have.",
          is_union ? "range_agg(int4range(x, y))" : "range_intersect_agg(int4range(x, 9))");
      RowAggregate<RangeAgg>::Fill(function);
      function.bind = BindRangeAgg;
      function.any_types = true;
      function.ignores_order = true;
      function.ignores_duplicates = true;
      list.push_back(std::move(function));
    }
  }
}

}  // namespace scaup
