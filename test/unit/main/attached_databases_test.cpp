// Attached databases from outside: locks of files, transactions of threads across databases, the memory
// limit, and what is left when the process dies.
#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "database_in_file.hpp"

namespace scaup::test {

namespace {

/// Runs a statement; returns the SQLSTATE of its error, "" if there was none.
std::string StateOf(Connection& connection, const std::string& sql) {
  try {
    connection.Query(sql);
    return "";
  } catch (const Error& error) {
    return error.sqlstate();
  }
}

int64_t NumberOf(Connection& connection, const std::string& sql) { return std::stoll(Ask(connection, sql)); }

/// Takes 1 from the account of one database as long as both together have something. Returns when they have
/// nothing.
void Withdraw(const Database& database, const std::string& from) {
  Connection connection(database);
  while (true) {
    try {
      connection.Query("BEGIN");
      const int64_t both =
          NumberOf(connection, "SELECT a.rest + b.rest FROM account AS a CROSS JOIN o.account AS b");
      if (both >= 1) connection.Query("UPDATE " + from + " SET rest = rest - 1");
      connection.Query("COMMIT");
      if (both < 1) return;
    } catch (const Error& error) {
      REQUIRE(error.sqlstate() == std::string("40001"));
      StateOf(connection, "ROLLBACK");
    }
  }
}

}  // namespace

TEST_CASE("an attached file is locked like any other", "[attach]") {
  const ScratchDirectory directory;
  const std::string path = directory / "o.scaup";
  const Database database("", OneThread());
  Connection connection(database);
  {
    const Database other(path, OneThread());
    CHECK(StateOf(connection, "ATTACH '" + path + "' AS o") == "55006");
  }
  connection.Query("ATTACH '" + path + "' AS o");
  connection.Query("CREATE TABLE o.t AS SELECT 1 AS a");
  CHECK(OpenError(path).value().sqlstate() == std::string("55006"));
  CHECK(RunInProcess([&] { return OpenError(path) ? 55 : 0; }) == 55);
  connection.Query("DETACH o");
  CHECK(RunInProcess([&] { return OpenError(path) ? 55 : 0; }) == 0);
  // Several may read it.
  const Database reader(path, {{"access_mode", "read_only"}});
  connection.Query("ATTACH '" + path + "' AS o (READ_ONLY)");
  CHECK(Ask(connection, "SELECT a FROM o.t") == "1");
}

TEST_CASE("a detached file is free although plans, results and prepared statements knew it", "[attach]") {
  const ScratchDirectory directory;
  const std::string path = directory / "o.scaup";
  const Database database("", OneThread());
  Connection connection(database), other(database);
  connection.Query("ATTACH '" + path + "' AS o");
  connection.Query("CREATE TABLE o.t AS SELECT i FROM range(100000) AS r(i)");
  PreparedStatement prepared = connection.Prepare("SELECT sum(i) FROM o.t WHERE i < $1");
  const Value most[] = {Value::BigInt(10)};
  for (int i = 0; i < 3; i++) {
    CHECK(prepared.Execute(most).GetValue(0, 0).ToString() == "45");
    CHECK(Ask(other, "SELECT count(*) FROM o.t") == "100000");
  }
  const QueryResult kept = other.Query("SELECT i FROM o.t");
  {
    StreamingResult stream = other.Stream("SELECT i FROM o.t");
    CHECK(StateOf(connection, "DETACH o") == "55006");
    QueryResult rows;
    while (stream.Fetch(rows)) continue;
  }
  connection.Query("DETACH o");
  CHECK(kept.GetValue(0, 99999).ToString() == "99999");
  CHECK_THROWS_AS(prepared.Execute(most), Error);
  {
    const Database again(path, OneThread());
    Connection third(again);
    CHECK(Ask(third, "SELECT count(*) FROM t") == "100000");
  }
  connection.Query("ATTACH '" + path + "' AS o");
  CHECK(prepared.Execute(most).GetValue(0, 0).ToString() == "45");
}

TEST_CASE("two threads that each read both databases and change one are serialized", "[attach]") {
  const Database database("", OneThread());
  Connection connection(database);
  connection.Query("ATTACH ':memory:' AS o");
  connection.Query("CREATE TABLE account AS SELECT 40 AS rest");
  connection.Query("CREATE TABLE o.account AS SELECT 40 AS rest");
  std::thread first([&] { Withdraw(database, "account"); });
  std::thread second([&] { Withdraw(database, "o.account"); });
  first.join();
  second.join();
  CHECK(Ask(connection, "SELECT a.rest + b.rest FROM account AS a CROSS JOIN o.account AS b") == "0");
}

TEST_CASE("a snapshot of all databases is of one moment", "[attach]") {
  const Database database("", OneThread());
  Connection connection(database);
  connection.Query("ATTACH ':memory:' AS o");
  connection.Query("CREATE TABLE step AS SELECT 0 AS n");
  connection.Query("CREATE TABLE o.step AS SELECT 0 AS n");
  std::atomic<bool> is_done{false};
  std::thread writer([&] {
    Connection own(database);
    for (int i = 1; i <= 300; i++) {
      own.Query("UPDATE step SET n = " + std::to_string(i));
      own.Query("UPDATE o.step SET n = " + std::to_string(i));
    }
    is_done = true;
  });
  bool is_ordered = true;
  while (!is_done) {
    const int64_t lead = NumberOf(connection, "SELECT a.n - b.n FROM step AS a CROSS JOIN o.step AS b");
    is_ordered = is_ordered && (lead == 0 || lead == 1);
  }
  writer.join();
  CHECK(is_ordered);
}

TEST_CASE("appenders write to the database of their table", "[attach]") {
  const Database database("", OneThread());
  Connection connection(database);
  connection.Query("ATTACH ':memory:' AS o");
  connection.Query("CREATE TABLE t (a INTEGER, b INTEGER CHECK (b < 10))");
  connection.Query("CREATE TABLE o.t (a INTEGER, b INTEGER CHECK (b < 10))");
  connection.Query("CREATE TABLE o.plain (a INTEGER)");
  const auto append = [](Appender& appender, int32_t a) { appender.AppendRow(a, a + 1); };
  Appender here(connection, "t"), there(connection, "t", "o"), plain(connection, "plain", "o");
  connection.Query("USE o");
  Appender in_use(connection, "t");
  append(here, 1);
  append(there, 2);
  append(in_use, 3);
  plain.AppendRow(4);
  for (Appender* appender : {&here, &there, &in_use, &plain}) appender->Flush();
  CHECK(Ask(connection, "SELECT sum(a) FROM memory.main.t") == "1");
  CHECK(Ask(connection, "SELECT sum(a) FROM t") == "5");
  CHECK(Ask(connection, "SELECT sum(a) FROM plain") == "4");
  connection.Query("BEGIN");
  append(there, 5);
  there.Flush();
  append(here, 6);
  CHECK(ErrorOf([&] { here.Flush(); }).value().sqlstate() == std::string("25000"));
  connection.Query("ROLLBACK");
  CHECK(Ask(connection, "SELECT sum(a) FROM t") == "5");
}

TEST_CASE("the memory limit holds for the sum of all databases", "[attach]") {
  const Database database("", {{"memory_limit", "64MB"}, {"threads", "1"}});
  Connection connection(database);
  connection.Query("ATTACH ':memory:' AS o");
  connection.Query(
      "CREATE TABLE t AS SELECT 'a text of some length, number ' || i AS s FROM range(500000) AS r(i)");
  connection.Query("CREATE TABLE o.t (s VARCHAR)");
  std::string state;
  for (int i = 0; i < 20 && state.empty(); i++)
    state = StateOf(connection, "INSERT INTO o.t SELECT s || s FROM t");
  CHECK(state == "53200");
  connection.Query("DETACH o");
  CHECK(StateOf(connection, "CREATE TABLE u AS SELECT * FROM t LIMIT 100000").empty());
}

TEST_CASE("what was committed in an attached file survives the death of the process", "[attach]") {
  const ScratchDirectory directory;
  const std::string path = directory / "o.scaup";
  ExecuteAndBeKilled(
      "", {"ATTACH '" + path + "' AS o", "CREATE TABLE o.t AS SELECT i FROM range(5000) AS r(i)", "BEGIN",
           "INSERT INTO o.t VALUES (-1)", "COMMIT", "BEGIN", "DELETE FROM o.t"});
  CHECK(directory.Contents().count("o.scaup.wal") == 1);
  const Database database("", OneThread());
  Connection connection(database);
  connection.Query("ATTACH '" + path + "' AS o");
  CHECK(Ask(connection, "SELECT count(*) FROM o.t") == "5001");
}

TEST_CASE("a database closes what is attached to it", "[attach]") {
  const ScratchDirectory directory;
  const std::string path = directory / "o.scaup";
  {
    const Database database(directory / "main.scaup");
    Connection connection(database);
    connection.Query("ATTACH '" + path + "'");
    connection.Query("USE o");
    connection.Query("CREATE TABLE t AS SELECT 1 AS a");
  }
  const auto contents = directory.Contents();
  CHECK(contents.size() == 2);
  CHECK(contents.count("o.scaup") == 1);
}

}  // namespace scaup::test
