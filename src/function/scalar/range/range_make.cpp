// Makes ranges of bounds, int4range(1, 10, '[]') and so on, and multiranges of ranges.
#include "common/throw.hpp"
#include "function/scalar/range/range_binding.hpp"
#include "function/text_account.hpp"
#include "type/packed_value.hpp"
#include "type/type_name.hpp"

namespace scaup {
namespace {

/// Reads the brackets of a range, the third argument.
void ReadBrackets(const UnifiedView& texts, size_t row, RangeBound& lower, RangeBound& upper) {
  if (!texts.IsValid(row)) {
    ThrowError(ErrorKind::kConversion, sqlstate::kDataException,
               "range constructor flags argument must not be null; it is \"[]\", \"[)\", \"(]\" or \"()\"");
  }
  const std::string_view text = texts.As<StringRef>()[row].view();
  const bool is_good =
      text.size() == 2 && (text[0] == '[' || text[0] == '(') && (text[1] == ']' || text[1] == ')');
  if (!is_good) {
    ThrowError(ErrorKind::kConversion, sqlstate::kSyntaxError,
               "invalid range bound flags \"" + std::string(text.substr(0, 20)) +
                   "\"; valid are \"[]\", \"[)\", \"(]\" and \"()\"");
  }
  lower.is_inclusive = text[0] == '[';
  upper.is_inclusive = text[1] == ']';
}

void RangeOfBounds(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const LogicalType& bound = RangeBoundType(call.return_type);
  const bool has_brackets = arguments.column_count() == 3;
  const UnifiedView lowers = arguments.column(0).View(count), uppers = arguments.column(1).View(count);
  const UnifiedView brackets = arguments.column(has_brackets ? 2 : 0).View(count);
  const SlotAppender append = FindSlotAppender(bound);
  auto* out = result.MutableData<StringRef>();
  std::string begin, end, bytes;
  for (size_t row = 0; row < count; row++) {
    begin.clear();
    end.clear();
    bytes.clear();
    append(bound, lowers, row, begin);
    append(bound, uppers, row, end);
    RangeBound lower{begin, true}, upper{end, false};
    if (has_brackets) ReadBrackets(brackets, row, lower, upper);
    const RangeFault fault = AppendBoundedRange(call.return_type, lower, upper, bytes);
    if (fault != RangeFault::kNone) ThrowRangeFault(fault, bound);
    out[row] = result.AddString(bytes);
  }
}

[[noreturn]] void ThrowNullRange() {
  ThrowError(ErrorKind::kConversion, sqlstate::kNullValueNotAllowed,
             "multirange values cannot contain null members");
}

/// Adds the spans of all ranges in a list.
void ReadListedSpans(const LogicalType& range, std::string_view list, RangeSpans& spans) {
  while (!list.empty()) {
    const std::string_view slot = TakeSlot(range, list);
    if (IsNullSlot(slot)) ThrowNullRange();
    ReadSpans(range, ReadNestedSlot(range, slot), spans);
  }
}

/// The multirange of all arguments, or of the ranges in a list. A NULL alone makes NULL.
void MultirangeOfRanges(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const LogicalType& range = call.return_type.element();
  const bool is_list = arguments.column(0).type().id() == TypeId::kList;
  std::vector<TypedView<StringRef>> views;
  for (Vector& argument : arguments.columns()) views.push_back(argument.ViewAs<StringRef>(count));
  auto* out = result.MutableData<StringRef>();
  RangeSpans spans;
  std::string bytes;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    spans.clear();
    bytes.clear();
    if (views.size() == 1 && !views[0].IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    for (const auto& view : views) {
      if (!view.IsValid(row)) ThrowNullRange();
      is_list ? ReadListedSpans(range, view[row].view(), spans) : ReadSpans(range, view[row].view(), spans);
    }
    MergeSpans(spans);
    AppendSpans(call.return_type, spans, bytes);
    account.Note(bytes);
    out[row] = result.AddString(bytes);
  }
}

/// All arguments are ranges between the bounds of the multirange.
std::unique_ptr<FunctionData> BindRangesOfMultirange(ScalarFunction& function,
                                                     std::span<const BindArgument> arguments) {
  function.argument_types.assign(arguments.size(), function.return_type.element());
  return nullptr;
}

void NoRanges(const ScalarCall&, DataChunk&, Vector& result) {
  result.MutableData<StringRef>()[0] = result.AddString("");
  result.SetConstant();
}

struct RangeExample {
  TypeId bound;
  const char* two;
  const char* three;
  const char* multirange;
};

constexpr RangeExample kRangeExamples[] = {
    {TypeId::kInteger, "int4range(1, 10)", "int4range(1, 10, '[]')",
     "int4multirange(int4range(1, 5), int4range(3, 9))"},
    {TypeId::kBigInt, "int8range(1, 10)", "int8range(1, 10, '[]')",
     "int8multirange(int8range(1, 5), int8range(3, 9))"},
    {TypeId::kNumeric, "numrange(1.5, 2.5)", "numrange(1.5, 2.5, '(]')",
     "nummultirange(numrange(1.5, 2.5), numrange(2.5, 9))"},
    {TypeId::kTimestamp, "tsrange('2024-02-29', '2024-03-01 12:00')",
     "tsrange('2024-02-29', '2024-03-01 12:00', '[]')", "tsmultirange(tsrange('2024-02-29', '2024-03-01'))"},
    {TypeId::kTimestampTz, "tstzrange('2024-02-29 00:00+00', NULL)",
     "tstzrange('2024-02-29 00:00+00', NULL, '()')",
     "tstzmultirange(tstzrange('2024-02-29 00:00+00', NULL))"},
    {TypeId::kDate, "daterange('2024-02-01', '2024-03-01')", "daterange('2024-02-01', '2024-02-29', '[]')",
     "datemultirange(daterange('2024-02-01', '2024-03-01'))"},
};

}  // namespace

ScalarFunctionList RangeMakeFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const LogicalType& type, std::vector<LogicalType> arguments, ScalarKernel kernel,
                       const char* description, std::string example) -> ScalarFunction& {
    list.push_back({.name = RangeTypeName(type),
                    .argument_types = std::move(arguments),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = std::move(example),
                    .nulls = NullHandling::kSpecial});
    return list.back();
  };
  for (const RangeExample& example : kRangeExamples) {
    const LogicalType bound = example.bound, range = RangeType(bound), multirange = MultirangeType(bound);
    add(range, {bound, bound}, &RangeOfBounds,
        "The range from a bound up to before another; NULL is no bound.", example.two);
    add(range, {bound, bound, TypeId::kVarchar}, &RangeOfBounds,
        "The range between two bounds, which [ and ] include, ( and ) do not.", example.three);
    const std::string none = std::string(RangeTypeName(multirange)) + "()";
    add(multirange, {}, &NoRanges, "The multirange without ranges.", none).can_fail = false;
    ScalarFunction& of_ranges = add(multirange, {}, &MultirangeOfRanges,
                                    "The multirange of all values of the ranges.", example.multirange);
    of_ranges.varargs = range;
    of_ranges.bind = &BindRangesOfMultirange;
    add(multirange, {LogicalType::List(range)}, &MultirangeOfRanges,
        "The multirange of all values of a list of ranges.",
        std::string(RangeTypeName(multirange)) + "(ARRAY[]::" + RangeTypeName(range) + "[])");
  }
  return list;
}

}  // namespace scaup
