// json_agg and json_object_agg: the values of a group as one array or object.
#include "function/aggregate/json_agg.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/scalar/json/json_printer.hpp"
#include "type/json_text.hpp"

namespace scaup {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

/// The items so far, each after ", ".
struct JsonState {
  char* data = nullptr;
  uint64_t size = 0;
  uint64_t capacity = 0;
};

/// Capacity doubles, so all outgrown copies together are no larger than the last.
void AppendTo(Arena& arena, JsonState& state, std::string_view text) {
  const uint64_t size = state.size + text.size();
  if (size > kMaxBytes) {
    ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
               "json_agg: the result is longer than 1 GiB; aggregate fewer or shorter values");
  }
  if (size > state.capacity) {
    const uint64_t capacity = std::max({size, state.capacity * 2, uint64_t{32}});
    char* data = reinterpret_cast<char*>(arena.Allocate(capacity, 1));
    std::copy(state.data, state.data + state.size, data);
    state.data = data;
    state.capacity = capacity;
  }
  std::copy(text.begin(), text.end(), state.data + state.size);
  state.size = size;
}

template <bool kIsObject, bool kIsJsonb>
class JsonAgg {
 public:
  using State = JsonState;
  explicit JsonAgg(const AggregateCall& call) : arena_(call.arena) {}

  void Combine(State& target, const State& source) {
    AppendTo(arena_, target, std::string_view(source.data, source.size));
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.size == 0) return false;
    std::string text = kIsObject ? "{ " : "[";
    text.append(state.data + 2, state.size - 2);
    text += kIsObject ? " }" : "]";
    std::string normal;
    if (kIsJsonb && !NormalizeJson(text, normal)) ThrowJsonError(text, true);
    result.MutableData<StringRef>()[row] = result.AddString(kIsJsonb ? normal : text);
    return true;
  }
  void Finish() {}

 private:
  friend struct RowAggregate<JsonAgg>;

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    const JsonPrinter names(call.context, arguments[0], count);
    const JsonPrinter values(call.context, arguments[kIsObject ? 1 : 0], count);
    std::string text;
    for (size_t row = 0; row < count; row++) {
      text = ", ";
      if (kIsObject) {
        if (names.IsNull(row)) {
          ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                     "the name of an object's member must not be null");
        }
        names.AppendName(row, text);
        text += " : ";
      }
      values.Append(row, text);
      AppendTo(call.arena, get_state(row), text);
    }
  }

  Arena& arena_;
};

std::unique_ptr<FunctionData> BindAny(AggregateFunction& function, std::span<const BindArgument> arguments) {
  for (size_t i = 0; i < arguments.size(); i++) SettleAnyArgument(function, arguments, i);
  return nullptr;
}

template <bool kIsObject, bool kIsJsonb>
void Add(AggregateList& list, const char* name, const char* description, const char* example) {
  using Aggregate = JsonAgg<kIsObject, kIsJsonb>;
  std::vector<LogicalType> arguments(kIsObject ? 2 : 1, TypeId::kNull);
  AggregateFunction function = MakeAggregate(name, std::move(arguments),
                                             kIsJsonb ? TypeId::kJsonb : TypeId::kJson, description, example);
  RowAggregate<Aggregate>::Fill(function);
  function.any_types = true;
  function.bind = BindAny;
  list.push_back(function);
}

}  // namespace

void AddJsonAgg(AggregateList& list) {
  const char* array = "All x, NULLs among them, as an array of JSON.";
  const char* object = "All pairs as members of one object of JSON.";
  Add<false, false>(list, "json_agg", array, "json_agg(x)");
  Add<false, true>(list, "jsonb_agg", array, "jsonb_agg(x)");
  Add<true, false>(list, "json_object_agg", object, "json_object_agg(name, x)");
  Add<true, true>(list, "jsonb_object_agg", object, "jsonb_object_agg(name, x)");
}

}  // namespace scaup
