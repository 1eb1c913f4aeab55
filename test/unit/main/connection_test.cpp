// Databases and connections: several statements, errors, lifetimes, threads.
#include <catch2/catch.hpp>
#include <thread>

#include "scaup/scaup.hpp"

namespace scaup {

namespace {

template <typename F>
std::string SqlstateOf(F&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.sqlstate();
  }
  return "";
}

int64_t Count(Connection& connection, const std::string& table) {
  return connection.Query("SELECT count(*) FROM " + table).GetValue(0, 0).GetBigInt();
}

}  // namespace

TEST_CASE("Several statements give the last one's result", "[main]") {
  Database database;
  Connection connection(database);
  const QueryResult result = connection.Query(
      "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2); SELECT sum(a) AS s FROM t");
  REQUIRE(result.has_rows());
  CHECK(result.columns()[0].name == "s");
  CHECK(result.GetValue(0, 0).ToString() == "3");
  CHECK_FALSE(connection.Query("").has_rows());
  CHECK_FALSE(connection.Query(" ; -- nothing\n").has_rows());
  const QueryResult inserted = connection.Query("INSERT INTO t SELECT a FROM t");
  CHECK_FALSE(inserted.has_rows());
  CHECK(inserted.rows_changed() == 2);
  CHECK(connection.Query("SELECT a FROM t WHERE a > 5").has_rows());
}

TEST_CASE("A statement that fails changes nothing, those before it stay", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (a INTEGER NOT NULL)");
  CHECK(SqlstateOf([&] {
          connection.Query(
              "INSERT INTO t VALUES (1); INSERT INTO t VALUES (2), (NULL); INSERT INTO t VALUES (3)");
        }) == "23502");
  CHECK(Count(connection, "t") == 1);
  CHECK(SqlstateOf([&] {
          connection.Query("INSERT INTO t SELECT 10 / (x - 5000) FROM range(0, 10000) r(x)");
        }) == "22012");
  CHECK(Count(connection, "t") == 1);
  CHECK(SqlstateOf([&] {
          connection.Query("CREATE TABLE u AS SELECT 1 / (x - 5000) FROM range(0, 10000) r(x)");
        }) == "22012");
  CHECK(SqlstateOf([&] { connection.Query("SELECT * FROM u"); }) == "42P01");
  connection.Query("CREATE TABLE u AS SELECT 1 AS x");  // The name is free.
  CHECK(SqlstateOf([&] { connection.Query("SELEC 1"); }) == "42601");
  CHECK(SqlstateOf([&] { connection.Query("SELECT nothing"); }) == "42703");
  CHECK(SqlstateOf([&] { connection.Query("SELECT $1"); }) != "");
  CHECK(connection.Query("SELECT 1").GetValue(0, 0).GetInteger() == 1);
}

TEST_CASE("Only scaup::Error leaves the library", "[main]") {
  Database database;
  Connection connection(database);
  const std::string deep(100000, '(');
  const char* texts[] = {"SELECT 9223372036854775807 + 1",
                         "SELECT CAST('x' AS INTEGER)",
                         "SELECT * FROM read_csv('/nowhere/at/all.csv')",
                         "COPY (SELECT 1) TO '/nowhere/at/all.csv'",
                         "SELECT repeat('x', 2000000000) || repeat('y', 2000000000)",
                         "\xff\xfe",
                         "SELECT '\xff'",
                         "DROP TABLE nothing",
                         "SET nothing = 1",
                         "SET threads = 0",
                         "BEGIN",
                         "SELECT sum(x) OVER () FROM range(0, 3) r(x)"};
  for (const std::string& text :
       {std::string(texts[0]), std::string(texts[1]), std::string(texts[2]), std::string(texts[3]),
        std::string(texts[4]), std::string(texts[5]), std::string(texts[6]), std::string(texts[7]),
        std::string(texts[8]), std::string(texts[9]), std::string(texts[10]), std::string(texts[11]),
        std::string("SELECT a\0b", 10), deep}) {
    try {
      connection.Query(text);
    } catch (const Error& error) {
      CHECK(std::string(error.sqlstate()).size() == 5);
      CHECK_FALSE(error.message().empty());
      CHECK(error.kind() != ErrorKind::kInternal);
      if (error.position()) CHECK(*error.position() <= text.size());
    } catch (...) {
      FAIL("another exception for " << text.substr(0, 80));
    }
  }
  connection.Query("ROLLBACK");
  CHECK(connection.Query("SELECT 1").row_count() == 1);
}

TEST_CASE("Opening refuses what it does not know", "[main]") {
  CHECK(SqlstateOf([] { Database database("/no/such/folder/some.file"); }) == "58P01");
  CHECK(SqlstateOf([] { Database database(":memory:", {{"thread", "4"}}); }) == "42704");
  CHECK(SqlstateOf([] { Database database(":memory:", {{"threads", "many"}}); }) == "22023");
  Database database("", {{"threads", "2"}, {"memory_limit", "1GB"}});
  CHECK(Connection(database).Query("SELECT 1").row_count() == 1);
}

TEST_CASE("Results, statements and streams outlive the handles", "[main]") {
  std::optional<QueryResult> result;
  std::optional<ColumnView> view;
  std::optional<StreamingResult> stream;
  std::optional<PreparedStatement> prepared;
  {
    Database database;
    Connection connection(database);
    connection.Query(
        "CREATE TABLE t AS SELECT x, 'a text that is long, number ' || x AS s FROM range(0, 50000) r(x)");
    result = connection.Query("SELECT s, x FROM t");
    view = result->Column(1);
    stream = connection.Stream("SELECT s, x FROM t");
    Connection other(database);
    prepared = other.Prepare("SELECT count(*) FROM t WHERE x >= $1");
  }
  CHECK(result->GetString(0, 49999) == "a text that is long, number 49999");
  QueryResult rows, last;
  size_t count = 0;
  while (stream->Fetch(rows)) {
    count += rows.row_count();
    last = rows;
  }
  CHECK(count == 50000);
  const Value parameter = Value::BigInt(49000);
  CHECK(prepared->Execute({&parameter, 1}).GetValue(0, 0).GetInteger() == 1000);
  stream.reset();
  prepared.reset();
  CHECK(last.GetString(0, last.row_count() - 1) == "a text that is long, number 49999");
  result.reset();
  REQUIRE(view->row_count == 50000);
  CHECK(static_cast<const int64_t*>(view->data)[49999] == 49999);
}

TEST_CASE("Many databases, opened and closed", "[main]") {
  for (size_t i = 0; i < 200; i++) {
    Database database(":memory:", {{"threads", std::to_string(1 + i % 3)}});
    Connection connection(database);
    connection.Query("CREATE TABLE t AS SELECT x FROM range(0, 3000) r(x)");
    REQUIRE(connection.Query("SELECT count(*), sum(x) FROM t").GetValue(0, 0).GetInteger() == 3000);
  }
  std::vector<Database> databases(20);
  for (size_t i = 0; i < databases.size(); i++)
    Connection(databases[i]).Query("CREATE TABLE t AS SELECT " + std::to_string(i) + " AS a");
  for (size_t i = 0; i < databases.size(); i++) {
    Connection connection(databases[i]);
    CHECK(connection.Query("SELECT a FROM t").GetValue(0, 0).GetInteger() == static_cast<int64_t>(i));
  }
}

TEST_CASE("Connections in many threads write and read one database", "[main]") {
  Database database(":memory:", {{"threads", "3"}});
  Connection(database).Query("CREATE TABLE t (writer INTEGER, number INTEGER, text VARCHAR)");
  constexpr int kWriters = 3, kStatements = 40, kRows = 25;
  std::atomic<size_t> wrong{0};
  std::atomic<int> writing{kWriters};
  std::vector<std::thread> threads;
  for (int w = 0; w < kWriters; w++) {
    threads.emplace_back([&, w] {
      try {
        Connection connection(database);
        for (int i = 0; i < kStatements; i++) {
          connection.Query("INSERT INTO t SELECT " + std::to_string(w) +
                           ", x, 'the text number ' || x FROM range(0, " + std::to_string(kRows) + ") r(x)");
        }
      } catch (...) {
        wrong++;
      }
      writing--;
    });
  }
  for (int r = 0; r < 2; r++) {
    threads.emplace_back([&] {
      try {
        Connection connection(database);
        while (writing.load() != 0) {
          const QueryResult result = connection.Query(
              "SELECT count(*), count(*) FILTER (WHERE text = 'the text number ' || number) FROM t");
          wrong += result.GetValue(0, 0).GetInteger() % kRows != 0 ||
                   result.GetValue(0, 0) != result.GetValue(1, 0);
        }
      } catch (...) {
        wrong++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  Connection connection(database);
  CHECK(Count(connection, "t") == kWriters * kStatements * kRows);
}

TEST_CASE("One connection used by many threads runs one statement after the other", "[main]") {
  Database database(":memory:", {{"threads", "2"}});
  Connection connection(database);
  connection.Query("CREATE TABLE t (a INTEGER)");
  std::atomic<size_t> wrong{0};
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; n++) {
    threads.emplace_back([&, n] {
      try {
        for (int i = 0; i < 50; i++) {
          if (n == 0) {
            connection.Query("INSERT INTO t VALUES (" + std::to_string(i) + ")");
          } else {
            wrong += connection.Query("SELECT " + std::to_string(n)).GetValue(0, 0).GetInteger() != n;
          }
        }
      } catch (...) {
        wrong++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(Count(connection, "t") == 50);
}

TEST_CASE("The memory of dropped tables comes back", "[main]") {
  Database database(":memory:", {{"threads", "2"}, {"memory_limit", "64MB"}});
  Connection connection(database);
  for (int i = 0; i < 20; i++) {
    const std::string name = "t" + std::to_string(i);
    connection.Query("CREATE TABLE " + name + " AS SELECT x, x + 1 AS y FROM range(0, 1000000) r(x)");
    connection.Query("DROP TABLE " + name);
  }
  CHECK(SqlstateOf([&] {
          connection.Query("CREATE TABLE big AS SELECT x, x AS y, x AS z FROM range(0, 10000000) r(x)");
        }) == "53200");
  CHECK(connection.Query("SELECT 1").row_count() == 1);
  connection.Query("CREATE TABLE small AS SELECT x FROM range(0, 1000000) r(x)");
}

}  // namespace scaup
