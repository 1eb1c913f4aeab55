// Plans of the statements around queries.
#include "plan_text.hpp"

namespace scaup::test {

TEST_CASE("INSERT brings every column to its type", "[planner]") {
  CheckPlans({
      {"INSERT INTO u VALUES (1, 'x', 2), (3, NULL, 4)",
       "@@"},
      {"INSERT INTO u SELECT * FROM u",
       "@@"},
      {"INSERT INTO t (d, a) VALUES ('2020-01-01', 2.4)",
       "@@"},
      {"INSERT INTO k (id) VALUES (1)",
       "@@"},
      {"INSERT INTO k VALUES (1, DEFAULT, DEFAULT), (2, 'x', 3)",
       "@@"},
      {"INSERT INTO k DEFAULT VALUES",
       "@@"},
      {"INSERT INTO n (big, f) SELECT a, c FROM t",
       "@@"},
      {"INSERT INTO t (b, d) SELECT 'x', '2020-01-01' UNION ALL SELECT b, NULL FROM t",
       "@@"},
      {"INSERT INTO t (a) VALUES ((SELECT max(x) FROM u))",
       "@@"},
      {"INSERT INTO t VALUES (1)",
       "@@"},
  });
}

TEST_CASE("CREATE TABLE AS, COPY TO, EXPLAIN wrap the query's plan", "[planner]") {
  CheckPlans({
      {"CREATE TABLE w AS SELECT a, b FROM t",
       "@@"},
      {"COPY t (b, a) TO 'out.csv' (HEADER, DELIMITER '|')",
       "@@"},
      {"COPY (SELECT a FROM t) TO 'out.csv'",
       "@@"},
      {"EXPLAIN SELECT a FROM t",
       "@@"},
      {"EXPLAIN ANALYZE INSERT INTO u SELECT * FROM u",
       "@@"},
      {"SHOW TABLES",
       "@@"},
      {"DESCRIBE t",
       "@@"},
  });
}

}  // namespace scaup::test
