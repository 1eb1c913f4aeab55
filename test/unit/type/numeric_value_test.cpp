// Stored values of NUMERIC: one form for equal numbers, their order, short numbers, other numbers.
#include "type/number/numeric_value.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/number/numeric_arithmetic.hpp"

using namespace scaup;

namespace {

std::string Stored(std::string_view text) {
  std::string bytes;
  REQUIRE(ParseStoredNumeric(text, bytes) == NumericParse::kOk);
  return bytes;
}

std::string TextOfStored(std::string_view bytes) {
  std::string text;
  AppendNumericText(bytes, text);
  return text;
}

/// Returns the bytes by way of a Numeric, without shortcuts.
std::string StoredSlowly(std::string_view text) {
  Numeric number;
  REQUIRE(ParseNumeric(text, number) == NumericParse::kOk);
  std::string bytes;
  StoreNumeric(number, bytes);
  return bytes;
}

std::string RandomDigits(std::mt19937_64& random) {
  const char* kinds[] = {"0123456789", "09", "0", "9", "0001"};
  const std::string_view kind = kinds[random() % 5];
  std::string digits(random() % 24, '0');
  for (char& digit : digits) digit = kind[random() % kind.size()];
  return digits;
}

std::string RandomText(std::mt19937_64& random) {
  std::string text = random() % 2 == 0 ? "-" : "";
  text += "0" + RandomDigits(random);
  if (random() % 3 != 0) text += "." + RandomDigits(random);
  return text;
}

}  // namespace

TEST_CASE("Equal NUMERICs have equal bytes", "[type][numeric]") {
  CHECK(Stored("1.10") == Stored("1.1"));
  CHECK(Stored("-0.00") == Stored("0"));
  CHECK(Stored("100") == Stored("1e2"));
  CHECK(Stored("nan") == Stored("NaN"));
  CHECK(TextOfStored(Stored("1.10")) == "1.1");
  CHECK(TextOfStored(Stored("-1e-9")) == "-0.000000001");
  CHECK(TextOfStored(Stored("1e20")) == "100000000000000000000");
  CHECK(TextOfStored(Stored("-Infinity")) == "-Infinity");
  CHECK(Stored("123456789.5").size() <= 12);
}

TEST_CASE("Bytes of stored NUMERICs order as the numbers do", "[type][numeric]") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 50'000; i++) {
    const std::string left = RandomText(random), right = RandomText(random);
    INFO(left << " " << right);
    Numeric a, b;
    ParseNumeric(left, a);
    ParseNumeric(right, b);
    const int order = CompareNumeric(a, b);
    const int by_bytes = Stored(left).compare(Stored(right));
    REQUIRE((order < 0) == (by_bytes < 0));
    REQUIRE((order == 0) == (by_bytes == 0));
  }
}

TEST_CASE("Shortcuts of NUMERIC give what the long way gives", "[type][numeric]") {
  std::mt19937_64 random(12);
  for (int i = 0; i < 50'000; i++) {
    const std::string text = RandomText(random);
    INFO(text);
    const std::string bytes = Stored(text);
    REQUIRE(bytes == StoredSlowly(text));
    REQUIRE(IsStoredNumeric(bytes));
    REQUIRE(Stored(TextOfStored(bytes)) == bytes);
    REQUIRE(TextOfStored(bytes).size() <= NumericTextBound(bytes));
    Numeric number;
    LoadNumeric(bytes, number);
    REQUIRE(NumericToString(number) == TextOfStored(bytes));
  }
  for (int i = 0; i < 50'000; i++) {
    const auto high = static_cast<int128_t>(static_cast<int64_t>(random())) >> (random() % 64);
    const int128_t unscaled = random() % 2 == 0 ? high : high * static_cast<int64_t>(random() >> 1);
    const auto scale = static_cast<uint8_t>(random() % 39);
    INFO(DecimalToString(unscaled, 0) << " " << int{scale});
    REQUIRE(ShortNumeric(unscaled, scale).view() == StoredSlowly(DecimalToString(unscaled, scale)));
  }
}

TEST_CASE("Sums and products of small NUMERICs are right", "[type][numeric]") {
  std::mt19937_64 random(13);
  int found = 0;
  for (int i = 0; i < 50'000; i++) {
    const std::string left = RandomText(random), right = RandomText(random);
    INFO(left << " " << right);
    SmallNumeric a, b;
    if (!LoadSmallNumeric(Stored(left), a) || !LoadSmallNumeric(Stored(right), b)) continue;
    found++;
    Numeric x, y, sum;
    ParseNumeric(left, x);
    ParseNumeric(right, y);
    AddNumeric(x, y, sum);
    std::string expected;
    StoreNumeric(sum, expected);
    int128_t unscaled;
    int32_t exponent;
    if (!AddSmallNumeric(a, b, unscaled, exponent)) continue;
    REQUIRE(ShortNumeric(unscaled, -exponent * kLimbDigits).view() == expected);
  }
  CHECK(found > 1000);
}

TEST_CASE("NUMERIC becomes other numbers", "[type][numeric]") {
  int128_t stored;
  CHECK(NumericToInteger(Stored("2.5"), stored));
  CHECK(stored == 3);
  CHECK(NumericToInteger(Stored("-2.5"), stored));
  CHECK(stored == -3);
  CHECK(NumericToInteger(Stored("170141183460469231731687303715884105727.4"), stored));
  CHECK(stored == kInt128Max);
  CHECK(NumericToInteger(Stored("-170141183460469231731687303715884105728"), stored));
  CHECK(stored == kInt128Min);
  CHECK_FALSE(NumericToInteger(Stored("170141183460469231731687303715884105727.5"), stored));
  CHECK_FALSE(NumericToInteger(Stored("NaN"), stored));
  CHECK(NumericToDecimal(Stored("12.345"), 4, 2, stored));
  CHECK(stored == 1235);
  CHECK_FALSE(NumericToDecimal(Stored("99.995"), 4, 2, stored));
  CHECK(NumericToDecimal(Stored("1e-40"), 38, 38, stored));
  CHECK(stored == 0);
  CHECK(NumericToDecimal(Stored("0.99999999999999999999999999999999999999"), 38, 38, stored));
  CHECK(stored == PowerOfTen(38) - 1);
  double real;
  CHECK(NumericToDouble(Stored("0.1"), real));
  CHECK(real == 0.1);
  CHECK(NumericToDouble(Stored("12345678901234567890123"), real));
  CHECK(real == 12345678901234567890123.0);
  CHECK_FALSE(NumericToDouble(Stored("1e400"), real));
  std::string bytes;
  NumericOfDouble(0.1, bytes);
  CHECK(bytes == Stored("0.1"));
  NumericOfDouble(1e300, bytes);
  CHECK(bytes == Stored("1e300"));
  NumericOfFloat(0.1F, bytes);
  CHECK(bytes == Stored("0.1"));
}

TEST_CASE("Bytes that are no stored NUMERIC are refused", "[type][numeric]") {
  Numeric number;
  ParseNumeric("1.10", number);
  std::string bytes;
  AppendNumericBytes(number, bytes);
  CHECK_FALSE(IsStoredNumeric(bytes));  // it has the scale that it is displayed with
  CHECK_FALSE(IsStoredNumeric(""));
  CHECK_FALSE(IsStoredNumeric("1.1"));
}
