// Who may open a database while others have it: one writer, and many readers; and what readers may do.
#include <catch2/catch.hpp>

#include "database_in_file.hpp"

namespace scaup::test {

namespace {

const Config kReadOnly = {{"access_mode", "read_only"}};

void CheckInUse(const std::optional<Error>& error, const std::string& path) {
  REQUIRE(error);
  CHECK(error->kind() == ErrorKind::kIo);
  CHECK(error->sqlstate() == std::string("55006"));
  CHECK_THAT(error->message(), Catch::Contains("is open elsewhere") && Catch::Contains(path));
}

/// 0 if another process may open the database, 55 if others have it.
int OpenInProcess(const std::string& path, const Config& config) {
  return RunInProcess([&] {
    const auto error = OpenError(path, config);
    if (!error) return 0;
    return error->sqlstate() == std::string("55006") ? 55 : 1;
  });
}

}  // namespace

TEST_CASE("one writer, in this process and in all others", "[file]") {
  const ScratchDirectory directory;
  const std::string path = directory / "x.scaup";
  {
    const Database database(path, OneThread());
    Connection connection(database);
    connection.Query("CREATE TABLE t (i INTEGER)");
    for (const Config& config : {Config{}, Config{{"access_mode", "read_write"}}}) {
      CheckInUse(OpenError(path, config), path);
      CHECK(OpenInProcess(path, config) == 55);
    }
    CHECK(OpenInProcess(path, kReadOnly) == 0);
    connection.Query("INSERT INTO t VALUES (1)");  // Those who were refused did no harm.
    Connection second(database);                   // Connections share the database.
    CHECK(Ask(second, "SELECT i FROM t") == "1");
  }
  CHECK(OpenInProcess(path, {}) == 0);
  Execute(path, {"INSERT INTO t VALUES (2)"});
  CHECK(directory.Contents().size() == 1);
}

TEST_CASE("connections keep a database open, results do not", "[file]") {
  const ScratchDirectory directory;
  const std::string path = directory / "x.scaup";
  std::optional<Database> database(std::in_place, path, OneThread());
  std::optional<Connection> connection(*database);
  connection->Query("CREATE TABLE t AS SELECT i, 'text of row ' || i AS s FROM range(200000) AS r(i)");
  connection->Query("CHECKPOINT");
  database.reset();
  CheckInUse(OpenError(path), path);
  const QueryResult result = connection->Query("SELECT i, s FROM t");
  connection.reset();
  CHECK(directory.Contents().size() == 1);
  Execute(path, {"DROP TABLE t", "VACUUM"});
  CHECK(result.GetValue(1, 0).ToString() == "text of row 0");
  CHECK(result.GetValue(1, 199'999).ToString() == "text of row 199999");
}

TEST_CASE("many readers in many processes", "[file]") {
  const ScratchDirectory directory;
  const std::string path = directory / "x.scaup";
  Execute(path, {"CREATE TABLE t AS SELECT i FROM range(100000) AS r(i)"});
  const auto before = directory.Contents();
  {
    const Database first(path, OneThread(kReadOnly)), second(path, OneThread(kReadOnly));
    Connection one(first), two(second);
    CHECK(Ask(one, "SELECT sum(i) FROM t") == "4999950000");
    const int status = RunInProcess([&] {
      const Database third(path, OneThread(kReadOnly));
      Connection three(third);
      if (Ask(three, "SELECT sum(i) FROM t") != "4999950000") return 1;
      return RunInProcess([&] { return OpenError(path, kReadOnly) ? 2 : 0; });
    });
    CHECK(status == 0);
    CHECK((directory.Contents() == before));
    CHECK(OpenInProcess(path, {}) == 0);
    Execute(path, {"INSERT INTO t VALUES (-1)"});
    CHECK(Ask(two, "SELECT count(*) FROM t") == "100001");
  }
  CHECK_FALSE(OpenError(path));
}

TEST_CASE("who only reads changes nothing", "[file]") {
  const ScratchDirectory directory;
  const std::string path = directory / "x.scaup";
  Execute(path, {"CREATE TABLE t AS SELECT i FROM range(1000) AS r(i)"});
  const auto before = directory.Contents();
  {
    const Database database(path, OneThread(kReadOnly));
    Connection connection(database);
    for (const char* sql : {"INSERT INTO t VALUES (1)", "INSERT INTO t SELECT i FROM range(200000) AS r(i)",
                            "CREATE TABLE u (i INTEGER)", "CREATE TABLE u AS SELECT 1 AS a", "DROP TABLE t",
                            "CREATE SCHEMA s"}) {
      INFO(sql);
      const auto error = ErrorOf([&] { connection.Query(sql); });
      REQUIRE(error);
      CHECK(error->kind() == ErrorKind::kUsage);
      CHECK(error->sqlstate() == std::string("25006"));
      CHECK_THAT(error->message(), Catch::Contains("read-only"));
    }
    const auto error = ErrorOf([&] {
      Appender appender(connection, "t");
      for (int64_t i = 0; i < 100; i++) appender.AppendRow(i);
      appender.Close();
    });
    REQUIRE(error);
    CHECK(error->sqlstate() == std::string("25006"));
    for (const char* sql :
         {"CHECKPOINT", "VACUUM", "PRAGMA integrity_check", "SET force_compression = 'raw'"})
      connection.Query(sql);
    CHECK(Ask(connection, "SELECT count(*) FROM t") == "1000");
  }
  CHECK((directory.Contents() == before));
}

TEST_CASE("who only reads sees what a killed process left in the log", "[file]") {
  const ScratchDirectory directory;
  const std::string path = directory / "x.scaup";
  Execute(path, {"CREATE TABLE t (i INTEGER)", "INSERT INTO t VALUES (1)"});
  ExecuteAndBeKilled(path, {"INSERT INTO t VALUES (2)", "CREATE TABLE u AS SELECT 5 AS five"});
  const auto before = directory.Contents();
  REQUIRE(before.size() == 2);
  for (int turn = 0; turn < 2; turn++) {
    const Database database(path, OneThread(kReadOnly)), other(path, OneThread(kReadOnly));
    Connection connection(database), second(other);
    CHECK(Ask(connection, "SELECT sum(i) FROM t") == "3");
    CHECK(Ask(second, "SELECT five FROM u") == "5");
    CHECK(ErrorOf([&] { connection.Query("INSERT INTO t VALUES (3)"); }));
    CHECK(Ask(connection, "PRAGMA integrity_check") == "ok");
  }
  CHECK((directory.Contents() == before));
  Execute(path, {"INSERT INTO t VALUES (4)"});
  CHECK(directory.Contents().size() == 1);
  const Database database(path, OneThread(kReadOnly));
  Connection connection(database);
  CHECK(Ask(connection, "SELECT sum(i) FROM t") == "7");
}

TEST_CASE("a damaged log is an error, and is salvaged when that is asked for", "[file]") {
  const ScratchDirectory directory;
  const std::string path = directory / "x.scaup";
  ExecuteAndBeKilled(path, {"CREATE TABLE t (i INTEGER)", "INSERT INTO t VALUES (1)",
                            "INSERT INTO t VALUES (2)", "INSERT INTO t VALUES (3)"});
  std::string log = directory.Read("x.scaup.wal");
  log[log.size() - 60] ^= 1;  // In the last commit, which was acknowledged.
  directory.Write("x.scaup.wal", log);
  const auto before = directory.Contents();
  for (const char* mode : {"automatic", "read_only"}) {
    const auto error = OpenError(path, {{"access_mode", mode}});
    REQUIRE(error);
    CHECK(error->sqlstate() == std::string("XX001"));
    CHECK_THAT(error->message(), Catch::Contains("x.scaup.wal") && Catch::Contains("salvage"));
    CHECK((directory.Contents() == before));
  }
  {  // Who only reads may look at what is left, and changes nothing.
    const Database database(path, OneThread({{"access_mode", "read_only"}, {"recovery_mode", "salvage"}}));
    Connection connection(database);
    CHECK(Ask(connection, "SELECT sum(i) FROM t") == "3");
  }
  CHECK((directory.Contents() == before));
  {
    const Database database(path, OneThread({{"recovery_mode", "salvage"}}));
    Connection connection(database);
    CHECK(Ask(connection, "SELECT sum(i) FROM t") == "3");
    connection.Query("INSERT INTO t VALUES (10)");
  }
  auto after = directory.Contents();
  CHECK(after.size() == 2);
  CHECK((after["x.scaup.wal.damaged"] == log));
  const Database database(path, OneThread());
  Connection connection(database);
  CHECK(Ask(connection, "SELECT sum(i) FROM t") == "13");
  CHECK(Ask(connection, "PRAGMA integrity_check") == "ok");
}

TEST_CASE("a log whose frames are newer than its header is never removed", "[file]") {
  const ScratchDirectory directory;
  const std::string path = directory / "x.scaup";
  constexpr size_t kHeaderBytes = 64;
  ExecuteAndBeKilled(path, {"CREATE TABLE t (i INTEGER)", "INSERT INTO t VALUES (1)"});
  const std::string old_log = directory.Read("x.scaup.wal");
  Execute(path, {"CHECKPOINT"});
  ExecuteAndBeKilled(path, {"INSERT INTO t VALUES (2)"});
  // The first sector is that of the log before, whose checkpoint the file has.
  std::string log = directory.Read("x.scaup.wal");
  log.replace(0, kHeaderBytes, old_log, 0, kHeaderBytes);
  directory.Write("x.scaup.wal", log);
  const auto before = directory.Contents();
  const auto error = OpenError(path);
  REQUIRE(error);
  CHECK(error->sqlstate() == std::string("XX001"));
  CHECK((directory.Contents() == before));
  {
    const Database database(path, OneThread({{"recovery_mode", "salvage"}}));
    Connection connection(database);
    CHECK(Ask(connection, "SELECT sum(i) FROM t") == "1");
  }
  CHECK((directory.Contents()["x.scaup.wal.damaged"] == log));
}

TEST_CASE("a database in memory cannot be read-only", "[file]") {
  const auto error = OpenError(":memory:", kReadOnly);
  REQUIRE(error);
  CHECK(error->sqlstate() == std::string("0A000"));
}

TEST_CASE("scans of a file skip blocks by their zone maps", "[file]") {
  const ScratchDirectory directory;
  const std::string path = directory / "x.scaup";
  Execute(path,
          {"CREATE TABLE t AS SELECT i, 'k' || lpad(CAST(i AS VARCHAR), 7, '0') AS s FROM range(300000) "
           "AS r(i)"});
  const Database database(path, OneThread(kReadOnly));
  Connection connection(database);
  for (const char* filter : {"i = 200000", "i BETWEEN 200000 AND 200500", "s = 'k0200000'"}) {
    INFO(filter);
    const QueryResult plan =
        connection.Query(std::string("EXPLAIN ANALYZE SELECT count(*) FROM t WHERE ") + filter);
    std::string text;
    for (size_t row = 0; row < plan.row_count(); row++) text += plan.GetValue(0, row).ToString() + "\n";
    CHECK_THAT(text, Catch::Matches("[^]*blocks: [12] read, 29[0-9] skipped[^]*"));
  }
}

TEST_CASE("one who only reads sees what others commit meanwhile", "[file]") {
  const ScratchDirectory directory;
  const std::string path = directory / "x.scaup";
  const Database database(path, OneThread());
  Connection writer(database);
  writer.Query("CREATE TABLE t (i INTEGER)");
  const Database other(path, OneThread(kReadOnly));
  Connection reader(other), in_block(other);
  PreparedStatement prepared = reader.Prepare("SELECT count(*) FROM t");
  in_block.Query("BEGIN");
  CHECK(Ask(in_block, "SELECT count(*) FROM t") == "0");
  for (int i = 1; i <= 40; i++) {
    writer.Query("INSERT INTO t VALUES (" + std::to_string(i) + ")");
    if (i % 10 == 0) writer.Query("CHECKPOINT");
    CHECK(Ask(reader, "SELECT sum(i) FROM t") == std::to_string(i * (i + 1) / 2));
    CHECK(prepared.Execute().GetValue(0, 0).ToString() == std::to_string(i));
    CHECK(Ask(in_block, "SELECT count(*) FROM t") == "0");
  }
  in_block.Query("COMMIT");
  CHECK(Ask(in_block, "SELECT count(*) FROM t") == "40");
  // A result that is still being fetched keeps what it needs.
  writer.Query("INSERT INTO t SELECT i FROM range(200000) AS r(i)");
  writer.Query("CHECKPOINT");
  {
    auto stream = reader.Stream("SELECT i FROM t");
    writer.Query("DROP TABLE t");
    writer.Query("CHECKPOINT");
    writer.Query("CREATE TABLE u AS SELECT hash(i) AS h FROM range(400000) AS r(i)");
    writer.Query("CHECKPOINT");
    uint64_t count = 0;
    for (QueryResult rows; stream.Fetch(rows, 10000);) count += rows.row_count();
    CHECK(count == 200040);
  }
  CHECK(Ask(reader, "SELECT count(*) FROM u") == "400000");
  CHECK(Ask(reader, "PRAGMA integrity_check") == "ok");
}

}  // namespace scaup::test
