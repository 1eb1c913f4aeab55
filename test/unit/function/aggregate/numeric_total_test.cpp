// Exact sums of NUMERICs within states, against sums of Numeric.
#include "function/aggregate/numeric_total.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "type/number/numeric_arithmetic.hpp"
#include "type/number/numeric_value.hpp"

using namespace scaup;

namespace {

std::string RandomNumber(std::mt19937_64& random) {
  if (random() % 200 == 0) return random() % 2 == 0 ? "NaN" : "-Infinity";
  std::string text = random() % 2 == 0 ? "-0" : "0";
  // Beyond the places near the point at times. Runs of nines carry.
  const auto add = [&](size_t most) {
    for (size_t i = random() % most; i > 0; i--)
      text += random() % 2 == 0 ? '9' : static_cast<char>('0' + random() % 10);
  };
  add(random() % 4 == 0 ? 70 : 12);
  text += ".0";
  add(random() % 4 == 0 ? 60 : 12);
  return text;
}

}  // namespace

TEST_CASE("parts of sums of NUMERIC add up", "[function][aggregate]") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 3000; round++) {
    Arena arena;
    NumericTotal parts[3];
    Numeric expected;
    for (size_t count = 1 + random() % 40; count > 0; count--) {
      std::string bytes;
      Numeric number;
      REQUIRE(ParseStoredNumeric(RandomNumber(random), bytes) == NumericParse::kOk);
      LoadNumeric(bytes, number);
      AddNumeric(expected, number, expected);
      parts[random() % 3].Add(bytes, arena);
    }
    parts[0].Combine(parts[1], arena);
    parts[0].Combine(parts[2], arena);
    CHECK(NumericToString(parts[0].Sum()) == NumericToString(expected));
  }
}

TEST_CASE("sums of many NUMERICs carry", "[function][aggregate]") {
  Arena arena;
  NumericTotal total;
  std::string bytes;
  REQUIRE(ParseStoredNumeric("999999999.999999999", bytes) == NumericParse::kOk);
  for (int i = 0; i < 1'000'000; i++) total.Add(bytes, arena);
  CHECK(NumericToString(total.Sum()) == "999999999999999.999000000");
}
