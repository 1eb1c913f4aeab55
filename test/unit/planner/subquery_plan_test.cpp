// Plans of subqueries: which join each becomes.
#include "plan_text.hpp"

namespace scaup::test {

TEST_CASE("Uncorrelated subqueries are planned once", "[planner]") {
  CheckPlans({
      {"SELECT a FROM t WHERE a > (SELECT max(x) FROM u)",
       "@@"},
      {"SELECT (SELECT y FROM u LIMIT 1), a FROM t",
       "@@"},
      {"SELECT a FROM t WHERE a IN (SELECT x FROM u)",
       "@@"},
      {"SELECT a FROM t WHERE a NOT IN (SELECT x FROM u)",
       "@@"},
      {"SELECT a IN (SELECT x FROM u) FROM t",
       "@@"},
      {"SELECT a FROM t WHERE a < ALL (SELECT x FROM u)",
       "@@"},
      {"SELECT a FROM t WHERE a < ANY (SELECT x FROM u)",
       "@@"},
      {"SELECT a FROM n, t WHERE small IN (SELECT x FROM u)",
       "@@"},
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE x = 1)",
       "@@"},
      {"SELECT NOT EXISTS (SELECT 1 FROM u) FROM t",
       "@@"},
      {"SELECT b, sum(a) FROM t GROUP BY b HAVING sum(a) > (SELECT sum(x) FROM u)",
       "@@"},
      {"SELECT a FROM t LEFT JOIN u USING (a) WHERE a = 1 OR a IN (SELECT x FROM u)",
       "@@"},
      {"SELECT 1 FROM t LEFT JOIN u ON t.a = u.x AND u.x > (SELECT min(big) FROM n)",
       "@@"},
      {"SELECT sum((SELECT max(x) FROM u)) FROM t",
       "@@"},
      {"SELECT (SELECT max(x) FROM u) AS m FROM t GROUP BY m",
       "@@"},
      {"SELECT 1 FROM t WHERE a IN (SELECT x FROM u UNION SELECT small FROM n)",
       "@@"},
  });
}

TEST_CASE("Correlated conditions become join conditions", "[planner]") {
  CheckPlans({
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = t.a AND u.y = 'k')",
       "@@"},
      {"SELECT a FROM t WHERE NOT EXISTS (SELECT * FROM u WHERE u.x = t.a AND u.y <> t.b)",
       "@@"},
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x + t.a > 5)",
       "@@"},
      {"SELECT EXISTS (SELECT 1 FROM u WHERE u.x = t.a) FROM t",
       "@@"},
      {"SELECT a FROM t WHERE a IN (SELECT x FROM u WHERE u.y = t.b)",
       "@@"},
      {"SELECT a FROM t WHERE a NOT IN (SELECT x FROM u WHERE u.y = t.b)",
       "@@"},
      {"SELECT a FROM t WHERE a > (SELECT avg(x) FROM u WHERE u.y = t.b)",
       "@@"},
      {"SELECT a FROM t WHERE 0 = (SELECT count(*) FROM u WHERE u.x = t.a)",
       "@@"},
      {"SELECT a, (SELECT count(*) + sum(x) FROM u WHERE t.b = u.y AND u.x > 1) FROM t",
       "@@"},
      {"SELECT a, (SELECT y FROM u WHERE u.x = t.a) FROM t",
       "@@"},
      {"SELECT a, (SELECT y || '!' FROM u WHERE u.x = t.a) FROM t",
       "@@"},
      {"SELECT b, (SELECT max(x) FROM u WHERE u.y = t.b) FROM t GROUP BY b",
       "@@"},
      {"SELECT a FROM t WHERE a IN (SELECT x FROM u WHERE u.y = t.b GROUP BY x HAVING count(*) > 1)",
       "@@"},
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = t.a AND u.x IN (SELECT small FROM n))",
       "@@"},
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = t.a AND EXISTS (SELECT 1 FROM n WHERE n.small = u.x))",
       "@@"},
      {"WITH w AS (SELECT x FROM u) SELECT a FROM t WHERE EXISTS (SELECT 1 FROM w WHERE w.x = t.a)",
       "@@"},
  });
}

}  // namespace scaup::test
