// Series of numbers with a fixed number of limbs behind the point.
#include "type/number/fixed_number.hpp"

#include <algorithm>

#include "common/check.hpp"

namespace scaup {

namespace {

Limbs DividedBy(const Limbs& a, uint32_t divisor) {
  Limbs rest = a;
  return DivideLimbs(rest, {divisor});
}

/// Returns |a - b|.
Limbs Distance(Limbs a, const Limbs& b) {
  if (CompareLimbs(a, b) < 0) {
    Limbs greater = b;
    SubtractLimbs(greater, a);
    return greater;
  }
  SubtractLimbs(a, b);
  return a;
}

}  // namespace

Limbs FixedArithmetic::Whole(uint32_t number) const {
  Limbs limbs(places_ + 1);
  limbs.back() = number;
  TrimLimbs(limbs);
  return limbs;
}

Limbs FixedArithmetic::Of(const Numeric& number) const {
  const int64_t shift = number.exponent + static_cast<int64_t>(places_);
  if (shift >= 0) {
    Limbs limbs(number.limbs.empty() ? 0 : static_cast<size_t>(shift));
    limbs.insert(limbs.end(), number.limbs.begin(), number.limbs.end());
    return limbs;
  }
  const auto cut = static_cast<size_t>(-shift);
  if (cut >= number.limbs.size()) return {};
  return Limbs(number.limbs.begin() + static_cast<ptrdiff_t>(cut), number.limbs.end());
}

Numeric FixedArithmetic::ToNumeric(Limbs number, bool is_negative) const {
  Numeric result;
  result.limbs = std::move(number);
  result.exponent = -static_cast<int32_t>(places_);
  result.is_negative = is_negative;
  return result;
}

Limbs FixedArithmetic::Multiply(const Limbs& a, const Limbs& b) const {
  Limbs product = MultiplyLimbs(a, b);
  product.erase(product.begin(), product.begin() + static_cast<ptrdiff_t>(std::min(places_, product.size())));
  return product;
}

Limbs FixedArithmetic::Divide(const Limbs& a, const Limbs& b) const {
  SCAUP_ASSERT(!b.empty());
  Limbs rest(a.empty() ? 0 : places_);
  rest.insert(rest.end(), a.begin(), a.end());
  return DivideLimbs(rest, b);
}

Limbs FixedArithmetic::Root(const Limbs& a) const {
  Limbs shifted(a.empty() ? 0 : places_);
  shifted.insert(shifted.end(), a.begin(), a.end());
  return SquareRootLimbs(shifted);
}

Limbs FixedArithmetic::Exponential(const Limbs& a) const {
  SCAUP_ASSERT(a.size() <= places_ + 1 && CompareLimbs(a, Whole(1'000'000)) < 0);
  // e^a is e^(a / 2^n) squared n times; below 2^-7 the series takes few terms.
  const Limbs limit = DividedBy(One(), 128);
  Limbs small = a;
  int squares = 0;
  for (; CompareLimbs(small, limit) > 0; squares++) small = DividedBy(small, 2);
  Limbs sum = One(), term = One();
  for (uint32_t n = 1; !term.empty(); n++) {
    term = DividedBy(Multiply(term, small), n);
    AddLimbs(sum, term, 0);
  }
  for (; squares > 0; squares--) sum = Multiply(sum, sum);
  return sum;
}

Limbs FixedArithmetic::Logarithm(Limbs a) const {
  SCAUP_ASSERT(!a.empty());
  // ln a is 2^n times that of the 2^n-th root, which is near 1.
  const Limbs one = One();
  const Limbs limit = DividedBy(one, 128);
  int roots = 0;
  for (; CompareLimbs(Distance(a, one), limit) > 0; roots++) a = Root(a);
  Limbs above = a;
  AddLimbs(above, one, 0);
  // ln a = 2 (z + z^3 / 3 + z^5 / 5 + ...) with z = (a - 1) / (a + 1).
  const Limbs z = Divide(Distance(a, one), above);
  const Limbs square = Multiply(z, z);
  Limbs sum = z, power = z;
  for (uint32_t n = 3; !power.empty(); n += 2) {
    power = Multiply(power, square);
    AddLimbs(sum, DividedBy(power, n), 0);
  }
  for (int i = 0; i <= roots; i++) AddLimbs(sum, Limbs(sum), 0);
  return sum;
}

}  // namespace scaup
