// Databases by the thousand: memory and threads are given back, results outlive what they came from.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

#include "../effort.hpp"
#include "scaup/scaup.hpp"

namespace scaup {

namespace {

size_t ResidentBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const int read = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

size_t ThreadCount() {
  std::error_code error;
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error))
    count++;
  return count;
}

void OpenAndClose() {
  const Database database(":memory:", {{"threads", "3"}});
  Connection connection(database);
  connection.Query(
      "CREATE TABLE t AS SELECT i, 'text that is longer than twelve bytes ' || i AS s FROM range(5000) AS "
      "r(i)");
  REQUIRE(connection.Query("SELECT sum(i) FROM t").GetValue(0, 0).ToString() == "12497500");
  REQUIRE(connection.Query("SELECT t.s FROM t JOIN t AS u ON t.i = u.i ORDER BY t.i DESC").row_count() ==
          5000);
  REQUIRE_THROWS_AS(connection.Query("SELECT 1 / (i - 4000) FROM t"), Error);
  StreamingResult stream = connection.Stream("SELECT * FROM t");  // Left open.
  QueryResult rows;
  REQUIRE(stream.Fetch(rows));
}

}  // namespace

TEST_CASE("a thousand databases leave neither memory nor threads") {
  const size_t threads = ThreadCount();
  for (int i = 0; i < 100; i++) OpenAndClose();
  const size_t before = ResidentBytes();
  for (size_t i = 0; i < test::Effort(1000); i++) OpenAndClose();
  CHECK(ThreadCount() == threads);
#if !defined(__SANITIZE_ADDRESS__)  // Its quarantine keeps what is freed.
  CHECK(ResidentBytes() < before + (size_t{20} << 20));
#endif
}

TEST_CASE("a large result outlives its connection and its database") {
  std::optional<QueryResult> result;
  {
    const Database database(":memory:", {{"threads", "2"}});
    Connection connection(database);
    connection.Query(
        "CREATE TABLE t AS SELECT i, CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS n FROM range(1000000) AS "
        "r(i)");
    result = connection.Query("SELECT i, n FROM t");
  }
  const ColumnView values = result->Column(0);
  const ColumnView with_nulls = result->Column(1);
  result.reset();  // The views hold the memory themselves.
  REQUIRE(values.nulls == nullptr);
  REQUIRE(with_nulls.nulls != nullptr);
  const auto* numbers = static_cast<const int64_t*>(values.data);
  const auto* others = static_cast<const int64_t*>(with_nulls.data);
  size_t wrong = 0;
  for (size_t row = 0; row < 1'000'000; row++) {
    const auto expected = static_cast<int64_t>(row);
    const bool is_null = row % 3 == 0;
    wrong += numbers[row] != expected || (with_nulls.nulls[row] != 0) != is_null ||
             others[row] != (is_null ? 0 : expected);
  }
  CHECK(wrong == 0);
}

TEST_CASE("values of a direct query have their own types, text that of its place") {
  const Database database;
  Connection connection(database);
  const auto type_of = [&](const std::string& sql, const Value& value) {
    return connection.Query(sql, std::vector<Value>{value}).columns()[0].type.ToString();
  };
  CHECK(type_of("SELECT $1", Value::Integer(1)) == "INTEGER");
  CHECK(type_of("SELECT $1", Value::Varchar("x")) == "VARCHAR");
  CHECK(type_of("SELECT $1 + 1", Value::Varchar("2")) == "INTEGER");
  CHECK(type_of("SELECT $1", Value()) == "VARCHAR");
  connection.Query("CREATE TABLE t (i INTEGER)");
  connection.Query("INSERT INTO t VALUES (1), (2)");
  CHECK(
      connection.Query("SELECT * FROM t WHERE i = $1", std::vector<Value>{Value::Double(1.5)}).row_count() ==
      0);
  StreamingResult stream = connection.Stream("SELECT $1", std::vector<Value>{Value::Double(1.5)});
  CHECK(stream.columns()[0].type.id() == TypeId::kDouble);
}

}  // namespace scaup
