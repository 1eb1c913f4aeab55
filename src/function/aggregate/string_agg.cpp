// string_agg: joins strings, each except the first after its row's delimiter.
#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/collected_values.hpp"

namespace scaup {
namespace {

/// Has loops of its own, because BinaryAggregate skips rows with a NULL delimiter; here such rows are joined
/// without one.
class StringAgg {
 public:
  /// `bytes` are delimiter, string, delimiter, string, ... The first delimiter is printed only if another
  /// state's strings precede it after merging.
  struct State {
    CollectedValues<char> bytes;
    uint32_t first_delimiter_bytes = 0;
    bool seen = false;
  };
  explicit StringAgg(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, std::string_view text, std::string_view delimiter) {
    if (!state.seen) {
      state.first_delimiter_bytes = static_cast<uint32_t>(delimiter.size());
      state.seen = true;
    }
    CheckSize(state.bytes.count() + delimiter.size() + text.size());
    state.bytes.AddAll(delimiter.data(), delimiter.size(), arena_);
    state.bytes.AddAll(text.data(), text.size(), arena_);
  }
  void Combine(State& target, const State& source) {
    if (!source.seen) return;
    if (!target.seen) {
      target.first_delimiter_bytes = source.first_delimiter_bytes;
      target.seen = true;
    }
    CheckSize(target.bytes.count() + source.bytes.count());
    target.bytes.Join(source.bytes, arena_);
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (!state.seen) return false;
    result.MutableData<StringRef>()[row] =
        StoreBytes(state.bytes, state.first_delimiter_bytes, result, pending_);
    return true;
  }
  void Finish() {}
  static CollectedValues<char>& BytesOf(State& state) { return state.bytes; }

 private:
  friend struct RowAggregate<StringAgg>;

  static constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    if (arguments[0].is_null_constant()) return;
    StringAgg aggregate(call);
    const auto texts = arguments[0].ViewAs<StringRef>(count);
    const auto delimiters = arguments[1].ViewAs<StringRef>(count);
    for (size_t row = 0; row < count; row++) {
      if (!texts.IsValid(row)) continue;
      const std::string_view delimiter =
          delimiters.IsValid(row) ? delimiters[row].view() : std::string_view();
      aggregate.Add(get_state(row), texts[row].view(), delimiter);
    }
  }

  static void CheckSize(uint64_t size) {
    if (size > kMaxBytes) {
      ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
                 "string_agg: the result is longer than 1 GiB; aggregate fewer or shorter strings");
    }
  }

  Arena& arena_;
  std::vector<const void*> pending_;
};

}  // namespace

void AddStringAgg(AggregateList& list) {
  for (const TypeId type : {TypeId::kVarchar, TypeId::kBlob}) {
    AggregateFunction function =
        MakeAggregate("string_agg", {type, type}, type,
                      "All x that are not NULL in one string, with the delimiter in between.",
                      "string_agg(x::VARCHAR, ', ')");
    RowAggregate<StringAgg>::Fill(function);
    RetainedBytes<StringAgg>::Fill(function);
    list.push_back(function);
  }
}

}  // namespace scaup
