// Tests that predicates end where they drop rows earliest.
#include <catch2/catch.hpp>

#include "plan_fixture.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

PlanFixture& Tables() {
  static PlanFixture fixture;
  static const bool filled = [] {
    const auto number = [](size_t row) { return Value::BigInt(static_cast<int64_t>(row)); };
    const auto word = [](size_t row) { return Value::Varchar("w" + std::to_string(row)); };
    for (const char* name : {"a", "b", "c"}) {
      fixture.CreateTable(
          name, 100,
          {{"x", TypeId::kInteger, number}, {"y", TypeId::kInteger, number}, {"s", TypeId::kVarchar, word}});
    }
    return true;
  }();
  (void)filled;
  return fixture;
}

std::string Pushed(const std::string& sql) {
  return Dump(*Tables().OptimizeBy(sql, {"expression_simplification", "filter_pushdown"}));
}

}  // namespace

TEST_CASE("comparisons with constants and NULL tests go into the scan") {
  const std::string dump = Pushed("SELECT x FROM a WHERE x > 5 AND y IS NOT NULL AND x + y = 3");
  CHECK(Has(dump, "x > 5"));
  CHECK(Has(dump, "y IS NOT NULL"));
  CHECK(Count(dump, "Filter") >= 1);
  CHECK(Has(dump, "(x + y) = 3"));
}

TEST_CASE("predicates go through projections, aggregates, unions and sorts") {
  CHECK_FALSE(Has(Pushed("SELECT * FROM (SELECT x + 0 AS z, y FROM a) q WHERE y = 3"), "Filter "));
  const std::string grouped =
      Pushed("SELECT * FROM (SELECT x, count(*) AS n FROM a GROUP BY x) q WHERE x = 3 AND n > 1");
  CHECK(grouped.find("Filter") < grouped.find("Aggregate"));
  CHECK(grouped.find("x = 3") > grouped.find("Aggregate"));
  const std::string united =
      Pushed("SELECT * FROM (SELECT x FROM a UNION ALL SELECT y FROM b) q WHERE x = 3");
  CHECK(Has(united, "x = 3"));
  CHECK(Has(united, "y = 3"));
  const std::string distinct = Pushed("SELECT * FROM (SELECT DISTINCT x, y FROM a) q WHERE x = 3");
  CHECK(distinct.find("x = 3") > distinct.find("Distinct"));
}

TEST_CASE("nothing goes below a limit or into a global aggregate") {
  const std::string limited = Pushed("SELECT * FROM (SELECT x FROM a LIMIT 5) q WHERE x = 3");
  CHECK(limited.find("x = 3") < limited.find("Limit"));
  const std::string counted = Pushed("SELECT count(*) FROM a HAVING 1 = 2");
  CHECK(counted.find("Filter") < counted.find("Aggregate"));
}

TEST_CASE("predicates over two tables become join conditions, others residual") {
  const std::string dump = Pushed("SELECT 1 FROM a, b WHERE a.x = b.x AND a.y < b.y AND a.x + b.y = 7");
  CHECK(Count(dump, "Join") == 1);
  CHECK_FALSE(Has(dump, "Filter"));
}

TEST_CASE("what holds of one equal column holds of the other") {
  CHECK(Count(Pushed("SELECT 1 FROM a, b WHERE a.x = b.x AND a.x = 5"), "x = 5") == 2);
  CHECK(Count(Pushed("SELECT 1 FROM a, b, c WHERE a.x = b.x AND b.x = c.y AND c.y > 5"), " > 5") == 3);
  CHECK(Count(Pushed("SELECT 1 FROM a LEFT JOIN b ON a.x = b.x WHERE a.x = 5"), "x = 5") == 2);
  CHECK(Count(Pushed("SELECT 1 FROM a WHERE x = 5 AND EXISTS (SELECT 1 FROM b WHERE b.y = a.x)"), " = 5") ==
        2);
}

TEST_CASE("parts of an OR that concern one table are derived") {
  const std::string dump = Pushed(
      "SELECT 1 FROM a, b WHERE a.x = b.x AND ((a.s = 'F' AND b.s = 'G') OR (a.s = 'G' AND b.s = 'F'))");
  CHECK(Has(dump, "s IN ('F', 'G')"));
  CHECK(Has(dump, "s IN ('G', 'F')"));
}

TEST_CASE("outer joins become inner ones when NULLs are rejected") {
  CHECK(Has(Pushed("SELECT 1 FROM a LEFT JOIN b ON a.x = b.x WHERE b.y > 5"), "Inner"));
  CHECK(Has(Pushed("SELECT 1 FROM a LEFT JOIN b ON a.x = b.x WHERE b.y IS NULL"), "Left"));
  CHECK(Has(Pushed("SELECT 1 FROM a FULL JOIN b ON a.x = b.x WHERE a.y > 5"), "Left"));
  CHECK(Has(Pushed("SELECT 1 FROM a FULL JOIN b ON a.x = b.x WHERE b.y > 5"), "Right"));
  CHECK(Has(Pushed("SELECT 1 FROM a LEFT JOIN b ON a.x = b.x WHERE coalesce(b.y, 0) = 0"), "Left"));
  CHECK(Has(Pushed("SELECT 1 FROM a LEFT JOIN b ON a.x = b.x WHERE b.y > 5 OR a.x = 1"), "Left"));
}

TEST_CASE("conditions of outer joins go only to the side that is not preserved") {
  const std::string left = Pushed("SELECT 1 FROM a LEFT JOIN b ON a.x = b.x AND b.y = 3 AND a.y = 4");
  CHECK(Has(left, "Left"));
  CHECK(left.find("y = 4") < left.find("Scan"));
  CHECK(left.find("y = 3") > left.find("Scan"));
  const std::string above = Pushed("SELECT 1 FROM a LEFT JOIN b ON a.x = b.x WHERE a.y = 4");
  CHECK(above.find("y = 4") > above.find("Scan"));
}

TEST_CASE("volatile predicates stay") {
  const std::string dump = Pushed("SELECT * FROM (SELECT x, random() AS r FROM a) q WHERE r > 0.5");
  CHECK(dump.find("Filter") < dump.find("random"));
}
