// Ranges made of ranges: +, *, -, range_merge, multirange; and their bounds, lower and upper.
#include "common/throw.hpp"
#include "function/scalar/range/range_binding.hpp"
#include "function/text_account.hpp"
#include "type/packed_value.hpp"

namespace scaup {
namespace {

/// Makes a set of two others, or of one and an empty one.
using SpansMaker = void (*)(const RangeSpans& a, const RangeSpans& b, RangeSpans& out);

struct SpansMakerData final : FunctionData {
  SpansMaker make = nullptr;
  const char* name = "";  // of what is made
};

void UniteSpans(const RangeSpans& a, const RangeSpans& b, RangeSpans& out) {
  out = a;
  out.insert(out.end(), b.begin(), b.end());
  MergeSpans(out);
}

/// Makes the range from the first value to the last one.
void SpanSpans(const RangeSpans& a, const RangeSpans& b, RangeSpans& out) {
  UniteSpans(a, b, out);
  if (out.empty()) return;
  out.front().upper = out.back().upper;
  out.resize(1);
}

/// Appends the result; a range is one span at most.
void AppendSet(const ScalarCall& call, const RangeSpans& spans, std::string& out) {
  if (call.return_type.id() == TypeId::kMultirange) return AppendSpans(call.return_type, spans, out);
  if (spans.size() > 1) {
    ThrowError(ErrorKind::kConversion, sqlstate::kDataException,
               std::string("result of range ") + static_cast<const SpansMakerData&>(*call.data).name +
                   " would not be contiguous; multiranges can have gaps");
  }
  spans.empty() ? AppendEmptyRange(call.return_type, out) : AppendRange(call.return_type, spans[0], out);
}

void MakeSet(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const SpansMaker make = static_cast<const SpansMakerData&>(*call.data).make;
  const bool is_binary = arguments.column_count() == 2;
  SpanReader left(arguments.column(0), arguments.size());
  SpanReader right(arguments.column(is_binary ? 1 : 0), arguments.size());
  RangeSpans a, b, made;
  auto* out = result.MutableData<StringRef>();
  std::string bytes;
  TextAccount account(call.context);
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!left.Read(row, a) || (is_binary && !right.Read(row, b))) {
      result.SetNull(row);
      continue;
    }
    made.clear();
    bytes.clear();
    make(a, b, made);
    AppendSet(call, made, bytes);
    account.Note(bytes);
    out[row] = result.AddString(bytes);
  }
}

/// Binds a function whose result is of the kind that its return type is registered with.
std::unique_ptr<FunctionData> BindSet(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const LogicalType bound = BindRangeArguments(function, arguments);
  const bool is_range = function.return_type.id() == TypeId::kRange;
  function.return_type = is_range ? RangeType(bound) : MultirangeType(bound);
  auto data = std::make_unique<SpansMakerData>();
  const std::string& name = function.name;
  data->make = name == "*"             ? &IntersectSpans
               : name == "-"           ? &SubtractSpans
               : name == "range_merge" ? &SpanSpans
                                       : &UniteSpans;
  data->name = name == "+" ? "union" : "difference";
  return data;
}

struct BoundData final : FunctionData {
  bool is_lower = false;
};

/// The lower bound of the first range, or the upper one of the last.
void BoundOfRange(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const bool is_lower = static_cast<const BoundData&>(*call.data).is_lower;
  SpanReader reader(arguments.column(0), arguments.size());
  const SlotLoader load = FindSlotLoader(call.return_type);
  RangeSpans spans;
  for (size_t row = 0; row < arguments.size(); row++) {
    const bool is_there = reader.Read(row, spans) && !spans.empty() &&
                          (is_lower ? spans.front().has_lower() : spans.back().has_upper());
    if (is_there) {
      load(call.return_type, SlotOfCut(is_lower ? spans.front().lower : spans.back().upper), result, row);
    } else {
      result.SetNull(row);
    }
  }
}

std::unique_ptr<FunctionData> BindBoundOfRange(ScalarFunction& function,
                                               std::span<const BindArgument> arguments) {
  function.return_type = BindRangeArguments(function, arguments);
  auto data = std::make_unique<BoundData>();
  data->is_lower = function.name == "lower";
  return data;
}

/// A function of ranges, and what it takes and gives: r a range, m a multirange, v a bound.
struct RangeFunction {
  const char* name;
  const char* takes;
  char gives;
  const char* description;
  const char* example;
};

constexpr const char* kUnionText = "All values of both; two ranges must overlap or touch.";
constexpr const char* kIntersectionText = "The values that are in both ranges.";
constexpr const char* kDifferenceText = "The values of a range that are not in another.";
constexpr RangeFunction kRangeFunctions[] = {
    {"+", "rr", 'r', kUnionText, "int4range(1, 5) + int4range(3, 9)"},
    {"+", "mm", 'm', kUnionText, "'{[1,5)}'::int4multirange + '{[7,9)}'"},
    {"*", "rr", 'r', kIntersectionText, "int4range(1, 5) * int4range(3, 9)"},
    {"*", "mm", 'm', kIntersectionText, "'{[1,5),[7,9)}'::int4multirange * '{[3,8)}'"},
    {"-", "rr", 'r', kDifferenceText, "int4range(1, 5) - int4range(3, 9)"},
    {"-", "mm", 'm', kDifferenceText, "'{[1,9)}'::int4multirange - '{[3,5)}'"},
    {"range_merge", "rr", 'r', "The least range that has all values of both.",
     "range_merge(int4range(1, 3), int4range(7, 9))"},
    {"range_merge", "m", 'r', "The least range that has all values of a multirange.",
     "range_merge('{[1,3),[7,9)}'::int4multirange)"},
    {"multirange", "r", 'm', "The multirange of one range.", "multirange(int4range(1, 3))"},
    {"lower", "r", 'v', "The lower bound of a range; NULL if there is none.", "lower(int4range(1, 5))"},
    {"lower", "m", 'v', "The lower bound of the first range; NULL if there is none.",
     "lower('{[1,3),[7,9)}'::int4multirange)"},
    {"upper", "r", 'v', "The upper bound of a range; NULL if there is none.", "upper(int4range(1, 5))"},
    {"upper", "m", 'v', "The upper bound of the last range; NULL if there is none.",
     "upper('{[1,3),[7,9)}'::int4multirange)"},
};

}  // namespace

ScalarFunctionList RangeSetFunctions() {
  ScalarFunctionList list;
  const LogicalType any_range = AnyRangeType(), any_multirange = AnyMultirangeType();
  for (const RangeFunction& given : kRangeFunctions) {
    ScalarFunction& function = list.emplace_back();
    const bool gives_value = given.gives == 'v';
    function.name = given.name;
    for (const char* kind = given.takes; *kind != '\0'; kind++)
      function.argument_types.push_back(*kind == 'r' ? any_range : any_multirange);
    function.return_type = gives_value ? kAnyType : given.gives == 'r' ? any_range : any_multirange;
    function.kernel = gives_value ? &BoundOfRange : &MakeSet;
    function.bind = gives_value ? &BindBoundOfRange : &BindSet;
    function.description = given.description;
    function.example = given.example;
    function.can_fail = !gives_value;
    function.any_types = true;
  }
  return list;
}

}  // namespace scaup
