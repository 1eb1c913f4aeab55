// Arithmetic of natural numbers of any length, in base 10^9.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scaup {

/// The digits of a natural number in base kLimbBase, the least significant first; the last is not zero. Zero
/// has none. The base is a power of ten, so that decimal places are cut and counted without conversion.
using Limbs = std::vector<uint32_t>;
inline constexpr uint32_t kLimbBase = 1'000'000'000;
inline constexpr int kLimbDigits = 9;

/// 10^i for 0 <= i <= 9.
inline constexpr uint32_t kPowersOfTen[] = {1,       10,        100,        1'000,       10'000,
                                            100'000, 1'000'000, 10'000'000, 100'000'000, kLimbBase};

/// Removes zeros from the end.
void TrimLimbs(Limbs& limbs);
/// Returns a number below, equal to or above 0, as a is below, equal to or above b.
int CompareLimbs(const Limbs& a, const Limbs& b);
/// Adds b, shifted up by `shift` limbs, to a.
void AddLimbs(Limbs& a, const Limbs& b, size_t shift);
/// Subtracts b from a. REQUIRES: a >= b.
void SubtractLimbs(Limbs& a, const Limbs& b);
Limbs MultiplyLimbs(const Limbs& a, const Limbs& b);
/// Returns floor(a / b), and leaves the rest in a. REQUIRES: b is not zero.
Limbs DivideLimbs(Limbs& a, const Limbs& b);
/// Returns floor(sqrt(a)).
Limbs SquareRootLimbs(const Limbs& a);

}  // namespace scaup
