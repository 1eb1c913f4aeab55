// ALP: searches for the decimal shape of numbers.
#include "storage/compression/alp_decimals.hpp"

#include <algorithm>
#include <limits>

namespace scaup {

namespace {

constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                              1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
constexpr double kInverses[] = {1e-0,  1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8, 1e-9,
                                1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18};
static_assert(std::size(kPowers) == DecimalShape::kMaxExponent + 1);
static_assert(std::size(kInverses) == DecimalShape::kMaxExponent + 1);

/// The size of an exception's position; the value comes on top.
constexpr size_t kPositionBits = 16;

}  // namespace

double ScaleOf(uint8_t power) { return kPowers[power]; }
double InverseScaleOf(uint8_t power) { return kInverses[power]; }

template <typename T>
size_t EstimateDecimalBits(std::span<const T> values, DecimalShape shape) {
  const DecimalScale scale(shape);
  double least = kMaxDecimalDigits, greatest = -kMaxDecimalDigits;
  size_t exceptions = 0;
  for (const T value : values) {
    const double digits = scale.Digits(value);
    if (!scale.IsExact(value, digits)) {
      exceptions++;
      continue;
    }
    least = std::min(least, digits);
    greatest = std::max(greatest, digits);
  }
  const size_t exception_bits = exceptions * (8 * sizeof(T) + kPositionBits);
  // Without exact values there is no range.
  if (exceptions == values.size()) return exception_bits;
  const auto range = static_cast<uint64_t>(greatest - least);
  return exception_bits + values.size() * static_cast<size_t>(std::bit_width(range));
}

template <typename T>
DecimalShape BestShape(std::span<const T> values, std::span<const DecimalShape> candidates) {
  DecimalShape best;
  size_t best_bits = std::numeric_limits<size_t>::max();
  for (const DecimalShape shape : candidates) {
    const size_t bits = EstimateDecimalBits(values, shape);
    if (bits >= best_bits) continue;
    best = shape;
    best_bits = bits;
  }
  return best;
}

template <typename T>
DecimalShape BestShape(std::span<const T> values) {
  using Shapes = std::vector<DecimalShape>;
  static const Shapes& all_shapes = *new Shapes([] {  // Never destroyed, see CONTRIBUTING.md.
    Shapes shapes;
    // Larger exponents come first: among equally good shapes, they are most likely to fit values outside the
    // sample.
    for (int exponent = DecimalShape::kMaxExponent; exponent >= 0; exponent--) {
      for (int factor = exponent; factor >= 0; factor--) {
        shapes.push_back({static_cast<uint8_t>(exponent), static_cast<uint8_t>(factor)});
      }
    }
    return shapes;
  }());
  return BestShape(values, std::span<const DecimalShape>(all_shapes));
}

template size_t EstimateDecimalBits(std::span<const float>, DecimalShape);
template size_t EstimateDecimalBits(std::span<const double>, DecimalShape);
template DecimalShape BestShape(std::span<const float>);
template DecimalShape BestShape(std::span<const double>);
template DecimalShape BestShape(std::span<const float>, std::span<const DecimalShape>);
template DecimalShape BestShape(std::span<const double>, std::span<const DecimalShape>);

}  // namespace scaup
