// Plans of the statements around queries.
#include "plan_text.hpp"

namespace scaup::test {

TEST_CASE("INSERT brings every column to its type", "[planner]") {
  CheckPlans({
      {"INSERT INTO u VALUES (1, 'x', 2), (3, NULL, 4)", "Insert[table: u](Values[rows: 2])"},
      {"INSERT INTO u SELECT * FROM u", "Insert[table: u](Project[x, y, a](u))"},
      {"INSERT INTO t (d, a) VALUES ('2020-01-01', 2.4)",
       "Insert[table: t](Project[a, NULL, NULL, d](Values[rows: 1]))"},
      {"INSERT INTO k (id) VALUES (1)",
       "Insert[table: k](Project[id, 'none', CAST((1 + 1) AS DECIMAL(9,2))](Values[rows: 1]))"},
      {"INSERT INTO k VALUES (1, DEFAULT, DEFAULT), (2, 'x', 3)", "Insert[table: k](Values[rows: 2])"},
      {"INSERT INTO k DEFAULT VALUES",
       "Insert[table: k](Project[NULL, 'none', CAST((1 + 1) AS DECIMAL(9,2))](Values[rows: 1]))"},
      {"INSERT INTO n (big, f) SELECT a, c FROM t",
       "Insert[table: n](Project[NULL, CAST(a AS BIGINT), CAST(c AS DOUBLE), NULL, NULL, NULL](Project[a, "
       "c](t)))"},
      {"INSERT INTO t (b, d) SELECT 'x', '2020-01-01' UNION ALL SELECT b, NULL FROM t",
       "Insert[table: t](Project[NULL, ?column?, NULL, ?column?](UnionAll(Project['x', "
       "'2020-01-01'](Values[rows: 1]), Project[b, NULL](t))))"},
      {"INSERT INTO t (a) VALUES ((SELECT max(x) FROM u))",
       "Insert[table: t](Project[a, NULL, NULL, NULL](UnionAll(Project[max](SingleJoin(Values[rows: 1], "
       "Project[max(x)](Aggregate[aggregates: max(x)](u)))))))"},
      {"INSERT INTO t VALUES (1)", "Insert[table: t](Project[a, NULL, NULL, NULL](Values[rows: 1]))"},
  });
}

TEST_CASE("CREATE TABLE AS, COPY TO, EXPLAIN wrap the query's plan", "[planner]") {
  CheckPlans({
      {"CREATE TABLE w AS SELECT a, b FROM t", "CreateTableAs[table: w](Project[a, b](t))"},
      {"COPY t (b, a) TO 'out.csv' (HEADER, DELIMITER '|')", "CopyTo[file: out.csv](Project[b, a](t))"},
      {"COPY (SELECT a FROM t) TO 'out.csv'", "CopyTo[file: out.csv](Project[a](t))"},
      {"EXPLAIN SELECT a FROM t", "Explain(Project[a](t))"},
      {"EXPLAIN ANALYZE INSERT INTO u SELECT * FROM u", "Explain(Insert[table: u](Project[x, y, a](u)))"},
      {"SHOW TABLES", "Values[rows: 4]"},
      {"DESCRIBE t", "Values[rows: 4]"},
  });
}

}  // namespace scaup::test
