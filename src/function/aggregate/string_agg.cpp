// string_agg: joins strings, each but the first after its row's delimiter.
#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"

namespace scaup {
namespace {

/// A NULL delimiter joins without one, so this does its own loops rather than BinaryAggregate's.
class StringAgg {
 public:
  /// `data` holds delimiter, string, delimiter, string, ...; the first delimiter is only shown when another
  /// state's strings end up before it.
  struct State {
    char* data = nullptr;
    uint64_t size = 0;
    uint64_t capacity = 0;
    uint32_t first_delimiter_bytes = 0;
    bool seen = false;
  };
  explicit StringAgg(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, std::string_view text, std::string_view delimiter) {
    if (!state.seen) {
      state.first_delimiter_bytes = static_cast<uint32_t>(delimiter.size());
      state.seen = true;
    }
    char* out = Extend(state, delimiter.size() + text.size());
    out = std::copy(delimiter.begin(), delimiter.end(), out);
    std::copy(text.begin(), text.end(), out);
  }
  void Combine(State& target, const State& source) {
    if (!source.seen) return;
    if (!target.seen) {
      target.first_delimiter_bytes = source.first_delimiter_bytes;
      target.seen = true;
    }
    std::copy(source.data, source.data + source.size, Extend(target, source.size));
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (!state.seen) return false;
    const std::string_view text(state.data, state.size);
    result.MutableData<StringRef>()[row] = result.AddString(text.substr(state.first_delimiter_bytes));
    return true;
  }
  void Finish() {}

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

  /// Room for `bytes` more at the end. Capacity doubles, so all outgrown copies together are no larger than
  /// the last.
  char* Extend(State& state, uint64_t bytes) {
    const uint64_t size = state.size + bytes;
    if (size > state.capacity) {
      if (size > kMaxBytes) {
        ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
                   "string_agg: the result is longer than 1 GiB; aggregate fewer or shorter strings");
      }
      const uint64_t capacity = std::max({size, state.capacity * 2, uint64_t{32}});
      char* data = reinterpret_cast<char*>(arena_.Allocate(capacity, 1));
      std::copy(state.data, state.data + state.size, data);
      state.data = data;
      state.capacity = capacity;
    }
    char* out = state.data + state.size;
    state.size = size;
    return out;
  }

  Arena& arena_;
};

}  // namespace

void AddStringAgg(AggregateList& list) {
  for (const TypeId type : {TypeId::kVarchar, TypeId::kBlob}) {
    AggregateFunction function =
        MakeAggregate("string_agg", {type, type}, type,
                      "All x that are not NULL in one string, with the delimiter in between.",
                      "string_agg(x::VARCHAR, ', ')");
    RowAggregate<StringAgg>::Fill(function);
    list.push_back(function);
  }
}

}  // namespace scaup
