// Decimals and 128-bit integers: text and rescaling against 128-bit reference arithmetic.
#include "type/number/decimal.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "type/number/int128.hpp"
#include "type/number/number_cast.hpp"

using namespace scaup;

namespace {

std::string Parse(const char* text, uint8_t width, uint8_t scale) {
  int128_t value;
  return ParseDecimal(text, width, scale, value) ? DecimalToString(value, scale) : "bad";
}

// One random number of random length.
int128_t RandomInt128(std::mt19937_64& random) {
  const auto bits = static_cast<uint128_t>(random()) << 64 | random();
  return static_cast<int128_t>(bits) >> (random() % 127);
}

// Digit by digit, the slow way.
std::string ReferenceText(int128_t value) {
  std::string text;
  uint128_t rest = value < 0 ? 0 - static_cast<uint128_t>(value) : static_cast<uint128_t>(value);
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  return value < 0 ? "-" + text : text;
}

}  // namespace

TEST_CASE("128-bit integers print and parse", "[type][int128]") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; i++) {
    const int128_t value = RandomInt128(random);
    int128_t back;
    if (ToString(value) != ReferenceText(value) || !ParseInt128(ToString(value), back) || back != value) {
      FAIL(ReferenceText(value));
    }
  }
  CHECK(ToString(kInt128Max) == "170141183460469231731687303715884105727");
  CHECK(ToString(kInt128Min) == "-170141183460469231731687303715884105728");
  CHECK(ToString(int128_t{0}) == "0");
  int128_t value;
  CHECK(ParseInt128("-170141183460469231731687303715884105728", value));
  CHECK(value == kInt128Min);
  CHECK(ParseInt128("+5", value));
  for (const char* text :
       {"170141183460469231731687303715884105728", "-170141183460469231731687303715884105729", "", "-", "1.0",
        " 1", "1 ", "0x1", "99999999999999999999999999999999999999999999"}) {
    INFO(text);
    CHECK_FALSE(ParseInt128(text, value));
  }
}

TEST_CASE("decimal text", "[type][decimal]") {
  CHECK(Parse("12.30", 4, 2) == "12.30");
  CHECK(Parse("12.3", 4, 2) == "12.30");
  CHECK(Parse(" -0.05 ", 4, 2) == "-0.05");
  CHECK(Parse("12.345", 5, 2) == "12.35");
  CHECK(Parse("-12.345", 5, 2) == "-12.35");
  CHECK(Parse("12.344999", 5, 2) == "12.34");
  CHECK(Parse("0.005", 5, 2) == "0.01");
  CHECK(Parse("0.0049999", 5, 2) == "0.00");
  CHECK(Parse(".5", 5, 2) == "0.50");
  CHECK(Parse("5.", 5, 2) == "5.00");
  CHECK(Parse("+5", 5, 2) == "5.00");
  CHECK(Parse("1e-3", 5, 3) == "0.001");
  CHECK(Parse("1.5e2", 5, 2) == "150.00");
  CHECK(Parse("12345e-4", 5, 2) == "1.23");
  CHECK(Parse("1E+2", 5, 2) == "100.00");
  CHECK(Parse("1e-1000000000000", 5, 2) == "0.00");
  CHECK(Parse("0e99999999999", 5, 2) == "0.00");
  CHECK(Parse("000000000000000000000000000000000000000000001.5", 2, 1) == "1.5");
  CHECK(Parse("0.000000000000000000000000000000000000000000001", 2, 1) == "0.0");
  CHECK(Parse("99999999999999999999999999999999999999", 38, 0) == "99999999999999999999999999999999999999");
  CHECK(Parse("-0.99999999999999999999999999999999999999", 38, 38) ==
        "-0.99999999999999999999999999999999999999");
}

TEST_CASE("text that is no decimal, or too wide, is refused", "[type][decimal]") {
  for (const char* text :
       {"", ".", "-", "abc", "1.2.3", "1e", "1e+", "1 2", "--1", "NaN", "Infinity", "0x10", "1,5", "1e5x"}) {
    INFO(text);
    CHECK(Parse(text, 10, 2) == "bad");
    CHECK_FALSE(IsNumberText(text));
  }
  for (const char* text :
       {"100", "99.995", "-100", "1e10", "1e99999999999", "1234567890123456789012345678901234567890"}) {
    INFO(text);
    CHECK(Parse(text, 4, 2) == "bad");
    CHECK(IsNumberText(text));
  }
  CHECK(Parse("99.994", 4, 2) == "99.99");
  CHECK(Parse("9999999999999999999", 19, 0) == "9999999999999999999");
  CHECK(Parse("99999999999999999999", 18, 0) == "bad");
}

TEST_CASE("random decimals come back from their text", "[type][decimal]") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; i++) {
    const auto width = static_cast<uint8_t>(1 + random() % 38);
    const auto scale = static_cast<uint8_t>(random() % (width + 1u));
    const int128_t value = RandomInt128(random) % PowerOfTen(width);
    int128_t back;
    const std::string text = DecimalToString(value, scale);
    if (!ParseDecimal(text, width, scale, back) || back != value) FAIL(text);
  }
}

TEST_CASE("rescaling rounds half away from zero", "[type][decimal]") {
  int128_t result;
  const auto rescale = [&](int128_t value, uint8_t from, uint8_t to) {
    REQUIRE(RescaleDecimal(value, from, to, result));
    return static_cast<int64_t>(result);
  };
  CHECK(rescale(125, 2, 1) == 13);
  CHECK(rescale(-125, 2, 1) == -13);
  CHECK(rescale(124, 2, 1) == 12);
  CHECK(rescale(5, 1, 3) == 500);
  CHECK_FALSE(RescaleDecimal(PowerOfTen(38), 0, 1, result));
  CHECK(RescaleDecimal(kInt128Max, 38, 0, result));
  CHECK(result == 2);
  std::mt19937_64 random(9);
  for (int i = 0; i < 20'000; i++) {
    const auto from = static_cast<uint8_t>(1 + random() % 18);
    const int128_t value = RandomInt128(random) % PowerOfTen(38);
    const auto to = static_cast<uint8_t>(random() % from);
    const int128_t divisor = PowerOfTen(static_cast<uint8_t>(from - to));
    int128_t expected = value / divisor;
    const int128_t rest = value % divisor;
    if (2 * (rest < 0 ? -rest : rest) >= divisor) expected += value < 0 ? -1 : 1;
    if (!RescaleDecimal(value, from, to, result) || result != expected) FAIL(ToString(value));
    if (DecimalScaleDown<int128_t>(static_cast<uint8_t>(from - to))(value) != expected) FAIL(ToString(value));
  }
}

TEST_CASE("doubles turn into decimals by their fifteen digits", "[type][decimal]") {
  const auto convert = [](double value, uint8_t width, uint8_t scale) {
    int128_t unscaled;
    return DoubleToDecimal(value, width, scale, unscaled) ? DecimalToString(unscaled, scale)
                                                          : std::string("bad");
  };
  CHECK(convert(1.005, 10, 2) == "1.01");
  CHECK(convert(-1.005, 10, 2) == "-1.01");
  CHECK(convert(0.1 + 0.2, 18, 17) == "0.30000000000000000");
  CHECK(convert(2.5, 10, 0) == "3");
  CHECK(convert(1e20, 38, 2) == "100000000000000000000.00");
  CHECK(convert(99.995, 4, 2) == "bad");
  CHECK(convert(1e300, 38, 0) == "bad");
  CHECK(convert(std::numeric_limits<double>::quiet_NaN(), 10, 2) == "bad");
  CHECK(convert(-std::numeric_limits<double>::infinity(), 10, 2) == "bad");
  std::mt19937_64 random(13);
  for (int i = 0; i < 20'000; i++) {  // The fast path gives what the text gives.
    const double value =
        static_cast<double>(static_cast<int64_t>(random()) >> (random() % 60)) / std::pow(10, random() % 9);
    const auto scale = static_cast<uint8_t>(random() % 7);
    char text[64];
    std::snprintf(text, sizeof(text), "%.14e", value);
    int128_t expected = 0, result = 0;
    const bool fits = ParseDecimal(text, 20, scale, expected);
    if (DoubleToDecimal(value, 20, scale, result) != fits || (fits && result != expected))
      FAIL(text << " scale " << int(scale));
  }
}
