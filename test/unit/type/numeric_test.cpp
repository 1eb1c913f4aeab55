// Exact numbers: arithmetic against PostgreSQL's answers, text, order and bytes.
#include "type/number/numeric.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "numeric_answer.hpp"
#include "numeric_answers.hpp"

using namespace scaup;

namespace {

std::string Reprinted(std::string_view text) {
  Numeric number;
  switch (ParseNumeric(text, number)) {
    case NumericParse::kOk: return NumericToString(number);
    case NumericParse::kNotANumber: return "not a number";
    case NumericParse::kOutOfRange: return "out of range";
  }
  return "?";
}

Limbs RandomLimbs(std::mt19937_64& random, size_t most) {
  Limbs limbs(random() % most);
  // Highest, lowest and random limbs, so that guessed digits of quotients are wrong at times.
  for (uint32_t& limb : limbs) {
    const uint32_t choices[] = {0, kLimbBase - 1, kLimbBase / 2, static_cast<uint32_t>(random() % kLimbBase)};
    limb = choices[random() % 4];
  }
  TrimLimbs(limbs);
  return limbs;
}

}  // namespace

TEST_CASE("NUMERIC computes as PostgreSQL does", "[type][numeric]") {
  for (const NumericAnswer& expected : kNumericAnswers) {
    INFO(expected.operation << " " << expected.a << " " << expected.b);
    CHECK(NumericAnswerOf(expected.operation, expected.a, expected.b) == expected.answer);
  }
}

TEST_CASE("NUMERIC keeps the digits that it is given", "[type][numeric]") {
  CHECK(Reprinted(" 0.00049 ") == "0.00049");
  CHECK(Reprinted("-1.500") == "-1.500");
  CHECK(Reprinted("+.5") == "0.5");
  CHECK(Reprinted("5.") == "5");
  CHECK(Reprinted("-0.00") == "0.00");
  CHECK(Reprinted("1.25e3") == "1250");
  CHECK(Reprinted("1e-12") == "0.000000000001");
  CHECK(Reprinted("nan") == "NaN");
  CHECK(Reprinted("-inf") == "-Infinity");
  for (const char* text : {"", "-", ".", "1e", "1e+", "1.2.3", "-nan", "1 2", "infinit"})
    CHECK(Reprinted(text) == "not a number");
  CHECK(Reprinted("1e131072") == "out of range");
  CHECK(Reprinted("1e-16384") == "out of range");
  CHECK(Reprinted("1e999999999999") == "out of range");
  CHECK(Reprinted("9e131071").size() == kMaxNumericIntegerDigits);
  CHECK(Reprinted("1e-16383").size() == kMaxNumericScale + 2);
}

TEST_CASE("Bytes of a NUMERIC order numbers of which one continues the other", "[type][numeric]") {
  for (const char* b : {"-9.99", "9.99", "9.000000000000000000001", "-9.00", "9.00", "-9000000000.1"})
    for (const char* a : {"-9", "9", "-9000000000", "-Infinity", "NaN"})
      CHECK(NumericAnswerOf("add", a, b).find("bytes") == std::string::npos);
}

TEST_CASE("Damaged bytes of a NUMERIC are refused", "[type][numeric]") {
  Numeric number;
  REQUIRE(ParseNumeric("-12.50", number) == NumericParse::kOk);
  std::string bytes;
  AppendNumericBytes(number, bytes);
  CHECK(bytes.size() == 12);
  for (size_t size = 0; size < bytes.size(); size++) {
    INFO(size);
    // Without its last limb it is another number, but not with these as its scale.
    CHECK_FALSE(ReadNumericBytes(bytes.substr(0, size), number));
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; i++) {
    std::string damaged = bytes;
    damaged[random() % bytes.size()] = static_cast<char>(random());
    if (!ReadNumericBytes(damaged, number)) continue;
    std::string again;
    AppendNumericBytes(number, again);
    CHECK(again == damaged);
  }
}

TEST_CASE("Quotients and roots of limbs multiply back", "[type][numeric]") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; i++) {
    const Limbs a = RandomLimbs(random, 12), b = RandomLimbs(random, 6);
    if (b.empty()) continue;
    Limbs rest = a;
    const Limbs quotient = DivideLimbs(rest, b);
    CHECK(CompareLimbs(rest, b) < 0);
    Limbs back = MultiplyLimbs(quotient, b);
    AddLimbs(back, rest, 0);
    CHECK(back == a);
    const Limbs root = SquareRootLimbs(a);
    CHECK(CompareLimbs(MultiplyLimbs(root, root), a) <= 0);
    Limbs above = root;
    AddLimbs(above, {1}, 0);
    CHECK(CompareLimbs(MultiplyLimbs(above, above), a) > 0);
  }
}
