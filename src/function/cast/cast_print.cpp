// Casts of every other type to VARCHAR, by the Format functions of type/.
#include "common/throw.hpp"
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/number/digits.hpp"
#include "type/time/time_tz.hpp"
#include "type/uuid.hpp"
#include "type/value_cast.hpp"
#include "vector/function_kernels.hpp"

namespace scaup {

namespace {

// Casts with Format, a function size_t(value, char* out).
template <typename From, auto Format>
void CastByPrinting(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<From, StringRef>(call, source, count, result,
                            [](const From& value, StringRef& out, Vector& target) {
                              char buffer[kFormatBufferBytes];
                              out = target.AddString({buffer, Format(value, buffer)});
                              return true;
                            });
}

/// Prints integers whose text is always inline: the words of the StringRef are computed directly.
template <typename From>
void CastShortInteger(const CastCall& call, Vector& source, size_t count, Vector& result) {
  if constexpr (std::is_same_v<From, int32_t>) {
    const FunctionKernels& kernels = FunctionKernelsOf(call.context.kernels.level);
    if (source.is_flat() && source.Validity() == nullptr &&
        kernels.integer_texts(source.Data<int32_t>(), count, result.MutableData<StringRef>()))
      return;
  }
  CastRows<From, StringRef>(call, source, count, result, [](const From& value, StringRef& out, Vector&) {
    out = ShortIntegerText(value);
    return true;
  });
}

template <typename From>
void CastDecimalToText(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<From, StringRef>(
      call, source, count, result,
      [scale = call.source_type.scale()](const From& value, StringRef& out, Vector& target) {
        char buffer[kFormatBufferBytes];
        out = target.AddString({buffer, FormatDecimal(value, scale, buffer)});
        return true;
      });
}

void CastBlobToText(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<StringRef, StringRef>(call, source, count, result,
                                 [](const StringRef& bytes, StringRef& out, Vector& target) {
                                   const size_t length = 2 + 2 * size_t{bytes.size()};
                                   if (length > UINT32_MAX)
                                     ThrowOutOfRange("a byte string is too long to be printed");
                                   char* text = target.AllocateString(length);
                                   FormatBlob(bytes.view(), text);
                                   out = StringRef(text, static_cast<uint32_t>(length));
                                   return true;
                                 });
}

void CastTimestampTzToText(const CastCall& call, Vector& source, size_t count, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  CastRows<int64_t, StringRef>(call, source, count, result,
                               [&zone](int64_t value, StringRef& out, Vector& target) {
                                 char buffer[kFormatBufferBytes];
                                 out = target.AddString({buffer, FormatTimestampTz(value, zone, buffer)});
                                 return true;
                               });
}

size_t FormatBooleanByte(uint8_t value, char* out) { return FormatBoolean(value != 0, out); }

CastKernel PrintingKernel(const LogicalType& from) {
  switch (from.id()) {
    case TypeId::kBoolean: return CastByPrinting<uint8_t, FormatBooleanByte>;
    case TypeId::kTinyInt: return CastShortInteger<int8_t>;
    case TypeId::kSmallInt: return CastShortInteger<int16_t>;
    case TypeId::kInteger: return CastShortInteger<int32_t>;
    case TypeId::kBigInt: return CastByPrinting<int64_t, FormatInteger>;
    case TypeId::kHugeInt: return CastByPrinting<int128_t, FormatInt128>;
    case TypeId::kUTinyInt: return CastShortInteger<uint8_t>;
    case TypeId::kUSmallInt: return CastShortInteger<uint16_t>;
    case TypeId::kUInteger: return CastByPrinting<uint32_t, FormatUnsigned>;
    case TypeId::kUBigInt: return CastByPrinting<uint64_t, FormatUnsigned>;
    case TypeId::kReal: return CastByPrinting<float, FormatFloat>;
    case TypeId::kDouble: return CastByPrinting<double, FormatDouble>;
    case TypeId::kDecimal:
      return WithDecimalType(PhysicalTypeOf(from), [](auto tag) -> CastKernel {
        return CastDecimalToText<typename decltype(tag)::Type>;
      });
    case TypeId::kNumeric:
    case TypeId::kBit: return CastStoredToText;
    case TypeId::kBlob: return CastBlobToText;
    case TypeId::kDate: return CastByPrinting<int32_t, FormatDate>;
    case TypeId::kTime: return CastByPrinting<int64_t, FormatTime>;
    case TypeId::kTimeTz: return CastByPrinting<int64_t, FormatTimeTz>;
    case TypeId::kTimestamp: return CastByPrinting<int64_t, FormatTimestamp>;
    case TypeId::kInterval: return CastByPrinting<Interval, FormatInterval>;
    case TypeId::kUuid: return CastByPrinting<int128_t, FormatUuid>;
    case TypeId::kTimestampTz: return CastTimestampTzToText;
    case TypeId::kJson:
    case TypeId::kJsonb: return ShareText;
    case TypeId::kNull:
    case TypeId::kEnum:
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange:
    case TypeId::kVarchar: break;
  }
  ThrowInternal("no cast from " + from.ToString() + " to VARCHAR");
}

}  // namespace

CastFunction FindPrintingCast(const LogicalType& from, const LogicalType&) {
  return {PrintingKernel(from), false};
}

}  // namespace scaup
