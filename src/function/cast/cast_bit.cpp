// Casts between BIT and integers, and BIT and BLOB.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/number/bit_string.hpp"

namespace scaup {

namespace {

template <typename From>
void CastIntegerToBits(const CastCall& call, Vector& source, size_t count, Vector& result) {
  BitString bits;
  std::string stored;
  CastRows<From, StringRef>(call, source, count, result,
                            [&](const From& integer, StringRef& out, Vector& target) {
                              BitsOfInteger(static_cast<int128_t>(integer), sizeof(From) * 8, bits);
                              bits.Store(stored);
                              out = target.AddString(stored);
                              return true;
                            });
}

/// Fewer bits than the integer has are its lowest ones.
template <typename To>
void CastBitsToInteger(const CastCall& call, Vector& source, size_t count, Vector& result) {
  BitString bits;
  CastRows<StringRef, To>(call, source, count, result, [&](const StringRef& stored, To& out, Vector&) {
    uint128_t integer = 0;
    bits.Load(stored.view());
    if (!IntegerOfBits(bits, sizeof(To) * 8, integer)) return false;
    out = static_cast<To>(integer);
    return true;
  });
}

void CastBytesToBits(const CastCall& call, Vector& source, size_t count, Vector& result) {
  BitString bits;
  std::string stored;
  CastRows<StringRef, StringRef>(call, source, count, result,
                                 [&](const StringRef& bytes, StringRef& out, Vector& target) {
                                   BitsOfBytes(bytes.view(), bits);
                                   bits.Store(stored);
                                   out = target.AddString(stored);
                                   return true;
                                 });
}

void CastBitsToBytes(const CastCall& call, Vector& source, size_t count, Vector& result) {
  BitString bits;
  std::string bytes;
  CastRows<StringRef, StringRef>(call, source, count, result,
                                 [&](const StringRef& stored, StringRef& out, Vector& target) {
                                   bits.Load(stored.view());
                                   BytesOfBits(bits, bytes);
                                   out = target.AddString(bytes);
                                   return true;
                                 });
}

}  // namespace

CastFunction FindBitCast(const LogicalType& from, const LogicalType& to) {
  if (from.id() == TypeId::kBlob) return {CastBytesToBits, true};
  if (to.id() == TypeId::kBlob) return {CastBitsToBytes, false};
  if (to.id() == TypeId::kBit) {
    return WithIntegerType(PhysicalTypeOf(from), [](auto tag) {
      return CastFunction{CastIntegerToBits<typename decltype(tag)::Type>, false};
    });
  }
  return WithIntegerType(PhysicalTypeOf(to), [](auto tag) {
    return CastFunction{CastBitsToInteger<typename decltype(tag)::Type>, true};
  });
}

}  // namespace scaup
