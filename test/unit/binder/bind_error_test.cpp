// What the binder refuses: SQLSTATE, position and message.
#include "bind_fixture.hpp"

namespace scaup::test {

namespace {

struct Refusal {
  const char* sql;
  const char* begin;  ///< of "sqlstate@position message"
};

void Check(const std::vector<Refusal>& refusals) {
  BindFixture fixture;
  for (const Refusal& refusal : refusals) {
    INFO(refusal.sql);
    const std::string error = fixture.ErrorOf(refusal.sql);
    INFO(error);
    CHECK(error.substr(0, std::string(refusal.begin).size()) == refusal.begin);
  }
}

}  // namespace

TEST_CASE("Names that mean nothing or too much", "[binder]") {
  Check({
      {"SELECT z FROM t", "42703@7 column \"z\" does not exist"},
      {"SELECT smal FROM n", "42703@7 column \"smal\" does not exist; did you mean \"small\"?"},
      {"SELECT t.z FROM t", "42703@7 column t.z does not exist"},
      {"SELECT x.a FROM t", "42P01@7 missing FROM-clause entry for table \"x\""},
      {"SELECT t.a FROM t AS q", "42P01@7 missing FROM-clause entry"},
      {"SELECT a FROM t, u", "42702@7 column reference \"a\" is ambiguous"},
      {"SELECT * FROM nowhere", "42P01@14 table \"nowhere\" does not exist"},
      {"SELECT * FROM other.t", "42P01@14 table \"other.t\" does not exist: there is no schema \"other\""},
      {"SELECT 1 FROM t, t", "42712@17 table name \"t\" specified more than once"},
      {"SELECT * FROM t JOIN u USING (b)", "42703@"},
      {"SELECT * FROM nofunction(1)", "42883@14 table function \"nofunction\" does not exist"},
      {"SELECT nofunction(1)", "42883@7 function nofunction(integer) does not exist"},
      {"SELECT \"A\" FROM t", "42703@7 column \"A\" does not exist"},
      {"SELECT * FROM t AS q(a, b, c, d, e)",
       "42P10@14 table \"q\" has 4 columns available but 5 columns specified"},
      {"WITH w AS (SELECT 1), w AS (SELECT 2) SELECT 1", "42712@"},
      {"SELECT x.* FROM t", "42P01@7"},
      {"SELECT *", "42601@7"},
  });
}

TEST_CASE("Types that do not fit", "[binder]") {
  Check({
      {"SELECT a = b FROM t", "42883@9 operator does not exist: integer = text"},
      {"SELECT a = 'x' FROM t", "22P02@11"},
      {"SELECT d < 'yesterday-ish' FROM t", "22007@11"},
      {"SELECT a IN (1, 'x') FROM t", "22P02@16"},
      {"SELECT a FROM t WHERE a", "42804@22 argument of WHERE must be type boolean, not type integer"},
      {"SELECT NOT a FROM t", "42804@11"},
      {"SELECT CASE WHEN a THEN 1 END FROM t", "42804@17"},
      {"SELECT CASE WHEN true THEN a ELSE d END FROM t",
       "42804@34 CASE types integer and date cannot be matched"},
      {"SELECT a FROM t UNION SELECT d FROM t", "42804@22 UNION types integer and date cannot be matched"},
      {"SELECT a FROM t UNION SELECT a, b FROM t",
       "42601@22 each UNION query must have the same number of columns"},
      {"SELECT 'x'::integer", "22P02@7"},
      {"SELECT CAST(d AS boolean) FROM t", "42846@12"},
      {"SELECT 1::nosuchtype", "42704@10 type \"nosuchtype\" does not exist"},
      {"SELECT 1::numeric(50, 2)", "22023@10"},
      {"SELECT b + 1 FROM t", "42883@9 operator text + integer does not exist"},
      {"SELECT a FROM t LIMIT 'many'", "22P02@22"},
      {"SELECT a FROM t LIMIT a", "42P10@22"},
      {"VALUES (1), (2, 3)", "42601@13 VALUES lists must all be the same length"},
      {"VALUES (1), (true)", "42804@13"},
      {"SELECT (SELECT a, b FROM t)", "42601@"},
      {"SELECT interval 'x y z'", "22007@"},
  });
}

TEST_CASE("Aggregates and groups in the wrong place", "[binder]") {
  Check({
      {"SELECT a FROM t WHERE sum(a) > 1", "42803@22 aggregate functions are not allowed in WHERE"},
      {"SELECT a, sum(a) FROM t", "42803@7 column \"a\" must appear in the GROUP BY clause"},
      {"SELECT a + 1, b FROM t GROUP BY a", "42803@14 column \"b\""},
      {"SELECT * FROM t GROUP BY a", "42803@7 column \"b\""},
      {"SELECT sum(sum(a)) FROM t", "42803@11 aggregate function calls cannot be nested"},
      {"SELECT a FROM t GROUP BY sum(a)", "42803@25"},
      {"SELECT sum(a) FROM t GROUP BY 1", "42803@30"},
      {"SELECT a FROM t GROUP BY 2", "42P10@25 GROUP BY position 2 is not in select list"},
      {"SELECT a FROM t ORDER BY 2", "42P10@25 ORDER BY position 2 is not in select list"},
      {"SELECT a FROM t HAVING a > 1", "42803@"},
      {"SELECT a FROM t GROUP BY a ORDER BY b", "42803@36"},
      {"SELECT a FROM t JOIN u ON count(*) > 1", "42803@26"},
      {"SELECT DISTINCT a FROM t ORDER BY b", "42P10@34 for SELECT DISTINCT"},
      {"SELECT DISTINCT ON (a) a, b FROM t ORDER BY b", "42P10@44 SELECT DISTINCT ON expressions must match"},
      {"SELECT lower(DISTINCT b) FROM t", "42809@7"},
      {"SELECT a, (SELECT max(x) FROM u WHERE u.a = t.d) FROM t GROUP BY a", "42883@"},
      {"SELECT a, (SELECT max(x) FROM u WHERE u.y = t.b) FROM t GROUP BY a", "42803@44 column \"b\""},
  });
}

TEST_CASE("What comes later is refused, not misread", "[binder]") {
  Check({
      {"SELECT string_agg(b, ',' ORDER BY b) FROM t", "0A000@7"},
      {"SELECT a FROM t UNION SELECT x FROM u ORDER BY a + 1", "0A000@"},
      {"SELECT (SELECT sum(t.a) FROM u) FROM t", "0A000@15"},
      {"SELECT a FROM t WHERE unnest(ARRAY[true])",
       "0A000@22 set-returning functions are not allowed in WHERE"},
      {"SELECT CASE WHEN true THEN unnest(ARRAY[1]) END", "0A000@"},
      {"SELECT sum(unnest(ARRAY[1]))", "0A000@11"},
  });
}

TEST_CASE("Statements around queries", "[binder]") {
  Check({
      {"INSERT INTO t (a, z) VALUES (1, 2)", "42703@18 column \"z\" of table \"t\" does not exist"},
      {"INSERT INTO t (a, a) VALUES (1, 2)", "42701@18"},
      {"INSERT INTO t VALUES (1, 'x', 2, '2020-01-01', 5)", "42601@"},
      {"INSERT INTO t (a, b) VALUES (1)", "42601@"},
      {"INSERT INTO t (a) SELECT a, b FROM t", "42601@"},
      {"INSERT INTO t (a) VALUES ('x')", "22P02@26"},
      {"INSERT INTO t (a) SELECT b FROM t", "42804@"},
      {"INSERT INTO t (a) VALUES (true)",
       "42804@26 column \"a\" is of type integer but expression is of type boolean"},
      {"SELECT DEFAULT", "42601@"},
      {"CREATE TABLE t (a INTEGER)", "42P07@13"},
      {"CREATE TABLE new (a INTEGER, a INTEGER)", "42701@29"},
      {"CREATE TABLE new (a INTEGER DEFAULT 'x')", "22P02@"},
      {"CREATE TABLE new (a INTEGER DEFAULT sum(1))", "42803@"},
      {"CREATE TABLE new (a INTEGER, b INTEGER DEFAULT a)", "0A000@"},
      {"CREATE TABLE new AS SELECT 1, 2", "42701@"},
      {"CREATE TABLE no.new (a INTEGER)", "3F000@13"},
      {"DROP TABLE nothing", "42P01@11"},
      {"DROP TABLE u, nothing", "42P01@14"},
      {"DROP SCHEMA nothing", "3F000@12"},
      {"SET thread = 4", "42704@"},
      {"SHOW nothing_like_it", "42704@"},
      {"PRAGMA nothing_like_it", "42704@"},
      {"COPY t FROM 'nowhere.csv'", "58P01@"},
      {"COPY t TO 'x.csv' (NOSUCHOPTION 1)", "42601@"},
  });
}

}  // namespace scaup::test
