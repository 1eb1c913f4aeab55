// Arrow by the public interface: results out, tables of the program in.
#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

#include "scaup/arrow.h"
#include "scaup/scaup.hpp"

namespace scaup {
namespace {

std::string Sum(Connection& connection, const std::string& sql) { return connection.Query(sql).ToString(); }

struct Stream {
  ~Stream() {
    if (each.release != nullptr) each.release(&each);
  }
  ArrowArrayStream each = {};
};

/// How many rows and arrays a stream has.
std::pair<int64_t, int> Count(ArrowArrayStream& stream) {
  int64_t rows = 0;
  int arrays = 0;
  while (true) {
    ArrowArray array;
    REQUIRE(stream.get_next(&stream, &array) == 0);
    if (array.release == nullptr) return {rows, arrays};
    rows += array.length;
    arrays++;
    array.release(&array);
  }
}

}  // namespace

TEST_CASE("a result is given away as Arrow arrays", "[main][arrow]") {
  Stream stream;
  {
    Database database(":memory:");
    Connection connection(database);
    const QueryResult rows =
        connection.Query("SELECT i, 'a text that is long ' || i FROM range(1000) AS r(i)");
    rows.ExportArrow(&stream.each, {.batch_rows = 300});
    CHECK_THROWS_AS(rows.ExportArrow(&stream.each, {.batch_rows = 0}), Error);
    CHECK_THROWS_AS(connection.Query("CREATE TABLE t (i INTEGER)").ExportArrow(&stream.each), Error);
  }
  // After the database is gone.
  CHECK(Count(stream.each) == std::pair<int64_t, int>(1000, 4));
  CHECK(Count(stream.each) == std::pair<int64_t, int>(0, 0));
}

TEST_CASE("a stream is given away as Arrow arrays, and its error with it", "[main][arrow]") {
  Database database(":memory:");
  Connection connection(database);
  Stream stream, failing;
  connection.Stream("SELECT i FROM range(100000) AS r(i)").ExportArrow(&stream.each, {.batch_rows = 1000});
  CHECK(Count(stream.each).first == 100000);
  connection.Stream("SELECT 1 / (50000 - i) FROM range(100000) AS r(i)").ExportArrow(&failing.each);
  ArrowArray array;
  int code = 0;
  for (int i = 0; i < 1000 && code == 0; i++) {
    code = failing.each.get_next(&failing.each, &array);
    if (code == 0 && array.release != nullptr) array.release(&array);
  }
  CHECK(code != 0);
  CHECK(std::string(failing.each.get_last_error(&failing.each)).find("division by zero") !=
        std::string::npos);
}

TEST_CASE("tables of the program are read by statements", "[main][arrow]") {
  Database database(":memory:");
  Connection connection(database);
  const QueryResult rows = connection.Query("SELECT i AS x, 'text ' || i AS s FROM range(5000) AS r(i)");
  const ArrowFactory factory = [&](std::span<const std::string>, ArrowArrayStream* out) {
    rows.ExportArrow(out);
  };
  SECTION("registered, any number of times") {
    connection.RegisterArrow("Numbers", factory);
    CHECK(Sum(connection, "SELECT sum(a.x) FROM numbers a JOIN NUMBERS b ON a.s = b.s") == "12497500\n");
    connection.Query("CREATE TABLE kept AS SELECT * FROM numbers");
    CHECK_THROWS_AS(connection.Query("CREATE VIEW v AS SELECT * FROM numbers"), Error);
    CHECK(connection.Unregister("numbers"));
    CHECK_FALSE(connection.Unregister("numbers"));
    CHECK_THROWS_AS(connection.Query("SELECT * FROM numbers"), Error);
    CHECK(Sum(connection, "SELECT max(s) FROM kept") == "text 999\n");
  }
  SECTION("a stream, once") {
    Stream stream;
    rows.ExportArrow(&stream.each);
    connection.RegisterArrow("s", &stream.each);
    CHECK(stream.each.release == nullptr);
    CHECK(Sum(connection, "SELECT count(*) FROM s") == "5000\n");
    CHECK_THROWS_AS(connection.Query("SELECT count(*) FROM s"), Error);
  }
  SECTION("found by the program, where the database has none of that name") {
    int asked = 0;
    connection.SetReplacementScan([&](std::string_view name, ArrowArrayStream*) {
      asked++;
      return name == "found" ? factory : ArrowFactory();
    });
    CHECK(Sum(connection, "SELECT count(*) FROM found WHERE x < 10") == "10\n");
    CHECK_THROWS_AS(connection.Query("SELECT * FROM lost"), Error);
    CHECK(asked == 2);
    connection.Query("CREATE TABLE found (x INTEGER)");
    CHECK(Sum(connection, "SELECT count(*) FROM found") == "0\n");
    CHECK_THROWS_AS(connection.Query("SELECT * FROM main.lost"), Error);
    CHECK(asked == 2);
    connection.SetReplacementScan(nullptr);
  }
}

}  // namespace scaup
