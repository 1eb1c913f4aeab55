// Parameters in plans, and correlated subqueries that cannot be unnested yet.
#include "plan_text.hpp"

namespace scaup::test {

TEST_CASE("Correlation that does not fit is refused with its position", "[planner]") {
  PlanFixture fixture;
  const auto code = [&](const std::string& sql) {
    INFO(sql);
    const std::string error = fixture.PlanErrorOf(sql);
    INFO(error);
    CHECK(error.find("@-") == std::string::npos);
    return error.substr(0, 5);
  };
  CHECK(code("SELECT (SELECT t.a + x FROM u) FROM t") == "0A000");
  CHECK(code("SELECT a FROM t WHERE a > (SELECT max(x) FROM u WHERE u.x < t.a)") == "0A000");
  CHECK(code("SELECT a FROM t WHERE a = 1 OR a IN (SELECT x FROM u WHERE u.y = t.b)") == "0A000");
  CHECK(code("SELECT a, (SELECT x FROM u WHERE u.y = t.b LIMIT 1) FROM t") == "0A000");
  CHECK(code("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = t.a UNION SELECT 1)") == "0A000");
  CHECK(code("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM (SELECT x FROM u WHERE u.x = t.a) AS q)") ==
        "0A000");
  CHECK(code("SELECT a FROM t WHERE EXISTS (SELECT count(*) FROM u WHERE u.x = t.a)") == "0A000");
  CHECK(code("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE EXISTS (SELECT 1 FROM n WHERE n.small = "
             "t.a))") == "0A000");
  CHECK(code("SELECT 1 FROM t LEFT JOIN u ON t.a + u.x IN (SELECT big FROM n)") == "0A000");
  CHECK(fixture.PlanErrorOf("SELECT (SELECT t.a + x FROM u) FROM t").substr(5, 3) == "@15");
}

TEST_CASE("Columns of WITH and derived tables reach outward to the right level", "[planner]") {
  PlanFixture fixture;
  // The body stands where WITH stands: its t is the outer one, whatever the using query's FROM holds.
  CHECK(fixture.PlanErrorOf("SELECT (WITH w AS (SELECT t.a AS v) SELECT v FROM w, u AS t LIMIT 1) FROM t")
            .substr(0, 5) == "0A000");
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
  SubstituteParameters(*copy, values);
  CHECK(PlanText(*copy) == "Limit[limit: 5](Project[a](Filter[d = '2020-01-01' AND (a = 7 OR a = 3)](t)))");
  CHECK(PlanText(*plan.root).find("$1") != std::string::npos);
  CHECK_THROWS_AS(SubstituteParameters(*plan.root, std::vector<Value>{}), Error);
  const std::vector<Value> wrong = {Value::Varchar("soon"), Value::BigInt(7), Value::Integer(5)};
  copy = ClonePlan(*plan.root);
  CHECK_THROWS_AS(SubstituteParameters(*copy, wrong), Error);
}

}  // namespace scaup::test
