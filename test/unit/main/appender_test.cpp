// The appender: values of all types, rows that fail, flushing, dropped tables, memory.
#include <catch2/catch.hpp>

#include "../vector/random_values.hpp"
#include "error_kind.hpp"
#include "scaup/scaup.hpp"
#include "scratch_directory.hpp"

namespace scaup {

using test::KindOf;

namespace {

int64_t Count(Connection& connection) {
  return connection.Query("SELECT count(*) FROM t").GetValue(0, 0).GetBigInt();
}

}  // namespace

TEST_CASE("Appended rows come back, whatever their types and number", "[main]") {
  Database database(":memory:", {{"threads", "2"}});
  Connection connection(database);
  std::string columns;
  const auto& types = test::SampleTypes();
  for (size_t i = 0; i < types.size(); i++)
    columns += (i == 0 ? "c" : ", c") + std::to_string(i) + " " + types[i].ToString();
  test::Random random(95);
  for (const size_t count : {1, 1023, 1024, 1025, 3000}) {
    connection.Query("CREATE TABLE t (" + columns + ")");
    const auto rows = test::RandomRows(random, types, count);
    Appender appender(connection, "t");
    for (const test::Row& row : rows) {
      for (const Value& value : row) appender.Append(value);
      appender.EndRow();
    }
    CHECK(Count(connection) == 0);  // Not before Close.
    appender.Close();
    const QueryResult result = connection.Query("SELECT * FROM t");
    REQUIRE(result.row_count() == count);
    for (size_t row = 0; row < count; row++) {
      for (size_t i = 0; i < types.size(); i++) {
        if (!test::SameValue(result.GetValue(i, row), rows[row][i]))
          FAIL(types[i].ToString() << " row " << row);
      }
    }
    connection.Query("DROP TABLE t");
  }
}

TEST_CASE("Labels of enums are appended as text or as values", "[main]") {
  Database database(":memory:");
  Connection connection(database);
  connection.Query("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')");
  connection.Query("CREATE TABLE t (m mood, l mood[])");
  const QueryResult label = connection.Query("SELECT 'sad'::mood, '{ok,NULL}'::mood[]");
  Appender appender(connection, "t");
  appender.Append(Value::Varchar("happy"));
  appender.Append(Value::Varchar("{ok,sad}"));
  appender.EndRow();
  appender.Append(label.GetValue(0, 0));
  appender.Append(label.GetValue(1, 0));
  appender.EndRow();
  CHECK_THROWS_AS(appender.Append(Value::Varchar("angry")), Error);
  appender.Close();
  const QueryResult result = connection.Query("SELECT m, l FROM t ORDER BY m");
  REQUIRE(result.row_count() == 2);
  CHECK(result.GetValue(0, 0).ToString() == "sad");
  CHECK(result.GetValue(0, 0).GetInteger() == 0);
  CHECK(result.GetValue(1, 0).ToString() == "{ok,NULL}");
  CHECK(result.GetValue(0, 1).ToString() == "happy");
  CHECK(result.GetValue(1, 1).ToString() == "{ok,sad}");
}

TEST_CASE("A row that fails is begun anew and leaves no trace", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (a INTEGER, b VARCHAR NOT NULL)");
  Appender appender(connection, "t");
  appender.AppendRow(1, "one");
  CHECK(KindOf([&] { appender.Append("no number"); }) == ErrorKind::kConversion);
  CHECK(KindOf([&] {
          appender.Append(2);
          appender.AppendNull();
        }) == ErrorKind::kConstraint);
  CHECK(KindOf([&] { appender.AppendRow(2); }) == ErrorKind::kUsage);
  CHECK(KindOf([&] { appender.AppendRow(2, "two", 3); }) == ErrorKind::kUsage);
  appender.AppendNull().Append("null").EndRow();
  CHECK_THROWS_AS(appender.Append(int64_t{1} << 40), Error);
  appender.AppendRow("3", "three");
  appender.Close();
  CHECK(connection.Query("SELECT * FROM t").ToString() == "1\tone\nNULL\tnull\n3\tthree\n");
  CHECK(KindOf([&] { appender.Append(1); }) == ErrorKind::kUsage);
  CHECK(KindOf([&] { appender.Flush(); }) == ErrorKind::kUsage);
  appender.Close();
}

TEST_CASE("Flush in the middle of a row is refused and loses nothing", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (a INTEGER, b VARCHAR)");
  Appender appender(connection, "t");
  appender.AppendRow(1, "a text that needs the heap of its vector");
  appender.Append(2);
  CHECK(KindOf([&] { appender.Flush(); }) == ErrorKind::kUsage);
  CHECK(KindOf([&] { appender.Close(); }) == ErrorKind::kUsage);
  appender.Append("another text that needs the heap").EndRow();
  appender.Flush();
  CHECK(Count(connection) == 2);
  appender.AppendRow(3, "c");
  appender.Close();
  CHECK(connection.Query("SELECT * FROM t").ToString() ==
        "1\ta text that needs the heap of its vector\n2\tanother text that needs the heap\n3\tc\n");
}

TEST_CASE("Rows not flushed are dropped", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (a INTEGER)");
  {
    Appender appender(connection, "t");
    appender.AppendRow(1);
    appender.Flush();
    for (int i = 0; i < 5000; i++) appender.AppendRow(i);
  }
  CHECK(Count(connection) == 1);
  CHECK(KindOf([&] { Appender none(connection, "nothing"); }) == ErrorKind::kCatalog);
  CHECK(KindOf([&] { Appender none(connection, "t", "nothing"); }) == ErrorKind::kCatalog);
}

TEST_CASE("A table dropped or replaced meanwhile refuses the rows", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (a INTEGER)");
  Appender appender(connection, "t");
  appender.AppendRow(1);
  connection.Query("DROP TABLE t");
  CHECK(KindOf([&] { appender.Flush(); }) == ErrorKind::kCatalog);
  connection.Query("CREATE TABLE t (a INTEGER)");
  appender.AppendRow(2);
  CHECK(KindOf([&] { appender.Flush(); }) == ErrorKind::kCatalog);
  CHECK(Count(connection) == 0);
}

TEST_CASE("Rows go to the table as it is when they are flushed", "[main]") {
  for (const bool in_block : {false, true}) {
    INFO((in_block ? "in a block" : "alone"));
    Database database;
    Connection connection(database), other(database);
    connection.Query("CREATE TABLE t (a INTEGER, b VARCHAR); CREATE SCHEMA s");
    const char* kChanges[] = {
        "ALTER TABLE t ADD COLUMN c INTEGER DEFAULT 7",
        "ALTER TABLE t RENAME TO u",
        "ALTER TABLE u ADD COLUMN d INTEGER NOT NULL DEFAULT 8",
        "ALTER TABLE u RENAME COLUMN c TO e",
        "ALTER TABLE u RENAME TO t",
        "ALTER TABLE t DROP COLUMN d",
        "CREATE TABLE other (a INTEGER)",
        "ALTER TABLE t SET SCHEMA s",
        "CREATE TABLE t (a INTEGER, b VARCHAR)",
        "COMMENT ON TABLE s.t IS 'it'",
    };
    Appender appender(connection, "t");
    int64_t next = 0;
    for (const char* change : kChanges) {
      INFO(change);
      appender.AppendRow(next, "b" + std::to_string(next));
      next++;
      other.Query(change);
      if (in_block) connection.Query("BEGIN");
      appender.AppendRow(next, "b" + std::to_string(next));
      next++;
      appender.Flush();
      if (in_block) connection.Query("COMMIT");
    }
    CHECK(
        connection.Query("SELECT count(*), sum(a), count(DISTINCT b), min(e), max(e) FROM s.t").ToString() ==
        "20\t190\t20\t7\t7\n");
    CHECK(connection.Query("SELECT count(*) FROM t").ToString() == "0\n");
    other.Query("ALTER TABLE s.t ALTER COLUMN a TYPE VARCHAR");
    appender.AppendRow(1, "b");
    CHECK(KindOf([&] { appender.Flush(); }) == ErrorKind::kCatalog);
    other.Query("ALTER TABLE s.t ALTER COLUMN a TYPE INTEGER USING a::INTEGER, DROP COLUMN b");
    appender.AppendRow(1, "b");
    CHECK(KindOf([&] { appender.Flush(); }) == ErrorKind::kCatalog);
    other.Query("DROP TABLE s.t");
    appender.AppendRow(1, "b");
    CHECK(KindOf([&] { appender.Flush(); }) == ErrorKind::kCatalog);
  }
}

TEST_CASE("An appender keeps to constraints, also those that came after it", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE p (k INTEGER PRIMARY KEY); INSERT INTO p VALUES (1), (2)");
  connection.Query(
      "CREATE TABLE t (id INTEGER GENERATED ALWAYS AS IDENTITY, k INTEGER REFERENCES p, "
      "twice INTEGER GENERATED ALWAYS AS (k * 2) STORED, n INTEGER CHECK (n > 0), d INTEGER NOT NULL)");
  Appender appender(connection, "t");
  appender.AppendRow(1, 10, 100);
  appender.AppendRow(2, 20, 200);
  appender.Flush();
  CHECK(connection.Query("SELECT * FROM t ORDER BY id").ToString() == "1\t1\t2\t10\t100\n2\t2\t4\t20\t200\n");
  appender.AppendRow(3, 10, 100);
  CHECK(KindOf([&] { appender.Flush(); }) == ErrorKind::kConstraint);
  appender.AppendRow(1, 0, 100);
  CHECK(KindOf([&] { appender.Flush(); }) == ErrorKind::kConstraint);
  appender.Append(1).Append(1);
  CHECK(KindOf([&] { appender.AppendNull(); }) == ErrorKind::kConstraint);
  CHECK(KindOf([&] { appender.AppendRow(1, 1, 1, 1); }) == ErrorKind::kUsage);
  CHECK(KindOf([&] { appender.AppendRow(1, 1); }) == ErrorKind::kUsage);
  for (int i = 0; i < 300000; i++) appender.AppendRow(1 + i % 2, i + 1, i);
  appender.Close();
  CHECK(connection.Query("SELECT count(*), sum(twice), max(n) FROM t").ToString() ==
        "300002\t900006\t300000\n");
  connection.Query("CREATE TABLE u (a INTEGER)");
  Appender later(connection, "u");
  later.AppendRow(-1);
  connection.Query("ALTER TABLE u ADD CHECK (a > 0)");
  CHECK(KindOf([&] { later.Flush(); }) == ErrorKind::kConstraint);
  later.AppendNull().EndRow();
  connection.Query("ALTER TABLE u ALTER COLUMN a SET NOT NULL");
  CHECK(KindOf([&] { later.Flush(); }) == ErrorKind::kConstraint);
  later.AppendRow(5);
  connection.Query("ALTER TABLE u ADD FOREIGN KEY (a) REFERENCES p");
  CHECK(KindOf([&] { later.Flush(); }) == ErrorKind::kConstraint);
  later.AppendRow(2);
  later.Close();
  CHECK(connection.Query("SELECT * FROM u").ToString() == "2\n");
}

TEST_CASE("An appender that runs out of memory drops its rows and goes on", "[main]") {
  Database database(":memory:", {{"threads", "1"}, {"memory_limit", "8MB"}});
  Connection connection(database);
  connection.Query("CREATE TABLE t (a BIGINT, b VARCHAR, c DOUBLE)");
  Appender appender(connection, "t");
  const std::string text(200, 'x');
  size_t refused = 0;
  for (int64_t i = 0; i < 200000; i++) {
    try {
      appender.AppendRow(i, text + std::to_string(i), 0.5);
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::kOutOfMemory);
      if (++refused == 3) break;
    }
  }
  REQUIRE(refused == 3);
  for (int64_t i = 0; i < 100; i++) appender.AppendRow(i, text, 0.5);
  appender.Close();
  CHECK(Count(connection) == 100);
}

TEST_CASE("An appender takes documents", "[main]") {
  Database database(":memory:");
  Connection connection(database);
  connection.Query("CREATE COLLECTION c");
  Appender appender(connection, "c");
  for (int64_t i = 0; i < 3000; i++)
    appender.AppendRow("{\"id\": " + std::to_string(i) + ", \"tags\": [\"x\"]}");
  CHECK(KindOf([&] { appender.AppendRow("[1]"); }) == ErrorKind::kConversion);
  CHECK(KindOf([&] { appender.AppendRow("{\"id\": }"); }) == ErrorKind::kConversion);
  CHECK(KindOf([&] { appender.AppendNull(); }) == ErrorKind::kConstraint);
  appender.AppendRow(R"({"id": "last"})");
  appender.Close();
  const QueryResult result =
      connection.Query("SELECT count(*), count(tags), sum(id), count(*) FILTER (WHERE id = 'last') FROM c");
  CHECK(result.GetValue(0, 0) == Value::BigInt(3001));
  CHECK(result.GetValue(1, 0) == Value::BigInt(3000));
  CHECK(result.GetValue(2, 0).ToString() == "4498500");
  CHECK(result.GetValue(3, 0) == Value::BigInt(1));
}

TEST_CASE("An appender sees what its session's transaction has made", "[main]") {
  Database database(":memory:");
  Connection connection(database);
  connection.Query("BEGIN; CREATE TABLE t (a INTEGER); CREATE COLLECTION c");
  CHECK(Appender(connection, "c").takes_documents());
  {
    Appender appender(connection, "t");
    CHECK_FALSE(appender.takes_documents());
    appender.AppendRow(1);
    appender.Close();
    CHECK_FALSE(appender.takes_documents());
  }
  CHECK(Count(connection) == 1);
  connection.Query("ROLLBACK");
  CHECK(KindOf([&] { Appender(connection, "t"); }) == ErrorKind::kCatalog);
}

TEST_CASE("Rows that an appender has written to the file outlive checkpoints and VACUUM", "[main]") {
  const test::ScratchDirectory directory;
  const std::string path = directory / "appended.scaup";
  constexpr int64_t kRows = 400'000;
  {
    Database database(path, {{"threads", "2"}});
    Connection connection(database), other(database);
    connection.Query(
        "CREATE TABLE t (a BIGINT, b VARCHAR); CREATE TABLE u AS SELECT i FROM range(500000) r(i)");
    Appender appender(connection, "t"), dropped(connection, "t");
    for (int64_t i = 0; i < kRows; i++) {
      appender.AppendRow(i, "text " + std::to_string(i));
      dropped.AppendRow(-i, "dropped");
      if (i % 50'000 != 0) continue;
      other.Query("DELETE FROM u WHERE i % 7 = " + std::to_string(i / 50'000 % 7));
      other.Query("CHECKPOINT");
      other.Query("VACUUM");
    }
    appender.Flush();
    CHECK(Count(connection) == kRows);
    other.Query("CHECKPOINT");
  }
  Database database(path);
  Connection connection(database);
  CHECK(connection.Query("SELECT count(*), sum(a), min(b), max(b) FROM t").ToString() ==
        "400000\t79999800000\ttext 0\ttext 99999\n");
  CHECK(connection.Query("PRAGMA integrity_check").ToString() == "ok\n");
}

}  // namespace scaup
