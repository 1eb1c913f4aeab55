// Plans of subqueries: which join each becomes.
#include "plan_text.hpp"

namespace scaup::test {

TEST_CASE("Uncorrelated subqueries are planned once", "[planner]") {
  CheckPlans({
      {"SELECT a FROM t WHERE a > (SELECT max(x) FROM u)",
       "Project[a](Filter[a > max](SingleJoin(t, Project[max(x)](Aggregate[aggregates: max(x)](u)))))"},
      {"SELECT (SELECT y FROM u LIMIT 1), a FROM t",
       "Project[y, a](SingleJoin(t, Limit[limit: 1](Project[y](u))))"},
      {"SELECT a FROM t WHERE a IN (SELECT x FROM u)", "Project[a](SemiJoin[a = x](t, Project[x](u)))"},
      {"SELECT a FROM t WHERE a NOT IN (SELECT x FROM u)",
       "Project[a](Filter[NOT (mark)](MarkJoin[a = x](t, Project[x](u))))"},
      {"SELECT a IN (SELECT x FROM u) FROM t", "Project[mark](MarkJoin[a = x](t, Project[x](u)))"},
      {"SELECT a FROM t WHERE a < ALL (SELECT x FROM u)",
       "Project[a](Filter[NOT (mark)](MarkJoin[a >= x](t, Project[x](u))))"},
      {"SELECT a FROM t WHERE a < ANY (SELECT x FROM u)", "Project[a](SemiJoin[a < x](t, Project[x](u)))"},
      {"SELECT a FROM n, t WHERE small IN (SELECT x FROM u)",
       "Project[a](SemiJoin[CAST(small AS INTEGER) = x](CrossProduct(n, t), Project[x](u)))"},
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE x = 1)",
       "Project[a](Filter[count(*) > 0](CrossProduct(t, Aggregate[aggregates: count(*)](Limit[limit: "
       "1](Project[1](Filter[x = 1](u)))))))"},
      {"SELECT NOT EXISTS (SELECT 1 FROM u) FROM t",
       "Project[NOT (count(*) > 0)](CrossProduct(t, Aggregate[aggregates: count(*)](Limit[limit: "
       "1](Project[1](u)))))"},
      {"SELECT b, sum(a) FROM t GROUP BY b HAVING sum(a) > (SELECT sum(x) FROM u)",
       "Project[b, sum(a)](Filter[sum(a) > sum](SingleJoin(Aggregate[groups: b; aggregates: sum(a)](t), "
       "Project[sum(x)](Aggregate[aggregates: sum(x)](u)))))"},
      {"SELECT a FROM t LEFT JOIN u USING (a) WHERE a = 1 OR a IN (SELECT x FROM u)",
       "Project[a](Filter[(a = 1 OR mark)](MarkJoin[a = x](LeftJoin[a = a](t, u), Project[x](u))))"},
      {"SELECT 1 FROM t LEFT JOIN u ON t.a = u.x AND u.x > (SELECT min(big) FROM n)",
       "Project[1](LeftJoin[a = x; residual: CAST(x AS BIGINT) > min](t, SingleJoin(u, "
       "Project[min(big)](Aggregate[aggregates: min(big)](n)))))"},
      {"SELECT sum((SELECT max(x) FROM u)) FROM t",
       "Project[sum((subquery))](Aggregate[aggregates: sum(max)](SingleJoin(t, "
       "Project[max(x)](Aggregate[aggregates: max(x)](u)))))"},
      {"SELECT (SELECT max(x) FROM u) AS m FROM t GROUP BY m",
       "Project[m](Aggregate[groups: max](SingleJoin(t, Project[max(x)](Aggregate[aggregates: "
       "max(x)](u)))))"},
      {"SELECT 1 FROM t WHERE a IN (SELECT x FROM u UNION SELECT small FROM n)",
       "Project[1](SemiJoin[a = x](t, Distinct(UnionAll(Project[x](u), Project[CAST(small AS "
       "INTEGER)](Project[small](n))))))"},
  });
}

TEST_CASE("Correlated conditions become join conditions", "[planner]") {
  CheckPlans({
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = t.a AND u.y = 'k')",
       "Project[a](SemiJoin[a = x](t, Filter[y = 'k'](u)))"},
      {"SELECT a FROM t WHERE NOT EXISTS (SELECT * FROM u WHERE u.x = t.a AND u.y <> t.b)",
       "Project[a](AntiJoin[a = x AND b <> y](t, u))"},
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x + t.a > 5)",
       "Project[a](SemiJoin[residual: (x + a) > 5](t, u))"},
      {"SELECT EXISTS (SELECT 1 FROM u WHERE u.x = t.a) FROM t",
       "Project[exists IS NOT DISTINCT FROM true](MarkJoin[a = x](t, u))"},
      {"SELECT a FROM t WHERE a IN (SELECT x FROM u WHERE u.y = t.b)",
       "Project[a](SemiJoin[b = y AND a = x](t, u))"},
      {"SELECT a FROM t WHERE a NOT IN (SELECT x FROM u WHERE u.y = t.b)",
       "Project[a](AntiJoin[b = y; residual: a = x IS DISTINCT FROM false](t, u))"},
      {"SELECT a FROM t WHERE a > (SELECT avg(x) FROM u WHERE u.y = t.b)",
       "Project[a](Filter[CAST(a AS DOUBLE) > avg(x)](LeftJoin[b = y](t, Aggregate[groups: y; aggregates: "
       "avg(x)](u))))"},
      {"SELECT a FROM t WHERE 0 = (SELECT count(*) FROM u WHERE u.x = t.a)",
       "Project[a](Filter[0 = CASE WHEN count(*) IS NULL THEN 0 ELSE count(*) END](LeftJoin[a = x](t, "
       "Aggregate[groups: x; aggregates: count(*)](u))))"},
      {"SELECT a, (SELECT count(*) + sum(x) FROM u WHERE t.b = u.y AND u.x > 1) FROM t",
       "Project[a, (CASE WHEN count(*) IS NULL THEN 0 ELSE count(*) END + sum(x))](LeftJoin[b = y](t, "
       "Aggregate[groups: y; aggregates: count(*), sum(x)](Filter[x > 1](u))))"},
      {"SELECT a, (SELECT y FROM u WHERE u.x = t.a) FROM t", "Project[a, y](SingleJoin[a = x](t, u))"},
      {"SELECT a, (SELECT y || '!' FROM u WHERE u.x = t.a) FROM t",
       "Project[a, CASE WHEN has match THEN (y || '!') ELSE NULL END](SingleJoin[a = x](t, "
       "Project[true, y, x](u)))"},
      {"SELECT a, (SELECT y IS NULL FROM u WHERE u.x = t.a) FROM t",
       "Project[a, y IS NULL](SingleJoin[a = x](t, Project[y IS NULL, x](u)))"},
      {"SELECT b, (SELECT max(x) FROM u WHERE u.y = t.b) FROM t GROUP BY b",
       "Project[b, max(x)](LeftJoin[b = y](Aggregate[groups: b](t), Aggregate[groups: y; aggregates: "
       "max(x)](u)))"},
      {"SELECT a FROM t WHERE a IN (SELECT x FROM u WHERE u.y = t.b GROUP BY x HAVING count(*) > 1)",
       "Project[a](SemiJoin[b = y AND a = x](t, Filter[count(*) > 1](Aggregate[groups: x, y; aggregates: "
       "count(*)](u))))"},
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = t.a AND u.x IN (SELECT small FROM n))",
       "Project[a](SemiJoin[a = x](t, SemiJoin[x = CAST(small AS INTEGER)](u, Project[small](n))))"},
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = t.a AND EXISTS (SELECT 1 FROM n WHERE "
       "n.small = u.x))",
       "Project[a](SemiJoin[a = x](t, SemiJoin[x = CAST(small AS INTEGER)](u, n)))"},
      {"WITH w AS (SELECT x FROM u) SELECT a FROM t WHERE EXISTS (SELECT 1 FROM w WHERE w.x = t.a)",
       "Project[a](SemiJoin[a = x](t, Project[x](u)))"},
  });
}

}  // namespace scaup::test
