// The operators & | # ~ << >> and || on bit strings.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "function/scalar/bits/bit_function.hpp"
#include "type/number/bit_string.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

enum class BitCombination : uint8_t { kAnd, kOr, kXor };

void CombineBitStrings(BitCombination kind, DataChunk& arguments, Vector& result) {
  BitString left, right;
  std::string stored;
  MapBinary<StringRef, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& a, const StringRef& b) {
        left.Load(a.view());
        right.Load(b.view());
        if (left.size() != right.size()) {
          constexpr const char* kNames[] = {"AND", "OR", "XOR"};
          ThrowError(ErrorKind::kOutOfRange, sqlstate::kStringLengthMismatch,
                     fmt::format("cannot {} bit strings of different sizes, {} and {}",
                                 kNames[static_cast<size_t>(kind)], left.size(), right.size()));
        }
        for (size_t i = 0; i < left.words().size(); i++) {
          uint64_t& word = left.words()[i];
          const uint64_t other = right.words()[i];
          word = kind == BitCombination::kAnd  ? word & other
                 : kind == BitCombination::kOr ? word | other
                                               : word ^ other;
        }
        left.Store(stored);
        return result.AddString(stored);
      });
}

template <BitCombination kKind>
void CombineBits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  CombineBitStrings(kKind, arguments, result);
}

void FlipBits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  BitString bits;
  std::string stored;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& value) {
    bits.Load(value.view());
    bits.Flip();
    bits.Store(stored);
    return result.AddString(stored);
  });
}

/// Shifts by any number of bits, a negative one in the other direction; the size remains.
void ShiftBitStrings(bool is_left, DataChunk& arguments, Vector& result) {
  BitString bits, shifted;
  std::string stored;
  MapBinary<StringRef, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& value, int32_t count) {
        bits.Load(value.view());
        shifted.Clear();
        const int64_t distance = is_left ? count : -int64_t{count};
        const uint64_t gone = std::min<uint64_t>(static_cast<uint64_t>(std::abs(distance)), bits.size());
        if (distance < 0) shifted.AppendZeros(gone);
        shifted.AppendPart(bits, distance < 0 ? 0 : gone, distance < 0 ? bits.size() - gone : bits.size());
        if (distance >= 0) shifted.AppendZeros(gone);
        shifted.Store(stored);
        return result.AddString(stored);
      });
}

template <bool kIsLeft>
void ShiftBits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  ShiftBitStrings(kIsLeft, arguments, result);
}

void JoinBits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  BitString joined, right;
  std::string stored;
  MapBinary<StringRef, StringRef, StringRef>(arguments.column(0), arguments.column(1), arguments.size(),
                                             result, [&](const StringRef& a, const StringRef& b) {
                                               joined.Load(a.view());
                                               right.Load(b.view());
                                               joined.AppendPart(right, 0, right.size());
                                               joined.Store(stored);
                                               return result.AddString(stored);
                                             });
}

}  // namespace

ScalarFunctionList ListBitFunctions(std::span<const BitFunction> rows) {
  ScalarFunctionList list;
  for (const BitFunction& row : rows) {
    list.push_back({.name = row.name,
                    .return_type = row.returned,
                    .kernel = row.kernel,
                    .description = row.description,
                    .example = row.example,
                    .can_fail = row.can_fail});
    for (const TypeId type : row.arguments)
      if (type != TypeId::kNull) list.back().argument_types.emplace_back(type);
  }
  return list;
}

ScalarFunctionList BitOperatorFunctions() {
  constexpr TypeId kBits = TypeId::kBit, kCount = TypeId::kInteger;
  static constexpr BitFunction kRows[] = {
      {"&",
       {kBits, kBits},
       kBits,
       &CombineBits<BitCombination::kAnd>,
       "Bits that are set in both.",
       "B'1100' & B'1010'",
       true},
      {"|",
       {kBits, kBits},
       kBits,
       &CombineBits<BitCombination::kOr>,
       "Bits that are set in either.",
       "B'1100' | B'1010'",
       true},
      {"#",
       {kBits, kBits},
       kBits,
       &CombineBits<BitCombination::kXor>,
       "Bits that are set in one only.",
       "B'1100' # B'1010'",
       true},
      {"~", {kBits}, kBits, &FlipBits, "All bits flipped.", "~ B'1100'", false},
      {"<<",
       {kBits, kCount},
       kBits,
       &ShiftBits<true>,
       "Bits shifted to the left, zeros behind them.",
       "B'10001' << 3",
       false},
      {">>",
       {kBits, kCount},
       kBits,
       &ShiftBits<false>,
       "Bits shifted to the right, zeros before them.",
       "B'10001' >> 2",
       false},
      {"||", {kBits, kBits}, kBits, &JoinBits, "Joins two bit strings.", "B'10001' || B'011'", true},
  };
  return ListBitFunctions(kRows);
}

}  // namespace scaup
