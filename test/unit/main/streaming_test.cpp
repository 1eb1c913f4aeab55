// Streams: parts, closing by later statements, errors on the way.
#include <catch2/catch.hpp>

#include <algorithm>

#include "scaup/scaup.hpp"
#include "scratch_directory.hpp"

namespace scaup {

namespace {

size_t Drain(StreamingResult& stream) {
  QueryResult rows;
  size_t count = 0;
  while (stream.Fetch(rows)) {
    REQUIRE(rows.row_count() > 0);
    count += rows.row_count();
  }
  return count;
}

}  // namespace

TEST_CASE("A stream gives all rows in order and then its end, again and again", "[main]") {
  Database database(":memory:", {{"threads", "3"}});
  Connection connection(database);
  connection.Query("CREATE TABLE t AS SELECT x FROM range(0, 100000) r(x)");
  StreamingResult stream = connection.Stream("SELECT x AS number FROM t");
  CHECK(stream.columns()[0].name == "number");
  QueryResult rows;
  int64_t next = 0;
  size_t parts = 0;
  while (stream.Fetch(rows)) {
    parts++;
    const ColumnView view = rows.Column(0);
    for (size_t row = 0; row < view.row_count; row++)
      REQUIRE(static_cast<const int64_t*>(view.data)[row] == next++);
  }
  CHECK(next == 100000);
  CHECK(parts > 3);
  CHECK_FALSE(stream.Fetch(rows));
  CHECK_FALSE(stream.Fetch(rows));
}

TEST_CASE("A later statement closes the stream", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t AS SELECT x FROM range(0, 100000) r(x)");
  StreamingResult stream = connection.Stream("SELECT x FROM t");
  QueryResult rows;
  REQUIRE(stream.Fetch(rows));
  connection.Query("SELECT 1");
  try {
    stream.Fetch(rows);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(std::string(error.sqlstate()) == "24000");
    CHECK(error.kind() == ErrorKind::kUsage);
  }
  CHECK(rows.GetValue(0, 5).GetInteger() == 5);  // What was fetched stays.
  // One that had ended is not closed, it has ended.
  StreamingResult ended = connection.Stream("SELECT 1");
  CHECK(Drain(ended) == 1);
  connection.Query("SELECT 1");
  CHECK_FALSE(ended.Fetch(rows));
  // Preparing and other streams close it too.
  StreamingResult first = connection.Stream("SELECT x FROM t"), second = connection.Stream("SELECT x FROM t");
  CHECK_THROWS_AS(first.Fetch(rows), Error);
  CHECK(Drain(second) == 100000);
  // A stream that is dropped half way leaves the connection usable.
  {
    StreamingResult dropped = connection.Stream("SELECT x FROM t");
    dropped.Fetch(rows);
  }
  CHECK(connection.Query("SELECT count(*) FROM t").GetValue(0, 0).GetInteger() == 100000);
}

TEST_CASE("A stream reads the state in which it began", "[main]") {
  Database database;
  Connection reader(database), writer(database);
  writer.Query("CREATE TABLE t AS SELECT x FROM range(0, 60000) r(x)");
  StreamingResult stream = reader.Stream("SELECT x FROM t");
  QueryResult rows;
  REQUIRE(stream.Fetch(rows));
  const size_t first = rows.row_count();
  writer.Query("INSERT INTO t SELECT x FROM t");
  writer.Query("DROP TABLE t; CREATE TABLE t (other VARCHAR)");
  CHECK(first + Drain(stream) == 60000);
}

TEST_CASE("An error on the way ends the stream", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t AS SELECT x FROM range(0, 100000) r(x)");
  StreamingResult stream = connection.Stream("SELECT 1 / (x - 50000) FROM t");
  QueryResult rows;
  CHECK_THROWS_AS(Drain(stream), Error);
  CHECK_FALSE(stream.Fetch(rows));
  CHECK_THROWS_AS(connection.Stream("SELECT nothing"), Error);
  CHECK_THROWS_AS(connection.Stream("SELECT 1; SELECT 2"), Error);
  CHECK_THROWS_AS(connection.Stream(""), Error);
}

TEST_CASE("Statements without rows stream nothing but their effect", "[main]") {
  Database database;
  Connection connection(database);
  QueryResult rows;
  StreamingResult created = connection.Stream("CREATE TABLE t (a INTEGER)");
  CHECK(created.columns().empty());
  CHECK_FALSE(created.Fetch(rows));
  StreamingResult inserted = connection.Stream("INSERT INTO t VALUES (1), (2)");
  CHECK(inserted.columns().empty());
  CHECK_FALSE(inserted.Fetch(rows));
  CHECK(connection.Query("SELECT count(*) FROM t").GetValue(0, 0).GetInteger() == 2);
  StreamingResult empty = connection.Stream("SELECT a FROM t WHERE a > 10");
  CHECK(empty.columns().size() == 1);
  CHECK_FALSE(empty.Fetch(rows));
}

namespace {

/// A table of the numbers 0 to 99, and what changes it.
struct Numbers {
  Numbers() {
    connection.Query("CREATE TABLE t AS SELECT x FROM range(0, 100) r(x)");
    connection.Query("CREATE SEQUENCE s; CREATE COLLECTION c");
  }
  int64_t Count(const std::string& sql) {
    return static_cast<int64_t>(other.Query(sql).GetValue(0, 0).GetInteger());
  }
  int64_t Rows() { return Count("SELECT count(*) FROM t"); }
  Database database;
  Connection connection{database}, other{database};
};

}  // namespace

TEST_CASE("What a statement changes is done when its stream is given, whatever becomes of the stream",
          "[main]") {
  const struct {
    const char* sql;
    const char* check;  ///< gives 1 once it is done
  } kStatements[] = {
      {"INSERT INTO t VALUES (100)", "SELECT count(*) FROM t WHERE x = 100"},
      {"INSERT INTO t VALUES (100), (200) RETURNING x", "SELECT count(*) FROM t WHERE x = 100"},
      {"UPDATE t SET x = -x", "SELECT count(*) FROM t WHERE x = -99"},
      {"UPDATE t SET x = -x RETURNING x", "SELECT count(*) FROM t WHERE x = -99"},
      {"UPDATE t SET x = -x RETURNING x, (SELECT max(x) FROM t)", "SELECT count(*) FROM t WHERE x = -99"},
      {"DELETE FROM t", "SELECT count(*) + 1 FROM t"},
      {"DELETE FROM t RETURNING x", "SELECT count(*) + 1 FROM t"},
      {"MERGE INTO t USING (SELECT 5 AS y) AS s ON x = y WHEN MATCHED THEN UPDATE SET x = 500",
       "SELECT count(*) FROM t WHERE x = 500"},
      {"MERGE INTO t USING (SELECT 5 AS y) AS s ON x = y WHEN MATCHED THEN UPDATE SET x = 500 RETURNING x",
       "SELECT count(*) FROM t WHERE x = 500"},
      {"WITH gone AS (DELETE FROM t RETURNING x) SELECT count(*) FROM gone", "SELECT count(*) + 1 FROM t"},
      {"WITH gone AS (DELETE FROM t RETURNING x) SELECT 1", "SELECT count(*) + 1 FROM t"},
      {"WITH gone AS (DELETE FROM t RETURNING x) SELECT a.x FROM gone a, t b", "SELECT count(*) + 1 FROM t"},
      {"EXPLAIN ANALYZE DELETE FROM t", "SELECT count(*) + 1 FROM t"},
      {"EXPLAIN ANALYZE INSERT INTO t VALUES (100) RETURNING x", "SELECT count(*) FROM t WHERE x = 100"},
      {"EXECUTE deletion", "SELECT count(*) + 1 FROM t"},
      {"EXPLAIN ANALYZE EXECUTE deletion", "SELECT count(*) + 1 FROM t"},
      {"CREATE TABLE u AS SELECT x FROM t WHERE x = 1", "SELECT count(*) FROM u"},
      {"CREATE TABLE u AS EXECUTE one", "SELECT count(*) FROM u"},
      {"INSERT INTO c OBJECT {\"a\": 1}", "SELECT count(*) FROM c"},
      {"INSERT INTO made OBJECT {\"a\": 1}", "SELECT count(*) FROM made"},
      {"SELECT setval('s', 41)", "SELECT nextval('s') - 41"},
      {"SELECT nextval('s') FROM t", "SELECT nextval('s') - 100"},
      {"SELECT x FROM t WHERE x < (SELECT nextval('s'))", "SELECT nextval('s') - 1"},
      {"TRUNCATE t", "SELECT count(*) + 1 FROM t"},
      {"CREATE VIEW v AS SELECT 1", "SELECT count(*) FROM v"},
  };
  for (const auto& statement : kStatements) {
    for (const bool is_prepared : {false, true}) {
      for (const char* fate : {"dropped", "fetched once", "followed", "kept"}) {
        INFO(statement.sql << (is_prepared ? ", prepared, " : ", ") << fate);
        const std::string way = fate;
        Numbers numbers;
        numbers.connection.Query(
            "PREPARE deletion AS DELETE FROM t RETURNING x; PREPARE one AS SELECT 1 AS x");
        const auto make = [&] {
          if (!is_prepared) return numbers.connection.Stream(statement.sql);
          PreparedStatement prepared = numbers.connection.Prepare(statement.sql);
          return prepared.Stream();
        };
        {
          StreamingResult stream = make();
          QueryResult rows;
          if (way == "fetched once") stream.Fetch(rows, 1);
          if (way == "followed") numbers.connection.Query("SELECT 1");
          if (way == "kept") CHECK(numbers.Count(statement.check) == 1);
        }
        if (way != "kept") CHECK(numbers.Count(statement.check) == 1);
      }
    }
  }
}

TEST_CASE("A stream knows how many rows were changed", "[main]") {
  Numbers numbers;
  const auto changed = [&](const char* sql) { return numbers.connection.Stream(sql).rows_changed(); };
  CHECK(changed("INSERT INTO t VALUES (100), (101), (102)") == 3);
  CHECK(changed("UPDATE t SET x = x + 1 WHERE x < 10 RETURNING x") == 10);
  CHECK(changed("DELETE FROM t WHERE x > 50") == 52);
  CHECK(changed("SELECT x FROM t") == 0);
  CHECK(changed("CREATE TABLE u (a INTEGER)") == 0);
  CHECK(changed("BEGIN") == 0);
}

TEST_CASE("COPY into a table is done when its stream is given", "[main]") {
  Numbers numbers;
  const test::ScratchDirectory scratch;
  const std::string path = scratch / "numbers.csv";
  numbers.connection.Query("COPY t TO '" + path + "'");
  numbers.connection.Stream("COPY t FROM '" + path + "'");
  CHECK(numbers.Rows() == 200);
}

TEST_CASE("RETURNING's rows can be fetched after later statements, and outlive a rollback", "[main]") {
  Numbers numbers;
  Connection& connection = numbers.connection;
  const char* kInsert = "INSERT INTO t SELECT x FROM range(1000, 41000) r(x) RETURNING x";
  StreamingResult first = connection.Stream(kInsert), second = connection.Stream(kInsert);
  StreamingResult reading = connection.Stream("SELECT x FROM t");
  QueryResult rows;
  REQUIRE(first.Fetch(rows, 3));
  CHECK(rows.ToString() == "1000\n1001\n1002\n");
  CHECK(numbers.Rows() == 80100);
  REQUIRE(reading.Fetch(rows));  // Others that are fetched do not close it.
  CHECK(Drain(first) == 39997);
  connection.Query("BEGIN");
  StreamingResult third = connection.Stream(kInsert);
  CHECK(connection.Query("SELECT count(*) FROM t").GetValue(0, 0).GetInteger() == 120100);
  CHECK_THROWS_AS(connection.Query("SELECT 1 / 0"), Error);
  connection.Query("ROLLBACK");
  CHECK(numbers.Rows() == 80100);
  CHECK(Drain(second) == 40000);
  CHECK(Drain(third) == 40000);
  CHECK_FALSE(third.Fetch(rows));
}

TEST_CASE("An error in a changing statement is thrown by Stream and undoes it", "[main]") {
  Numbers numbers;
  CHECK_THROWS_AS(numbers.connection.Stream("DELETE FROM t RETURNING 1 / (x - 50)"), Error);
  CHECK(numbers.Rows() == 100);
  CHECK_THROWS_AS(
      numbers.connection.Stream("WITH gone AS (DELETE FROM t RETURNING x) SELECT 1 / (x - 50) FROM gone"),
      Error);
  CHECK(numbers.Rows() == 100);
  numbers.connection.Query("BEGIN; DELETE FROM t WHERE x < 10");
  CHECK_THROWS_AS(numbers.connection.Stream("DELETE FROM t RETURNING 1 / (x - 50)"), Error);
  CHECK_THROWS_AS(numbers.connection.Query("SELECT 1"), Error);  // The block is aborted.
  numbers.connection.Query("ROLLBACK");
  CHECK(numbers.Rows() == 100);
}

TEST_CASE("Rows that a changing statement gives back are written away where memory is short", "[main]") {
  Database database(":memory:", {{"memory_limit", "64MB"}});
  Connection connection(database);
  connection.Query("CREATE TABLE t (x BIGINT)");
  StreamingResult stream = connection.Stream(
      "INSERT INTO t SELECT x FROM range(0, 300000) r(x) RETURNING x, repeat('abcdefgh', 40) || x");
  QueryResult rows;
  int64_t next = 0;
  while (stream.Fetch(rows)) {
    for (size_t row = 0; row < rows.row_count(); row++) REQUIRE(rows.GetValue(0, row).GetInteger() == next++);
  }
  CHECK(next == 300000);
}

TEST_CASE("A part has as many rows as are asked for", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t AS SELECT x, 'text of row ' || x AS s FROM range(0, 5000) r(x)");
  for (const char* sql : {"SELECT x, s FROM t", "SELECT x, s FROM t WHERE x % 3 <> 1 ORDER BY x",
                          "DELETE FROM t RETURNING x, s"}) {
    const size_t row_count = std::string(sql).find('%') == std::string::npos ? 5000 : 3333;
    for (const size_t most_rows : {1, 7, 1023, 1024, 1025, 4999, 5000, 5001, 1000000}) {
      INFO(sql << ", " << most_rows);
      connection.Query("BEGIN");
      StreamingResult stream = connection.Stream(sql);
      QueryResult rows;
      size_t count = 0;
      while (stream.Fetch(rows, most_rows)) {
        REQUIRE(rows.row_count() == std::min(most_rows, row_count - count));
        for (size_t row = 0; row < rows.row_count(); row++) {
          const std::string number = rows.GetValue(0, row).ToString();
          REQUIRE(rows.GetString(1, row) == "text of row " + number);
        }
        count += rows.row_count();
      }
      CHECK(count == row_count);
      CHECK_FALSE(stream.Fetch(rows, most_rows));
      connection.Query("ROLLBACK");
    }
  }
  StreamingResult stream = connection.Stream("SELECT x FROM t");
  QueryResult rows;
  try {
    stream.Fetch(rows, 0);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
  }
  CHECK(Drain(stream) == 5000);  // It goes on.
}

TEST_CASE("Streams of every kind of operator end once, and stay at their ends", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query(
      "CREATE TABLE t AS SELECT x, ARRAY[x, x + 1] AS l FROM range(0, 10) r(x); CREATE INDEX i ON t (x)");
  for (const char* sql : {
           "SELECT unnest(ARRAY[1, 2])",
           "SELECT generate_series(1, 3) LIMIT 10",
           "SELECT unnest(l) FROM t",
           "SELECT x, unnest(l) FROM t LIMIT 100",
           "SELECT unnest(l) FROM t UNION ALL SELECT 1",
           "SELECT * FROM t, unnest(l) WITH ORDINALITY",
           "SELECT * FROM t LEFT JOIN unnest(ARRAY[1]) u ON u = x",
           "SELECT DISTINCT ON (x / 2) x, unnest(l) FROM t ORDER BY x / 2",
           "SELECT x FROM t ORDER BY x LIMIT 5",
           "SELECT a.x FROM t a FULL JOIN t b ON a.x = b.x + 5",
           "SELECT a.x FROM t a LEFT JOIN t b ON a.x < b.x",
           "SELECT a.x FROM t a FULL JOIN t b ON a.x < b.x AND a.x + b.x <> 7",
           "SELECT sum(x) OVER (ORDER BY x) FROM t",
           "SELECT x / 3, count(*) FROM t GROUP BY ROLLUP (x / 3)",
           "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r",
           "WITH w AS MATERIALIZED (SELECT x FROM t) SELECT * FROM w UNION ALL SELECT * FROM w",
           "VALUES (1), (2)",
           "SELECT count(*) FROM t",
           "EXPLAIN SELECT 1",
           "SELECT * FROM range(0, 3000)",
       }) {
    INFO(sql);
    const size_t row_count = connection.Query(sql).row_count();
    for (const size_t most_rows : {1, 2, 7, 1024}) {
      StreamingResult stream = connection.Stream(sql);
      QueryResult rows;
      size_t count = 0;
      while (count <= row_count && stream.Fetch(rows, most_rows)) count += rows.row_count();
      CHECK(count == row_count);
      CHECK_FALSE(stream.Fetch(rows));
      CHECK_FALSE(stream.Fetch(rows));
    }
  }
}

TEST_CASE("Streams take parameters", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t AS SELECT x FROM range(0, 1000) r(x)");
  const Value parameters[] = {Value::Integer(10), Value::BigInt(19)};
  StreamingResult stream = connection.Stream("SELECT x FROM t WHERE x BETWEEN $1 AND $2", parameters);
  CHECK(Drain(stream) == 10);
  CHECK_THROWS_AS(connection.Stream("SELECT $1"), Error);
}

}  // namespace scaup
