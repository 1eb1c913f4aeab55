// Rows keep the order of their source through results and inserts, with any number of threads.
#include <catch2/catch.hpp>

#include "scaup/scaup.hpp"

namespace scaup {

namespace {

/// Checks that column 0 counts from `first` by `step`.
void CheckCounts(const QueryResult& result, size_t count, int64_t first, int64_t step) {
  REQUIRE(result.row_count() == count);
  const ColumnView view = result.Column(0);
  const auto* values = static_cast<const int64_t*>(view.data);
  for (size_t row = 0; row < count; row++) {
    if (values[row] != first + static_cast<int64_t>(row) * step) FAIL("row " << row << " is " << values[row]);
  }
}

}  // namespace

TEST_CASE("Inserts keep the order of what they read", "[main]") {
  for (const char* threads : {"1", "2", "4"}) {
    Database database(":memory:", {{"threads", threads}});
    Connection connection(database);
    constexpr size_t kRows = 700000;  // Several row groups.
    connection.Query("CREATE TABLE t AS SELECT x, x % 10 AS m FROM range(0, 700000) r(x)");
    CheckCounts(connection.Query("SELECT x FROM t"), kRows, 0, 1);
    connection.Query("CREATE TABLE filtered AS SELECT x FROM t WHERE m = 3");
    CheckCounts(connection.Query("SELECT x FROM filtered"), kRows / 10, 3, 10);
    connection.Query("CREATE TABLE sorted AS SELECT x FROM t ORDER BY x DESC");
    CheckCounts(connection.Query("SELECT x FROM sorted"), kRows, kRows - 1, -1);
    connection.Query("CREATE TABLE part AS SELECT x FROM t ORDER BY x LIMIT 5000 OFFSET 77");
    CheckCounts(connection.Query("SELECT x FROM part"), 5000, 77, 1);
    connection.Query(
        "CREATE TABLE twice AS SELECT x FROM t WHERE x < 300000 UNION ALL SELECT x FROM t WHERE x >= 300000");
    CheckCounts(connection.Query("SELECT x FROM twice"), kRows, 0, 1);
    connection.Query("INSERT INTO part SELECT x FROM t WHERE x BETWEEN 5077 AND 400000");
    CheckCounts(connection.Query("SELECT x FROM part"), 400001 - 77, 77, 1);
    CheckCounts(connection.Query("SELECT x FROM t LIMIT 1000 OFFSET 650000"), 1000, 650000, 1);
  }
}

TEST_CASE("An insert reads its own table as it was before", "[main]") {
  Database database(":memory:", {{"threads", "4"}});
  Connection connection(database);
  connection.Query("CREATE TABLE t AS SELECT x FROM range(0, 3) r(x)");
  for (int i = 0; i < 16; i++) connection.Query("INSERT INTO t SELECT x FROM t");
  CHECK(connection.Query("SELECT count(*) FROM t").GetValue(0, 0).GetInteger() == 3 * 65536);
  CHECK(connection.Query("SELECT sum(x) FROM t").GetValue(0, 0).ToString() == std::to_string(3 * 65536));
}

TEST_CASE("Rows one by one fill a table as one insert does", "[main]") {
  Database database(":memory:", {{"threads", "2"}});
  Connection connection(database);
  connection.Query("CREATE TABLE t (x BIGINT, s VARCHAR)");
  PreparedStatement insert = connection.Prepare("INSERT INTO t VALUES ($1, $2)");
  for (int64_t i = 0; i < 2100; i++) {
    const Value values[] = {
        Value::BigInt(i),
        i % 9 == 0 ? Value() : Value::Varchar("the value behind key " + std::to_string(i % 700))};
    insert.Execute(values);
  }
  CheckCounts(connection.Query("SELECT x FROM t"), 2100, 0, 1);
  const QueryResult wrong = connection.Query(
      "SELECT count(*) FROM t WHERE CASE WHEN x % 9 = 0 THEN s IS NOT NULL ELSE s IS DISTINCT FROM 'the "
      "value behind key ' || (x % 700) END");
  CHECK(wrong.GetValue(0, 0).GetInteger() == 0);
}

}  // namespace scaup
