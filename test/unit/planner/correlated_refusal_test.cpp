// Parameters in plans, subqueries that have none, and what WITH sees.
#include "plan_text.hpp"
#include "type/time/time_zone.hpp"

namespace scaup::test {

TEST_CASE("Columns of WITH and derived tables reach outward to the right level", "[planner]") {
  PlanFixture fixture;
  CHECK(fixture.ErrorOf("WITH w AS (SELECT x) SELECT * FROM u, w").substr(0, 5) == "42703");
  CHECK(
      fixture.Text(
          "WITH a AS (SELECT 1 AS v), b AS (WITH a AS (SELECT 2 AS v) SELECT v FROM a) SELECT * FROM a, b") ==
      "Project[v, v](CrossProduct(Project[1](Values[rows: 1]), Project[v](Project[2](Values[rows: 1]))))");
  CHECK(fixture.Text("WITH t AS (SELECT a FROM t) SELECT * FROM t") == "Project[a](Project[a](t))");
}

TEST_CASE("Parameters are replaced by values of their types", "[planner]") {
  PlanFixture fixture;
  LogicalPlan plan = fixture.Plan("SELECT a FROM t WHERE d = $1 AND a IN ($2, 3) LIMIT $3");
  LogicalOperatorPtr copy = ClonePlan(*plan.root);
  const std::vector<Value> values = {Value::Varchar("2020-01-01"), Value::BigInt(7), Value::Integer(5)};
  SubstituteParameters(*copy, values, TimeZone());
  CHECK(PlanText(*copy) == "Limit[limit: 5](Project[a](Filter[d = '2020-01-01' AND (a = 7 OR a = 3)](t)))");
  CHECK(PlanText(*plan.root).find("$1") != std::string::npos);
  CHECK_THROWS_AS(SubstituteParameters(*plan.root, std::vector<Value>{}, TimeZone()), Error);
  const std::vector<Value> wrong = {Value::Varchar("soon"), Value::BigInt(7), Value::Integer(5)};
  copy = ClonePlan(*plan.root);
  CHECK_THROWS_AS(SubstituteParameters(*copy, wrong, TimeZone()), Error);
}

}  // namespace scaup::test
