// EXPORT and IMPORT DATABASE: one snapshot, a directory that may move, nothing left after a failure, and what
// the pragmas of prepared statements show.
#include <catch2/catch.hpp>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

#include "../vector/random_values.hpp"
#include "scaup/scaup.hpp"

namespace scaup {

namespace {

/// A directory of its own, removed with all that is in it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "scaup_export_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

int64_t Number(Connection& connection, const std::string& sql) {
  return connection.Query(sql).GetValue(0, 0).GetBigInt();
}

/// Random dates and times are any integers; as text they must be such that SQL can write.
Value InRange(const Value& value) {
  if (value.is_null()) return value;
  switch (value.type().id()) {
    case TypeId::kDate: return Value::Date(static_cast<int32_t>(value.GetInteger() % 2'000'000));
    case TypeId::kTime: {
      const auto micros = static_cast<int64_t>(value.GetInteger() % 86'400'000'000);
      return Value::Time(micros < 0 ? -micros : micros);
    }
    case TypeId::kTimestamp: {
      return Value::Timestamp(static_cast<int64_t>(value.GetInteger() % 200'000'000'000'000'000));
    }
    default: return value;
  }
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("Values of all types survive an export, and a second one is the same", "[main]") {
  const ScratchDirectory scratch;
  Database database(":memory:", {{"threads", "2"}});
  Connection connection(database);
  const auto& types = test::SampleTypes();
  std::string columns;
  for (size_t i = 0; i < types.size(); i++)
    columns += (i == 0 ? "c" : ", c") + std::to_string(i) + " " + types[i].ToString();
  connection.Query("CREATE TABLE t (" + columns + ")");
  test::Random random(7);
  auto rows = test::RandomRows(random, types, 2500);
  for (auto& row : rows) {
    for (Value& value : row) value = InRange(value);
  }
  Appender appender(connection, "t");
  for (const test::Row& row : rows) {
    for (const Value& value : row) appender.Append(value);
    appender.EndRow();
  }
  appender.Close();
  CHECK(connection.Query("EXPORT DATABASE '" + scratch / "first" + "'").rows_changed() == rows.size());
  // Where the directory lies is not written in it.
  std::filesystem::rename(scratch / "first", scratch / "moved");

  Database other;
  Connection second(other);
  CHECK(second.Query("IMPORT DATABASE '" + scratch / "moved" + "'").rows_changed() == rows.size());
  const QueryResult result = second.Query("SELECT * FROM t");
  REQUIRE(result.row_count() == rows.size());
  for (size_t row = 0; row < rows.size(); row++) {
    for (size_t i = 0; i < types.size(); i++) {
      if (!test::SameValue(result.GetValue(i, row), rows[row][i]))
        FAIL(types[i].ToString() << " row " << row << ": " << rows[row][i].ToString());
    }
  }
  second.Query("EXPORT DATABASE '" + scratch / "again" + "'");
  for (const char* name : {"schema.sql", "load.sql", "main_t_0.csv"}) {
    CHECK(ReadFile(scratch / "moved" + "/" + name) == ReadFile(scratch / "again" + "/" + name));
  }
}

TEST_CASE("An export is one snapshot of all tables", "[main]") {
  const ScratchDirectory scratch;
  Database database(":memory:", {{"threads", "1"}});
  Connection connection(database);
  connection.Query("CREATE TABLE a (i INTEGER)");
  connection.Query("CREATE TABLE b AS SELECT i FROM generate_series(1, 300000) AS r(i)");
  connection.Query("CREATE TABLE c (i INTEGER)");
  std::atomic<bool> is_done = false;
  std::thread writer([&] {
    Connection own(database);
    // Each row of c has one of a, whenever one looks.
    while (!is_done) {
      own.Query("INSERT INTO a VALUES (1)");
      own.Query("INSERT INTO c VALUES (1)");
    }
  });
  while (Number(connection, "SELECT count(*) FROM c") == 0) std::this_thread::yield();
  connection.Query("EXPORT DATABASE '" + scratch / "x" + "'");
  is_done = true;
  writer.join();
  Database other;
  Connection second(other);
  second.Query("IMPORT DATABASE '" + scratch / "x" + "'");
  const int64_t ahead = Number(second, "SELECT count(*) FROM a") - Number(second, "SELECT count(*) FROM c");
  CHECK(ahead >= 0);
  CHECK(ahead <= 1);
  CHECK(Number(second, "SELECT count(*) FROM b") == 300000);
}

TEST_CASE("A failed export removes what it wrote", "[main]") {
  const ScratchDirectory scratch;
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE a AS SELECT i FROM generate_series(1, 10) AS r(i)");
  connection.Query("CREATE TABLE b AS SELECT i FROM generate_series(1, 3000000) AS r(i)");
  std::atomic<bool> is_done = false;
  std::thread stopper([&] {
    // Once the second table is being written.
    while (!is_done && !std::filesystem::exists(scratch / "x" + "/main_b_1.csv")) std::this_thread::yield();
    connection.Interrupt();
  });
  try {
    connection.Query("EXPORT DATABASE '" + scratch / "x" + "'");
    FAIL("not interrupted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInterrupted);
  }
  is_done = true;
  stopper.join();
  CHECK_FALSE(std::filesystem::exists(scratch / "x"));
  connection.Query("DROP TABLE b");
  connection.Query("EXPORT DATABASE '" + scratch / "x" + "'");
  CHECK(std::filesystem::exists(scratch / "x" + "/schema.sql"));
}

TEST_CASE("A failed import leaves no table, and another transaction never sees half of one", "[main]") {
  const ScratchDirectory scratch;
  Database database;
  Connection connection(database), watcher(database);
  connection.Query("CREATE TABLE a AS SELECT i FROM generate_series(1, 1000) AS r(i)");
  connection.Query("CREATE TABLE b AS SELECT i FROM generate_series(1, 1000) AS r(i)");
  connection.Query("EXPORT DATABASE '" + scratch / "x" + "'");
  connection.Query("DROP TABLE a, b");
  const std::string whole = ReadFile(scratch / "x" + "/main_b_1.csv");
  std::ofstream(scratch / "x" + "/main_b_1.csv", std::ios::app) << "not a number\n";
  CHECK_THROWS_AS(connection.Query("IMPORT DATABASE '" + scratch / "x" + "'"), Error);
  CHECK(watcher.Query("PRAGMA show_tables").row_count() == 0);
  CHECK(connection.Query("SELECT 1").row_count() == 1);
  std::ofstream(scratch / "x" + "/main_b_1.csv", std::ios::trunc) << whole;
  connection.Query("IMPORT DATABASE '" + scratch / "x" + "'");
  CHECK(Number(watcher, "SELECT count(*) FROM b") == 1000);
}

TEST_CASE("A prepared pragma shows what is, not what was", "[main]") {
  Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (i INTEGER)");
  PreparedStatement info = connection.Prepare("SELECT row_count FROM pragma_storage_info('t')");
  CHECK(info.Execute().row_count() == 0);
  connection.Query("INSERT INTO t VALUES (1), (2)");
  const QueryResult result = info.Execute();
  REQUIRE(result.row_count() == 1);
  CHECK(result.GetValue(0, 0).GetBigInt() == 2);
  PreparedStatement pragma = connection.Prepare("PRAGMA show_tables");
  connection.Query("CREATE TABLE u (i INTEGER)");
  CHECK(pragma.Execute().row_count() == 2);
  PreparedStatement checkpoint = connection.Prepare("CHECKPOINT");
  checkpoint.Execute();
  checkpoint.Execute();
}

}  // namespace scaup
