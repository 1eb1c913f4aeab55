// Functions of NUMERIC over vectors.
#include "function/numeric_rows.hpp"

#include "common/running_call.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Numbers of more bytes may take a while.
constexpr size_t kLongNumber = 4096;

[[noreturn]] void ThrowArgument(const char* sqlstate, const char* message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate, message);
}

}  // namespace

void ThrowNumericFault(NumericFault fault) {
  constexpr const char *kRoot = "2201F", *kLogarithm = "2201E";
  switch (fault) {
    case NumericFault::kNone: return;
    case NumericFault::kOutOfRange: ThrowOutOfRange("value overflows numeric format");
    case NumericFault::kDivisionByZero: ThrowDivisionByZero();
    case NumericFault::kRootOfNegative: ThrowArgument(kRoot, "cannot take square root of a negative number");
    case NumericFault::kPowerOfZero: ThrowArgument(kRoot, "zero raised to a negative power is undefined");
    case NumericFault::kComplexPower:
      ThrowArgument(kRoot, "a negative number raised to a non-integer power yields a complex result");
    case NumericFault::kLogOfZero: ThrowArgument(kLogarithm, "cannot take logarithm of zero");
    case NumericFault::kLogOfNegative:
      ThrowArgument(kLogarithm, "cannot take logarithm of a negative number");
  }
}

StringRef NumericRows::Store(Numeric& number) {
  StoreNumeric(number, bytes_);
  return result_.AddString(bytes_);
}

StringRef NumericRows::Run(NumericUnary compute, const StringRef& a) {
  if (a.size() > kLongNumber) RunningCall::CheckInterrupt();
  ThrowNumericFault(compute(First(a), computed_));
  return Store(computed_);
}

StringRef NumericRows::Run(NumericBinary compute, const StringRef& a, const StringRef& b) {
  if (a.size() + b.size() > kLongNumber) RunningCall::CheckInterrupt();
  ThrowNumericFault(compute(First(a), Second(b), computed_));
  return Store(computed_);
}

void MapNumerics(DataChunk& arguments, Vector& result, NumericUnary compute) {
  NumericRows rows(result);
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result,
                                 [&](const StringRef& a) { return rows.Run(compute, a); });
}

void MapNumerics(DataChunk& arguments, Vector& result, NumericBinary compute, SmallNumericBinary small) {
  NumericRows rows(result);
  MapBinary<StringRef, StringRef, StringRef>(arguments.column(0), arguments.column(1), arguments.size(),
                                             result, [&](const StringRef& a, const StringRef& b) {
                                               SmallNumeric x, y;
                                               int128_t unscaled;
                                               int32_t exponent;
                                               if (small != nullptr && LoadSmallNumeric(a.view(), x) &&
                                                   LoadSmallNumeric(b.view(), y) &&
                                                   small(x, y, unscaled, exponent))
                                                 return rows.StoreShort(unscaled, -exponent * kLimbDigits);
                                               return rows.Run(compute, a, b);
                                             });
}

}  // namespace scaup
