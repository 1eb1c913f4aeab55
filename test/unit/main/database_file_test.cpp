// Databases in files: what commits, checkpoints and drops that cross each other leave for the next start.
#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <thread>

#include "main/database/database_instance.hpp"
#include "main/database/integrity_check.hpp"
#include "main/session/session.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/scan/table_sample.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/table/table_sampler.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup::test {

namespace {

std::shared_ptr<DatabaseInstance> Open(SimulatedFileSystem& files) {
  return std::make_shared<DatabaseInstance>("x.scaup", Config{{"threads", "2"}}, files.Share());
}

std::string Ask(const std::shared_ptr<DatabaseInstance>& database, const std::string& sql) {
  const auto session = std::make_shared<Session>(database);
  const QueryResult result = session->Execute(sql, {}, false);
  return result.row_count() == 0 || result.column_count() == 0 ? "" : result.GetValue(0, 0).ToString();
}

/// An insert that has done all but its commit.
std::shared_ptr<Transaction> BeginInsert(DatabaseInstance& database, const std::string& table) {
  auto transaction = database.transactions().Begin();
  const auto entry = database.catalog().Find<TableEntry>(*transaction, "", table);
  RowGroupBuilder builder(entry->storage->types(), database.memory());
  DataChunk chunk(entry->storage->types());
  chunk.ResetForWriting();
  chunk.column(0).SetValue(0, Value::Integer(7));
  chunk.SetSize(1);
  builder.Append(chunk);
  builder.Finish();
  entry->storage->Insert({*transaction, entry->name}, builder.TakeFinished(), builder.statistics(), {});
  return transaction;
}

}  // namespace

TEST_CASE("a table into which somebody inserts cannot be dropped, nor can one that is dropped be filled",
          "[main]") {
  const bool has_checkpoint = GENERATE(false, true);
  SimulatedFileSystem files;
  auto database = Open(files);
  Ask(database, "CREATE TABLE t (i INTEGER); CREATE TABLE u (i INTEGER); INSERT INTO t VALUES (1)");
  Ask(database, "CHECKPOINT");
  const auto insert = BeginInsert(*database, "t");
  CHECK_THROWS_AS(Ask(database, "DROP TABLE t"), Error);
  database->transactions().Commit(*insert);
  CHECK(Ask(database, "SELECT sum(i) FROM t") == "8");
  {
    const auto late = database->transactions().Begin();
    const auto entry = database->catalog().Find<TableEntry>(*late, "", "t");
    Ask(database, "DROP TABLE t");
    if (has_checkpoint) Ask(database, "CHECKPOINT");
    const RowNumber row = 0;
    CHECK_THROWS_AS(entry->storage->Delete({*late, "t"}, {&row, 1}), Error);
    database->transactions().Rollback(*late);
  }
  Ask(database, "INSERT INTO u VALUES (2)");
  files.Kill();
  database.reset();
  REQUIRE_NOTHROW(database = Open(files));
  CHECK(Ask(database, "SELECT sum(i) FROM u") == "2");
  CHECK_THROWS_AS(Ask(database, "SELECT * FROM t"), Error);
}

TEST_CASE("a schema main that was dropped stays so, and can be made again", "[main]") {
  SimulatedFileSystem files;
  auto database = Open(files);
  Ask(database, "CREATE SCHEMA s; DROP SCHEMA main; CHECKPOINT");
  const bool is_made_again = GENERATE(false, true);
  if (is_made_again) Ask(database, "CREATE SCHEMA main; CREATE TABLE main.t (i INTEGER)");
  files.Kill();
  database.reset();
  REQUIRE_NOTHROW(database = Open(files));
  if (is_made_again) {
    CHECK(Ask(database, "SELECT count(*) FROM main.t") == "0");
  } else {
    CHECK_THROWS_AS(Ask(database, "CREATE TABLE main.t (i INTEGER)"), Error);
  }
}

TEST_CASE("what a closed database leaves is one file", "[main]") {
  SimulatedFileSystem files;
  auto database = Open(files);
  Ask(database, "CREATE TABLE t AS SELECT i FROM range(100000) AS r(i)");
  database.reset();
  CHECK(files.Files() == std::vector<std::string>{"x.scaup"});
  database = Open(files);
  CHECK(Ask(database, "SELECT sum(i) FROM t") == "4999950000");
}

TEST_CASE("inserts and drops beside checkpoints and readers", "[main]") {
  SimulatedFileSystem files;
  auto database = Open(files);
  Ask(database, "CREATE TABLE t (i BIGINT)");
  std::atomic<bool> is_over{false};
  std::atomic<int> wrong{0};
  std::atomic<uint64_t> inserted{0};
  std::mutex mutex;
  std::string message;  // The last error's.
  std::vector<std::thread> threads;
  const auto run = [&](auto body) {
    threads.emplace_back([&, body] {
      for (int round = 0; !is_over; round++) {
        try {
          body(round);
        } catch (const std::exception& error) {
          wrong++;
          std::lock_guard lock(mutex);
          message = error.what();
        }
      }
    });
  };
  run([&](int round) {
    const bool is_bulk = round % 4 == 0;
    Ask(database, is_bulk ? "INSERT INTO t SELECT i FROM range(40000) AS r(i)" : "INSERT INTO t VALUES (1)");
    inserted += is_bulk ? 40000 : 1;
    if (round == 24) is_over = true;
  });
  run([&](int round) {
    const std::string name = "d" + std::to_string(round);
    Ask(database, "CREATE TABLE " + name + " AS SELECT i FROM range(40000) AS r(i); DROP TABLE " + name);
  });
  run([&](int round) { Ask(database, round % 3 == 0 ? "VACUUM" : "CHECKPOINT"); });
  run([&](int) {
    // 40000 numbers add up to 799980000, every other insert to 1.
    const auto session = std::make_shared<Session>(database);
    const QueryResult result = session->Execute("SELECT count(*), coalesce(sum(i), 0) FROM t", {}, false);
    const int64_t count = std::stoll(result.GetValue(0, 0).ToString()),
                  sum = std::stoll(result.GetValue(1, 0).ToString());
    wrong += (count / 40000) * 799980000 + count % 40000 != sum;
  });
  for (std::thread& thread : threads) thread.join();
  INFO(message);
  CHECK(wrong == 0);
  CHECK(Ask(database, "SELECT count(*) FROM t") == std::to_string(inserted));
  {
    const auto transaction = database->transactions().Begin();
    CHECK(CheckIntegrity(database->catalog(), *transaction).empty());
    database->transactions().Rollback(*transaction);
  }
  const bool is_killed = GENERATE(false, true);
  if (is_killed) files.Kill();
  database.reset();
  database = Open(files);
  CHECK(Ask(database, "SELECT count(*) FROM t") == std::to_string(inserted));
}

namespace {

std::shared_ptr<const TableSample> SampleOf(DatabaseInstance& database, const std::string& table) {
  const ReadTransaction transaction(database.transactions());
  return database.catalog().Find<TableEntry>(*transaction, "", table)->storage->sampler().Sample();
}

}  // namespace

TEST_CASE("samples are in the file, so that estimates are the same after the next start", "[main][sample]") {
  SimulatedFileSystem files;
  auto database = Open(files);
  Ask(database,
      "CREATE TABLE t AS SELECT i AS id, CASE WHEN i % 3 = 0 THEN 0 ELSE i END AS s FROM range(20000) r(i)");
  const std::string explain = "EXPLAIN (FORMAT json) SELECT 1 FROM t WHERE s % 1000 = 7 OR s = 0";
  REQUIRE(SampleOf(*database, "t"));
  const RowNumber next_row = SampleOf(*database, "t")->next_row;
  const uint64_t row_count = SampleOf(*database, "t")->row_count;
  const size_t sampled = SampleOf(*database, "t")->row_group()->row_count();
  CHECK(!SampleOf(*database, "t")->row_group()->is_stored());
  const std::string plan = Ask(database, explain);
  Ask(database, "CHECKPOINT");
  // A sample must not outlive its database.
  const auto check_stored = [&] {
    const auto stored = SampleOf(*database, "t");
    REQUIRE(stored);
    CHECK(stored->row_group()->is_stored());
    CHECK(stored->row_group()->row_count() == sampled);
    CHECK(stored->next_row == next_row);
    CHECK(stored->row_count == row_count);
  };
  check_stored();
  CHECK(Ask(database, explain) == plan);
  database.reset();
  database = Open(files);
  check_stored();
  CHECK(Ask(database, explain) == plan);
  // With nothing to commit the file still gets what ANALYZE has found.
  Ask(database, "ANALYZE t");
  const std::string other_plan = Ask(database, explain);
  database.reset();
  database = Open(files);
  CHECK(Ask(database, explain) == other_plan);
  Ask(database, "VACUUM");
  CHECK(Ask(database, explain) == other_plan);
  const ReadTransaction transaction(database->transactions());
  CHECK(CheckIntegrity(database->catalog(), *transaction).empty());
}

}  // namespace scaup::test
