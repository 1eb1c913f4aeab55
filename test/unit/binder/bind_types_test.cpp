// Names and types of results, and types that contexts give to literals and parameters.
#include "bind_fixture.hpp"

namespace scaup::test {

namespace {

struct Expectation {
  const char* sql;
  const char* columns;
};

void Check(const std::vector<Expectation>& expectations) {
  BindFixture fixture;
  for (const Expectation& expectation : expectations) {
    INFO(expectation.sql);
    CHECK(fixture.Columns(expectation.sql) == expectation.columns);
  }
}

std::string ParameterTypes(const std::string& sql) {
  BindFixture fixture;
  fixture.Bind(sql);
  std::string text;
  for (const auto& type : fixture.parameter_types) text += (text.empty() ? "" : ", ") + type.ToString();
  return text;
}

}  // namespace

TEST_CASE("Literals have PostgreSQL's types", "[binder]") {
  Check({
      {"SELECT 1, 2147483647, 2147483648", "?column? INTEGER, ?column? INTEGER, ?column? BIGINT"},
      {"SELECT -9223372036854775808", "?column? BIGINT"},
      {"SELECT -2147483648", "?column? INTEGER"},
      {"SELECT 9223372036854775808", "?column? HUGEINT"},
      {"SELECT 1.50, 0.05, 1e3", "?column? DECIMAL(3,2), ?column? DECIMAL(2,2), ?column? DOUBLE"},
      {"SELECT 'a', NULL, true", "?column? VARCHAR, ?column? VARCHAR, bool BOOLEAN"},
      {"SELECT date '2020-01-01', interval '3' month", "date DATE, interval INTERVAL"},
      {"SELECT 1::bigint, '12'::numeric(9, 2), x::varchar(10) FROM u",
       "int8 BIGINT, numeric DECIMAL(9,2), x VARCHAR"},
  });
}

TEST_CASE("Result columns are named as PostgreSQL names them", "[binder]") {
  Check({
      {"SELECT a, t.b, a AS z, \"b\" FROM t", "a INTEGER, b VARCHAR, z INTEGER, b VARCHAR"},
      {"SELECT count(*), sum(a), max(b) FROM t", "count BIGINT, sum BIGINT, max VARCHAR"},
      {"SELECT CASE WHEN a > 1 THEN 1 END, CASE WHEN a > 1 THEN 1 ELSE a END FROM t",
       "case INTEGER, a INTEGER"},
      {"SELECT coalesce(a, 1), a + 1, EXISTS (SELECT 1), (SELECT x FROM u) FROM t",
       "coalesce INTEGER, ?column? INTEGER, exists BOOLEAN, x INTEGER"},
      {"SELECT extract(year FROM d) FROM t", "date_part DOUBLE"},
      {"VALUES (1, 'a'), (2.5, NULL)", "column1 DECIMAL(11,1), column2 VARCHAR"},
      {"SELECT * FROM t AS q(one, two)", "one INTEGER, two VARCHAR, c DECIMAL(15,2), d DATE"},
      {"SELECT q.* FROM t AS q, u WHERE q.a = u.x", "a INTEGER, b VARCHAR, c DECIMAL(15,2), d DATE"},
      {"WITH w(m) AS (SELECT max(a) FROM t) SELECT * FROM w", "m INTEGER"},
      {"SELECT * FROM generate_series(1, 3) AS i", "i INTEGER"},
  });
}

TEST_CASE("Merged columns of USING and NATURAL come first and once", "[binder]") {
  Check({
      {"SELECT * FROM t JOIN u USING (a)",
       "a INTEGER, b VARCHAR, c DECIMAL(15,2), d DATE, x INTEGER, y VARCHAR"},
      {"SELECT * FROM t NATURAL JOIN u",
       "a INTEGER, b VARCHAR, c DECIMAL(15,2), d DATE, x INTEGER, y VARCHAR"},
      {"SELECT a, t.a, u.a FROM t FULL JOIN u USING (a)", "a INTEGER, a INTEGER, a INTEGER"},
      {"SELECT u.* FROM t JOIN u USING (a)", "x INTEGER, y VARCHAR, a INTEGER"},
      {"SELECT j.a, j.x FROM (t JOIN u USING (a)) AS j", "a INTEGER, x INTEGER"},
  });
}

TEST_CASE("Set operations and CASE find a common type", "[binder]") {
  Check({
      {"SELECT a FROM t UNION ALL SELECT big FROM n", "a BIGINT"},
      {"SELECT 'x' AS p UNION SELECT b FROM t", "p VARCHAR"},
      {"SELECT NULL AS p UNION ALL SELECT 1", "p INTEGER"},
      {"SELECT '2020-01-01' AS p UNION ALL SELECT d FROM t", "p DATE"},
      {"SELECT NULL AS p UNION ALL SELECT NULL", "p VARCHAR"},
      {"SELECT CASE WHEN a = 1 THEN 1 WHEN a = 2 THEN 2.5 ELSE NULL END FROM t", "case DECIMAL(11,1)"},
      {"SELECT CASE WHEN a = 1 THEN NULL ELSE '2020-01-01' END FROM t", "case VARCHAR"},
      {"SELECT CASE a WHEN 1 THEN d ELSE '2020-01-01' END FROM t", "case DATE"},
  });
}

TEST_CASE("Parameters take the type of their context", "[binder]") {
  CHECK(ParameterTypes("SELECT $1 + a, $2 FROM t WHERE d = $3 AND b LIKE $4") ==
        "INTEGER, VARCHAR, DATE, VARCHAR");
  CHECK(ParameterTypes("SELECT a FROM t WHERE a IN ($1, $2) LIMIT $3") == "INTEGER, INTEGER, BIGINT");
  CHECK(ParameterTypes("INSERT INTO t (d, c) VALUES ($1, $2)") == "DATE, DECIMAL(15,2)");
  CHECK(ParameterTypes("INSERT INTO t (d) SELECT $1") == "DATE");
  CHECK(ParameterTypes("SELECT $1::double precision, $1") == "DOUBLE");
  CHECK(ParameterTypes("SELECT a FROM t WHERE c < $1") == "DECIMAL(38,12)");
  CHECK(ParameterTypes("SELECT a FROM t WHERE a BETWEEN $1 AND $2") == "INTEGER, INTEGER");
  CHECK(ParameterTypes("SELECT CASE WHEN $1 THEN a ELSE $2 END FROM t") == "BOOLEAN, INTEGER");
}

TEST_CASE("Defaults are bound to their column's type", "[binder]") {
  BindFixture fixture;
  const BinderContext context{fixture.catalog, *fixture.transaction, fixture.functions,
                              FunctionRegistry::Builtin(), fixture.settings};
  CHECK(BindDefault(context, "", TypeId::kDate)->ToString() == "NULL");
  CHECK(BindDefault(context, "'2020-01-01'", TypeId::kDate)->type() == LogicalType(TypeId::kDate));
  CHECK(BindDefault(context, "1", LogicalType::Decimal(9, 2))->ToString() == "1.00");
  try {
    BindDefault(context, "'x'", TypeId::kInteger);
    FAIL();
  } catch (const Error& error) {
    CHECK(!error.position());
    CHECK(error.message().find("in DEFAULT 'x'") == 0);
  }
}

TEST_CASE("Statements without a plan are bound completely", "[binder]") {
  BindFixture fixture;
  auto bound = fixture.Bind("CREATE TABLE IF NOT EXISTS t (z INTEGER NOT NULL DEFAULT 7, y varchar(3))");
  REQUIRE(bound->kind == BoundStatementKind::kCreateTable);
  const auto& create = bound->As<BoundCreateTable>();
  CHECK(create.schema == "main");
  CHECK(create.if_not_exists);
  REQUIRE(create.columns.size() == 2);
  CHECK(create.columns[0].not_null);
  CHECK(create.columns[0].default_text == "7");
  CHECK(create.columns[1].type == LogicalType(TypeId::kVarchar));
  CHECK_FALSE(HasPlan(*bound));

  bound = fixture.Bind("CREATE TABLE IF NOT EXISTS t AS SELECT 1 AS one");
  CHECK(bound->kind == BoundStatementKind::kCreateTable);
  bound = fixture.Bind("CREATE TABLE w AS SELECT 1 AS one WITH NO DATA");
  CHECK(bound->kind == BoundStatementKind::kCreateTable);
  bound = fixture.Bind("DROP TABLE IF EXISTS nothing, u, u");
  CHECK(bound->As<BoundDrop>().tables.size() == 1);
  bound = fixture.Bind("SET threads = 3");
  CHECK(bound->As<BoundSet>().name == "threads");
  CHECK(bound->As<BoundSet>().value == "3");
  bound = fixture.Bind("BEGIN");
  CHECK(bound->As<BoundTransaction>().action == BoundTransaction::Action::kBegin);
  CHECK(fixture.Columns("SHOW TABLES") == "name VARCHAR");
  CHECK(fixture.Columns("SHOW threads") == "threads VARCHAR");
  CHECK(fixture.Columns("DESCRIBE k") ==
        "column_name VARCHAR, column_type VARCHAR, null VARCHAR, default VARCHAR");
}

TEST_CASE("Long lists and many rows are bound in one pass", "[binder]") {
  BindFixture fixture;
  std::string sql = "SELECT a FROM t WHERE a IN (0";
  for (int i = 1; i < 100'000; i++) sql += ", " + std::to_string(i);
  auto bound = fixture.Bind(sql + ")");
  const auto& select = bound->As<BoundQueryStatement>().query->As<BoundSelect>();
  CHECK(select.where->As<InListExpression>().values.size() == 100'000);
  sql = "INSERT INTO t (a, b) VALUES (0, 'x')";
  for (int i = 1; i < 50'000; i++) sql += ", (" + std::to_string(i) + ", 'x')";
  bound = fixture.Bind(sql);
  const auto& values = bound->As<BoundInsert>().source->As<BoundQueryTable>().query->As<BoundValues>();
  CHECK(values.rows.size() == 50'000);
  CHECK(values.rows[7][0]->kind() == ExpressionKind::kConstant);
}

TEST_CASE("WITH queries that multiply are stopped", "[binder]") {
  BindFixture fixture;
  std::string sql = "WITH w0 AS (SELECT 1 AS v)";
  for (int i = 1; i < 40; i++) {
    const std::string before = "w" + std::to_string(i - 1);
    sql += ", w" + std::to_string(i) + " AS NOT MATERIALIZED (SELECT p.v FROM " + before + " AS p, " +
           before + " AS q)";
  }
  CHECK(fixture.ErrorOf(sql + " SELECT * FROM w39").substr(0, 5) == "54001");
}

}  // namespace scaup::test
