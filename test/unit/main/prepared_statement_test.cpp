// Prepared statements: parameters of all types, changed tables, errors.
#include <catch2/catch.hpp>
#include <cmath>

#include "../vector/random_values.hpp"
#include "scaup/scaup.hpp"

namespace scaup {

TEST_CASE("Parameters of every type come back as they were", "[main]") {
  Database database;
  Connection connection(database);
  test::Random random(91);
  for (const LogicalType& type : test::SampleTypes()) {
    PreparedStatement statement = connection.Prepare("SELECT CAST($1 AS " + type.ToString() + ") AS v");
    CHECK(statement.parameter_count() == 1);
    REQUIRE(statement.columns().size() == 1);
    CHECK(statement.columns()[0].type == type);
    connection.Query("CREATE TABLE t (a " + type.ToString() + ")");
    PreparedStatement insert = connection.Prepare("INSERT INTO t VALUES ($1)");
    PreparedStatement find = connection.Prepare("SELECT count(*) FROM t WHERE a IS NOT DISTINCT FROM $1");
    for (size_t i = 0; i < 20; i++) {
      const Value value = test::RandomValue(random, type, 20, 30, false);
      INFO(type.ToString() << " " << value.ToString());
      const QueryResult result = statement.Execute({&value, 1});
      CHECK(test::SameValue(result.GetValue(0, 0), value));
      CHECK(insert.Execute({&value, 1}).rows_changed() == 1);
      CHECK(find.Execute({&value, 1}).GetValue(0, 0).GetInteger() >= 1);
    }
    const Value null;  // Of no type at all.
    CHECK(statement.Execute({&null, 1}).IsNull(0, 0));
    connection.Query("DROP TABLE t");
  }
}

TEST_CASE("Values are cast to what the statement needs", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (a INTEGER, d DATE)");
  PreparedStatement insert = connection.Prepare("INSERT INTO t VALUES ($1, $2)");
  const Value texts[] = {Value::Varchar("12"), Value::Varchar("2024-02-29")};
  insert.Execute(texts);
  CHECK(connection.Query("SELECT a, d FROM t").ToString() == "12\t2024-02-29\n");
  const Value bad[] = {Value::Varchar("twelve"), Value::Varchar("2024-02-29")};
  CHECK_THROWS_AS(insert.Execute(bad), Error);
  const Value large[] = {Value::BigInt(int64_t{1} << 40), Value::Date(1)};
  CHECK_THROWS_AS(insert.Execute(large), Error);
  insert.Execute(texts);  // Still usable.
  CHECK(connection.Query("SELECT count(*) FROM t").GetValue(0, 0).GetInteger() == 2);
  for (const size_t count : {0, 1, 3}) {
    const std::vector<Value> wrong(count, Value::Integer(1));
    try {
      insert.Execute(wrong);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kUsage);
    }
  }
}

TEST_CASE("A statement whose table changed is prepared again", "[main]") {
  Database database;
  Connection connection(database), other(database);
  connection.Query("CREATE TABLE t AS SELECT 1 AS a");
  PreparedStatement select = connection.Prepare("SELECT * FROM t");
  PreparedStatement insert = connection.Prepare("INSERT INTO t VALUES ($1)");
  CHECK(select.Execute().ToString() == "1\n");
  other.Query("INSERT INTO t VALUES (2)");
  CHECK(select.Execute().row_count() == 2);
  other.Query("DROP TABLE t");
  const Value value = Value::Integer(5);
  for (size_t i = 0; i < 2; i++) {
    CHECK_THROWS_AS(select.Execute(), Error);
    CHECK_THROWS_AS(insert.Execute({&value, 1}), Error);
  }
  other.Query("CREATE TABLE t (b VARCHAR, c INTEGER DEFAULT 7); INSERT INTO t VALUES ('x', 3)");
  const QueryResult result = select.Execute();
  CHECK(result.ToString() == "x\t3\n");
  REQUIRE(select.columns().size() == 2);
  CHECK(select.columns()[0].name == "b");
  CHECK(select.columns()[0].type == LogicalType(TypeId::kVarchar));
  insert.Execute({&value, 1});
  CHECK(select.Execute().row_count() == 2);
  QueryResult rows;
  StreamingResult stream = select.Stream();
  CHECK(stream.Fetch(rows));
  CHECK(rows.column_count() == 2);
}

TEST_CASE("A table replaced while a statement is prepared is not written to any more", "[main]") {
  Database database;
  Connection connection(database), other(database);
  connection.Query("CREATE TABLE t (a INTEGER)");
  PreparedStatement insert = connection.Prepare("INSERT INTO t VALUES ($1)");
  const Value value = Value::Integer(1);
  for (size_t i = 0; i < 20; i++) {
    other.Query("DROP TABLE t; CREATE TABLE t (a INTEGER)");
    insert.Execute({&value, 1});
    REQUIRE(connection.Query("SELECT count(*) FROM t").GetValue(0, 0).GetInteger() == 1);
  }
}

TEST_CASE("Prepared statements see settings and time anew, and outlive their connection", "[main]") {
  std::optional<PreparedStatement> statement;
  {
    Database database;
    Connection connection(database);
    statement = connection.Prepare("SELECT $1 + 1");
  }
  for (int i = 0; i < 3; i++) {
    const Value value = Value::Integer(i);
    CHECK(statement->Execute({&value, 1}).GetValue(0, 0).GetInteger() == i + 1);
  }
  PreparedStatement moved = std::move(*statement);
  const Value value = Value::Integer(41);
  CHECK(moved.Execute({&value, 1}).GetValue(0, 0).GetInteger() == 42);
}

TEST_CASE("Only one statement can be prepared, and only one that binds", "[main]") {
  Database database;
  Connection connection(database);
  for (const char* text : {"", "SELECT 1; SELECT 2", "SELECT nothing", "SELEC"})
    CHECK_THROWS_AS(connection.Prepare(text), Error);
  PreparedStatement create = connection.Prepare("CREATE TABLE t (a INTEGER)");
  CHECK(create.columns().empty());
  create.Execute();
  CHECK_THROWS_AS(create.Execute(), Error);
  connection.Query("DROP TABLE t");
  create.Execute();
  CHECK(connection.Query("SELECT count(*) FROM t").row_count() == 1);
}

TEST_CASE("EXECUTE takes parameters, streams, and can be prepared", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("PREPARE p AS SELECT i + $1 AS x FROM generate_series(1, 3) AS g(i)");
  const Value two[] = {Value::Integer(2)};
  const QueryResult result = connection.Query("EXECUTE p($1 * 10)", two);
  REQUIRE(result.row_count() == 3);
  CHECK(result.GetValue(0, 2).GetInteger() == 23);

  StreamingResult stream = connection.Stream("EXECUTE p(1)");
  REQUIRE(stream.columns().size() == 1);
  CHECK(stream.columns()[0].name == "x");
  QueryResult rows;
  REQUIRE(stream.Fetch(rows));
  CHECK(rows.row_count() == 3);
  CHECK_FALSE(stream.Fetch(rows));

  PreparedStatement prepared = connection.Prepare("EXECUTE p(?)");
  CHECK(prepared.parameter_count() == 1);
  CHECK(prepared.Execute(two).GetValue(0, 0).GetInteger() == 3);
  StreamingResult again = prepared.Stream(two);
  CHECK(again.Fetch(rows));
  PreparedStatement forget = connection.Prepare("DEALLOCATE p");
  forget.Execute();
  CHECK_THROWS_AS(prepared.Execute(two), Error);
  CHECK_THROWS_AS(forget.Execute(), Error);
  PreparedStatement make = connection.Prepare("PREPARE q AS SELECT 1");
  make.Execute();
  CHECK(connection.Query("EXECUTE q").GetValue(0, 0).GetInteger() == 1);
}

TEST_CASE("The type of a given value says what is read of a path", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query(R"(INSERT INTO c OBJECT {"i": 1, "v": 5}, {"i": 2, "v": 7.5})");
  PreparedStatement find = connection.Prepare("SELECT i FROM c WHERE v = $1");
  PreparedStatement from = connection.Prepare("SELECT count(*) FROM c WHERE v >= $1");
  PreparedStatement insert = connection.Prepare("INSERT INTO c (v) VALUES ($1)");
  const Value five[] = {Value::Integer(5)}, text[] = {Value::Varchar("5")}, yes[] = {Value::Boolean(true)};
  CHECK(find.Execute(five).GetValue(0, 0).GetInteger() == 1);
  CHECK(find.Execute(text).row_count() == 0);
  CHECK(from.Execute(five).GetValue(0, 0).GetInteger() == 2);
  // The path gets values of more types.
  connection.Query(R"(INSERT INTO c OBJECT {"i": 3, "v": "5"}, {"i": 4, "v": true})");
  for (int round = 0; round < 3; round++) {
    CHECK(find.Execute(five).GetValue(0, 0).GetInteger() == 1);
    CHECK(find.Execute(text).GetValue(0, 0).GetInteger() == 3);
    CHECK(find.Execute(yes).GetValue(0, 0).GetInteger() == 4);
    CHECK(from.Execute(five).GetValue(0, 0).GetInteger() == 2);
  }
  StreamingResult stream = find.Stream(text);
  QueryResult rows;
  REQUIRE(stream.Fetch(rows));
  CHECK(rows.GetValue(0, 0).GetInteger() == 3);
  for (const Value* value : {five, text, yes}) insert.Execute({value, 1});
  const QueryResult added = connection.Query("SELECT c FROM c WHERE i IS NULL");
  REQUIRE(added.row_count() == 3);
  CHECK(added.GetValue(0, 0).GetString() == R"({"v":5})");
  CHECK(added.GetValue(0, 1).GetString() == R"({"v":"5"})");
  CHECK(added.GetValue(0, 2).GetString() == R"({"v":true})");
}

}  // namespace scaup
