// json_agg and json_object_agg: the values of a group as one array or object.
#include "function/aggregate/json_agg.hpp"

#include <algorithm>

#include "common/memory/memory_tracker.hpp"
#include "common/throw.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/collected_values.hpp"
#include "function/scalar/json/json_printer.hpp"
#include "type/text/json_text.hpp"

namespace scaup {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

void CheckSize(uint64_t size) {
  if (size > kMaxBytes) {
    ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
               "json_agg: the result is longer than 1 GiB; aggregate fewer or shorter values");
  }
}

template <bool kIsObject, bool kIsJsonb>
class JsonAgg {
 public:
  /// The items so far, each preceded by ", " and, if it is a list or struct, by the start of a new line.
  using State = CollectedValues<char>;
  explicit JsonAgg(const AggregateCall& call) : arena_(call.arena), memory_(call.context.memory) {}

  void Combine(State& target, const State& source) {
    CheckSize(target.count() + source.count());
    target.Join(source, arena_);
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.count() == 0) return false;
    constexpr std::string_view kBegin = kIsObject ? "{ " : "[", kEnd = kIsObject ? " }" : "]";
    const size_t size = kBegin.size() + state.count() - kSeparator.size() + kEnd.size();
    MemoryReservation memory(memory_);
    memory.Resize((kIsJsonb ? 2 : 1) * size);
    std::string text(kSeparator.size() + size, ' ');
    char* const items = text.data() + kBegin.size();
    state.CopyTo(items, pending_);
    std::copy(kEnd.begin(), kEnd.end(), items + state.count());
    const bool begins_line = text.compare(kBegin.size() + kSeparator.size(), kNewLine.size(), kNewLine) == 0;
    text.replace(0, kBegin.size() + kSeparator.size() + (begins_line ? kNewLine.size() : 0), kBegin);
    std::string normal;
    if (kIsJsonb && !NormalizeJson(text, normal)) ThrowJsonError(text, true);
    result.MutableData<StringRef>()[row] = result.AddString(kIsJsonb ? normal : text);
    return true;
  }
  void Finish() {}
  static CollectedValues<char>& BytesOf(State& state) { return state; }

 private:
  friend struct RowAggregate<JsonAgg>;

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    const JsonPrinter names(call.context, arguments[0], count);
    const JsonPrinter values(call.context, arguments[kIsObject ? 1 : 0], count);
    std::string text;
    for (size_t row = 0; row < count; row++) {
      text = kSeparator;
      if (kIsObject) {
        if (names.IsNull(row)) {
          ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                     "the name of an object's member must not be null");
        }
        names.AppendName(row, text);
        text += " : ";
      } else if (values.is_nested() && !values.IsNull(row)) {
        text += kNewLine;
      }
      values.Append(row, text);
      State& state = get_state(row);
      CheckSize(state.count() + text.size());
      state.AddAll(text.data(), text.size(), call.arena);
    }
  }

  static constexpr std::string_view kSeparator = ", ", kNewLine = "\n ";

  Arena& arena_;
  MemoryTracker& memory_;
  std::vector<const void*> pending_;
};

std::unique_ptr<FunctionData> BindAny(AggregateFunction& function, std::span<const BindArgument> arguments) {
  for (size_t i = 0; i < arguments.size(); i++) SettleAnyArgument(function, arguments, i);
  const LogicalType& name = function.argument_types[0];
  if (arguments.size() > 1 && (name.IsNested() || IsJson(name))) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "the name of an object's member must not be " + name.ToString());
  }
  return nullptr;
}

template <bool kIsObject, bool kIsJsonb>
void Add(AggregateList& list, const char* name, const char* description, const char* example) {
  using Aggregate = JsonAgg<kIsObject, kIsJsonb>;
  std::vector<LogicalType> arguments(kIsObject ? 2 : 1, TypeId::kNull);
  AggregateFunction function = MakeAggregate(name, std::move(arguments),
                                             kIsJsonb ? TypeId::kJsonb : TypeId::kJson, description, example);
  RowAggregate<Aggregate>::Fill(function);
  RetainedBytes<Aggregate>::Fill(function);
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
