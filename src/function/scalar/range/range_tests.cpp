// Operators that compare ranges, multiranges and values: @>, <@, &&, <<, >>, &<, &>, -|-; and tests of one
// range: isempty, lower_inc and so on.
#include <algorithm>

#include "function/scalar/range/range_binding.hpp"

namespace scaup {
namespace {

/// A test of the spans of two arguments, or of one and none. They are in order, and do not touch.
using SpansTest = bool (*)(const RangeSpans& a, const RangeSpans& b);

bool HaveOrder(const RangeSpans& a, const RangeSpans& b) { return !a.empty() && !b.empty(); }

/// Whether the first set has all of the second one.
bool ContainsSpans(const RangeSpans& a, const RangeSpans& b) {
  size_t i = 0;
  return std::all_of(b.begin(), b.end(), [&](const RangeSpan& span) {
    while (i < a.size() && a[i].upper < span.upper) i++;
    return i < a.size() && a[i].Contains(span);
  });
}
bool AreWithin(const RangeSpans& a, const RangeSpans& b) { return ContainsSpans(b, a); }

bool OverlapSpans(const RangeSpans& a, const RangeSpans& b) {
  if (a.size() == 1 && b.size() == 1) return a[0].Overlaps(b[0]);
  RangeSpans common;
  IntersectSpans(a, b, common);
  return !common.empty();
}

bool AreBefore(const RangeSpans& a, const RangeSpans& b) {
  return HaveOrder(a, b) && a.back().upper <= b.front().lower;
}
bool AreBehind(const RangeSpans& a, const RangeSpans& b) { return AreBefore(b, a); }

bool EndNoLater(const RangeSpans& a, const RangeSpans& b) {
  return HaveOrder(a, b) && a.back().upper <= b.back().upper;
}
bool BeginNoEarlier(const RangeSpans& a, const RangeSpans& b) {
  return HaveOrder(a, b) && a.front().lower >= b.front().lower;
}

bool Touch(const RangeSpans& a, const RangeSpans& b) {
  return HaveOrder(a, b) && (a.back().upper == b.front().lower || b.back().upper == a.front().lower);
}

bool IsEmptySet(const RangeSpans& spans, const RangeSpans&) { return spans.empty(); }
bool HasLowerWithin(const RangeSpans& spans, const RangeSpans&) {
  return !spans.empty() && spans.front().has_lower_within();
}
bool HasUpperWithin(const RangeSpans& spans, const RangeSpans&) {
  return !spans.empty() && spans.back().has_upper_within();
}
bool HasNoLower(const RangeSpans& spans, const RangeSpans&) {
  return !spans.empty() && !spans.front().has_lower();
}
bool HasNoUpper(const RangeSpans& spans, const RangeSpans&) {
  return !spans.empty() && !spans.back().has_upper();
}

struct NamedTest {
  const char* name;
  SpansTest test;
  const char* description;
  const char* example;
  const char* value_example = nullptr;  // of a range and a value, if the test takes one
};

constexpr NamedTest kSetTests[] = {
    {"isempty", &IsEmptySet, "Whether a range has no values.", "isempty(int4range(1, 1))"},
    {"lower_inc", &HasLowerWithin, "Whether a range has its lower bound as a value.",
     "lower_inc(int4range(1, 5))"},
    {"upper_inc", &HasUpperWithin, "Whether a range has its upper bound as a value.",
     "upper_inc(numrange(1, 5, '[]'))"},
    {"lower_inf", &HasNoLower, "Whether a range has no lower bound.", "lower_inf(int4range(NULL, 5))"},
    {"upper_inf", &HasNoUpper, "Whether a range has no upper bound.", "upper_inf(int4range(1, NULL))"},
};

constexpr NamedTest kSpansTests[] = {
    {"&&", &OverlapSpans, "Whether ranges have values in common.", "int4range(1, 5) && int4range(4, 9)"},
    {"<<", &AreBefore, "Whether a range ends before another begins.", "int4range(1, 5) << int4range(5, 9)"},
    {">>", &AreBehind, "Whether a range begins when another has ended.",
     "int4range(5, 9) >> int4range(1, 5)"},
    {"&<", &EndNoLater, "Whether a range does not end later than another.",
     "int4range(1, 5) &< int4range(2, 9)"},
    {"&>", &BeginNoEarlier, "Whether a range does not begin earlier than another.",
     "int4range(2, 5) &> int4range(1, 9)"},
    {"-|-", &Touch, "Whether a range begins where another ends.", "int4range(1, 5) -|- int4range(5, 9)"},
    {"@>", &ContainsSpans, "Whether a range has all values of another, or a value.",
     "int4range(1, 9) @> int4range(2, 5)", "int4range(1, 9) @> 5"},
    {"<@", &AreWithin, "Whether all values of a range, or a value, are in another range.",
     "int4range(2, 5) <@ int4range(1, 9)", "5 <@ int4range(1, 9)"},
};

struct TestData final : FunctionData {
  SpansTest test = nullptr;
};

void TestRanges(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const SpansTest test = static_cast<const TestData&>(*call.data).test;
  const bool is_binary = arguments.column_count() == 2;
  SpanReader left(arguments.column(0), arguments.size());
  SpanReader right(arguments.column(is_binary ? 1 : 0), arguments.size());
  RangeSpans a, b;
  auto* out = result.MutableData<uint8_t>();
  for (size_t row = 0; row < arguments.size(); row++) {
    if (left.Read(row, a) && (!is_binary || right.Read(row, b))) {
      out[row] = test(a, b) ? 1 : 0;
    } else {
      result.SetNull(row);
    }
  }
}

std::unique_ptr<FunctionData> BindRangeTest(ScalarFunction& function,
                                            std::span<const BindArgument> arguments) {
  BindRangeArguments(function, arguments);
  auto data = std::make_unique<TestData>();
  const auto find = [&](std::span<const NamedTest> tests) {
    for (const NamedTest& test : tests) {
      if (function.name == test.name) data->test = test.test;
    }
  };
  find(kSetTests);
  find(kSpansTests);
  return data;
}

void AddRangeTest(const NamedTest& test, std::vector<LogicalType> types, const char* example,
                  ScalarFunctionList& list) {
  list.push_back({.name = test.name,
                  .argument_types = std::move(types),
                  .return_type = TypeId::kBoolean,
                  .kernel = &TestRanges,
                  .description = test.description,
                  .example = example,
                  .bind = &BindRangeTest,
                  .can_fail = false,
                  .any_types = true});
}

}  // namespace

ScalarFunctionList RangeTestFunctions() {
  ScalarFunctionList list;
  const LogicalType kinds[] = {AnyRangeType(), AnyMultirangeType()};
  for (const NamedTest& test : kSetTests) {
    for (const LogicalType& kind : kinds) AddRangeTest(test, {kind}, test.example, list);
  }
  // An operand of unknown type is of the other one's kind: the first overload that fits counts.
  constexpr size_t kPairs[][2] = {{0, 0}, {1, 1}, {0, 1}, {1, 0}};
  for (const NamedTest& test : kSpansTests) {
    for (const auto& pair : kPairs) AddRangeTest(test, {kinds[pair[0]], kinds[pair[1]]}, test.example, list);
    if (test.value_example == nullptr) continue;
    const bool is_value_first = test.test == &AreWithin;
    for (const LogicalType& kind : kinds) {
      std::vector<LogicalType> types = {kind, kAnyType};
      if (is_value_first) std::swap(types[0], types[1]);
      AddRangeTest(test, std::move(types), test.value_example, list);
    }
  }
  return list;
}

}  // namespace scaup
