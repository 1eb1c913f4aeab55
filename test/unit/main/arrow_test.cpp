// Arrow by the public interface: results out, tables of the program in.
#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "error_kind.hpp"
#include "scaup/arrow.h"
#include "scaup/scaup.hpp"

namespace scaup {

using test::KindOf;

namespace {

std::string Sum(Connection& connection, const std::string& sql) { return connection.Query(sql).ToString(); }

struct Stream {
  ~Stream() {
    if (each.release != nullptr) each.release(&each);
  }
  ArrowArrayStream each = {};
};

/// How many rows and arrays a stream has.
std::pair<int64_t, int> Count(ArrowArrayStream& stream) {
  int64_t rows = 0;
  int arrays = 0;
  while (true) {
    ArrowArray array;
    REQUIRE(stream.get_next(&stream, &array) == 0);
    if (array.release == nullptr) return {rows, arrays};
    rows += array.length;
    arrays++;
    array.release(&array);
  }
}

}  // namespace

TEST_CASE("a result is given away as Arrow arrays", "[main][arrow]") {
  Stream stream;
  {
    Database database(":memory:");
    Connection connection(database);
    const QueryResult rows =
        connection.Query("SELECT i, 'a text that is long ' || i FROM range(1000) AS r(i)");
    rows.ExportArrow(&stream.each, {.batch_rows = 300});
    CHECK_THROWS_AS(rows.ExportArrow(&stream.each, {.batch_rows = 0}), Error);
    CHECK_THROWS_AS(connection.Query("CREATE TABLE t (i INTEGER)").ExportArrow(&stream.each), Error);
  }
  // After the database is gone.
  CHECK(Count(stream.each) == std::pair<int64_t, int>(1000, 4));
  CHECK(Count(stream.each) == std::pair<int64_t, int>(0, 0));
}

TEST_CASE("a stream is given away as Arrow arrays, and its error with it", "[main][arrow]") {
  Database database(":memory:");
  Connection connection(database);
  Stream stream, failing;
  connection.Stream("SELECT i FROM range(100000) AS r(i)").ExportArrow(&stream.each, {.batch_rows = 1000});
  CHECK(Count(stream.each).first == 100000);
  connection.Stream("SELECT 1 / (50000 - i) FROM range(100000) AS r(i)").ExportArrow(&failing.each);
  ArrowArray array;
  int code = 0;
  for (int i = 0; i < 1000 && code == 0; i++) {
    code = failing.each.get_next(&failing.each, &array);
    if (code == 0 && array.release != nullptr) array.release(&array);
  }
  CHECK(code != 0);
  CHECK(std::string(failing.each.get_last_error(&failing.each)).find("division by zero") !=
        std::string::npos);
}

TEST_CASE("the schema of a prepared statement is that of its rows", "[main][arrow]") {
  Database database(":memory:");
  Connection connection(database);
  const char* sql =
      "SELECT 1 AS a, 'x' AS b, 2.5 AS a, TIMESTAMPTZ '2024-01-01' AS c, ARRAY[1] AS d WHERE $1 = 1";
  const PreparedStatement prepared = connection.Prepare(sql);
  const Value parameters[] = {Value::Integer(1)};
  const QueryResult rows = connection.Query(sql, parameters);
  Stream stream;
  rows.ExportArrow(&stream.each, {.string_views = true});
  ArrowSchema exported, schema;
  REQUIRE(stream.each.get_schema(&stream.each, &exported) == 0);
  ExportArrowSchema(prepared.columns(), rows.time_zone(), &schema, {.string_views = true});
  REQUIRE(schema.n_children == exported.n_children);
  for (int64_t i = 0; i < schema.n_children; i++) {
    CHECK(std::string(schema.children[i]->name) == exported.children[i]->name);
    CHECK(std::string(schema.children[i]->format) == exported.children[i]->format);
  }
  CHECK(std::string(schema.children[1]->format) == "vu");
  CHECK(std::string(schema.children[2]->name) == "a_1");
  CHECK(std::string(schema.children[3]->format) == "tsu:UTC");
  schema.release(&schema);
  exported.release(&exported);
  // A statement without rows, and a type that is not known.
  ExportArrowSchema({}, "UTC", &schema);
  CHECK(schema.n_children == 0);
  schema.release(&schema);
  const ResultColumn unknown[] = {{"$1", LogicalType()}};
  ExportArrowSchema(unknown, "UTC", &schema);
  CHECK(std::string(schema.children[0]->format) == "n");
  schema.release(&schema);
}

TEST_CASE("tables of the program are read by statements", "[main][arrow]") {
  Database database(":memory:");
  Connection connection(database);
  const QueryResult rows = connection.Query("SELECT i AS x, 'text ' || i AS s FROM range(5000) AS r(i)");
  const ArrowFactory factory = [&](const ArrowRequest&, ArrowArrayStream* out) { rows.ExportArrow(out); };
  SECTION("registered, any number of times") {
    connection.RegisterArrow("Numbers", factory);
    CHECK(Sum(connection, "SELECT sum(a.x) FROM numbers a JOIN NUMBERS b ON a.s = b.s") == "12497500\n");
    connection.Query("CREATE TABLE kept AS SELECT * FROM numbers");
    CHECK_THROWS_AS(connection.Query("CREATE VIEW v AS SELECT * FROM numbers"), Error);
    CHECK(connection.Unregister("numbers"));
    CHECK_FALSE(connection.Unregister("numbers"));
    CHECK_THROWS_AS(connection.Query("SELECT * FROM numbers"), Error);
    CHECK(Sum(connection, "SELECT max(s) FROM kept") == "text 999\n");
  }
  SECTION("a stream, once") {
    Stream stream;
    rows.ExportArrow(&stream.each);
    connection.RegisterArrow("s", &stream.each);
    CHECK(stream.each.release == nullptr);
    CHECK(Sum(connection, "SELECT count(*) FROM s") == "5000\n");
    CHECK_THROWS_AS(connection.Query("SELECT count(*) FROM s"), Error);
  }
  SECTION("found by the program, where the database has none of that name") {
    int asked = 0;
    connection.SetReplacementScan([&](std::string_view name, ArrowArrayStream*) {
      asked++;
      return name == "found" ? factory : ArrowFactory();
    });
    CHECK(Sum(connection, "SELECT count(*) FROM found WHERE x < 10") == "10\n");
    CHECK_THROWS_AS(connection.Query("SELECT * FROM lost"), Error);
    CHECK(asked == 2);
    connection.Query("CREATE TABLE found (x INTEGER)");
    CHECK(Sum(connection, "SELECT count(*) FROM found") == "0\n");
    CHECK_THROWS_AS(connection.Query("SELECT * FROM main.lost"), Error);
    CHECK(asked == 2);
    connection.SetReplacementScan(nullptr);
  }
}

namespace {

/// The rows of a query, put into an appender.
void AppendQuery(Appender& appender, Connection& connection, const std::string& sql,
                 size_t batch_rows = 1000) {
  Stream stream;
  connection.Query(sql).ExportArrow(&stream.each, {.batch_rows = batch_rows});
  try {
    appender.AppendArrow(&stream.each);
  } catch (const Error&) {
    CHECK(stream.each.release == nullptr);
    throw;
  }
  CHECK(stream.each.release == nullptr);
}

}  // namespace

TEST_CASE("Arrow arrays are appended, whatever their types", "[main][arrow]") {
  Database database(":memory:", {{"threads", "2"}});
  Connection connection(database);
  connection.Query(
      "CREATE TABLE s AS SELECT CASE WHEN i % 7 <> 0 THEN i END AS i, i::SMALLINT AS h, i / 3.0 AS x, "
      "(i / 4.0)::DECIMAL(10,2) AS n, i % 2 = 0 AS b, 'text ' || i AS t, DATE '2026-01-31' + i::INTEGER AS "
      "d, "
      "TIMESTAMP '2026-01-31 10:00' + i * INTERVAL '1 second' AS m, i * INTERVAL '1 hour' AS v, "
      "[i, NULL, i + 1] AS l, {'a': i, 'b': [i::VARCHAR]} AS r, ('\\x0' || i % 10)::BYTEA AS y "
      "FROM range(5000) AS q(i)");
  connection.Query("CREATE TABLE t AS SELECT * FROM s LIMIT 0");
  Appender appender(connection, "t");
  AppendQuery(appender, connection, "SELECT * FROM s", 999);
  CHECK(Sum(connection, "SELECT count(*) FROM t") == "0\n");  // Not before Close.
  appender.Close();
  CHECK(Sum(connection, "SELECT * FROM t") == Sum(connection, "SELECT * FROM s"));
}

TEST_CASE("Appended rows and Arrow arrays keep their order", "[main][arrow]") {
  const bool in_block = GENERATE(false, true);
  Database database(":memory:", {{"threads", "2"}});
  Connection connection(database);
  connection.Query("CREATE TABLE t (i BIGINT)");
  if (in_block) connection.Query("BEGIN");
  Appender appender(connection, "t");
  int64_t next = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 1500; i++) appender.AppendRow(next++);
    AppendQuery(
        appender, connection,
        "SELECT i FROM range(" + std::to_string(next) + ", " + std::to_string(next + 300000) + ") r(i)",
        round == 0 ? 70000 : 300);
    next += 300000;
  }
  ArrowSchema schema;
  ArrowArray array;
  Stream stream;
  connection.Query("SELECT " + std::to_string(next++) + "::INTEGER").ExportArrow(&stream.each);
  REQUIRE(stream.each.get_schema(&stream.each, &schema) == 0);
  REQUIRE(stream.each.get_next(&stream.each, &array) == 0);
  appender.AppendArrow(&schema, &array);
  CHECK(schema.release == nullptr);
  CHECK(array.release == nullptr);
  CHECK(KindOf([&] { appender.AppendArrow(&schema, &array); }) == ErrorKind::kUsage);
  appender.Close();
  CHECK(Sum(connection,
            "SELECT count(*), bool_and(i = n) FROM "
            "(SELECT i, row_number() OVER () - 1 AS n FROM t) q") == std::to_string(next) + "\ttrue\n");
  if (!in_block) return;
  connection.Query("ROLLBACK");
  CHECK(Sum(connection, "SELECT count(*) FROM t") == "0\n");
}

TEST_CASE("Appended Arrow arrays become what the table asks for, or nothing of them", "[main][arrow]") {
  Database database(":memory:", {{"threads", "2"}});
  Connection connection(database);
  connection.Query(
      "CREATE TABLE t (id INTEGER GENERATED ALWAYS AS IDENTITY, day DATE, "
      "twice INTEGER GENERATED ALWAYS AS (n * 2) STORED, n INTEGER CHECK (n >= 0), k INTEGER UNIQUE)");
  Appender appender(connection, "t");
  AppendQuery(appender, connection, "SELECT '2026-01-0' || i, i::BIGINT, i::DOUBLE FROM range(1, 4) AS r(i)");
  appender.Flush();
  CHECK(Sum(connection, "SELECT count(id), max(day), sum(twice), sum(k) FROM t") == "3\t2026-01-03\t12\t6\n");

  const std::pair<const char*, ErrorKind> kRefused[] = {
      {"SELECT '2026-01-01', 5000000000 + i, i FROM range(10000) AS r(i)", ErrorKind::kOutOfRange},
      {"SELECT 'day ' || i, i, i FROM range(10000) AS r(i)", ErrorKind::kConversion},
      {"SELECT '2026-01-01', 9000 - i, i + 10 FROM range(10000) AS r(i)", ErrorKind::kConstraint},
      {"SELECT '2026-01-01', i, 10 + i % 9999 FROM range(10000) AS r(i)", ErrorKind::kConstraint},
  };
  for (const auto& [sql, kind] : kRefused) {
    INFO(sql);
    AppendQuery(appender, connection, sql);
    CHECK(KindOf([&] { appender.Flush(); }) == kind);
  }
  CHECK(KindOf([&] { AppendQuery(appender, connection, "SELECT 1, 2"); }) == ErrorKind::kUsage);
  CHECK(KindOf([&] { AppendQuery(appender, connection, "SELECT DATE '2026-01-01', [1], 2"); }) ==
        ErrorKind::kConversion);
  CHECK(KindOf([&] { appender.AppendArrow(nullptr); }) == ErrorKind::kUsage);
  Appender closed(connection, "t");
  closed.Close();
  CHECK(KindOf([&] { AppendQuery(closed, connection, "SELECT '2026-01-01', 2, 3"); }) == ErrorKind::kUsage);
  appender.Append("2026-01-01");
  CHECK(KindOf([&] { AppendQuery(appender, connection, "SELECT '2026-01-01', 2, 3"); }) == ErrorKind::kUsage);
  appender.Append(5).Append(50).EndRow();

  Connection other(database);
  Stream failing;
  other.Stream("SELECT '2026-01-01', i, 100 / (5000 - i) FROM range(10000) AS r(i)")
      .ExportArrow(&failing.each);
  appender.AppendArrow(&failing.each);
  CHECK(KindOf([&] { appender.Flush(); }) == ErrorKind::kIo);
  CHECK(Sum(connection, "SELECT count(*) FROM t") == "3\n");
  appender.Append("2026-01-01").Append(5).Append(50).EndRow();
  appender.Close();
  CHECK(Sum(connection, "SELECT count(*) FROM t") == "4\n");
}

TEST_CASE("Arrow arrays are appended to a collection as documents", "[main][arrow]") {
  Database database(":memory:", {{"threads", "2"}});
  Connection connection(database);
  connection.Query("CREATE COLLECTION c");
  Appender appender(connection, "c");
  appender.AppendRow(R"({"id": -1})");
  AppendQuery(appender, connection,
              "SELECT '{\"id\": ' || i || ', \"s\": \"t\"}' AS d FROM range(2000) r(i)");
  AppendQuery(appender, connection,
              "SELECT i AS id, {'a': i, 'b': [NULL, 'x' || i]} AS \"o\"\"o\", NULL::INTEGER AS n "
              "FROM range(2000, 4000) r(i)");
  appender.Close();
  CHECK(Sum(connection, "SELECT count(*), sum(id), count(s), max(\"o\"\"o\"::VARCHAR) FROM c") ==
        "4001\t7997999\t2000\t{\"a\":3999,\"b\":[null,\"x3999\"]}\n");
  Appender again(connection, "c");
  AppendQuery(again, connection, "SELECT '[1]' FROM range(3)");
  CHECK(KindOf([&] { again.Flush(); }) == ErrorKind::kConversion);
  AppendQuery(again, connection, "SELECT NULL::VARCHAR FROM range(3)");
  CHECK(KindOf([&] { again.Flush(); }) == ErrorKind::kConstraint);
  CHECK(Sum(connection, "SELECT count(*) FROM c") == "4001\n");
}

TEST_CASE("A statement that reads its own connection is told so, and waits for nothing", "[main][arrow]") {
  const std::string threads = GENERATE("1", "2");
  Database database(":memory:", {{"threads", threads}});
  Connection connection(database);
  connection.Query("CREATE TABLE t (i BIGINT)");
  const auto message = [](const auto& body) {
    try {
      body();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  SECTION("a stream, which the statement closes") {
    Appender appender(connection, "t");
    {
      Stream own;
      connection.Stream("SELECT i FROM range(100000) AS r(i)").ExportArrow(&own.each);
      appender.AppendArrow(&own.each);
    }
    CHECK(message([&] { appender.Flush(); }).find("closed by a later statement") != std::string::npos);
  }
  SECTION("a stream that was done when it was opened") {
    Appender appender(connection, "t");
    {
      Stream own;
      connection.Stream("INSERT INTO t SELECT i FROM range(100000) AS r(i) RETURNING i")
          .ExportArrow(&own.each);
      appender.AppendArrow(&own.each);
    }
    CHECK(message([&] { appender.Flush(); }).find("another connection") != std::string::npos);
    CHECK(Sum(connection, "SELECT count(*) FROM t") == "100000\n");
  }
  SECTION("a table that runs a query") {
    const QueryResult rows = connection.Query("SELECT 1 AS i");
    bool is_asking = false;
    std::string told;
    connection.RegisterArrow("r", [&](const ArrowRequest&, ArrowArrayStream* out) {
      if (is_asking) told = message([&] { connection.Query("SELECT 2"); });
      rows.ExportArrow(out);
    });
    is_asking = true;
    CHECK(Sum(connection, "SELECT i FROM r") == "1\n");
    CHECK(told.find("another connection") != std::string::npos);
    is_asking = false;
    connection.Unregister("r");
  }
  SECTION("a search for tables that runs a query") {
    std::string told;
    connection.SetReplacementScan([&](std::string_view, ArrowArrayStream*) {
      told = message([&] { connection.Query("SELECT 2"); });
      return ArrowFactory();
    });
    CHECK_THROWS_AS(connection.Query("SELECT * FROM nobody"), Error);
    CHECK(told.find("another connection") != std::string::npos);
    connection.SetReplacementScan(nullptr);
  }
  CHECK(Sum(connection, "SELECT 3") == "3\n");
}

TEST_CASE("A table of the program is told which rows are wanted", "[main][arrow]") {
  Database database(":memory:");
  Connection connection(database);
  const QueryResult all =
      connection.Query("SELECT i AS x, 'text ' || i AS s, i AS y FROM range(100) AS r(i)");
  const QueryResult few = connection.Query("SELECT 5::BIGINT AS x, 'text 5' AS s, 5::BIGINT AS y");
  std::vector<ArrowRequest> requests;
  bool leaves_out = false;
  connection.RegisterArrow("t", [&](const ArrowRequest& request, ArrowArrayStream* out) {
    requests.push_back(request);
    (leaves_out && !request.filters.empty() ? few : all).ExportArrow(out);
  });
  const std::string sql =
      "SELECT count(*), max(s) FROM (SELECT * FROM t) q WHERE x = 5 AND s IS NOT NULL AND y < 10 AND x + y < "
      "20 "
      "AND s LIKE '%t%'";
  for (const bool each : {false, true}) {
    leaves_out = each;
    requests.clear();
    CHECK(Sum(connection, sql) == "1\ttext 5\n");
    REQUIRE(!requests.empty());
    const ArrowRequest& request = requests.back();
    CHECK(request.columns.size() == 3);
    std::vector<std::string> filters;
    for (const ArrowFilter& filter : request.filters)
      filters.push_back(filter.column + std::to_string(static_cast<int>(filter.test)) +
                        filter.value.ToString());
    std::sort(filters.begin(), filters.end());
    CHECK(filters == std::vector<std::string>{"s7NULL", "x05", "y210"});
  }
  requests.clear();
  CHECK(Sum(connection, "SELECT count(*) FROM t WHERE x < 3 OR y > 97") == "5\n");
  CHECK(requests.back().filters.empty());
  CHECK(Sum(connection, "SELECT count(*) FROM range(3) r(i) LEFT JOIN t ON x = i AND y > 1000") == "3\n");
  CHECK(Sum(connection, "EXPLAIN SELECT x FROM t WHERE x >= 7").find("wanted: x >= 7") != std::string::npos);
}

}  // namespace scaup
