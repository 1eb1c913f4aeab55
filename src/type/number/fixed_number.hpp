// Numbers with a fixed number of limbs behind the point, for series.
#pragma once

#include <cstdint>

#include "type/number/numeric.hpp"

namespace scaup {

/// Computes with numbers that are not negative, in units of base^-places. Every operation cuts what lies
/// below the unit. Immutable.
class FixedArithmetic {
 public:
  explicit FixedArithmetic(size_t places) : places_(places) {}

  Limbs One() const { return Whole(1); }
  Limbs Whole(uint32_t number) const;
  /// Returns |number|.
  Limbs Of(const Numeric& number) const;
  Numeric ToNumeric(Limbs number, bool is_negative) const;
  Limbs Multiply(const Limbs& a, const Limbs& b) const;
  /// REQUIRES: b is not zero.
  Limbs Divide(const Limbs& a, const Limbs& b) const;
  Limbs Root(const Limbs& a) const;
  /// Returns e^a. REQUIRES: a is below 10^6.
  Limbs Exponential(const Limbs& a) const;
  /// Returns |ln a|. REQUIRES: a is not zero.
  Limbs Logarithm(Limbs a) const;

 private:
  size_t places_;
};

}  // namespace scaup
