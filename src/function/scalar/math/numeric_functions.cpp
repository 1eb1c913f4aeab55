// Functions of NUMERIC: rounding, signs, roots, powers, logarithms, divisors, digits, factorials.
#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "function/numeric_rows.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/number/numeric_series.hpp"

namespace scaup {

namespace {

template <NumericUnary kCompute>
void OfNumeric(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapNumerics(arguments, result, kCompute);
}

template <NumericBinary kCompute>
void OfNumerics(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapNumerics(arguments, result, kCompute, nullptr);
}

NumericFault NumericMagnitude(const Numeric& a, Numeric& result) {
  result = a;
  result.is_negative = false;
  if (a.kind == NumericKind::kNegativeInfinity) result.kind = NumericKind::kInfinity;
  return NumericFault::kNone;
}

NumericFault NumericSign(const Numeric& a, Numeric& result) {
  result = a.kind == NumericKind::kNaN ? Numeric(a) : NumericFromInteger(SignOfNumeric(a));
  return NumericFault::kNone;
}

NumericFault SameNumeric(const Numeric& a, Numeric& result) {
  result = a;
  return NumericFault::kNone;
}

NumericFault CheckedNumeric(const Numeric& a) {
  return IsInNumericRange(a) ? NumericFault::kNone : NumericFault::kOutOfRange;
}

NumericFault RoundNumericToWhole(const Numeric& a, Numeric& result) {
  result = a;
  RoundNumeric(result, 0);
  return CheckedNumeric(result);
}

NumericFault TruncateNumericToWhole(const Numeric& a, Numeric& result) {
  result = a;
  TruncateNumeric(result, 0);
  return NumericFault::kNone;
}

/// Truncates, and moves a number with a fraction and this sign on by one, away from zero.
template <bool kOfNegative>
NumericFault MoveNumericToWhole(const Numeric& a, Numeric& result) {
  TruncateNumericToWhole(a, result);
  if (!a.IsFinite() || IsWholeNumeric(a) || a.is_negative != kOfNegative) return NumericFault::kNone;
  return AddNumeric(result, NumericFromInteger(kOfNegative ? -1 : 1), result);
}

template <void (*kRound)(Numeric&, int)>
void RoundNumericToDigits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  NumericRows rows(result);
  Numeric number;
  MapBinary<StringRef, int32_t, StringRef>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           [&](const StringRef& a, int32_t digits) {
                                             number = rows.First(a);
                                             kRound(number, digits);
                                             ThrowNumericFault(CheckedNumeric(number));
                                             return rows.Store(number);
                                           });
}

/// The digits behind the point, without zeros at the end; NULL for NaN and infinities.
void NumericScaleOf(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const auto numbers = arguments.column(0).ViewAs<StringRef>(arguments.size());
  int32_t* out = result.MutableData<int32_t>();
  Numeric number;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (numbers.IsValid(row)) LoadNumeric(numbers[row].view(), number);
    if (!numbers.IsValid(row) || !number.IsFinite()) {
      result.SetNull(row);
      continue;
    }
    out[row] = number.scale;
  }
}

enum class NumericTest { kNaN, kInfinite, kFinite };

template <NumericTest kTest>
void TestNumerics(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Numeric number;
  MapUnary<StringRef, uint8_t>(arguments.column(0), arguments.size(), result,
                               [&](const StringRef& bytes) -> uint8_t {
                                 LoadNumeric(bytes.view(), number);
                                 if (kTest == NumericTest::kFinite) return number.IsFinite();
                                 const bool is_nan = number.kind == NumericKind::kNaN;
                                 return kTest == NumericTest::kNaN ? is_nan : !number.IsFinite() && !is_nan;
                               });
}

void NumericFactorial(const ScalarCall&, DataChunk& arguments, Vector& result) {
  constexpr int64_t kGreatest = 32177;
  constexpr int64_t kFactorsPerCheck = 256;
  NumericRows rows(result);
  MapUnary<int64_t, StringRef>(arguments.column(0), arguments.size(), result, [&](int64_t number) {
    if (number < 0) ThrowOutOfRange("factorial of a negative number is undefined");
    if (number > kGreatest) ThrowNumericFault(NumericFault::kOutOfRange);
    Numeric product = NumericFromInteger(1);
    for (int64_t factor = 2; factor <= number; factor++) {
      if (factor % kFactorsPerCheck == 0) RunningCall::CheckInterrupt();
      ThrowNumericFault(MultiplyNumeric(product, NumericFromInteger(factor), product));
    }
    return rows.Store(product);
  });
}

class NumericFunctionList {
 public:
  void Add(const char* name, size_t arguments, ScalarKernel kernel, const char* description,
           const char* example, bool can_fail) {
    list_.push_back({.name = name,
                     .argument_types = std::vector<LogicalType>(arguments, TypeId::kNumeric),
                     .return_type = TypeId::kNumeric,
                     .kernel = kernel,
                     .description = description,
                     .example = example,
                     .can_fail = can_fail});
  }
  void AddRounding(const char* name, ScalarKernel kernel, const char* description, const char* example) {
    Add(name, 2, kernel, description, example, true);
    list_.back().argument_types[1] = TypeId::kInteger;
  }
  void AddTest(const char* name, ScalarKernel kernel, TypeId type, const char* description,
               const char* example) {
    Add(name, 1, kernel, description, example, false);
    list_.back().return_type = type;
  }
  ScalarFunctionList Take() { return std::move(list_); }
  ScalarFunctionList& list() { return list_; }

 private:
  ScalarFunctionList list_;
};

void AddNumericRounding(NumericFunctionList& list) {
  list.Add("abs", 1, &OfNumeric<&NumericMagnitude>, "The number without its sign.", "abs(-3.5::NUMERIC)",
           false);
  list.Add("sign", 1, &OfNumeric<&NumericSign>, "-1, 0 or 1; of NaN, NaN.", "sign(-3.5::NUMERIC)", false);
  list.Add("round", 1, &OfNumeric<&RoundNumericToWhole>, "The nearest whole number, halves away from zero.",
           "round(2.5::NUMERIC)", true);
  list.AddRounding("round", &RoundNumericToDigits<&RoundNumeric>,
                   "Rounded to so many digits after the point, halves away from zero.",
                   "round(2.345::NUMERIC, 2)");
  list.Add("trunc", 1, &OfNumeric<&TruncateNumericToWhole>, "The whole part.", "trunc(-2.7::NUMERIC)", false);
  list.AddRounding("trunc", &RoundNumericToDigits<&TruncateNumeric>, "Cut to so many digits after the point.",
                   "trunc(2.349::NUMERIC, 2)");
  for (const char* name : {"ceil", "ceiling"}) {
    list.Add(name, 1, &OfNumeric<&MoveNumericToWhole<false>>, "The nearest whole number that is not below.",
             "ceil(2.1::NUMERIC)", true);
  }
  list.Add("floor", 1, &OfNumeric<&MoveNumericToWhole<true>>, "The nearest whole number that is not above.",
           "floor(2.9::NUMERIC)", true);
}

void AddNumericPowers(NumericFunctionList& list) {
  list.Add("sqrt", 1, &OfNumeric<&NumericSquareRoot>, "Square root.", "sqrt(2::NUMERIC)", true);
  list.Add("exp", 1, &OfNumeric<&ExponentialOfNumeric>, "e to the power of a number.", "exp(1::NUMERIC)",
           true);
  list.Add("ln", 1, &OfNumeric<&NaturalLogOfNumeric>, "Natural logarithm.", "ln(2::NUMERIC)", true);
  for (const char* name : {"log", "log10"}) {
    list.Add(name, 1, &OfNumeric<&Log10OfNumeric>, "Logarithm to base 10.", "log(100::NUMERIC)", true);
  }
  list.Add("log", 2, &OfNumerics<&LogOfNumeric>, "Logarithm to a base.", "log(2::NUMERIC, 8)", true);
  for (const char* name : {"^", "power", "pow"}) {
    list.Add(name, 2, &OfNumerics<&PowerOfNumeric>, "A number to the power of another.",
             "power(2::NUMERIC, 200)", true);
  }
}

void AddNumericDigits(NumericFunctionList& list) {
  const char* behind = "How many digits a number has behind the point, without zeros at the end.";
  list.AddTest("scale", &NumericScaleOf, TypeId::kInteger, behind, "scale(8.41::NUMERIC)");
  list.AddTest("min_scale", &NumericScaleOf, TypeId::kInteger, behind, "min_scale(8.41::NUMERIC)");
  list.Add("trim_scale", 1, &OfNumeric<&SameNumeric>, "The number without zeros behind its last digit.",
           "trim_scale(8.4100)", false);
  list.AddTest("isnan", &TestNumerics<NumericTest::kNaN>, TypeId::kBoolean, "Whether a number is NaN.",
               "isnan('NaN'::NUMERIC)");
  list.AddTest("isinf", &TestNumerics<NumericTest::kInfinite>, TypeId::kBoolean,
               "Whether a number is infinite.", "isinf('-Infinity'::NUMERIC)");
  list.AddTest("isfinite", &TestNumerics<NumericTest::kFinite>, TypeId::kBoolean,
               "Whether a number is neither infinite nor NaN.", "isfinite(5.5::NUMERIC)");
}

}  // namespace

ScalarFunctionList NumericFunctions() {
  NumericFunctionList list;
  AddNumericRounding(list);
  AddNumericPowers(list);
  AddNumericDigits(list);
  list.Add("gcd", 2, &OfNumerics<&NumericCommonDivisor>, "Greatest common divisor.", "gcd(1.2::NUMERIC, 1.8)",
           true);
  list.Add("lcm", 2, &OfNumerics<&NumericCommonMultiple>, "Least common multiple.", "lcm(0.4::NUMERIC, 0.6)",
           true);
  list.Add("factorial", 1, &NumericFactorial, "The product of all whole numbers from 1 up to a number.",
           "factorial(50)", true);
  list.list().back().argument_types = {TypeId::kBigInt};
  return list.Take();
}

}  // namespace scaup
