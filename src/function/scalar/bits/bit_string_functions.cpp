// Functions of bit strings: sizes, single bits, parts, and where a part is.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "function/scalar/bits/bit_function.hpp"
#include "function/text_account.hpp"
#include "type/number/bit_string.hpp"
#include "type/value_cast.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

template <typename R, uint64_t (*kCount)(std::string_view)>
void CountOfBits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, R>(arguments.column(0), arguments.size(), result,
                         [](const StringRef& bits) { return static_cast<R>(kCount(bits.view())); });
}

uint64_t BytesForBits(std::string_view stored) { return (StoredBitCount(stored) + 7) / 8; }

uint64_t SetBitCount(std::string_view stored) {
  uint64_t count = 0;
  const BitString bits(stored);
  for (const uint64_t word : bits.words()) count += static_cast<uint64_t>(std::popcount(word));
  return count;
}

uint64_t CheckBitIndex(int32_t index, const BitString& bits) {
  if (index < 0 || static_cast<uint64_t>(index) >= bits.size()) {
    ThrowError(
        ErrorKind::kOutOfRange, sqlstate::kArrayElementError,
        fmt::format("bit index {} out of valid range (0..{})", index, static_cast<int64_t>(bits.size()) - 1));
  }
  return static_cast<uint64_t>(index);
}

void GetBitOfString(const ScalarCall&, DataChunk& arguments, Vector& result) {
  BitString bits;
  MapBinary<StringRef, int32_t, int32_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                         [&](const StringRef& stored, int32_t index) -> int32_t {
                                           bits.Load(stored.view());
                                           return bits.At(CheckBitIndex(index, bits)) ? 1 : 0;
                                         });
}

void SetBitOfString(const ScalarCall&, DataChunk& arguments, Vector& result) {
  BitString bits;
  std::string stored;
  MapTernary<StringRef, int32_t, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.column(2), arguments.size(), result,
      [&](const StringRef& value, int32_t index, int32_t bit) {
        bits.Load(value.view());
        const uint64_t place = CheckBitIndex(index, bits);
        if (bit != 0 && bit != 1)
          ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue, "new bit must be 0 or 1");
        bits.Set(place, bit == 1);
        bits.Store(stored);
        return result.AddString(stored);
      });
}

constexpr uint64_t kBitsBetweenChecks = 4096;

/// The position from 1; 0 if the part does not occur, and in the empty bit string, as in PostgreSQL.
int32_t PositionIn(const BitString& bits, const BitString& part) {
  if (bits.size() == 0 || part.size() > bits.size()) return 0;
  for (uint64_t begin = 0; begin + part.size() <= bits.size(); begin++) {
    if (begin % kBitsBetweenChecks == 0) RunningCall::CheckInterrupt();
    uint64_t same = 0;
    while (same < part.size() && bits.At(begin + same) == part.At(same)) same++;
    if (same == part.size()) return static_cast<int32_t>(begin) + 1;
  }
  return 0;
}

template <size_t kWhole>
void PositionOfBits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  BitString whole, part;
  MapBinary<StringRef, StringRef, int32_t>(arguments.column(kWhole), arguments.column(1 - kWhole),
                                           arguments.size(), result,
                                           [&](const StringRef& a, const StringRef& b) {
                                             whole.Load(a.view());
                                             part.Load(b.view());
                                             return PositionIn(whole, part);
                                           });
}

[[noreturn]] void ThrowNegativeLength() {
  ThrowError(ErrorKind::kOutOfRange, "22011", "negative substring length not allowed");
}

/// Appends bits [begin, end), as far as they exist.
void AppendExisting(const BitString& bits, int64_t begin, int64_t end, BitString& target) {
  const auto size = static_cast<int64_t>(bits.size());
  begin = std::clamp<int64_t>(begin, 0, size);
  end = std::clamp<int64_t>(end, begin, size);
  target.AppendPart(bits, static_cast<uint64_t>(begin), static_cast<uint64_t>(end));
}

/// substring(bits, from [, count]); a start before the first bit reduces the count.
void SubstringOfBits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const bool has_count = arguments.column_count() > 2;
  BitString bits, part;
  std::string stored;
  MapTernary<StringRef, int32_t, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.column(has_count ? 2 : 1), arguments.size(), result,
      [&](const StringRef& value, int32_t from, int32_t count) {
        if (has_count && count < 0) ThrowNegativeLength();
        const int64_t begin = int64_t{from} - 1;
        bits.Load(value.view());
        part.Clear();
        AppendExisting(bits, begin, has_count ? begin + count : INT64_MAX, part);
        part.Store(stored);
        return result.AddString(stored);
      });
}

/// overlay(bits, new, from [, count]); the default count is the number of new bits.
void OverlayBits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const bool has_count = arguments.column_count() > 3;
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  const auto parts = arguments.column(1).ViewAs<StringRef>(count);
  const auto starts = arguments.column(2).ViewAs<int32_t>(count);
  const auto counts = has_count ? arguments.column(3).ViewAs<int32_t>(count) : starts;
  auto* out = result.MutableData<StringRef>();
  BitString bits, part, changed;
  std::string stored;
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row) || !parts.IsValid(row) || !starts.IsValid(row) || !counts.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    if (starts[row] <= 0) ThrowNegativeLength();
    bits.Load(values[row].view());
    part.Load(parts[row].view());
    const int64_t first = int64_t{starts[row]} - 1;
    const int64_t gone = has_count ? counts[row] : static_cast<int64_t>(part.size());
    changed.Clear();
    AppendExisting(bits, 0, first, changed);
    changed.AppendPart(part, 0, part.size());
    AppendExisting(bits, first + gone, INT64_MAX, changed);
    changed.Store(stored);
    out[row] = result.AddString(stored);
  }
}

/// Fills a bit string up with zeros before it.
void WidenBits(const BitString& bits, int32_t size, BitString& widened) {
  if (size < 0 || static_cast<uint64_t>(size) < bits.size()) {
    ThrowError(
        ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
        fmt::format("bitstring: the length {} is less than the {} bits that are given", size, bits.size()));
  }
  widened.Clear();
  widened.AppendZeros(static_cast<uint64_t>(size) - bits.size());
  widened.AppendPart(bits, 0, bits.size());
}

template <bool kIsText>
void MakeBitString(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  BitString bits, widened;
  std::string stored;
  TextAccount account(call.context);
  MapBinary<StringRef, int32_t, StringRef>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           [&](const StringRef& value, int32_t size) {
                                             if (!kIsText) {
                                               bits.Load(value.view());
                                             } else if (ParseBits(value.view(), stored)) {
                                               bits.Load(stored);
                                             } else {
                                               ThrowCastError(Value::Varchar(value.ToString()), TypeId::kBit);
                                             }
                                             // The words take as much as the bytes do.
                                             if (size > 0)
                                               account.Expect(stored, static_cast<size_t>(size) / 4);
                                             WidenBits(bits, size, widened);
                                             widened.Store(stored);
                                             return result.AddString(stored);
                                           });
}

}  // namespace

ScalarFunctionList BitStringFunctions() {
  constexpr TypeId kBits = TypeId::kBit, kText = TypeId::kVarchar, kNumber = TypeId::kInteger;
  constexpr const char* kWiden = "A bit string of this length, with zeros before the given bits.";
  static constexpr BitFunction kRows[] = {
      {"length",
       {kBits},
       kNumber,
       &CountOfBits<int32_t, &StoredBitCount>,
       "Number of bits.",
       "length(B'10111')",
       false},
      {"bit_length",
       {kBits},
       kNumber,
       &CountOfBits<int32_t, &StoredBitCount>,
       "Number of bits.",
       "bit_length(B'10111')",
       false},
      {"octet_length",
       {kBits},
       kNumber,
       &CountOfBits<int32_t, &BytesForBits>,
       "Number of bytes.",
       "octet_length(B'1011111011')",
       false},
      {"bit_count",
       {kBits},
       TypeId::kBigInt,
       &CountOfBits<int64_t, &SetBitCount>,
       "How many bits are set.",
       "bit_count(B'10111')",
       false},
      {"get_bit",
       {kBits, kNumber},
       kNumber,
       &GetBitOfString,
       "A bit of a bit string, the first one being 0.",
       "get_bit(B'101010', 2)",
       true},
      {"set_bit",
       {kBits, kNumber, kNumber},
       kBits,
       &SetBitOfString,
       "A bit string with a bit set to 0 or 1.",
       "set_bit(B'101010', 0, 0)",
       true},
      {"position",
       {kBits, kBits},
       kNumber,
       &PositionOfBits<0>,
       "Where the second bit string begins in the first, from 1; 0 if it does not occur.",
       "position(B'010' IN B'000001010111')",
       false},
      {"bit_position",
       {kBits, kBits},
       kNumber,
       &PositionOfBits<1>,
       "Where the first bit string begins in the second, from 1; 0 if it does not occur.",
       "bit_position(B'010', B'1110101')",
       false},
      {"substring",
       {kBits, kNumber},
       kBits,
       &SubstringOfBits,
       "The bits from a position (from 1) on.",
       "substring(B'110010111100', 9)",
       false},
      {"substring",
       {kBits, kNumber, kNumber},
       kBits,
       &SubstringOfBits,
       "So many bits from a position (from 1) on.",
       "substring(B'110010111100', 3, 4)",
       true},
      {"overlay",
       {kBits, kBits, kNumber},
       kBits,
       &OverlayBits,
       "Some of the bits replaced by others.",
       "overlay(B'0101010101', B'11111', 2)",
       true},
      {"overlay",
       {kBits, kBits, kNumber, kNumber},
       kBits,
       &OverlayBits,
       "Some of the bits replaced by others.",
       "overlay(B'0101010101', B'11111', 2, 3)",
       true},
      {"bitstring", {kBits, kNumber}, kBits, &MakeBitString<false>, kWiden, "bitstring(B'1010', 7)", true},
      {"bitstring", {kText, kNumber}, kBits, &MakeBitString<true>, kWiden, "bitstring('1010', 7)", true},
  };
  return ListBitFunctions(kRows);
}

}  // namespace scaup
