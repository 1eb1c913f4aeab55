// Casts of VARCHAR to every other type, by the typed parsers of type/.
#include "common/throw.hpp"
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/text/json_text.hpp"
#include "type/time/time_tz.hpp"
#include "type/uuid.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

// Casts with Parse, a function bool(std::string_view, To&).
template <typename To, auto Parse>
void CastByParsing(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<StringRef, To>(call, source, count, result,
                          [](const StringRef& text, To& out, Vector&) { return Parse(text.view(), out); });
}

template <typename To>
bool ParseIntegerAs(std::string_view text, To& out) {
  return ParseInteger(text, out);
}

bool ParseBooleanByte(std::string_view text, uint8_t& out) {
  bool value;
  if (!ParseBoolean(text, value)) return false;
  out = value;
  return true;
}

template <typename To>
void CastToDecimal(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const uint8_t width = call.target_type.width(), scale = call.target_type.scale();
  CastRows<StringRef, To>(call, source, count, result, [=](const StringRef& text, To& out, Vector&) {
    int128_t unscaled;
    if (!ParseDecimal(text.view(), width, scale, unscaled)) return false;
    out = static_cast<To>(unscaled);
    return true;
  });
}

void CastToBlob(const CastCall& call, Vector& source, size_t count, Vector& result) {
  std::string bytes;
  CastRows<StringRef, StringRef>(call, source, count, result,
                                 [&bytes](const StringRef& text, StringRef& out, Vector& target) {
                                   if (!ParseBlob(text.view(), bytes)) return false;
                                   out = target.AddString(bytes);
                                   return true;
                                 });
}

void CastToTimestampTz(const CastCall& call, Vector& source, size_t count, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  CastRows<StringRef, int64_t>(call, source, count, result,
                               [&zone](const StringRef& text, int64_t& out, Vector&) {
                                 return ParseTimestampTz(text.view(), zone, out);
                               });
}

void CastToTimeTz(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const TimeZone& zone = call.context.Zone();
  CastRows<StringRef, int64_t>(
      call, source, count, result,
      [&zone](const StringRef& text, int64_t& out, Vector&) { return ParseTimeTz(text.view(), zone, out); });
}

CastKernel ParsingKernel(const LogicalType& to) {
  switch (to.id()) {
    case TypeId::kBoolean: return CastByParsing<uint8_t, ParseBooleanByte>;
    case TypeId::kTinyInt: return CastByParsing<int8_t, ParseIntegerAs<int8_t>>;
    case TypeId::kSmallInt: return CastByParsing<int16_t, ParseIntegerAs<int16_t>>;
    case TypeId::kInteger: return CastByParsing<int32_t, ParseIntegerAs<int32_t>>;
    case TypeId::kBigInt: return CastByParsing<int64_t, ParseIntegerAs<int64_t>>;
    case TypeId::kHugeInt: return CastByParsing<int128_t, ParseIntegerAs<int128_t>>;
    case TypeId::kUTinyInt: return CastByParsing<uint8_t, ParseIntegerAs<uint8_t>>;
    case TypeId::kUSmallInt: return CastByParsing<uint16_t, ParseIntegerAs<uint16_t>>;
    case TypeId::kUInteger: return CastByParsing<uint32_t, ParseIntegerAs<uint32_t>>;
    case TypeId::kUBigInt: return CastByParsing<uint64_t, ParseIntegerAs<uint64_t>>;
    case TypeId::kReal: return CastByParsing<float, ParseFloat>;
    case TypeId::kDouble: return CastByParsing<double, ParseDouble>;
    case TypeId::kDecimal:
      return WithDecimalType(PhysicalTypeOf(to), [](auto tag) -> CastKernel {
        return CastToDecimal<typename decltype(tag)::Type>;
      });
    case TypeId::kNumeric:
    case TypeId::kBit: return CastTextToStored;
    case TypeId::kBlob: return CastToBlob;
    case TypeId::kDate: return CastByParsing<int32_t, ParseDate>;
    case TypeId::kTime: return CastByParsing<int64_t, ParseTime>;
    case TypeId::kTimeTz: return CastToTimeTz;
    case TypeId::kTimestamp: return CastByParsing<int64_t, ParseTimestamp>;
    case TypeId::kInterval: return CastByParsing<Interval, ParseInterval>;
    case TypeId::kUuid: return CastByParsing<int128_t, ParseUuid>;
    case TypeId::kTimestampTz: return CastToTimestampTz;
    case TypeId::kJson: return CastTextToJson;
    case TypeId::kJsonb: return CastTextToJsonb;
    case TypeId::kNull:
    case TypeId::kEnum:
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange:
    case TypeId::kVarchar: break;
  }
  ThrowInternal("no cast from VARCHAR to " + to.ToString());
}

}  // namespace

CastFunction FindParsingCast(const LogicalType&, const LogicalType& to) { return {ParsingKernel(to), true}; }

}  // namespace scaup
