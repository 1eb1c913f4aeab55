// Arithmetic of exact numbers by the name of the operation, for comparisons with PostgreSQL's answers.
#pragma once

#include <string>
#include <string_view>

#include "type/number/numeric_series.hpp"

namespace scaup {

inline const char* SqlStateOf(NumericFault fault) {
  switch (fault) {
    case NumericFault::kNone: return "00000";
    case NumericFault::kOutOfRange: return "22003";
    case NumericFault::kDivisionByZero: return "22012";
    case NumericFault::kRootOfNegative:
    case NumericFault::kPowerOfZero:
    case NumericFault::kComplexPower: return "2201F";
    case NumericFault::kLogOfZero:
    case NumericFault::kLogOfNegative: return "2201E";
  }
  return "?";
}

inline NumericFault ComputeNamed(const std::string& operation, const Numeric& a, const Numeric& b,
                                 Numeric& result) {
  if (operation == "add") return AddNumeric(a, b, result);
  if (operation == "subtract") return SubtractNumeric(a, b, result);
  if (operation == "multiply") return MultiplyNumeric(a, b, result);
  if (operation == "divide") return DivideNumeric(a, b, result);
  if (operation == "div") return DivideNumericToInteger(a, b, result);
  if (operation == "mod") return NumericRest(a, b, result);
  if (operation == "gcd") return NumericCommonDivisor(a, b, result);
  if (operation == "lcm") return NumericCommonMultiple(a, b, result);
  if (operation == "sqrt") return NumericSquareRoot(a, result);
  if (operation == "exp") return ExponentialOfNumeric(a, result);
  if (operation == "ln") return NaturalLogOfNumeric(a, result);
  if (operation == "log") return LogOfNumeric(a, b, result);
  if (operation == "power") return PowerOfNumeric(a, b, result);
  if (operation == "compare") {
    result = NumericFromInteger(CompareNumeric(a, b));
    return NumericFault::kNone;
  }
  result = a;
  if (operation == "round") RoundNumeric(result, std::stoi(NumericToString(b)));
  if (operation == "trunc") TruncateNumeric(result, std::stoi(NumericToString(b)));
  if (operation == "min_scale") result = NumericFromInteger(MinNumericScale(a));
  return IsInNumericRange(result) ? NumericFault::kNone : NumericFault::kOutOfRange;
}

// Whether bytes order the numbers as they compare, and give them back.
inline bool AreNumericBytesRight(const Numeric& a, const Numeric& b) {
  std::string left, right;
  AppendNumericBytes(a, left);
  AppendNumericBytes(b, right);
  Numeric read;
  if (!ReadNumericBytes(left, read) || NumericToString(read) != NumericToString(a)) return false;
  const int order = CompareNumeric(a, b);
  const int by_scale = left.compare(right);
  ClearNumericScale(left);
  ClearNumericScale(right);
  const int by_bytes = left.compare(right);
  if (order == 0) return by_bytes == 0 && (by_scale < 0) == (a.scale < b.scale);
  return (by_bytes < 0) == (order < 0) && by_bytes != 0 && (by_scale < 0) == (order < 0);
}

// The result's text, or "error" and an SQLSTATE, as PostgreSQL's function of the test has it.
inline std::string NumericAnswerOf(const std::string& operation, std::string_view left,
                                   std::string_view right) {
  Numeric a, b, result;
  if (ParseNumeric(left, a) != NumericParse::kOk || ParseNumeric(right, b) != NumericParse::kOk)
    return "error 22003";
  if (!AreNumericBytesRight(a, b) || !AreNumericBytesRight(b, a)) return "bytes do not order";
  const NumericFault fault = ComputeNamed(operation, a, b, result);
  return fault == NumericFault::kNone ? NumericToString(result) : std::string("error ") + SqlStateOf(fault);
}

}  // namespace scaup
