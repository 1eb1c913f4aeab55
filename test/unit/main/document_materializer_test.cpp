// Documents that idle time moves between their forms.
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "main/database_instance.hpp"
#include "main/session.hpp"
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

}  // namespace

TEST_CASE("idle time moves documents, and ends with the database", "[materializer]") {
  SimulatedFileSystem files;
  for (int round = 0; round < 4; round++) {
    const auto database = Open(files, "on");
    if (round == 0) MakeDocuments(database);
    const char* const place = round % 2 == 0 ? "physical" : "reservoir";
    database->Set("document_density", round % 2 == 0 ? "0.2" : "1");
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
    database->Set("document_density", "0.01");
    Execute(database, "UPDATE c SET changes = 0 WHERE id = 1");
    std::this_thread::sleep_for(std::chrono::milliseconds(20 * round));
  }
}

}  // namespace scaup::test
