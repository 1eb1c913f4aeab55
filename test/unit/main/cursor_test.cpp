// Cursors: the counts of MOVE, parameters of DECLARE, streams of FETCH, memory that the rows do not fit into.
#include <catch2/catch.hpp>
#include <string>

#include "scaup/scaup.hpp"

namespace scaup {

namespace {

std::string StateOf(Connection& connection, const std::string& sql) {
  try {
    connection.Query(sql);
  } catch (const Error& error) {
    return std::string(error.sqlstate());
  }
  return "";
}

}  // namespace

TEST_CASE("MOVE reports how many rows FETCH would have returned", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT i FROM generate_series(1, 5) s(i)");
  // Counts are PostgreSQL's.
  const std::pair<const char*, uint64_t> moves[] = {
      {"2", 2},          {"BACKWARD 1", 1},  {"BACKWARD ALL", 0}, {"FORWARD ALL", 5}, {"BACKWARD ALL", 5},
      {"ABSOLUTE 3", 1}, {"RELATIVE 1", 1},  {"RELATIVE 5", 0},   {"0", 0},           {"ABSOLUTE 2", 1},
      {"0", 1},          {"LAST", 1},        {"-2", 2},           {"RELATIVE 0", 1},  {"ABSOLUTE 0", 0},
      {"3", 3},          {"BACKWARD ALL", 2}};
  for (const auto& [direction, count] : moves) {
    INFO(direction);
    CHECK(connection.Query(std::string("MOVE ") + direction + " c").rows_changed() == count);
  }
  CHECK(connection.Stream("MOVE 4 c").rows_changed() == 4);
  CHECK(connection.Query("FETCH 7 c").row_count() == 1);
}

TEST_CASE("DECLARE takes parameters", "[main]") {
  Database database;
  Connection connection(database);
  const Value four[] = {Value::Integer(4)};
  connection.Query("DECLARE c CURSOR WITH HOLD FOR SELECT i FROM generate_series(1, 9) s(i) WHERE i > $1",
                   four);
  CHECK(connection.Query("FETCH 2 c").ToString() == "5\n6\n");
  PreparedStatement declare = connection.Prepare(
      "DECLARE d CURSOR WITH HOLD FOR SELECT i FROM generate_series(1, 9) s(i) WHERE i > $1");
  PreparedStatement fetch = connection.Prepare("FETCH ALL d");
  const Value seven[] = {Value::Integer(7)};
  declare.Execute(seven);
  CHECK(fetch.Execute().ToString() == "8\n9\n");
  connection.Query("CLOSE d");
  declare.Execute(four);
  CHECK(fetch.Execute().row_count() == 5);
  CHECK_THROWS_AS(declare.Execute(), Error);
}

TEST_CASE("What FETCH returned outlives its cursor", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("BEGIN");
  connection.Query(
      "CREATE TABLE t AS SELECT 'a string that is not short ' || i AS s FROM range(0, 5000) r(i)");
  connection.Query("DECLARE c CURSOR FOR SELECT s FROM t");
  StreamingResult stream = connection.Stream("FETCH 3000 c");
  CHECK(stream.columns()[0].name == "s");
  const QueryResult rest = connection.Query("FETCH ALL c");
  connection.Query("CLOSE c");
  connection.Query("ROLLBACK");
  CHECK(StateOf(connection, "FETCH c") == "34000");
  QueryResult part;
  size_t row_count = 0;
  while (stream.Fetch(part)) {
    CHECK(part.GetString(0, 0) == "a string that is not short " + std::to_string(row_count));
    row_count += part.row_count();
  }
  CHECK(row_count == 3000);
  CHECK(rest.row_count() == 2000);
  CHECK(rest.GetString(0, 1999) == "a string that is not short 4999");
}

TEST_CASE("The rows of a cursor may be more than the memory", "[main]") {
  Database database(":memory:", {{"memory_limit", "32MB"}});
  Connection connection(database);
  connection.Query(
      "DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT i, i || repeat('x', 100) AS s FROM range(0, 1000000) "
      "r(i)");
  connection.Query("MOVE 700000 c");
  CHECK(connection.Query("FETCH 2 c").GetValue(0, 1).GetBigInt() == 700001);
  CHECK(connection.Query("FETCH BACKWARD 2000 c").row_count() == 2000);
  CHECK(connection.Query("FETCH LAST c").GetValue(0, 0).GetBigInt() == 999999);
}

TEST_CASE("A connection may end with open cursors", "[main]") {
  Database database;
  {
    Connection connection(database);
    connection.Query("DECLARE c CURSOR WITH HOLD FOR SELECT 1");
    connection.Query("BEGIN");
    connection.Query("DECLARE d CURSOR FOR SELECT 1");
    connection.Query("DECLARE e CURSOR WITH HOLD FOR SELECT 1");
  }
  Connection connection(database);
  CHECK(connection.Query("SELECT count(*) FROM pg_cursors").GetValue(0, 0).GetInteger() == 0);
}

}  // namespace scaup
