// Numbers and booleans from and to text, one value at a time.
#include "type/number/number_text.hpp"

#include <catch2/catch.hpp>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "type/value_cast.hpp"

using namespace scaup;

namespace {

template <typename T>
void CheckRange() {
  const int64_t low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  T value;
  CHECK(ParseInteger(std::to_string(low), value));
  CHECK(value == low);
  CHECK(ParseInteger(std::to_string(high), value));
  CHECK(value == high);
  CHECK_FALSE(ParseInteger(ToString(int128_t{high} + 1), value));
  CHECK_FALSE(ParseInteger(ToString(int128_t{low} - 1), value));
}

std::string Text(double value) {
  std::string out;
  AppendDouble(value, out);
  return out;
}

std::string FloatText(float value) {
  std::string out;
  AppendFloat(value, out);
  return out;
}

}  // namespace

TEST_CASE("integers of each width end where their type ends", "[type][number]") {
  CheckRange<int8_t>();
  CheckRange<int16_t>();
  CheckRange<int32_t>();
  CheckRange<int64_t>();
}

TEST_CASE("integer text is whole and nothing else", "[type][number]") {
  int64_t value = 0;
  CHECK(ParseInteger(" \t-12\n", value));
  CHECK(value == -12);
  CHECK(ParseInteger("+7", value));
  CHECK(value == 7);
  CHECK(ParseInteger("-0", value));
  CHECK(value == 0);
  CHECK(ParseInteger("00000000000000000000000000000042", value));
  CHECK(value == 42);
  for (const char* text :
       {"", " ", "-", "+", "1.5", "1e3", "abc", "1 2", "- 1", "--1", "99999999999999999999",
        "18446744073709551617", "340282366920938463463374607431768211457"}) {
    INFO(text);
    CHECK_FALSE(ParseInteger(text, value));
  }
}

TEST_CASE("booleans are PostgreSQL's words and their prefixes", "[type][number]") {
  bool value;
  for (const char* text : {"t", "TRUE", "tr", "yes", "y", "on", "1", " true "}) {
    INFO(text);
    value = false;
    CHECK((ParseBoolean(text, value) && value));
  }
  for (const char* text : {"f", "False", "no", "n", "off", "of", "0"}) {
    INFO(text);
    value = true;
    CHECK((ParseBoolean(text, value) && !value));
  }
  for (const char* text : {"", "o", "truex", "2", "10", "yess"}) {
    INFO(text);
    CHECK_FALSE(ParseBoolean(text, value));
  }
}

TEST_CASE("doubles print as PostgreSQL prints them", "[type][number]") {
  CHECK(Text(0.1) == "0.1");
  CHECK(Text(1) == "1");
  CHECK(Text(-0.0) == "-0");
  CHECK(Text(100) == "100");
  CHECK(Text(1e14) == "100000000000000");
  CHECK(Text(123456789012345) == "123456789012345");
  CHECK(Text(1e15) == "1e+15");
  CHECK(Text(1e20) == "1e+20");
  CHECK(Text(1.5e300) == "1.5e+300");
  CHECK(Text(0.0001) == "0.0001");
  CHECK(Text(0.00001) == "1e-05");
  CHECK(Text(-12.25) == "-12.25");
  CHECK(Text(0.1 + 0.2) == "0.30000000000000004");
  CHECK(Text(std::numeric_limits<double>::infinity()) == "Infinity");
  CHECK(Text(-std::numeric_limits<double>::infinity()) == "-Infinity");
  CHECK(Text(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(FloatText(0.1f) == "0.1");
  CHECK(FloatText(100000) == "100000");
  CHECK(FloatText(1e6f) == "1e+06");
  CHECK(FloatText(123456.7f) == "123456.7");
}

TEST_CASE("numbers of few decimals print as the shortest text does", "[type][number]") {
  std::mt19937_64 random(29);
  for (int i = 0; i < 200000; i++) {
    const double scale = std::pow(10, static_cast<double>(random() % 9));
    double value = std::round(static_cast<double>(random() % 2000000000) / scale * 1e6) / 1e6;
    if (i % 3 == 0) value = std::nextafter(value, 0);  // Needs all digits.
    if (i % 2 == 0) value = -value;
    if (value == 0) continue;
    const std::string text = Text(value);
    char shortest[64];
    const char* end =
        std::to_chars(shortest, shortest + sizeof(shortest), value, std::chars_format::fixed).ptr;
    if (std::abs(value) < 1e15 && std::abs(value) >= 1e-4)
      REQUIRE(text == std::string(shortest, static_cast<size_t>(end - shortest)));
  }
  CHECK(Text(0.0001) == "0.0001");
  CHECK(Text(0.00012345) == "0.00012345");
  CHECK(Text(999999999.999999) == "999999999.999999");
  CHECK(Text(1000000000.5) == "1000000000.5");
  CHECK(Text(-123456) == "-123456");
}

TEST_CASE("integers print all their digits", "[type][number]") {
  char text[kFormatBufferBytes];
  const auto print = [&](int64_t value) { return std::string(text, FormatInteger(value, text)); };
  for (int64_t power = 1; power <= 1000000000000000000; power *= 10) {
    for (const int64_t value : {power - 1, power, power + 1, -power, 3 * power + 7}) {
      REQUIRE(print(value) == std::to_string(value));
    }
    if (power == 1000000000000000000) break;
  }
  CHECK(print(INT64_MAX) == std::to_string(INT64_MAX));
  CHECK(print(INT64_MIN) == std::to_string(INT64_MIN));
}

TEST_CASE("random doubles and floats come back from their text", "[type][number]") {
  std::mt19937_64 random(17);
  for (int i = 0; i < 20'000; i++) {
    const uint64_t bits = random();
    double value, back;
    std::memcpy(&value, &bits, 8);
    if (!std::isnan(value) && (!ParseDouble(Text(value), back) || back != value)) FAIL(Text(value));
    const auto short_bits = static_cast<uint32_t>(random());
    float small, small_back;
    std::memcpy(&small, &short_bits, 4);
    if (!std::isnan(small) && (!ParseFloat(FloatText(small), small_back) || small_back != small))
      FAIL(FloatText(small));
    const double short_value = static_cast<double>(random() % 1'000'000) / 1000;
    if (!ParseDouble(Text(short_value), back) || back != short_value) FAIL(Text(short_value));
  }
}

TEST_CASE("floating-point text", "[type][number]") {
  double value = 0;
  CHECK((ParseDouble(" 1.5e3 ", value) && value == 1500));
  CHECK((ParseDouble("+.5", value) && value == 0.5));
  CHECK((ParseDouble("-Infinity", value) && value == -std::numeric_limits<double>::infinity()));
  CHECK((ParseDouble("inf", value) && std::isinf(value)));
  CHECK((ParseDouble("nan", value) && std::isnan(value)));
  CHECK((ParseDouble("0e-999", value) && value == 0));
  for (const char* text : {"", "-", "abc", "1e400", "-1e400", "1e-400", "1.5x", "1 2", "nan(1)", "--1", "+-1",
                           "infinit", "0x10"}) {
    INFO(text);
    CHECK_FALSE(ParseDouble(text, value));
  }
  float real;
  CHECK_FALSE(ParseFloat("1e39", real));
  CHECK_FALSE(ParseFloat("1e-50", real));
  CHECK((ParseFloat("16777217", real) && real == 16777216.0f));
}

TEST_CASE("byte strings", "[type][blob]") {
  std::string bytes;
  CHECK((ParseBlob("\\x00fF 10", bytes) && bytes == std::string("\0\xff\x10", 3)));
  CHECK((ParseBlob("a\\\\b\\001", bytes) && bytes == std::string("a\\b\x01")));
  CHECK((ParseBlob("", bytes) && bytes.empty()));
  for (const char* text : {"\\x0", "\\xg0", "\\x0 0", "\\", "a\\9", "\\400"}) {
    INFO(text);
    CHECK_FALSE(ParseBlob(text, bytes));
  }
  std::string all;
  for (int i = 0; i < 256; i++) all.push_back(static_cast<char>(i));
  CHECK((ParseBlob(BlobToString(all), bytes) && bytes == all));
}
