// The operators + - * / % on NUMERIC, mod and div: exact, in 128 bits where the operands are short.
#include "function/scalar/operators/numeric_operators.hpp"

#include "function/numeric_rows.hpp"
#include "function/scalar/scalar_functions.hpp"

namespace scaup {

namespace {

bool SubtractSmall(const SmallNumeric& a, const SmallNumeric& b, int128_t& unscaled, int32_t& exponent) {
  return AddSmallNumeric(a, {-b.value, b.exponent}, unscaled, exponent);
}

bool MultiplySmall(const SmallNumeric& a, const SmallNumeric& b, int128_t& unscaled, int32_t& exponent) {
  unscaled = int128_t{a.value} * b.value;
  exponent = a.exponent + b.exponent;
  return true;
}

template <NumericBinary kCompute, SmallNumericBinary kSmall>
void NumericOperator(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapNumerics(arguments, result, kCompute, kSmall);
}

NumericFault NegateNumeric(const Numeric& a, Numeric& result) {
  result = a;
  if (a.kind == NumericKind::kInfinity) result.kind = NumericKind::kNegativeInfinity;
  if (a.kind == NumericKind::kNegativeInfinity) result.kind = NumericKind::kInfinity;
  if (a.IsFinite() && !a.IsZero()) result.is_negative = !a.is_negative;
  return NumericFault::kNone;
}

void NegateNumerics(const ScalarCall&, DataChunk& arguments, Vector& result) {
  NumericRows rows(result);
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& a) {
    SmallNumeric small;
    if (!LoadSmallNumeric(a.view(), small)) return rows.Run(&NegateNumeric, a);
    return rows.StoreShort(-small.value, -small.exponent * kLimbDigits);
  });
}

void SameNumerics(const ScalarCall&, DataChunk& arguments, Vector& result) {
  result.Reference(arguments.column(0));
}

}  // namespace

ScalarKernel NumericProductKernel() { return &NumericOperator<&MultiplyNumeric, &MultiplySmall>; }

ScalarFunctionList NumericOperatorFunctions() {
  ScalarFunctionList list;
  const LogicalType numeric = TypeId::kNumeric;
  const auto add = [&](const char* name, size_t operands, ScalarKernel kernel, const char* description,
                       const char* example, bool can_fail) {
    list.push_back({.name = name,
                    .argument_types = std::vector<LogicalType>(operands, numeric),
                    .return_type = numeric,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = can_fail});
  };
  add("+", 2, &NumericOperator<&AddNumeric, &AddSmallNumeric>, "Sum of two numbers.", "0.1::NUMERIC + 0.2",
      true);
  add("-", 2, &NumericOperator<&SubtractNumeric, &SubtractSmall>, "Difference of two numbers.",
      "0.3::NUMERIC - 0.1", true);
  add("*", 2, NumericProductKernel(), "Product of two numbers.", "1e30::NUMERIC * 1.1", true);
  add("/", 2, &NumericOperator<&DivideNumeric, nullptr>, "Quotient with at least 16 significant digits.",
      "1::NUMERIC / 3", true);
  const char* remainder = "Remainder, with the sign of the dividend.";
  add("%", 2, &NumericOperator<&NumericRest, nullptr>, remainder, "7.5::NUMERIC % 2", true);
  add("mod", 2, &NumericOperator<&NumericRest, nullptr>, remainder, "mod(7.5::NUMERIC, 2)", true);
  add("div", 2, &NumericOperator<&DivideNumericToInteger, nullptr>, "Quotient truncated towards zero.",
      "div(7.5::NUMERIC, 2)", true);
  add("-", 1, &NegateNumerics, "The number with the opposite sign.", "- 3.5::NUMERIC", false);
  add("+", 1, &SameNumerics, "The number itself.", "+ 3.5::NUMERIC", false);
  return list;
}

}  // namespace scaup
