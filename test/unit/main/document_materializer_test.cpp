// Documents that are moved between their forms while others read and change them.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "common/sqlstate.hpp"
#include "main/database/database_instance.hpp"
#include "main/session/session.hpp"
#include "scaup/error.hpp"
#include "scaup/result.hpp"
#include "simulation/simulated_file_system.hpp"

namespace scaup::test {

namespace {

constexpr int64_t kDocuments = 3000;
constexpr int64_t kDocumentSum = kDocuments * (kDocuments - 1) / 2;

std::shared_ptr<DatabaseInstance> Open(SimulatedFileSystem& files, const char* materializer) {
  const Config config = {{"threads", "2"}, {"document_materializer", materializer}};
  return std::make_shared<DatabaseInstance>("x.scaup", config, files.Share());
}

QueryResult Execute(const std::shared_ptr<DatabaseInstance>& database, const std::string& sql) {
  return std::make_shared<Session>(database)->Execute(sql, {}, false);
}

// One attribute of all documents, one of a third, and one of a hundred documents each.
void MakeDocuments(const std::shared_ptr<DatabaseInstance>& database) {
  Execute(database, "CREATE COLLECTION c");
  Execute(database,
          fmt::format(
              "INSERT INTO c SELECT ('{{\"id\":' || i || ',\"writer\":' || (i % 2) || ',\"changes\":0' || "
              "CASE WHEN i % 3 = 0 THEN ',\"o\":{{\"x\":' || i || '}}' ELSE '' END || "
              "',\"sparse_' || (i % 30) || '\":\"some text\"}}')::JSON "
              "FROM generate_series(0, {}) AS g(i)",
              kDocuments - 1));
  Execute(database, "CREATE INDEX ON c USING text (*)");
  Execute(database, "CHECKPOINT");
}

// What no change changes, however documents are kept. Checks of Catch2 are for one thread.
bool IsWhole(const QueryResult& sums) {
  return sums.GetValue(0, 0).ToString() == std::to_string(kDocuments) &&
         sums.GetValue(1, 0).ToString() == std::to_string(kDocumentSum) &&
         sums.GetValue(2, 0).ToString() == "1000" && sums.GetValue(3, 0).ToString() == "100";
}

constexpr const char* kSums = "SELECT count(*), sum(id), count(\"o.x\"), count(sparse_7) FROM c";

const char* DensityOf(int number) {
  static const char* const kDensities[] = {"0", "1", "0.2", "0.5"};
  return kDensities[number % 4];
}

// Adds one to the changes of documents of its own, again and again; returns how often it did.
int64_t Change(const std::shared_ptr<DatabaseInstance>& database, int64_t writer, int rounds) {
  int64_t done = 0;
  for (int round = 0; round < rounds; round++) {
    const std::string where =
        round % 5 == 0 ? fmt::format("writer = {}", writer)
                       : fmt::format("writer = {} AND id % 10 = {}", writer, round % 5 * 2 + writer);
    try {
      Execute(database, "UPDATE c SET changes = changes + 1 WHERE " + where);
      done += round % 5 == 0 ? kDocuments / 2 : kDocuments / 10;
    } catch (const Error& error) {
      if (std::string(error.sqlstate()) != sqlstate::kSerializationFailure) throw;
    }
  }
  return done;
}

}  // namespace

TEST_CASE("no change is lost while row groups of documents are exchanged", "[materializer]") {
  SimulatedFileSystem files;
  std::atomic<int64_t> changes = 0;
  {
    const auto database = Open(files, "off");
    MakeDocuments(database);
    std::atomic<bool> is_done = false;
    std::atomic<int> failures = 0, steps = 0;
    std::thread mover([&] {
      for (int i = 0; !is_done; i++) {
        database->settings().Set("document_density", DensityOf(i));
        while (database->MaterializeStep()) steps++;
        if (i % 3 == 0) database->Checkpoint();
      }
    });
    std::thread reader([&] {
      while (!is_done) {
        if (!IsWhole(Execute(database, kSums))) failures++;
        if (Execute(database, "SELECT 1 FROM c WHERE matches('*', 'text') AND id = 7").row_count() != 1)
          failures++;
      }
    });
    std::thread other([&] { changes += Change(database, 1, 40); });
    changes += Change(database, 0, 40);
    other.join();
    is_done = true;
    mover.join();
    reader.join();
    CHECK(failures == 0);
    CHECK(steps > 0);
    CHECK(IsWhole(Execute(database, kSums)));
    CHECK(Execute(database, "SELECT sum(changes) FROM c").GetValue(0, 0).ToString() ==
          std::to_string(changes));
    files.Kill();
  }
  const auto database = Open(files, "off");
  CHECK(IsWhole(Execute(database, kSums)));
  CHECK(Execute(database, "SELECT sum(changes) FROM c").GetValue(0, 0).ToString() == std::to_string(changes));
  CHECK(Execute(database, "SELECT * FROM pragma_integrity_check()").GetString(0, 0) == "ok");
}

TEST_CASE("idle time moves documents, and ends with the database", "[materializer]") {
  SimulatedFileSystem files;
  for (int round = 0; round < 4; round++) {
    const auto database = Open(files, "on");
    if (round == 0) MakeDocuments(database);
    const char* const place = round % 2 == 0 ? "physical" : "reservoir";
    database->settings().Set("document_density", round % 2 == 0 ? "0.2" : "1");
    const auto is_moved = [&] {
      const QueryResult info =
          Execute(database, "SELECT place FROM pragma_collection_info('c') WHERE path = 'o.x'");
      return info.row_count() == 1 && info.GetString(0, 0) == place;
    };
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (int i = 0; !is_moved() && std::chrono::steady_clock::now() < until; i++) {
      Execute(database, fmt::format("UPDATE c SET changes = {} WHERE id = {}", i, i));
      CHECK(IsWhole(Execute(database, kSums)));
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
    }
    CHECK(is_moved());
    // Now and then there is a step to wait for.
    database->settings().Set("document_density", "0.01");
    Execute(database, "UPDATE c SET changes = 0 WHERE id = 1");
    std::this_thread::sleep_for(std::chrono::milliseconds(20 * round));
  }
}

}  // namespace scaup::test
