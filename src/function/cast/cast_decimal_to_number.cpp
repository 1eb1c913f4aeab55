// Casts of DECIMAL to integers and floating-point numbers.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/number/number_cast.hpp"

namespace scaup {

namespace {

template <typename From, typename To>
void CastDecimalToInteger(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const DecimalScaleDown<From> scale_down(call.source_type.scale());
  CastNumbers<From, To>(call, source, count, result,
                        [&](From value, To& out) { return IntegerToInteger(scale_down(value), out); });
}

template <typename From>
void CastDecimalToDouble(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<From, double>(call, source, count, result,
                            [scale = call.source_type.scale()](From value, double& out) {
                              out = DecimalToDouble(value, scale);
                              return true;
                            });
}

template <typename From>
void CastDecimalToReal(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<From, float>(call, source, count, result,
                           [scale = call.source_type.scale()](From value, float& out) {
                             out = DecimalToFloat(value, scale);
                             return true;
                           });
}

}  // namespace

CastFunction FindDecimalToNumberCast(const LogicalType& from, const LogicalType& to) {
  return WithDecimalType(PhysicalTypeOf(from), [&](auto from_tag) {
    using From = typename decltype(from_tag)::Type;
    if (to.id() == TypeId::kDouble) return CastFunction{CastDecimalToDouble<From>, false};
    if (to.id() == TypeId::kReal) return CastFunction{CastDecimalToReal<From>, false};
    return WithIntegerType(PhysicalTypeOf(to), [](auto to_tag) {
      using To = typename decltype(to_tag)::Type;
      return CastFunction{CastDecimalToInteger<From, To>, !kHoldsAll<From, To>};
    });
  });
}

}  // namespace scaup
