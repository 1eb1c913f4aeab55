// Schoolbook arithmetic: the numbers of SQL are short, and the longest have 16,000 limbs.
#include "type/number/limbs.hpp"

#include <algorithm>
#include <cmath>

#include "common/check.hpp"

namespace scaup {

namespace {

// Divides by one limb, from the top down.
Limbs DivideByLimb(Limbs& a, uint32_t divisor) {
  Limbs quotient(a.size());
  uint64_t rest = 0;
  for (size_t i = a.size(); i-- > 0;) {
    const uint64_t part = rest * kLimbBase + a[i];
    quotient[i] = static_cast<uint32_t>(part / divisor);
    rest = part % divisor;
  }
  a.assign(1, static_cast<uint32_t>(rest));
  TrimLimbs(a);
  TrimLimbs(quotient);
  return quotient;
}

void ScaleByLimb(Limbs& a, uint32_t factor) {
  uint64_t carry = 0;
  for (uint32_t& limb : a) {
    const uint64_t part = uint64_t{limb} * factor + carry;
    limb = static_cast<uint32_t>(part % kLimbBase);
    carry = part / kLimbBase;
  }
  if (carry != 0) a.push_back(static_cast<uint32_t>(carry));
}

// Subtracts digit * divisor from the limbs of `a` that begin at `at`; returns whether the difference is below
// 0.
bool SubtractProduct(Limbs& a, size_t at, const Limbs& divisor, uint64_t digit) {
  uint64_t carry = 0;
  int64_t borrow = 0;
  for (size_t i = 0; i <= divisor.size(); i++) {
    const uint64_t product = carry + (i < divisor.size() ? digit * divisor[i] : 0);
    carry = product / kLimbBase;
    int64_t limb = int64_t{a[at + i]} - static_cast<int64_t>(product % kLimbBase) - borrow;
    borrow = limb < 0 ? 1 : 0;
    if (limb < 0) limb += kLimbBase;
    a[at + i] = static_cast<uint32_t>(limb);
  }
  return borrow != 0;
}

void AddBack(Limbs& a, size_t at, const Limbs& divisor) {
  uint32_t carry = 0;
  for (size_t i = 0; i <= divisor.size(); i++) {
    const uint32_t sum = a[at + i] + (i < divisor.size() ? divisor[i] : 0) + carry;
    carry = sum >= kLimbBase ? 1 : 0;
    a[at + i] = sum >= kLimbBase ? sum - kLimbBase : sum;
  }
}

}  // namespace

void TrimLimbs(Limbs& limbs) {
  while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
}

int CompareLimbs(const Limbs& a, const Limbs& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  for (size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

void AddLimbs(Limbs& a, const Limbs& b, size_t shift) {
  if (b.empty()) return;
  if (a.size() < b.size() + shift) a.resize(b.size() + shift);
  uint32_t carry = 0;
  for (size_t i = shift; i < a.size() && (i < b.size() + shift || carry != 0); i++) {
    const uint32_t sum = a[i] + (i < b.size() + shift ? b[i - shift] : 0) + carry;
    carry = sum >= kLimbBase ? 1 : 0;
    a[i] = sum >= kLimbBase ? sum - kLimbBase : sum;
  }
  if (carry != 0) a.push_back(carry);
}

void SubtractLimbs(Limbs& a, const Limbs& b) {
  SCAUP_ASSERT(CompareLimbs(a, b) >= 0);
  uint32_t borrow = 0;
  for (size_t i = 0; i < a.size() && (i < b.size() || borrow != 0); i++) {
    const uint32_t part = (i < b.size() ? b[i] : 0) + borrow;
    borrow = a[i] < part ? 1 : 0;
    a[i] = borrow != 0 ? a[i] + kLimbBase - part : a[i] - part;
  }
  TrimLimbs(a);
}

Limbs MultiplyLimbs(const Limbs& a, const Limbs& b) {
  Limbs product(a.size() + b.size());
  for (size_t i = 0; i < a.size(); i++) {
    if (a[i] == 0) continue;  // the many zeros of 1e100000
    uint64_t carry = 0;
    for (size_t j = 0; j < b.size(); j++) {
      const uint64_t part = uint64_t{a[i]} * b[j] + product[i + j] + carry;
      product[i + j] = static_cast<uint32_t>(part % kLimbBase);
      carry = part / kLimbBase;
    }
    product[i + b.size()] = static_cast<uint32_t>(carry);
  }
  TrimLimbs(product);
  return product;
}

Limbs DivideLimbs(Limbs& a, const Limbs& b) {
  SCAUP_ASSERT(!b.empty());
  if (CompareLimbs(a, b) < 0) return {};
  if (b.size() == 1) return DivideByLimb(a, b[0]);
  // Knuth's algorithm D: with a top limb of at least half the base, a digit guessed from the top two limbs of
  // the rest is at most two too large.
  const uint32_t factor = kLimbBase / (b.back() + 1);
  Limbs divisor = b;
  ScaleByLimb(divisor, factor);
  ScaleByLimb(a, factor);
  const size_t length = divisor.size();
  a.resize(std::max(a.size() + 1, length + 1));
  Limbs quotient(a.size() - length);
  for (size_t at = quotient.size(); at-- > 0;) {
    const uint64_t top = uint64_t{a[at + length]} * kLimbBase + a[at + length - 1];
    uint64_t digit = top / divisor[length - 1];
    uint64_t rest = top % divisor[length - 1];
    while (digit >= kLimbBase || digit * divisor[length - 2] > rest * kLimbBase + a[at + length - 2]) {
      digit--;
      rest += divisor[length - 1];
      if (rest >= kLimbBase) break;
    }
    if (SubtractProduct(a, at, divisor, digit)) {
      digit--;
      AddBack(a, at, divisor);
    }
    quotient[at] = static_cast<uint32_t>(digit);
  }
  TrimLimbs(a);
  a = DivideByLimb(a, factor);
  TrimLimbs(quotient);
  return quotient;
}

Limbs SquareRootLimbs(const Limbs& a) {
  if (a.empty()) return {};
  // Newton's iteration falls to the root from any number above it.
  const size_t half = (a.size() - 1) / 2;
  double top = a.back();
  if (a.size() % 2 == 0) top = top * kLimbBase + a[a.size() - 2];
  Limbs root(half + 1);
  root[half] = static_cast<uint32_t>(std::min(std::sqrt(top) + 2, double{kLimbBase} - 1));
  if (root[half] == kLimbBase - 1) root.assign(half + 2, 0), root.back() = 1;
  for (;;) {
    Limbs rest = a;
    Limbs next = DivideLimbs(rest, root);
    AddLimbs(next, root, 0);
    next = DivideByLimb(next, 2);
    if (CompareLimbs(next, root) >= 0) return root;
    root = std::move(next);
  }
}

}  // namespace scaup
