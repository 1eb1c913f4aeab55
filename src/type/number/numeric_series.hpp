// Powers, exponentials and logarithms of exact numbers, with PostgreSQL's rules for the scales of results.
#pragma once

#include "type/number/numeric_arithmetic.hpp"

namespace scaup {

/// e to the power of a, with at least 16 significant digits.
NumericFault ExponentialOfNumeric(const Numeric& a, Numeric& power);
NumericFault NaturalLogOfNumeric(const Numeric& a, Numeric& logarithm);
NumericFault LogOfNumeric(const Numeric& base, const Numeric& a, Numeric& logarithm);
NumericFault Log10OfNumeric(const Numeric& a, Numeric& logarithm);
NumericFault PowerOfNumeric(const Numeric& base, const Numeric& exponent, Numeric& power);

}  // namespace scaup
