// Casts between NUMERIC and integers, DECIMAL, REAL and DOUBLE.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/number/numeric_value.hpp"

namespace scaup {

namespace {

template <typename From>
void CastScaledToNumeric(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const int scale = call.source_type.scale();
  CastRows<From, StringRef>(call, source, count, result,
                            [scale](const From& value, StringRef& out, Vector& target) {
                              out = target.AddString(ShortNumeric(value, scale).view());
                              return true;
                            });
}

template <typename From, void (*kConvert)(From, std::string&)>
void CastFloatingToNumeric(const CastCall& call, Vector& source, size_t count, Vector& result) {
  std::string bytes;
  CastRows<From, StringRef>(call, source, count, result,
                            [&bytes](const From& value, StringRef& out, Vector& target) {
                              kConvert(value, bytes);
                              out = target.AddString(bytes);
                              return true;
                            });
}

template <typename To, bool (*kConvert)(std::string_view, To&)>
void CastNumericToFloating(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<StringRef, To>(call, source, count, result, [](const StringRef& number, To& out, Vector&) {
    return kConvert(number.view(), out);
  });
}

template <typename To>
void CastNumericToInteger(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<StringRef, To>(call, source, count, result, [](const StringRef& number, To& out, Vector&) {
    int128_t integer;
    if (!NumericToInteger(number.view(), integer)) return false;
    out = static_cast<To>(integer);
    return int128_t{out} == integer;
  });
}

template <typename To>
void CastNumericToDecimal(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const uint8_t width = call.target_type.width(), scale = call.target_type.scale();
  CastRows<StringRef, To>(call, source, count, result, [=](const StringRef& number, To& out, Vector&) {
    int128_t unscaled;
    if (!NumericToDecimal(number.view(), width, scale, unscaled)) return false;
    out = static_cast<To>(unscaled);
    return true;
  });
}

}  // namespace

CastFunction FindCastToNumeric(const LogicalType& from, const LogicalType&) {
  if (from.id() == TypeId::kReal) return {CastFloatingToNumeric<float, NumericOfFloat>, false};
  if (from.id() == TypeId::kDouble) return {CastFloatingToNumeric<double, NumericOfDouble>, false};
  return WithIntegerType(PhysicalTypeOf(from), [](auto tag) {
    return CastFunction{CastScaledToNumeric<typename decltype(tag)::Type>, false};
  });
}

CastFunction FindCastFromNumeric(const LogicalType&, const LogicalType& to) {
  if (to.id() == TypeId::kReal) return {CastNumericToFloating<float, NumericToFloat>, true};
  if (to.id() == TypeId::kDouble) return {CastNumericToFloating<double, NumericToDouble>, true};
  if (to.id() == TypeId::kDecimal) {
    return WithDecimalType(PhysicalTypeOf(to), [](auto tag) {
      return CastFunction{CastNumericToDecimal<typename decltype(tag)::Type>, true};
    });
  }
  return WithIntegerType(PhysicalTypeOf(to), [](auto tag) {
    return CastFunction{CastNumericToInteger<typename decltype(tag)::Type>, true};
  });
}

}  // namespace scaup
