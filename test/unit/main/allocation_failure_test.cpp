// Without memory at any point of a checkpoint or a commit, nothing that was committed is lost.
#include <catch2/catch.hpp>

#include "failing_allocations.hpp"
#include "main/database/database_instance.hpp"
#include "main/session/session.hpp"
#include "simulation/simulated_file_system.hpp"

namespace scaup::test {

namespace {

std::shared_ptr<DatabaseInstance> Open(SimulatedFileSystem& files) {
  const Config config{{"threads", "1"}, {"checkpoint_threshold", "1GB"}};
  return std::make_shared<DatabaseInstance>("x.scaup", config, files.Share());
}

QueryResult Run(const std::shared_ptr<DatabaseInstance>& database, const std::string& sql) {
  return std::make_shared<Session>(database)->Execute(sql, {}, false);
}

/// The sums of all rows, by the tables and by their indexes.
std::string Contents(const std::shared_ptr<DatabaseInstance>& database) {
  const QueryResult result = Run(
      database,
      "SELECT (SELECT count(*) || ' ' || sum(i) || ' ' || sum(length(s)) FROM t), (SELECT s FROM t WHERE i "
      "= 7), (SELECT count(*) || ' ' || sum(i) FROM small), (SELECT count(*) || ' ' || sum(a) "
      "FROM documents)");
  std::string contents;
  for (size_t column = 0; column < result.column_count(); column++)
    contents += result.GetValue(column, 0).ToString() + "|";
  return contents;
}

/// Makes a database with a checkpoint and, after it, changes of all kinds in the log.
std::shared_ptr<DatabaseInstance> MakeChanged(SimulatedFileSystem& files) {
  auto database = Open(files);
  Run(database,
      "CREATE TABLE t (i INTEGER PRIMARY KEY, s VARCHAR); CREATE TABLE small (i INTEGER); "
      "CREATE TABLE unchanged (i INTEGER); INSERT INTO unchanged VALUES (1); CREATE COLLECTION documents; "
      "INSERT INTO t SELECT i, 'text ' || i FROM generate_series(1, 3000) AS g(i); "
      "INSERT INTO documents VALUES ('{\"a\": 1}'), ('{\"a\": 2, \"b\": [1, 2]}'); CHECKPOINT");
  Run(database,
      "UPDATE t SET s = s || '!' WHERE i % 7 = 0; DELETE FROM t WHERE i % 5 = 0; INSERT INTO small VALUES "
      "(1), (2); INSERT INTO documents VALUES ('{\"a\": 3, \"c\": \"new\"}'); CREATE INDEX by_text ON t (s)");
  return database;
}

const char* const kLaterCommit =
    "BEGIN; UPDATE t SET s = 'later' WHERE i = 7; INSERT INTO small VALUES (40); INSERT INTO documents "
    "VALUES "
    "('{\"a\": 50, \"d\": true}'); DELETE FROM t WHERE i = 8; COMMIT";

/// Returns how many allocations the calling thread makes for `sql`.
int64_t CountAllocations(const std::string& sql) {
  SimulatedFileSystem files;
  const auto database = MakeChanged(files);
  const FailingAllocation none(INT64_MAX);
  Run(database, sql);
  return none.count();
}

/// Numbers of allocations: all of the last ones, which come after the file has changed, and some of the
/// others.
std::vector<int64_t> SomeOf(int64_t count) {
  constexpr int64_t kAllOfLast = 300;
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count; i += i < count - kAllOfLast ? 1 + i / 4 : 1) numbers.push_back(i);
  return numbers;
}

}  // namespace

TEST_CASE("a checkpoint without memory loses no commit", "[main]") {
  std::string with_later, without_later;
  {
    SimulatedFileSystem files;
    const auto database = MakeChanged(files);
    without_later = Contents(database);
    Run(database, kLaterCommit);
    with_later = Contents(database);
  }
  int failures = 0;
  for (const int64_t number : SomeOf(CountAllocations("CHECKPOINT"))) {
    INFO("allocation " << number);
    SimulatedFileSystem files;
    auto database = MakeChanged(files);
    try {
      const FailingAllocation failing(number);
      Run(database, "CHECKPOINT");
    } catch (const std::exception&) {
      failures++;
    }
    REQUIRE(Contents(database) == without_later);
    Run(database, kLaterCommit);
    REQUIRE(Contents(database) == with_later);
    const bool with_checkpoint = number % 2 == 0;
    if (with_checkpoint) Run(database, "CHECKPOINT");
    files.Kill();
    database.reset();
    database = Open(files);
    REQUIRE(Contents(database) == with_later);
    Run(database, "CHECKPOINT");
    database.reset();
    database = Open(files);
    REQUIRE(Contents(database) == with_later);
    REQUIRE(Run(database, "SELECT i FROM unchanged").GetValue(0, 0).ToString() == "1");
  }
  CHECK(failures > 0);
}

TEST_CASE("a transaction without memory commits or does not, and says so", "[main]") {
  const std::string sql = GENERATE(as<std::string>(), kLaterCommit, "UPDATE t SET s = 'later' WHERE i = 7",
                                   "INSERT INTO documents VALUES ('{\"a\": 50, \"d\": true}')",
                                   "BEGIN; CREATE TABLE copy AS SELECT * FROM t; DROP TABLE small; "
                                   "CREATE TABLE small AS SELECT i FROM copy WHERE i < 10; COMMIT");
  for (const int64_t number : SomeOf(CountAllocations(sql))) {
    INFO(sql << ", allocation " << number);
    SimulatedFileSystem files;
    auto database = MakeChanged(files);
    const std::string before = Contents(database);
    bool has_failed = false;
    try {
      const FailingAllocation failing(number);
      Run(database, sql);
    } catch (const std::exception&) {
      has_failed = true;
    }
    const std::string after = Contents(database);
    REQUIRE((after == before) == has_failed);
    files.Kill();
    database.reset();
    database = Open(files);
    REQUIRE(Contents(database) == after);
    Run(database, kLaterCommit);
  }
}

}  // namespace scaup::test
