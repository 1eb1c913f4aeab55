// Tests that expression simplification folds constants and brings predicates into their simple forms.
#include <catch2/catch.hpp>

#include "plan_fixture.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

PlanFixture& Tables() {
  static PlanFixture fixture;
  static const bool filled = [] {
    const auto number = [](size_t row) { return Value::BigInt(static_cast<int64_t>(row)); };
    fixture.CreateTable(
        "t", 100,
        {{"i", TypeId::kInteger, number},
         {"j", TypeId::kInteger, number},
         {"b", TypeId::kBigInt, number},
         {"d", LogicalType::Decimal(15, 2), number},
         {"day", TypeId::kDate, [](size_t row) { return Value::Date(static_cast<int32_t>(row)); }},
         {"s", TypeId::kVarchar, [](size_t row) { return Value::Varchar("text" + std::to_string(row)); }},
         {"f", TypeId::kBoolean, [](size_t row) { return Value::Boolean(row % 2 == 0); }}});
    return true;
  }();
  (void)filled;
  return fixture;
}

/// The line of the filter after simplification; "" where it is gone.
std::string Where(const std::string& condition) {
  const std::string dump =
      Dump(*Tables().OptimizeBy("SELECT 1 FROM t WHERE " + condition, {"expression_simplification"}));
  const size_t begin = dump.find("Filter");
  if (begin == std::string::npos) return "";
  return dump.substr(begin, dump.find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("constants are folded") {
  CHECK(Has(Where("i = 1 + 2 * 3"), "i = 7"));
  CHECK(Where("1 = 1") == "");
  CHECK(Where("i = 1 OR 2 > 1") == "");
  CHECK(Has(Where("i = 1 AND (j = 2 OR 1 = 2)"), "j = 2"));
  CHECK(Where("1 IS NOT NULL") == "");
}

TEST_CASE("what fails while it is folded stays") {
  CHECK(Has(Where("CASE WHEN i > 5 THEN 1 / 0 ELSE 1 END = 1"), "1 / 0"));
}

TEST_CASE("NOT moves into predicates") {
  CHECK(Has(Where("NOT (i < 5)"), "i >= 5"));
  CHECK(Has(Where("NOT (i IS NULL)"), "i IS NOT NULL"));
  CHECK(Has(Where("NOT (NOT f)"), ": f"));
  CHECK(Has(Where("NOT (i = 1 OR j = 2)"), "i <> 1"));
}

TEST_CASE("constants go to the right of comparisons") { CHECK(Has(Where("5 < i"), "i > 5")); }

TEST_CASE("casts come off columns where that is exact") {
  CHECK(Has(Where("i::bigint = 5"), "i = 5"));
  CHECK(Has(Where("i < 5.5"), "i <= 5"));
  CHECK(Has(Where("i > -5.5"), "i > -6"));
  CHECK(Has(Where("d = 24"), "d = 24.00"));
  CHECK(Has(Where("day < TIMESTAMP '1970-02-01 00:00:00'"), "day < '1970-02-01'"));
  CHECK(Has(Where("day <= TIMESTAMP '1970-02-01 12:00:00'"), "day <= '1970-02-01'"));
  CHECK(Has(Where("day > TIMESTAMP '1970-02-01 12:00:00'"), "day > '1970-02-01'"));
}

TEST_CASE("a cast stays where the constant has no counterpart") {
  CHECK(Has(Where("i::bigint = 5000000000"), "CAST"));
  CHECK(Has(Where("i = 5.5"), "CAST"));
}

TEST_CASE("equalities of one column become an IN list, and a list of one an equality") {
  CHECK(Has(Where("i = 1 OR i = 2 OR i IN (3, 4)"), "i IN (1, 2, 3, 4)"));
  CHECK(Has(Where("i IN (7)"), "i = 7"));
  CHECK(Has(Where("i NOT IN (7)"), "i <> 7"));
  CHECK(Has(Where("i IN (7, 7, 8)"), "i IN (7, 8)"));
}

TEST_CASE("factors that all parts of an OR share come out") {
  const std::string filter = Where("(i = j AND b = 1 AND f) OR (i = j AND b = 2 AND day IS NULL)");
  CHECK(Has(filter, "i = j"));
  CHECK(Count(filter, "i = j") == 1);
  CHECK(Where("(i = j) OR (i = j AND b = 1)") == Where("i = j"));
}

TEST_CASE("LIKE becomes an equality or a range where it can") {
  CHECK(Has(Where("s LIKE 'abc'"), "s = 'abc'"));
  CHECK(Has(Where("s LIKE 'abc%'"), "s >= 'abc'"));
  CHECK(Has(Where("s LIKE 'abc%'"), "s < 'abd'"));
  CHECK_FALSE(Has(Where("s LIKE 'abc%'"), "~~"));
  CHECK(Has(Where("s LIKE 'abc%d'"), "~~"));
  CHECK(Has(Where("s LIKE 'abc%d'"), "s >= 'abc'"));
  CHECK(Has(Where("s LIKE 'a_c%'"), "s >= 'a'"));
  CHECK_FALSE(Has(Where("s LIKE '%abc'"), ">="));
  CHECK(Has(Where("s LIKE 'a\\%'"), "s = 'a%'"));
}
