// Plans of queries without subqueries: what each clause becomes.
#include "plan_text.hpp"

namespace scaup::test {

TEST_CASE("Clauses become operators in SQL's order", "[planner]") {
  CheckPlans({
      {"SELECT 1",
       "@@"},
      {"SELECT a, b FROM t",
       "@@"},
      {"SELECT a + 1 AS n FROM t WHERE b = 'x' AND a > 2",
       "@@"},
      {"SELECT DISTINCT b FROM t",
       "@@"},
      {"SELECT a FROM t ORDER BY a DESC, b LIMIT 10 OFFSET 2",
       "@@"},
      {"SELECT a AS z FROM t ORDER BY z NULLS FIRST",
       "@@"},
      {"SELECT a FROM t ORDER BY 1",
       "@@"},
      {"SELECT a FROM t LIMIT 5 + 5",
       "@@"},
      {"SELECT DISTINCT ON (b) b, a FROM t ORDER BY b, a",
       "@@"},
      {"SELECT DISTINCT b, a FROM t ORDER BY a, b",
       "@@"},
      {"VALUES (1, 'a'), (2, NULL) ORDER BY column2 DESC",
       "@@"},
      {"SELECT * FROM (SELECT a, b FROM t) AS q WHERE a = 1",
       "@@"},
      {"WITH w AS (SELECT a FROM t) SELECT p.a FROM w AS p, w AS q",
       "@@"},
      {"SELECT * FROM generate_series(1, 3) AS g(i) WHERE i > 1",
       "@@"},
  });
}

TEST_CASE("Grouping computes above what it groups", "[planner]") {
  CheckPlans({
      {"SELECT count(*) FROM t",
       "@@"},
      {"SELECT b, sum(a) FROM t GROUP BY b",
       "@@"},
      {"SELECT b AS g, count(DISTINCT a) FROM t GROUP BY g HAVING count(DISTINCT a) > 1",
       "@@"},
      {"SELECT a + 1, a + 1 + count(*) FROM t GROUP BY a + 1",
       "@@"},
      {"SELECT b, sum(a) FILTER (WHERE a > 0) FROM t GROUP BY 1 ORDER BY sum(c) DESC",
       "@@"},
      {"SELECT b FROM t GROUP BY b ORDER BY b",
       "@@"},
      {"SELECT DISTINCT a + 1 FROM t GROUP BY 1 ORDER BY a + 1",
       "@@"},
      {"SELECT sum(a) / count(*) FROM t HAVING max(a) > 1",
       "@@"},
      {"SELECT sum(c * (1 - c)) FROM t",
       "@@"},
      {"SELECT min(a), min(a) + max(a) FROM t",
       "@@"},
  });
}

TEST_CASE("Joins split their conditions", "[planner]") {
  CheckPlans({
      {"SELECT * FROM t, u WHERE t.a = u.x",
       "@@"},
      {"SELECT 1 FROM t JOIN u ON t.a = u.x AND u.y = t.b",
       "@@"},
      {"SELECT 1 FROM t LEFT JOIN u ON u.x = t.a AND t.a > 1 AND t.a + u.x = 5",
       "@@"},
      {"SELECT 1 FROM t RIGHT JOIN u ON u.x < t.a",
       "@@"},
      {"SELECT a FROM t FULL JOIN u USING (a)",
       "@@"},
      {"SELECT a FROM t RIGHT JOIN u USING (a)",
       "@@"},
      {"SELECT 1 FROM t CROSS JOIN u",
       "@@"},
      {"SELECT 1 FROM t JOIN n ON t.a = n.big",
       "@@"},
      {"SELECT 1 FROM t AS p JOIN t AS q ON p.a = q.a AND p.b <> q.b",
       "@@"},
  });
}

TEST_CASE("Set operations", "[planner]") {
  CheckPlans({
      {"SELECT a FROM t UNION ALL SELECT x FROM u UNION ALL SELECT 1",
       "@@"},
      {"SELECT a FROM t UNION SELECT big FROM n ORDER BY a LIMIT 3",
       "@@"},
      {"SELECT a, b FROM t INTERSECT SELECT x, y FROM u",
       "@@"},
      {"SELECT a FROM t EXCEPT SELECT x FROM u",
       "@@"},
      {"(SELECT a FROM t ORDER BY a LIMIT 1) UNION ALL SELECT 2",
       "@@"},
  });
}

TEST_CASE("Constants take the type of what they are compared with", "[planner]") {
  CheckPlans({
      {"SELECT 1 FROM n WHERE small = 5",
       "@@"},
      {"SELECT 1 FROM n WHERE small = 70000",
       "@@"},
      {"SELECT 1 FROM n WHERE small < big",
       "@@"},
      {"SELECT 1 FROM t WHERE c BETWEEN 0.05 AND 7",
       "@@"},
      {"SELECT 1 FROM t WHERE c = 0.055",
       "@@"},
      {"SELECT 1 FROM t WHERE c > '1.555'",
       "@@"},
      {"SELECT 1 FROM t WHERE d >= '1998-09-02'",
       "@@"},
      {"SELECT 1 FROM t WHERE d <= date '1998-12-01' - interval '90' day",
       "@@"},
      {"SELECT 1 FROM n WHERE f = 1.5",
       "@@"},
      {"SELECT 1 FROM n WHERE ts = date '2020-01-01'",
       "@@"},
      {"SELECT 1 FROM n WHERE small IN (1, 2, NULL)",
       "@@"},
      {"SELECT 1 FROM n WHERE small IN (1, 70000)",
       "@@"},
      {"SELECT 1 FROM t WHERE a NOT IN (1, a + 1)",
       "@@"},
      {"SELECT 1 FROM t WHERE b IN ('x', 'y')",
       "@@"},
      {"SELECT 1 FROM t WHERE a NOT BETWEEN SYMMETRIC 5 AND 1",
       "@@"},
      {"SELECT 1 FROM t WHERE b LIKE 'x%' AND b NOT ILIKE '%y' AND b SIMILAR TO 'z+'",
       "@@"},
      {"SELECT 1 FROM n WHERE flag IS NOT TRUE AND (flag IS UNKNOWN OR NOT flag)",
       "@@"},
      {"SELECT 1 FROM t WHERE a IS DISTINCT FROM 3 AND b IS NOT NULL",
       "@@"},
      {"SELECT 1 FROM t WHERE '1' = a AND NULL = b",
       "@@"},
      {"SELECT CASE a WHEN 1 THEN 'one' WHEN 2 THEN 'two' END FROM t",
       "@@"},
      {"SELECT b || a, d - '2020-01-01', d + 1, CAST(a AS varchar(2)), TRY_CAST(b AS integer) FROM t",
       "@@"},
      {"SELECT coalesce(b, 'x'), nullif(a, 0), greatest(a, 2) FROM t",
       "@@"},
  });
}

}  // namespace scaup::test
