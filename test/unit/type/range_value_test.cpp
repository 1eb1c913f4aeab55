// Ranges as bytes: byte order is PostgreSQL's order, and sets of spans agree with sets of numbers.
#include "type/range_value.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bitset>
#include <random>

#include "scaup/error.hpp"
#include "scaup/value.hpp"
#include "type/packed_value.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

const LogicalType kWholeRange = RangeType(TypeId::kInteger),
                  kWholeMultirange = MultirangeType(TypeId::kInteger);

Value ParsedRange(const std::string& text, const LogicalType& type) {
  Value value;
  INFO(text);
  REQUIRE(ParseRange(text, type, value, nullptr));
  CHECK(value.GetString() == Value::FromBytes(type, value.GetString()).GetString());
  return value;
}

void CheckRangeOrder(const LogicalType& type, const std::vector<std::string>& texts) {
  std::vector<std::string> bytes;
  for (const std::string& text : texts) {
    bytes.push_back(ParsedRange(text, type).GetString());
    CHECK(RangeToText(type, bytes.back(), nullptr) == text);
  }
  CHECK(std::is_sorted(bytes.begin(), bytes.end()));
  CHECK(std::adjacent_find(bytes.begin(), bytes.end()) == bytes.end());
}

constexpr int kMost = 24;
using NumberSet = std::bitset<kMost>;

/// Makes a random multirange of numbers from 0 to 23, and the set of them.
std::string RandomSet(std::mt19937& random, NumberSet& numbers) {
  std::vector<Value> ranges;
  numbers.reset();
  for (size_t i = random() % 4; i > 0; i--) {
    const int begin = static_cast<int>(random() % kMost), end = begin + static_cast<int>(random() % 6);
    for (int n = begin; n < std::min(end, kMost); n++) numbers.set(static_cast<size_t>(n));
    ranges.push_back(MakeRange(kWholeRange, Value::Integer(begin), Value::Integer(std::min(end, kMost))));
  }
  return MakeMultirange(kWholeMultirange, ranges).GetString();
}

NumberSet NumbersIn(const RangeSpans& spans) {
  NumberSet numbers;
  std::string bytes;
  AppendSpans(kWholeMultirange, spans, bytes);
  for (const Value& range : Value::FromBytes(kWholeMultirange, bytes).GetElements()) {
    const std::vector<Value> parts = range.GetElements();
    for (int128_t n = parts[1].GetInteger(); n < parts[3].GetInteger(); n++)
      numbers.set(static_cast<size_t>(n));
  }
  return numbers;
}

}  // namespace

TEST_CASE("the order of a range's bytes is that of ranges") {
  CheckRangeOrder(kWholeRange, {"empty", "(,-5)", "(,0)", "(,7)", "(,)", "[-7,-3)", "[0,1)", "[0,5)", "[0,)",
                                "[1,2)", "[300,301)"});
  CheckRangeOrder(RangeType(TypeId::kNumeric),
                  {"empty", "(,1)", "(,1]", "(,)", "[-20.5,1)", "[1,4)", "[1,5)", "[1,5]", "[1,)", "(1,5)",
                   "(1,5]", "(1,)", "[9,10)", "[10,11)", "[NaN,)"});
  CheckRangeOrder(RangeType(TypeId::kDate),
                  {"(,-infinity)", "(-infinity,2024-01-01)", "[1999-12-31,2000-01-02)",
                   "[2024-01-01,infinity)", "[2024-01-01,infinity]", "[2024-01-01,)"});
  CheckRangeOrder(kWholeMultirange,
                  {"{}", "{(,5)}", "{[1,4),[5,6)}", "{[1,5)}", "{[1,5),[6,7)}", "{[1,5),[7,8)}"});
}

TEST_CASE("sets of spans agree with sets of numbers") {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; round++) {
    NumberSet a_numbers, b_numbers;
    const std::string a_bytes = RandomSet(random, a_numbers), b_bytes = RandomSet(random, b_numbers);
    RangeSpans a, b, made;
    ReadSpans(kWholeMultirange, a_bytes, a);
    ReadSpans(kWholeMultirange, b_bytes, b);
    CHECK(NumbersIn(a) == a_numbers);
    IntersectSpans(a, b, made);
    CHECK(NumbersIn(made) == (a_numbers & b_numbers));
    made.clear();
    SubtractSpans(a, b, made);
    CHECK(NumbersIn(made) == (a_numbers & ~b_numbers));
    made = a;
    made.insert(made.end(), b.begin(), b.end());
    MergeSpans(made);
    CHECK(NumbersIn(made) == (a_numbers | b_numbers));
  }
}

TEST_CASE("bytes that are no range in its normal form are refused") {
  const std::string good = ParsedRange("[1,5)", kWholeRange).GetString();
  for (size_t i = 0; i < good.size(); i++) {
    for (int bit = 0; bit < 8; bit++) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      // Another bound is another range; all else is none.
      Value value;
      try {
        value = Value::FromBytes(kWholeRange, bad);
      } catch (const Error&) {
        continue;
      }
      CHECK(ParsedRange(value.ToString(), kWholeRange).GetString() == bad);
    }
  }
  CHECK_THROWS_AS(Value::FromBytes(kWholeRange, good.substr(1)), Error);
  CHECK_THROWS_AS(Value::FromBytes(kWholeRange, ""), Error);
  const std::string slot = "\x01" + good;
  CHECK_NOTHROW(Value::FromBytes(kWholeMultirange, slot));
  CHECK_THROWS_AS(Value::FromBytes(kWholeMultirange, slot + slot), Error);
  CHECK_THROWS_AS(Value::FromBytes(kWholeMultirange, "\x02"), Error);
  CHECK_THROWS_AS(Value::FromBytes(kWholeMultirange, "\x01" + ParsedRange("empty", kWholeRange).GetString()),
                  Error);
}

TEST_CASE("programs make ranges of values") {
  CHECK(MakeRange(kWholeRange, Value::Integer(1), Value::Integer(4), "[]").ToString() == "[1,5)");
  CHECK(MakeRange(kWholeRange, Value(), Value(TypeId::kInteger)).ToString() == "(,)");
  CHECK(MakeEmptyRange(kWholeRange).ToString() == "empty");
  CHECK_THROWS_AS(MakeRange(kWholeRange, Value::BigInt(1), Value()), Error);
  CHECK_THROWS_AS(MakeRange(kWholeRange, Value::Integer(5), Value::Integer(1)), Error);
  CHECK_THROWS_AS(MakeRange(kWholeRange, Value(), Value(), "[["), Error);
  CHECK_THROWS_AS(MakeMultirange(kWholeMultirange, {Value(kWholeRange)}), Error);
  CHECK(MakeMultirange(kWholeMultirange, {}).ToString() == "{}");
}

TEST_CASE("ranges in lists come out as they went in") {
  const Value range = ParsedRange("[1,5)", kWholeRange),
              multirange = ParsedRange("{[1,2),[5,7)}", kWholeMultirange);
  const Value list = Value::List(kWholeRange, {range, Value(kWholeRange), MakeEmptyRange(kWholeRange)});
  CHECK(list.ToString() == R"x({"[1,5)",NULL,empty})x");
  CHECK(list.GetElements()[0] == range);
  const Value lists = Value::List(kWholeMultirange, {multirange, ParsedRange("{}", kWholeMultirange)});
  CHECK(lists.ToString() == R"x({"{[1,2),[5,7)}","{}"})x");
  CHECK(lists.GetElements()[0] == multirange);
}

}  // namespace scaup
