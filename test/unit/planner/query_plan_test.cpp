// Plans of queries without subqueries: what each clause becomes.
#include "plan_text.hpp"

namespace scaup::test {

TEST_CASE("Clauses become operators in SQL's order", "[planner]") {
  CheckPlans({
      {"SELECT 1", "Project[1](Values[rows: 1])"},
      {"SELECT a, b FROM t", "Project[a, b](t)"},
      {"SELECT a + 1 AS n FROM t WHERE b = 'x' AND a > 2", "Project[(a + 1)](Filter[b = 'x' AND a > 2](t))"},
      {"SELECT DISTINCT b FROM t", "Distinct(Project[b](t))"},
      {"SELECT a FROM t ORDER BY a DESC, b LIMIT 10 OFFSET 2",
       "Project[a](Limit[limit: 10; offset: 2](Sort[a DESC, b](Project[a, b](t))))"},
      {"SELECT a AS z FROM t ORDER BY z NULLS FIRST", "Sort[z NULLS FIRST](Project[a](t))"},
      {"SELECT a FROM t ORDER BY 1", "Sort[a](Project[a](t))"},
      {"SELECT a FROM t LIMIT 5 + 5", "Limit[limit: 10](Project[a](t))"},
      {"SELECT DISTINCT ON (b) b, a FROM t ORDER BY b, a", "Distinct[on: b](Sort[b, a](Project[b, a](t)))"},
      {"SELECT DISTINCT b, a FROM t ORDER BY a, b", "Sort[a, b](Distinct(Project[b, a](t)))"},
      {"VALUES (1, 'a'), (2, NULL) ORDER BY column2 DESC", "Sort[column2 DESC](Values[rows: 2])"},
      {"SELECT * FROM (SELECT a, b FROM t) AS q WHERE a = 1",
       "Project[a, b](Filter[a = 1](Project[a, b](t)))"},
      {"WITH w AS (SELECT a FROM t) SELECT p.a FROM w AS p, w AS q",
       "Materialize[name: w](Project[a](t), Project[a](CrossProduct(SharedScan[rows of: w; columns: a], "
       "SharedScan[rows of: w; columns: a])))"},
      {"WITH w AS NOT MATERIALIZED (SELECT a FROM t) SELECT p.a FROM w AS p, w AS q",
       "Project[a](CrossProduct(Project[a](t), Project[a](t)))"},
      {"SELECT * FROM generate_series(1, 3) AS g(i) WHERE i > 1",
       "Project[i](Filter[i > 1](TableFunction[function: generate_series; columns: generate_series]))"},
  });
}

TEST_CASE("Grouping computes above what it groups", "[planner]") {
  CheckPlans({
      {"SELECT count(*) FROM t", "Project[count(*)](Aggregate[aggregates: count(*)](t))"},
      {"SELECT b, sum(a) FROM t GROUP BY b",
       "Project[b, sum(a)](Aggregate[groups: b; aggregates: sum(a)](t))"},
      {"SELECT b AS g, count(DISTINCT a) FROM t GROUP BY g HAVING count(DISTINCT a) > 1",
       "Project[g, count(DISTINCT a)](Filter[count(DISTINCT a) > 1](Aggregate[groups: b; aggregates: "
       "count(DISTINCT a)](t)))"},
      {"SELECT a + 1, a + 1 + count(*) FROM t GROUP BY a + 1",
       "Project[(a + 1), (CAST((a + 1) AS BIGINT) + count(*))](Aggregate[groups: (a + 1); aggregates: "
       "count(*)](t))"},
      {"SELECT b, sum(a) FILTER (WHERE a > 0) FROM t GROUP BY 1 ORDER BY sum(c) DESC",
       "Project[b, sum](Sort[sum(c) DESC](Project[b, sum(a) FILTER (WHERE a > 0), sum(c)](Aggregate[groups: "
       "b; aggregates: sum(a) FILTER (WHERE a > 0), sum(c)](t))))"},
      {"SELECT b FROM t GROUP BY b ORDER BY b", "Sort[b](Project[b](Aggregate[groups: b](t)))"},
      {"SELECT DISTINCT a + 1 FROM t GROUP BY 1 ORDER BY a + 1",
       "Sort[?column?](Distinct(Project[?column?](Aggregate[groups: (a + 1)](t))))"},
      {"SELECT sum(a) / count(*) FROM t HAVING max(a) > 1",
       "Project[(sum(a) / count(*))](Filter[max(a) > 1](Aggregate[aggregates: sum(a), count(*), "
       "max(a)](t)))"},
      {"SELECT sum(c * (1 - c)) FROM t",
       "Project[sum((c * (1.00 - CAST(c AS DECIMAL(16,2)))))](Aggregate[aggregates: sum((c * (1.00 - CAST(c "
       "AS DECIMAL(16,2)))))](t))"},
      {"SELECT min(a), min(a) + max(a) FROM t",
       "Project[min(a), (min(a) + max(a))](Aggregate[aggregates: min(a), max(a)](t))"},
  });
}

TEST_CASE("Joins split their conditions", "[planner]") {
  CheckPlans({
      {"SELECT * FROM t, u WHERE t.a = u.x",
       "Project[a, b, c, d, x, y, a](Filter[a = x](CrossProduct(t, u)))"},
      {"SELECT 1 FROM t JOIN u ON t.a = u.x AND u.y = t.b", "Project[1](InnerJoin[a = x AND b = y](t, u))"},
      {"SELECT 1 FROM t LEFT JOIN u ON u.x = t.a AND t.a > 1 AND t.a + u.x = 5",
       "Project[1](LeftJoin[a = x; residual: a > 1 AND (a + x) = 5](t, u))"},
      {"SELECT 1 FROM t RIGHT JOIN u ON u.x < t.a", "Project[1](RightJoin[a > x](t, u))"},
      {"SELECT a FROM t FULL JOIN u USING (a)", "Project[coalesce(a, a)](FullJoin[a = a](t, u))"},
      {"SELECT a FROM t RIGHT JOIN u USING (a)", "Project[a](RightJoin[a = a](t, u))"},
      {"SELECT 1 FROM t CROSS JOIN u", "Project[1](CrossProduct(t, u))"},
      {"SELECT 1 FROM t JOIN n ON t.a = n.big", "Project[1](InnerJoin[CAST(a AS BIGINT) = big](t, n))"},
      {"SELECT 1 FROM t AS p JOIN t AS q ON p.a = q.a AND p.b <> q.b",
       "Project[1](InnerJoin[a = a AND b <> b](t, t))"},
  });
}

TEST_CASE("Set operations", "[planner]") {
  CheckPlans({
      {"SELECT a FROM t UNION ALL SELECT x FROM u UNION ALL SELECT 1",
       "UnionAll(Project[a](t), Project[x](u), Project[1](Values[rows: 1]))"},
      {"SELECT a FROM t UNION SELECT big FROM n ORDER BY a LIMIT 3",
       "Limit[limit: 3](Sort[a](Distinct(UnionAll(Project[CAST(a AS BIGINT)](Project[a](t)), "
       "Project[big](n)))))"},
      {"SELECT a, b FROM t INTERSECT SELECT x, y FROM u",
       "Distinct(Project[a, b](SemiJoin[a IS NOT DISTINCT FROM a AND b IS NOT DISTINCT FROM b](Project[a, "
       "b](t), Project[x, y](u))))"},
      {"SELECT a FROM t EXCEPT SELECT x FROM u",
       "Distinct(Project[a](AntiJoin[a IS NOT DISTINCT FROM a](Project[a](t), Project[x](u))))"},
      {"(SELECT a FROM t ORDER BY a LIMIT 1) UNION ALL SELECT 2",
       "UnionAll(Limit[limit: 1](Sort[a](Project[a](t))), Project[2](Values[rows: 1]))"},
  });
}

TEST_CASE("Constants take the type of what they are compared with", "[planner]") {
  CheckPlans({
      {"SELECT 1 FROM n WHERE small = 5", "Project[1](Filter[small = 5](n))"},
      {"SELECT 1 FROM n WHERE small = 70000", "Project[1](Filter[CAST(small AS INTEGER) = 70000](n))"},
      {"SELECT 1 FROM n WHERE small < big", "Project[1](Filter[CAST(small AS BIGINT) < big](n))"},
      {"SELECT 1 FROM t WHERE c BETWEEN 0.05 AND 7", "Project[1](Filter[c >= 0.05 AND c <= 7.00](t))"},
      {"SELECT 1 FROM t WHERE c = 0.055", "Project[1](Filter[CAST(c AS DECIMAL(16,3)) = 0.055](t))"},
      {"SELECT 1 FROM t WHERE c > '1.555'", "Project[1](Filter[CAST(c AS DECIMAL(16,3)) > 1.555](t))"},
      {"SELECT 1 FROM t WHERE d >= '1998-09-02'", "Project[1](Filter[d >= '1998-09-02'](t))"},
      {"SELECT 1 FROM t WHERE d <= date '1998-12-01' - interval '90' day",
       "Project[1](Filter[CAST(d AS TIMESTAMP) <= ('1998-12-01' - '90 days')](t))"},
      {"SELECT 1 FROM n WHERE f = 1.5", "Project[1](Filter[f = 1.5](n))"},
      {"SELECT 1 FROM n WHERE ts = date '2020-01-01'", "Project[1](Filter[ts = '2020-01-01 00:00:00'](n))"},
      {"SELECT 1 FROM n WHERE small IN (1, 2, NULL)", "Project[1](Filter[small IN (1, 2, NULL)](n))"},
      {"SELECT 1 FROM n WHERE small IN (1, 70000)",
       "Project[1](Filter[CAST(small AS INTEGER) IN (1, 70000)](n))"},
      {"SELECT 1 FROM t WHERE a NOT IN (1, a + 1)", "Project[1](Filter[a <> 1 AND a <> (a + 1)](t))"},
      {"SELECT 1 FROM t WHERE b IN ('x', 'y')", "Project[1](Filter[b IN ('x', 'y')](t))"},
      {"SELECT 1 FROM t WHERE a NOT BETWEEN SYMMETRIC 5 AND 1",
       "Project[1](Filter[NOT (((a >= 5 AND a <= 1) OR (a >= 1 AND a <= 5)))](t))"},
      {"SELECT 1 FROM t WHERE b LIKE 'x%' AND b NOT ILIKE '%y' AND b SIMILAR TO 'z+'",
       "Project[1](Filter[(b ~~ 'x%') AND (b !~~* '%y') AND similar_to(b, 'z+')](t))"},
      {"SELECT 1 FROM n WHERE flag IS NOT TRUE AND (flag IS UNKNOWN OR NOT flag)",
       "Project[1](Filter[flag IS DISTINCT FROM true AND (flag IS NULL OR NOT (flag))](n))"},
      {"SELECT 1 FROM t WHERE a IS DISTINCT FROM 3 AND b IS NOT NULL",
       "Project[1](Filter[a IS DISTINCT FROM 3 AND b IS NOT NULL](t))"},
      {"SELECT 1 FROM t WHERE '1' = a AND NULL = b", "Project[1](Filter[1 = a AND NULL = b](t))"},
      {"SELECT CASE a WHEN 1 THEN 'one' WHEN 2 THEN 'two' END FROM t",
       "Project[CASE WHEN a = 1 THEN 'one' WHEN a = 2 THEN 'two' ELSE NULL END](t)"},
      {"SELECT b || a, d - '2020-01-01', d + 1, CAST(a AS varchar(2)), TRY_CAST(b AS integer) FROM t",
       "Project[(b || CAST(a AS VARCHAR)), (d - '2020-01-01'), (d + 1), cast to VARCHAR(2)(CAST(a AS "
       "VARCHAR)), TRY_CAST(b AS INTEGER)](t)"},
      {"SELECT coalesce(b, 'x'), nullif(a, 0), greatest(a, 2) FROM t",
       "Project[coalesce(b, 'x'), nullif(a, 0), greatest(a, 2)](t)"},
  });
}

}  // namespace scaup::test
