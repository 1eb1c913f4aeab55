// Bit strings against texts of zeros and ones, which do the same more slowly.
#include "type/number/bit_string.hpp"

#include <algorithm>
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "scaup/error.hpp"
#include "scaup/value.hpp"

using namespace scaup;

namespace {

std::string RandomDigits(std::mt19937_64& random, size_t most) {
  std::string digits(random() % (most + 1), '0');
  const bool is_sparse = random() % 2 == 0;
  for (char& digit : digits) digit = random() % (is_sparse ? 20 : 2) == 0 ? '1' : '0';
  return digits;
}

std::string Stored(const std::string& digits) {
  std::string stored;
  REQUIRE(ParseBits(digits, stored));
  return stored;
}

std::string Digits(const BitString& bits) {
  std::string stored, text;
  bits.Store(stored);
  REQUIRE(IsStoredBits(stored));
  AppendBitsText(stored, text);
  return text;
}

}  // namespace

TEST_CASE("bit strings have the order of their texts, as bytes", "[type][bit]") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; i++) {
    const std::string a = RandomDigits(random, 200);
    // Often one begins the other.
    const std::string b =
        random() % 3 == 0 ? a.substr(0, random() % (a.size() + 1)) : RandomDigits(random, 200);
    REQUIRE((Stored(a) < Stored(b)) == (a < b));
    REQUIRE((Stored(a) == Stored(b)) == (a == b));
    REQUIRE(StoredBitCount(Stored(a)) == a.size());
    REQUIRE(Digits(BitString(Stored(a))) == a);
  }
}

TEST_CASE("bit strings are cut, joined, filled and flipped", "[type][bit]") {
  std::mt19937_64 random(6);
  for (int i = 0; i < 20000; i++) {
    const std::string a = RandomDigits(random, 200), b = RandomDigits(random, 200);
    BitString bits(Stored(a));
    const BitString other(Stored(b));
    const size_t begin = random() % (b.size() + 1), end = begin + random() % (b.size() + 1 - begin);
    bits.AppendPart(other, begin, end);
    REQUIRE(Digits(bits) == a + b.substr(begin, end - begin));
    const size_t size = random() % 300;
    bits.Load(Stored(a));
    bits.Resize(size);
    std::string resized = a;
    resized.resize(size, '0');
    REQUIRE(Digits(bits) == resized);
    bits.Load(Stored(a));
    bits.Flip();
    std::string flipped = a;
    for (char& digit : flipped) digit = digit == '0' ? '1' : '0';
    REQUIRE(Digits(bits) == flipped);
    if (a.empty()) continue;
    const size_t place = random() % a.size();
    bits.Load(Stored(a));
    bits.Set(place, a[place] == '0');
    REQUIRE(bits.At(place) == (a[place] == '0'));
    std::string changed = a;
    changed[place] = flipped[place];
    REQUIRE(Digits(bits) == changed);
  }
}

TEST_CASE("bit strings of integers and bytes", "[type][bit]") {
  const auto bits_of = [](int128_t integer, uint64_t size) {
    BitString bits;
    BitsOfInteger(integer, size, bits);
    return Digits(bits);
  };
  CHECK(bits_of(44, 10) == "0000101100");
  CHECK(bits_of(44, 3) == "100");
  CHECK(bits_of(-44, 12) == "111111010100");
  CHECK(bits_of(-1, 300) == std::string(300, '1'));
  CHECK(bits_of(5, 130) == std::string(127, '0') + "101");
  uint128_t integer = 0;
  CHECK(IntegerOfBits(BitString(Stored("")), 8, integer));
  CHECK(integer == 0);
  CHECK(IntegerOfBits(BitString(Stored(std::string(128, '1'))), 128, integer));
  CHECK(integer == ~uint128_t{0});
  CHECK_FALSE(IntegerOfBits(BitString(Stored("000000000")), 8, integer));
  BitString bits;
  BitsOfBytes(std::string("\x12\xFF\0", 3), bits);
  CHECK(Digits(bits) == "000100101111111100000000");
  std::string bytes;
  BytesOfBits(BitString(Stored("100000001")), bytes);
  CHECK(bytes == std::string("\x01\x01"));
}

TEST_CASE("texts and bytes that are no bit strings", "[type][bit]") {
  std::string stored;
  for (const char* text : {"2", "0 1", "x1g", "b12", "\xC3\xA4", "01\n"})
    CHECK_FALSE(ParseBits(text, stored));
  CHECK(Stored("x1F") == Stored("00011111"));
  CHECK(Stored("B101") == Stored("101"));
  CHECK(Stored("X") == "");
  const std::string valid = Stored(std::string(70, '1'));
  CHECK(IsStoredBits(valid));
  CHECK_FALSE(IsStoredBits(valid.substr(1)));
  CHECK_FALSE(IsStoredBits(valid.substr(0, 9)));  // says that more follows
  std::string wrong = valid;
  wrong.back() = 5;  // a bit behind the end is set
  CHECK_FALSE(IsStoredBits(wrong));
  wrong.back() = 0;
  CHECK_FALSE(IsStoredBits(wrong));
  CHECK_THROWS_AS(Value::FromBytes(TypeId::kBit, "abc"), Error);
  CHECK_THROWS_AS(MakeBit("12"), Error);
  CHECK(MakeBit("0101").ToString() == "0101");
}
