// Streams: parts, closing by later statements, errors on the way.
#include <catch2/catch.hpp>

#include "scaup/scaup.hpp"

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
