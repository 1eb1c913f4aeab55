// Tests of what drivers and servers ask: parts of a text, states of transactions, types of parameters.
#include "scaup/statement_info.hpp"

#include <catch2/catch.hpp>

#include "scaup/connection.hpp"
#include "scaup/postgres_type.hpp"

namespace scaup {

namespace {

using Kind = StatementInfo::Kind;

StatementInfo InfoOf(const std::string& sql) {
  const auto infos = DescribeStatements(sql);
  REQUIRE(infos.size() == 1);
  return infos[0];
}

}  // namespace

TEST_CASE("statements of a text are described") {
  const std::string sql = " SELECT $1 + $2; BEGIN ;; INSERT INTO t VALUES (1)";
  const auto infos = DescribeStatements(sql);
  REQUIRE(infos.size() == 3);
  CHECK(sql.substr(infos[0].position, infos[0].length) == "SELECT $1 + $2");
  CHECK(infos[0].kind == Kind::kQuery);
  CHECK(infos[0].parameter_count == 2);
  CHECK(infos[1].kind == Kind::kBegin);
  CHECK(infos[2].kind == Kind::kChange);
  CHECK(infos[2].command == "INSERT");
  CHECK(DescribeStatements("").empty());
  CHECK_THROWS_AS(DescribeStatements("SELEC 1"), Error);
}

TEST_CASE("commands about functions are named after what they are about") {
  CHECK(InfoOf("CREATE FUNCTION f(a INT) RETURNS INT LANGUAGE sql AS 'SELECT a'").command ==
        "CREATE FUNCTION");
  CHECK(InfoOf("CREATE AGGREGATE f(a INT) RETURNS INT LANGUAGE python AS 'return a'").command ==
        "CREATE AGGREGATE");
  CHECK(InfoOf("DROP FUNCTION f").command == "DROP FUNCTION");
  CHECK(InfoOf("DROP AGGREGATE IF EXISTS f(INT)").command == "DROP AGGREGATE");
  CHECK(InfoOf("DROP ROUTINE f").command == "DROP ROUTINE");
  CHECK(InfoOf("ALTER FUNCTION f(INT) RENAME TO g").command == "ALTER FUNCTION");
  CHECK(InfoOf("ALTER AGGREGATE f(INT) RENAME TO g").command == "ALTER AGGREGATE");
  CHECK(InfoOf("COMMENT ON FUNCTION f(INT) IS 'x'").command == "COMMENT");
}

TEST_CASE("a parsed text is executed and prepared without parsing it again") {
  const Database database;
  Connection connection(database);
  ParsedText text = connection.Parse(" SELECT 1 + $1 ; ");
  REQUIRE(text.statements().size() == 1);
  CHECK(text.statements()[0].parameter_count == 1);
  const Value two = Value::Integer(2);
  StreamingResult stream = connection.Stream(std::move(text), std::span(&two, 1));
  QueryResult rows;
  REQUIRE(stream.Fetch(rows));
  CHECK(rows.GetValue(0, 0).GetInteger() == 3);
  // Positions count in the whole text, now and when the text comes again.
  const std::string wrong = "  SELECT 1, nope FROM range(3)";
  for (int i = 0; i < 2; i++) {
    try {
      connection.Stream(connection.Parse(wrong));
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.position() == wrong.find("nope"));
    }
  }
  PreparedStatement prepared = connection.Prepare(connection.Parse("SELECT $1 || 'x'"), {});
  const Value a = Value::Varchar("a");
  CHECK(prepared.Execute(std::span(&a, 1)).GetValue(0, 0).GetString() == "ax");

  CHECK_THROWS_WITH(connection.Stream(connection.Parse("SELECT 1; SELECT 2")),
                    Catch::Matchers::Contains("expected one statement"));
  CHECK_THROWS_WITH(connection.Prepare(connection.Parse(" "), {}), Catch::Matchers::Contains("no statement"));
  CHECK_THROWS_AS(connection.Parse("SELEC 1"), Error);
  ParsedText first = connection.Parse("SELECT 1");
  const ParsedText second = std::move(first);
  CHECK(second.statements().size() == 1);
  CHECK_THROWS_AS(first.statements(), Error);                   // NOLINT(bugprone-use-after-move)
  CHECK_THROWS_AS(connection.Stream(std::move(first)), Error);  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("commands have PostgreSQL's names") {
  const std::pair<const char*, const char*> commands[] = {
      {"CREATE TABLE t (a INT)", "CREATE TABLE"},
      {"CREATE TABLE t AS SELECT 1", "SELECT"},
      {"CREATE VIEW v AS SELECT 1", "CREATE VIEW"},
      {"DROP TABLE t", "DROP TABLE"},
      {"DROP INDEX i", "DROP INDEX"},
      {"ALTER TABLE t RENAME TO u", "ALTER TABLE"},
      {"TRUNCATE t", "TRUNCATE TABLE"},
      {"SET timezone = 'UTC'", "SET"},
      {"RESET timezone", "RESET"},
      {"ROLLBACK TO a", "ROLLBACK"},
      {"COPY t TO 'file'", "COPY"},
      {"EXPLAIN SELECT 1", "EXPLAIN"},
      {"VALUES (1)", "SELECT"},
      {"DEALLOCATE ALL", "DEALLOCATE ALL"},
      {"DECLARE c CURSOR FOR SELECT 1", "DECLARE CURSOR"},
      {"FETCH ALL FROM c", "FETCH"},
      {"MOVE c", "MOVE"},
      {"CLOSE c", "CLOSE CURSOR"},
      {"CLOSE ALL", "CLOSE CURSOR ALL"},
      {"DISCARD ALL", "DISCARD ALL"},
      {"DISCARD TEMPORARY", "DISCARD TEMP"},
      {"UNLISTEN *", "UNLISTEN"},
  };
  for (const auto& [sql, command] : commands) CHECK(InfoOf(sql).command == command);
  CHECK(InfoOf("DEALLOCATE \"A b\"").name == "A b");
}

TEST_CASE("parts of a COPY of a client's stream are described") {
  const StatementInfo from =
      InfoOf("COPY s.t (a, \"B\") FROM STDIN WITH (FORMAT csv, FORCE_NULL (a), HEADER)");
  REQUIRE(from.copy);
  CHECK(from.kind == Kind::kCopyStream);
  CHECK(from.copy->is_from);
  CHECK(from.copy->schema == "s");
  CHECK(from.copy->table == "t");
  CHECK(from.copy->columns == std::vector<std::string>{"a", "B"});
  REQUIRE(from.copy->options.size() == 3);
  CHECK(from.copy->options[0].value == "csv");
  CHECK(from.copy->options[1].values == std::vector<std::string>{"a"});
  CHECK_FALSE(from.copy->options[2].has_value);
  const StatementInfo to = InfoOf("COPY (SELECT (1) FROM t) TO STDOUT");
  REQUIRE(to.copy);
  CHECK(to.copy->query == "SELECT (1) FROM t");
  CHECK(to.copy->query_position == 6);
  CHECK_FALSE(InfoOf("COPY t TO 'file'").copy);
}

TEST_CASE("a connection tells the state of its transaction") {
  const Database database;
  Connection connection(database);
  CHECK(connection.transaction_status() == TransactionStatus::kIdle);
  connection.Query("BEGIN");
  CHECK(connection.transaction_status() == TransactionStatus::kOpen);
  CHECK_THROWS_AS(connection.Query("SELECT 1 / 0"), Error);
  CHECK(connection.transaction_status() == TransactionStatus::kFailed);
  connection.Query("ROLLBACK");
  CHECK(connection.transaction_status() == TransactionStatus::kIdle);
}

TEST_CASE("types of parameters are inferred or declared, and stay declared") {
  const Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (a INTEGER, b DATE)");
  CHECK(connection.Prepare("INSERT INTO t VALUES ($1, $2)").parameter_types() ==
        std::vector<LogicalType>{TypeId::kInteger, TypeId::kDate});
  const LogicalType declared[] = {LogicalType::Decimal(10, 4)};
  PreparedStatement statement = connection.Prepare("SELECT $1 + 1", declared);
  CHECK(statement.parameter_types() == std::vector<LogicalType>{LogicalType::Decimal(10, 4)});
  const Value values[] = {Value::Varchar("1.2345")};
  CHECK(statement.Execute(values).GetValue(0, 0).ToString() == "2.2345");
  connection.Query("ALTER TABLE t ADD COLUMN c INTEGER");
  CHECK(statement.Execute(values).GetValue(0, 0).ToString() == "2.2345");
}

TEST_CASE("types have PostgreSQL's numbers") {
  CHECK(PostgresTypeOf(TypeId::kInteger).oid == 23);
  CHECK(PostgresTypeOf(TypeId::kInteger).length == 4);
  CHECK(PostgresTypeOf(LogicalType::Decimal(10, 2)).modifier == (10 << 16 | 2) + 4);
}

}  // namespace scaup
