// Casts of integers to other integers, floating-point numbers and BOOLEAN, and of BOOLEAN to integers.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/number/number_cast.hpp"

namespace scaup {

namespace {

template <typename From, typename To>
void CastIntegers(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<From, To>(call, source, count, result,
                        [](From value, To& out) { return IntegerToInteger(value, out); });
}

template <typename From, typename To>
void CastIntegerToFloating(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<From, To>(call, source, count, result, [](From value, To& out) {
    out = static_cast<To>(value);
    return true;
  });
}

template <typename From>
void CastIntegerToBoolean(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<From, uint8_t>(call, source, count, result, [](From value, uint8_t& out) {
    out = value != 0;
    return true;
  });
}

template <typename To>
void CastBooleanToInteger(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<uint8_t, To>(call, source, count, result, [](uint8_t value, To& out) {
    out = value;
    return true;
  });
}

}  // namespace

CastFunction FindBooleanCast(const LogicalType& from, const LogicalType& to) {
  if (from.id() == TypeId::kBoolean) {
    return WithIntegerType(PhysicalTypeOf(to), [](auto tag) {
      return CastFunction{CastBooleanToInteger<typename decltype(tag)::Type>, false};
    });
  }
  return WithIntegerType(PhysicalTypeOf(from), [](auto tag) {
    return CastFunction{CastIntegerToBoolean<typename decltype(tag)::Type>, false};
  });
}

CastFunction FindIntegerCast(const LogicalType& from, const LogicalType& to) {
  return WithIntegerType(PhysicalTypeOf(from), [&](auto from_tag) {
    using From = typename decltype(from_tag)::Type;
    if (to.id() == TypeId::kReal) return CastFunction{CastIntegerToFloating<From, float>, false};
    if (to.id() == TypeId::kDouble) return CastFunction{CastIntegerToFloating<From, double>, false};
    return WithIntegerType(PhysicalTypeOf(to), [](auto to_tag) {
      using To = typename decltype(to_tag)::Type;
      return CastFunction{CastIntegers<From, To>, !kHoldsAll<From, To>};
    });
  });
}

}  // namespace scaup
