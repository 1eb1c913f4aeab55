// Casts between BIT and integers, and BIT and BLOB.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/number/bit_string.hpp"

namespace scaup {

namespace {

/// The widest integers stand for all, so that the loops are compiled once.
constexpr LogicalType kWidestInteger = TypeId::kHugeInt;

void CastIntegerToBits(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const uint64_t size = PhysicalSize(call.source_type) * 8;
  Vector wide(kWidestInteger);
  wide.Reset();
  FindCast(call.source_type, kWidestInteger)
      ->kernel({call.context, call.source_type, kWidestInteger}, source, count, wide);
  BitString bits;
  std::string stored;
  CastRows<int128_t, StringRef>(call, wide, count, result,
                                [&](const int128_t& integer, StringRef& out, Vector& target) {
                                  BitsOfInteger(integer, size, bits);
                                  bits.Store(stored);
                                  out = target.AddString(stored);
                                  return true;
                                });
}

/// Fewer bits than the integer has are its lowest ones.
void CastBitsToInteger(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const uint64_t size = PhysicalSize(call.target_type) * 8;
  const auto shift = IsUnsigned(call.target_type.id()) ? 0 : static_cast<int>(128 - size);
  Vector wide(kWidestInteger);
  wide.Reset();
  BitString bits;
  CastRows<StringRef, int128_t>(call, source, count, wide,
                                [&](const StringRef& stored, int128_t& out, Vector&) {
                                  uint128_t integer = 0;
                                  bits.Load(stored.view());
                                  if (!IntegerOfBits(bits, size, integer)) return false;
                                  out = static_cast<int128_t>(integer << shift) >> shift;
                                  return true;
                                });
  FindCast(kWidestInteger, call.target_type)
      ->kernel({call.context, kWidestInteger, call.target_type}, wide, count, result);
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
  if (to.id() == TypeId::kBit) return {CastIntegerToBits, false};
  return {CastBitsToInteger, true};
}

}  // namespace scaup
