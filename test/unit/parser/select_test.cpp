// Tests how queries turn into syntax trees.
#include <catch2/catch.hpp>

#include "ast_text.hpp"

using namespace scaup;

TEST_CASE("all clauses of SELECT") {
  CHECK(QueryText("SELECT a, b AS x, c y FROM t WHERE d GROUP BY a, 2 HAVING count(*) > 1 "
                  "ORDER BY a DESC NULLS FIRST, b ASC NULLS LAST LIMIT 5 OFFSET 2") ==
        "select a, b as x, c as y from t where d group by a, 2 having (> count(*) 1) "
        "order by a desc nulls first, b nulls last limit 5 offset 2");
  CHECK(QueryText("SELECT DISTINCT a FROM t") == "select distinct a from t");
  CHECK(QueryText("SELECT DISTINCT ON (a, b) c FROM t") == "select distinct on (a, b) c from t");
  CHECK(QueryText("SELECT 1 FETCH FIRST 3 ROWS ONLY") == "select 1 limit 3");
  CHECK(QueryText("SELECT 1 LIMIT ALL") == "select 1");
  CHECK(QueryText("SELECT FROM t") == "select  from t");
  CHECK(QueryText("TABLE t") == "select * from t");
  CHECK(QueryText("VALUES (1, 'a'), (2, NULL) ORDER BY 1") == "values (1, 'a'), (2, null) order by 1");
}

TEST_CASE("FROM") {
  CHECK(QueryText("SELECT * FROM S.T AS x(c, d), \"x.csv\" y") == "select * from s.t as x(c,d), x.csv as y");
  CHECK(QueryText("SELECT * FROM a JOIN b ON a.x = b.x LEFT JOIN c USING (k, l)") ==
        "select * from ((a inner b on (= a.x b.x)) left c using k,l)");
  CHECK(QueryText("SELECT * FROM a CROSS JOIN b NATURAL JOIN c") ==
        "select * from ((a cross b) natural inner c)");
  CHECK(QueryText("SELECT * FROM a FULL JOIN (b RIGHT JOIN c ON true) AS j ON false") ==
        "select * from (a full (b right c on true) as j on false)");
  CHECK(QueryText("SELECT * FROM (SELECT 1) AS x(a), LATERAL (SELECT x.a) y") ==
        "select * from {select 1} as x(a), lateral {select x.a} as y");
  CHECK(QueryText("SELECT * FROM read_csv('x', header => true)") ==
        "select * from read_csv('x', header => true)");
  CHECK(QueryText("SELECT * FROM generate_series(1, 10) AS t(i)") ==
        "select * from generate_series(1, 10) as t(i)");
  CHECK(QueryText("SELECT * FROM f() WITH ORDINALITY AS t(i, n)") ==
        "select * from f() with ordinality as t(i,n)");
}

TEST_CASE("set operations that associate are flat, but for operands in parentheses on the right") {
  CHECK(QueryText("SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 ORDER BY 1 LIMIT 1") ==
        "union all[select 1; select 2; select 3] order by 1 limit 1");
  CHECK(QueryText("SELECT 1 UNION (SELECT 2 UNION SELECT 3)") ==
        "union[select 1; union[select 2; select 3]]");
  CHECK(QueryText("SELECT 1 UNION SELECT 2 UNION ALL SELECT 3") ==
        "union all[union[select 1; select 2]; select 3]");
  CHECK(QueryText("SELECT 1 UNION ALL (SELECT 2 UNION ALL SELECT 3 LIMIT 1)") ==
        "union all[select 1; union all[select 2; select 3] limit 1]");
  CHECK(QueryText("SELECT 1 EXCEPT SELECT 2 EXCEPT SELECT 3") ==
        "except[except[select 1; select 2]; select 3]");
  CHECK(QueryText("SELECT 1 UNION SELECT 2 INTERSECT SELECT 3") ==
        "union[select 1; intersect[select 2; select 3]]");
}

TEST_CASE("WITH") {
  CHECK(QueryText("WITH a(x) AS (SELECT 1), b AS NOT MATERIALIZED (SELECT 2) SELECT * FROM a, b") ==
        "with a(x) {select 1} with b not materialized {select 2} select * from a, b");
  CHECK(
      QueryText(
          "WITH RECURSIVE a AS MATERIALIZED (SELECT 1 UNION ALL SELECT 2 FROM a) SELECT 1 UNION SELECT 2") ==
      "recursive with a materialized {union all[select 1; select 2 from a]} union[select 1; select 2]");
}

TEST_CASE("queries and tables know their positions") {
  const auto statement = ParseOne(" SELECT 1 FROM (SELECT DISTINCT (2)) x, \"a\", (VALUES ((3) + 4)) v");
  CHECK(statement->position == 1);
  CHECK(statement->length == 64);
  const auto& from = statement->As<ast::SelectStatement>().from;
  CHECK(from[0]->position == 16);
  CHECK(from[1]->position == 40);
  CHECK(from[2]->position == 46);
}

TEST_CASE("parameters") {
  const auto numbered = ParseOne("SELECT $2, $1");
  CHECK(numbered->parameter_count == 2);
  CHECK(QueryText("SELECT $2, $1") == "select $1, $0");
  const auto marks = ParseOne("SELECT ?, a=? FROM t WHERE b>=?-? AND c IN (?,?)");
  CHECK(marks->parameter_count == 6);
  CHECK(AstText(marks->As<ast::SelectStatement>()) ==
        "select $0, (= a $1) from t where (and (>= b (- $2 $3)), (c in $4, $5))");
  CHECK(QueryText("SELECT ?::int, -?, '?' , \"?\" -- ?") == "select cast($0 as int4), (- $1), '?', ?");
  // Each statement counts for itself.
  const auto two = Parser().Parse("SELECT ?; SELECT ?");
  CHECK(two[1]->parameter_count == 1);
  CHECK(two[1]->As<ast::SelectStatement>().items[0].expression->As<ast::Parameter>().index == 0);
  CHECK(ErrorText("SELECT $1, ?") ==
        "syntax 42601 11: a statement takes its parameters either as ? or as $1, $2, ..., not both");
  CHECK(ErrorText("SELECT $0") == "syntax 42P02 7: there is no parameter $0: they begin with $1");
  CHECK(ErrorText("SELECT $99999999999999999999") ==
        "syntax 54000 7: a statement can have at most 65535 parameters");
}
