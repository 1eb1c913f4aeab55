// Casts of REAL and DOUBLE to integers, to each other, and to DECIMAL.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/number/number_cast.hpp"

namespace scaup {

namespace {

template <typename From, typename To>
void CastFloatingToInteger(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<From, To>(call, source, count, result,
                        [](From value, To& out) { return DoubleToInteger(static_cast<double>(value), out); });
}

void CastDoubleToReal(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<double, float>(call, source, count, result,
                             [](double value, float& out) { return DoubleToFloat(value, out); });
}

void CastRealToDouble(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<float, double>(call, source, count, result, [](float value, double& out) {
    out = value;
    return true;
  });
}

template <typename To>
void CastDoubleToDecimal(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const uint8_t width = call.target_type.width(), scale = call.target_type.scale();
  CastRows<double, To>(call, source, count, result, [=](double value, To& out, Vector&) {
    int128_t unscaled;
    if (!DoubleToDecimal(value, width, scale, unscaled)) return false;
    out = static_cast<To>(unscaled);
    return true;
  });
}

template <typename To>
void CastRealToDecimal(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const uint8_t width = call.target_type.width(), scale = call.target_type.scale();
  CastRows<float, To>(call, source, count, result, [=](float value, To& out, Vector&) {
    int128_t unscaled;
    if (!FloatToDecimal(value, width, scale, unscaled)) return false;
    out = static_cast<To>(unscaled);
    return true;
  });
}

}  // namespace

CastFunction FindFloatingCast(const LogicalType& from, const LogicalType& to) {
  const bool from_real = from.id() == TypeId::kReal;
  if (to.IsFloating())
    return from_real ? CastFunction{CastRealToDouble, false} : CastFunction{CastDoubleToReal, true};
  return WithIntegerType(PhysicalTypeOf(to), [from_real](auto tag) {
    using To = typename decltype(tag)::Type;
    return CastFunction{from_real ? CastFloatingToInteger<float, To> : CastFloatingToInteger<double, To>,
                        true};
  });
}

CastFunction FindFloatingToDecimalCast(const LogicalType& from, const LogicalType& to) {
  const bool from_real = from.id() == TypeId::kReal;
  return WithDecimalType(PhysicalTypeOf(to), [from_real](auto tag) {
    using To = typename decltype(tag)::Type;
    return CastFunction{from_real ? CastRealToDecimal<To> : CastDoubleToDecimal<To>, true};
  });
}

}  // namespace scaup
