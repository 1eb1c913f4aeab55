// Functions of the database in languages of the program: Database::RegisterLanguage.
#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <string>

#include "scaup/scaup.hpp"

namespace scaup {

namespace {

/// A language whose texts are numbers, which are added to the argument; "!" cannot be compiled, and "?" fails
/// when it is called.
class Adding final : public FunctionHost {
 public:
  Body Compile(const StoredFunction& function) override {
    compiled++;
    last = function;
    if (function.source == "!") throw Error(ErrorKind::kSyntax, "42601", "no number");
    if (function.source == "#") throw std::runtime_error("the host failed");
    const bool fails = function.source == "?";
    const int64_t addend = fails ? 0 : std::stoll(function.source);
    return [this, addend, fails](const QueryResult& arguments, FunctionOutput& result) {
      if (fails) throw std::runtime_error("no luck");
      calls++;
      if (arguments.row_count() > largest) largest = arguments.row_count();
      const auto* const in = static_cast<const int64_t*>(arguments.Column(0).data);
      auto* const out = result.DataAs<int64_t>();
      for (size_t row = 0; row < result.row_count(); row++) out[row] = in[row] + addend;
    };
  }
  std::atomic<size_t> compiled{0}, calls{0}, largest{0};
  StoredFunction last;
};

std::string StateOf(Connection& connection, const std::string& sql) {
  try {
    connection.Query(sql);
    return "";
  } catch (const Error& error) {
    return error.sqlstate();
  }
}

const Config kTrusting = {{"stored_functions", "on"}};

}  // namespace

TEST_CASE("Stored functions are compiled by the host of their language", "[main]") {
  Database database(":memory:", kTrusting);
  const auto host = std::make_shared<Adding>();
  database.RegisterLanguage("Adding", host);
  Connection connection(database);
  connection.Query("CREATE FUNCTION f(a BIGINT) RETURNS BIGINT LANGUAGE adding MAP STABLE STRICT AS '5'");
  CHECK(host->compiled == 1);
  CHECK(host->last.name == "f");
  CHECK(host->last.schema == "main");
  CHECK(host->last.arguments.at(0).name == "a");
  CHECK(host->last.result == LogicalType(TypeId::kBigInt));
  CHECK(host->last.volatility == FunctionDefinition::Volatility::kStable);
  CHECK_FALSE(host->last.takes_nulls);
  CHECK_FALSE(host->last.takes_all_rows);
  const char* const kSum = "SELECT sum(f(i)) FROM generate_series(1, 200000) AS g(i)";
  CHECK(connection.Query(kSum).ToString() == "20001100000\n");
  CHECK(connection.Query(kSum).ToString() == "20001100000\n");
  CHECK(host->compiled == 2);
  CHECK(host->largest <= 65536);
  Connection other(database);
  CHECK(other.Query("SELECT f(1)").ToString() == "6\n");
  CHECK(host->compiled == 3);
  CHECK(StateOf(connection, "CREATE FUNCTION g(a BIGINT) RETURNS BIGINT LANGUAGE adding { ! }").empty() ==
        false);
}

TEST_CASE("Functions without MAP get all rows at once", "[main]") {
  Database database(":memory:", kTrusting);
  const auto host = std::make_shared<Adding>();
  database.RegisterLanguage("adding", host);
  Connection connection(database);
  connection.Query("CREATE FUNCTION f(a BIGINT) RETURNS BIGINT LANGUAGE adding { 1 }");
  CHECK(connection.Query("SELECT sum(f(i)) FROM generate_series(1, 200000) AS g(i)").ToString() ==
        "20000300000\n");
  CHECK(host->calls == 1);
  CHECK(host->largest == 200000);
}

TEST_CASE("Hosts fail, are missing, and are of a connection", "[main]") {
  Database database(":memory:", kTrusting);
  Connection connection(database);
  CHECK(StateOf(connection, "CREATE FUNCTION f(a BIGINT) RETURNS BIGINT LANGUAGE adding AS '1'").empty());
  CHECK(StateOf(connection, "SELECT f(1)") == "0A000");
  connection.RegisterLanguage("adding", std::make_shared<Adding>());
  CHECK(connection.Query("SELECT f(1)").ToString() == "2\n");
  Connection other(database);
  CHECK(StateOf(other, "SELECT f(1)") == "0A000");
  const std::string create = "CREATE FUNCTION g(a BIGINT) RETURNS BIGINT LANGUAGE adding AS ";
  CHECK(StateOf(connection, create + "'!'") == "42601");
  CHECK(StateOf(connection, create + "'#'") == "38000");
  CHECK(StateOf(connection, create + "'?'").empty());
  CHECK(StateOf(connection, "SELECT g(1)") == "38000");
  CHECK_THROWS_AS(database.RegisterLanguage("sql", std::make_shared<Adding>()), Error);
  connection.RegisterLanguage("adding", nullptr);
  CHECK(StateOf(connection, "SELECT g(2)") == "0A000");
}

namespace {

/// A language whose aggregates are the sum of their argument and of the number that is the source. A source
/// that begins with "s" has states.
class Summing final : public FunctionHost {
 public:
  Body Compile(const StoredFunction&) override { return nullptr; }
  AggregateBodies CompileAggregate(const StoredFunction& function) override {
    CHECK(function.kind == StoredFunction::Kind::kAggregate);
    AggregateBodies bodies;
    const bool has_state = function.source[0] == 's';
    const int64_t addend = std::stoll(function.source.substr(has_state ? 1 : 0));
    bodies.body = [this, addend](const GroupedRows& groups, FunctionOutput& result) {
      calls++;
      Sum(groups, addend, result);
    };
    if (!has_state) return bodies;
    bodies.state = {TypeId::kBigInt};
    bodies.accumulate = bodies.merge = [](const GroupedRows& groups, std::span<FunctionOutput* const> state) {
      Sum(groups, 0, *state[0]);
    };
    return bodies;
  }
  std::atomic<size_t> calls{0};

 private:
  static void Sum(const GroupedRows& groups, int64_t addend, FunctionOutput& result) {
    const auto* const in = static_cast<const int64_t*>(groups.rows.Column(0).data);
    for (size_t i = 0; i < groups.group_count; i++) {
      result.DataAs<int64_t>()[i] = addend;
      for (int64_t row = groups.offsets[i]; row < groups.offsets[i + 1]; row++)
        result.DataAs<int64_t>()[i] += in[row];
    }
  }
};

}  // namespace

TEST_CASE("Stored aggregates are compiled by the host of their language", "[main]") {
  Database database(":memory:", kTrusting);
  const auto host = std::make_shared<Summing>();
  database.RegisterLanguage("summing", host);
  Connection connection(database);
  connection.Query("CREATE AGGREGATE total(a BIGINT) RETURNS BIGINT LANGUAGE summing STRICT AS '5'");
  connection.Query(
      "CREATE AGGREGATE stated(a BIGINT) RETURNS BIGINT LANGUAGE summing STRICT SET batch_rows = 100 AS "
      "'s7'");
  connection.Query("CREATE TABLE t AS SELECT i % 3 AS k, i FROM generate_series(1, 10000) AS g(i)");
  CHECK(connection
            .Query("SELECT k, total(i) = sum(i) + 5, stated(i) = sum(i) + 7, total(NULL) FROM t GROUP "
                   "BY k ORDER BY k")
            .ToString() == "0\ttrue\ttrue\tNULL\n1\ttrue\ttrue\tNULL\n2\ttrue\ttrue\tNULL\n");
  CHECK(connection.Query("SELECT stated(i), total(i), total(DISTINCT k) FROM t").ToString() ==
        "50005007\t50005005\t8\n");
  CHECK(StateOf(connection, "CREATE FUNCTION f(a BIGINT) RETURNS BIGINT LANGUAGE summing AS '1'") == "38000");

  database.RegisterLanguage("adding", std::make_shared<Adding>());
  CHECK(StateOf(connection, "CREATE AGGREGATE f(a BIGINT) RETURNS BIGINT LANGUAGE adding AS '1'") == "0A000");
  Database careful;
  careful.RegisterLanguage("summing", host);
  Connection other(careful);
  host->calls = 0;
  CHECK(StateOf(other, "CREATE AGGREGATE f(a BIGINT) RETURNS BIGINT LANGUAGE summing AS '1'").empty());
  CHECK(StateOf(other, "SELECT f(1)") == "42501");
  CHECK(host->calls == 0);
}

TEST_CASE("Stored functions do not run unless the setting allows it", "[main]") {
  Database database;
  const auto host = std::make_shared<Adding>();
  database.RegisterLanguage("adding", host);
  Connection connection(database);
  connection.Query("CREATE FUNCTION f(a BIGINT) RETURNS BIGINT IMMUTABLE LANGUAGE adding AS '1'");
  connection.Query("CREATE VIEW v AS SELECT f(1) AS x");
  CHECK(StateOf(connection, "SELECT f(1)") == "42501");
  CHECK(StateOf(connection, "SELECT * FROM v") == "42501");
  CHECK(StateOf(connection, "SET stored_functions = 'on'") != "");
  CHECK(StateOf(connection, "SELECT f(1)") == "42501");
  CHECK(host->calls == 0);
}

}  // namespace scaup
