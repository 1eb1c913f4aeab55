// Estimates of filtered tables from samples, against the true rows.
#include <catch2/catch.hpp>

#include <cmath>

#include "optimizer/analysis/relation_estimate.hpp"
#include "plan_fixture.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

constexpr size_t kRows = 100'000;

/// Values 0 to 99, each about 0.93 times as frequent as the one before.
int64_t SkewedValue(size_t row) {
  const double position = static_cast<double>(row * 7919 % kRows) / kRows;
  return std::min<int64_t>(99, static_cast<int64_t>(std::log(1 - position) / std::log(0.93)));
}

/// A number that looks like random, below 10,000.
int64_t Mixed(size_t row) { return static_cast<int64_t>(row * 2'654'435'761U % 4'294'967'291U % 10'000); }

std::string Word(size_t row) { return "word" + std::to_string(SkewedValue(row)); }

bool IsMissing(size_t row) { return Mixed(row) % 50 < 3; }

/// Made once.
PlanFixture& Tables() {
  static PlanFixture fixture;
  static const bool is_made = [] {
    const LogicalType integer(TypeId::kBigInt);
    fixture.CreateTable("t", kRows,
                        {{"id", integer, [](size_t row) { return Value::BigInt(static_cast<int64_t>(row)); }},
                         {"s", integer, [](size_t row) { return Value::BigInt(SkewedValue(row)); }},
                         {"u", integer, [](size_t row) { return Value::BigInt(Mixed(row)); }},
                         {"c", integer, [](size_t row) { return Value::BigInt(Mixed(row) / 10); }},
                         {"w", TypeId::kVarchar, [](size_t row) { return Value::Varchar(Word(row)); }},
                         {"n", integer, [](size_t row) {
                            return IsMissing(row) ? Value(TypeId::kBigInt) : Value::BigInt(Mixed(row));
                          }}});
    fixture.CreateTable(
        "small", 100,
        {{"k", integer, [](size_t row) { return Value::BigInt(row < 40 ? 0 : static_cast<int64_t>(row)); }}});
    return true;
  }();
  (void)is_made;
  return fixture;
}

double Estimate(const std::string& predicate, const std::string& table = "t") {
  return Tables().Optimize("EXPLAIN SELECT 1 FROM " + table + " WHERE " + predicate)->estimated_rows;
}

template <typename Passes>
double Count(Passes&& passes) {
  size_t count = 0;
  for (size_t row = 0; row < kRows; row++) count += passes(row) ? 1 : 0;
  return static_cast<double>(count);
}

/// How many times too high or too low.
double QError(double estimated, double expected) {
  const double a = std::max(estimated, 1.0), b = std::max(expected, 1.0);
  return std::max(a / b, b / a);
}

}  // namespace

TEST_CASE("equality with frequent and with rare values", "[sample]") {
  for (const int64_t value : {0, 1, 5, 20, 40, 50}) {
    CAPTURE(value);
    const double expected = Count([&](size_t row) { return SkewedValue(row) == value; });
    CHECK(QError(Estimate("s = " + std::to_string(value)), expected) < 2);
  }
  CHECK(QError(Estimate("s IN (0, 1, 2)"), Count([](size_t row) { return SkewedValue(row) < 3; })) < 1.3);
  CHECK(QError(Estimate("s <> 0"), Count([](size_t row) { return SkewedValue(row) != 0; })) < 1.1);
  CHECK(Estimate("s = 1000") <= 1);
}

TEST_CASE("a key that the sample lacks is one row", "[sample]") {
  for (const int64_t key : {1, 777, 50'000, 99'998}) {
    CAPTURE(key);
    CHECK(Estimate("id = " + std::to_string(key)) < 10);
  }
}

TEST_CASE("ranges of skewed values", "[sample]") {
  CHECK(QError(Estimate("s < 5"), Count([](size_t row) { return SkewedValue(row) < 5; })) < 1.2);
  CHECK(QError(Estimate("s >= 50"), Count([](size_t row) { return SkewedValue(row) >= 50; })) < 1.5);
  CHECK(QError(Estimate("s BETWEEN 20 AND 30"),
               Count([](size_t row) { return SkewedValue(row) >= 20 && SkewedValue(row) <= 30; })) < 1.3);
}

TEST_CASE("conditions on several columns of which one follows from the other", "[sample]") {
  CHECK(QError(Estimate("u < 5000 AND c < 500"), Count([](size_t row) { return Mixed(row) < 5'000; })) < 1.1);
  CHECK(Estimate("u < 100 AND c > 500") < 50);
}

TEST_CASE("patterns, NULLs, OR and expressions are tried", "[sample]") {
  CHECK(QError(Estimate("w LIKE 'word1%'"), Count([](size_t row) { return Word(row)[4] == '1'; })) < 1.2);
  CHECK(QError(Estimate("w LIKE '%9'"), Count([](size_t row) { return Word(row).back() == '9'; })) < 1.3);
  CHECK(QError(Estimate("n IS NULL"), Count(IsMissing)) < 1.2);
  CHECK(QError(Estimate("n IS NOT NULL"), Count([](size_t row) { return !IsMissing(row); })) < 1.05);
  CHECK(QError(Estimate("s = 0 OR u < 1000"),
               Count([](size_t row) { return SkewedValue(row) == 0 || Mixed(row) < 1'000; })) < 1.2);
  CHECK(QError(Estimate("(u + s) % 4 = 1"),
               Count([](size_t row) { return (Mixed(row) + SkewedValue(row)) % 4 == 1; })) < 1.1);
  CHECK(QError(Estimate("length(w) = 5"), Count([](size_t row) { return Word(row).size() == 5; })) < 1.1);
}

TEST_CASE("a predicate that fails for a sampled row, or differs from call to call, is believed as before",
          "[sample]") {
  CHECK(Estimate("1000 / s > 10") == Approx(kRows / 3.0).epsilon(0.5));
  CHECK(Estimate("random() < 0.5") > 0);
  // The others are still tried.
  CHECK(Estimate("s = 40 AND 1000 / s > 10") < Count([](size_t row) { return SkewedValue(row) == 40; }) * 2);
}

TEST_CASE("small tables are counted", "[sample]") {
  CHECK(Estimate("k = 0", "small") == Approx(40));
  CHECK(Estimate("k = 77", "small") == Approx(1));
  CHECK(Estimate("k > 89", "small") == Approx(10));
}

TEST_CASE("the fewer sampled rows pass, the more it counts what is believed otherwise", "[sample]") {
  CHECK(BlendWithSample(0, 0, 0.3, false) == Approx(0.3));
  CHECK(BlendWithSample(0, 4'000, 0.3, false) == Approx(0.5 / 4'000));
  CHECK(BlendWithSample(0, 4'000, 1e-7, false) == Approx(1e-7));
  CHECK(BlendWithSample(1, 4'000, 1e-8, false) == Approx(std::sqrt(1e-8 / 4'000)));
  CHECK(BlendWithSample(1'000, 4'000, 0.9, false) == Approx(0.25).epsilon(0.01));
  CHECK(BlendWithSample(1, 50, 0.5, true) == Approx(0.02));
}
