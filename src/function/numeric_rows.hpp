// Functions of NUMERIC over vectors: reads and stores numbers, and words the errors of their arithmetic.
#pragma once

#include <string>

#include "type/number/numeric_arithmetic.hpp"
#include "type/number/numeric_value.hpp"
#include "type/text/string_ref.hpp"
#include "vector/vectorized.hpp"

namespace scaup {

/// Throws the error for an operation without a result; returns for kNone.
void ThrowNumericFault(NumericFault fault);

using NumericUnary = NumericFault (*)(const Numeric& a, Numeric& result);
using NumericBinary = NumericFault (*)(const Numeric& a, const Numeric& b, Numeric& result);
/// An operation of small numbers in 128 bits, as unscaled * 10^(9 * exponent). Returns false if it may not
/// fit.
using SmallNumericBinary = bool (*)(const SmallNumeric& a, const SmallNumeric& b, int128_t& unscaled,
                                    int32_t& exponent);

/// Computes row after row, and keeps memory for numbers. Stores into strings of `result`, which must outlive
/// it.
class NumericRows {
 public:
  explicit NumericRows(Vector& result) : result_(result) {}

  /// Reads arguments; the references are valid until the next call.
  const Numeric& First(const StringRef& bytes) { return Load(bytes, first_); }
  const Numeric& Second(const StringRef& bytes) { return Load(bytes, second_); }
  StringRef Store(Numeric& number);
  StringRef StoreShort(int128_t unscaled, int scale) {
    return result_.AddString(ShortNumeric(unscaled, scale).view());
  }
  StringRef Run(NumericUnary compute, const StringRef& a);
  StringRef Run(NumericBinary compute, const StringRef& a, const StringRef& b);

 private:
  static const Numeric& Load(const StringRef& bytes, Numeric& number) {
    LoadNumeric(bytes.view(), number);
    return number;
  }

  Vector& result_;
  Numeric first_, second_, computed_;
  std::string bytes_;
};

/// Sets every row that is not NULL to compute(argument).
void MapNumerics(DataChunk& arguments, Vector& result, NumericUnary compute);
/// Sets every row without NULLs to compute(a, b), of small numbers to small(a, b) unless it is null.
void MapNumerics(DataChunk& arguments, Vector& result, NumericBinary compute, SmallNumericBinary small);

}  // namespace scaup
