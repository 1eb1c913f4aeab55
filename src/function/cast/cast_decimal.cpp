// Casts to DECIMAL from integers and other DECIMALs: the scale grows, stays or shrinks.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/number/number_cast.hpp"

namespace scaup {

namespace {

template <typename From, typename To>
void CastScaleUp(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const LogicalType& to = call.target_type;
  const DecimalScaleUp<From, To> scale_up(to.width(),
                                          static_cast<uint8_t>(to.scale() - call.source_type.scale()));
  CastNumbers<From, To>(call, source, count, result,
                        [&scale_up](From value, To& out) { return scale_up(value, out); });
}

template <typename From, typename To>
void CastScaleDown(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const LogicalType& to = call.target_type;
  const DecimalScaleDown<From> scale_down(static_cast<uint8_t>(call.source_type.scale() - to.scale()));
  const DecimalWidthCheck<From> fits(to.width());
  CastNumbers<From, To>(call, source, count, result, [&](From value, To& out) {
    const From rounded = scale_down(value);
    out = static_cast<To>(rounded);
    return fits(rounded);
  });
}

int IntegerDigits(const LogicalType& type) { return type.width() - type.scale(); }

// Whether the cast can fail. An integer type has no width, so all of its values must fit.
template <typename From>
bool CanFail(const LogicalType& from, const LogicalType& to) {
  if (from.id() != TypeId::kDecimal)
    return !DecimalScaleUp<From, int128_t>(to.width(), to.scale()).always_fits();
  // Rounding may carry into one more digit.
  return IntegerDigits(from) + (from.scale() > to.scale() ? 1 : 0) > IntegerDigits(to);
}

}  // namespace

CastFunction FindDecimalCast(const LogicalType& from, const LogicalType& to) {
  return WithIntegerType(PhysicalTypeOf(from), [&](auto from_tag) {
    using From = typename decltype(from_tag)::Type;
    return WithDecimalType(PhysicalTypeOf(to), [&](auto to_tag) {
      using To = typename decltype(to_tag)::Type;
      const bool can_fail = CanFail<From>(from, to);
      // No decimal is stored in one byte, or without a sign.
      if constexpr (sizeof(From) > 1 && kIsSignedInteger<From>) {
        if (from.scale() > to.scale()) return CastFunction{CastScaleDown<From, To>, can_fail};
      }
      return CastFunction{CastScaleUp<From, To>, can_fail};
    });
  });
}

}  // namespace scaup
