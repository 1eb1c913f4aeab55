// Queries of functions within the statement that calls them: CallingStatement.
#include "scaup/calling_statement.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/lock/mutex.hpp"
#include "scaup/scaup.hpp"

namespace scaup {

namespace {

/// Adds the number that a query returns to each argument.
FunctionDefinition Adding(std::string name, std::string query, FunctionDefinition::Volatility volatility) {
  FunctionDefinition definition;
  definition.name = std::move(name);
  definition.arguments = {TypeId::kBigInt};
  definition.result = TypeId::kBigInt;
  definition.volatility = volatility;
  definition.batch_rows = 4096;
  definition.body = [query = std::move(query)](const QueryResult& in, FunctionOutput& out) {
    const QueryResult found = CallingStatement::Query(query);
    const int64_t addend = found.row_count() == 0 ? 0 : found.GetValue(0, 0).GetBigInt();
    const auto* const values = static_cast<const int64_t*>(in.Column(0).data);
    for (size_t row = 0; row < out.row_count(); row++) out.DataAs<int64_t>()[row] = values[row] + addend;
  };
  return definition;
}

std::string StateOf(Connection& connection, const std::string& sql) {
  try {
    connection.Query(sql);
    return "";
  } catch (const Error& error) {
    CHECK_FALSE(error.position().has_value());
    return error.sqlstate();
  }
}

constexpr auto kStable = FunctionDefinition::Volatility::kStable;
constexpr auto kVolatile = FunctionDefinition::Volatility::kVolatile;

}  // namespace

TEST_CASE("Functions query within the statement that calls them", "[main]") {
  const char* const threads = GENERATE("1", "4");
  const Database database(":memory:", {{"threads", threads}});
  Connection connection(database);
  connection.Query("CREATE TABLE t AS SELECT i::BIGINT AS i FROM generate_series(1, 100000) AS g(i)");
  connection.CreateFunction(Adding("f", "SELECT count(*) FROM t", kStable));
  CHECK(connection.Query("SELECT sum(f(i)) FROM t").ToString() ==
        std::to_string(int64_t{100000} * 100001 / 2 + int64_t{100000} * 100000) + "\n");
  // In a transaction block, its own changes are seen.
  connection.Query("BEGIN");
  connection.Query("DELETE FROM t WHERE i > 10");
  CHECK(connection.Query("SELECT f(0)").ToString() == "10\n");
  connection.Query("ROLLBACK");
  CHECK(connection.Query("SELECT f(0)").ToString() == "100000\n");
  // Functions that a query calls may query, too.
  connection.CreateFunction(Adding("g", "SELECT sum(f(i)) FROM t WHERE i <= 2", kStable));
  CHECK(connection.Query("SELECT g(0)").ToString() == "200003\n");
}

TEST_CASE("Later statements use the plans of earlier ones' queries", "[main]") {
  const Database database(":memory:", {{"threads", "2"}});
  Connection connection(database), other(database);
  connection.Query("CREATE TABLE t AS SELECT 1::BIGINT AS i");
  connection.CreateFunction(Adding("f", "SELECT sum(i) FROM t", kVolatile));
  const auto is = [&](const std::string& wanted) {
    // Once, then twice, which keeps the plan, then by it; as texts, and by a plan of the calling statement.
    for (int i = 0; i < 4; i++) CHECK(connection.Query("SELECT f(0)").ToString() == wanted + "\n");
    for (int i = 0; i < 4; i++)
      CHECK(connection.Query("SELECT f(0) -- " + std::to_string(i)).ToString() == wanted + "\n");
  };
  is("1");
  other.Query("INSERT INTO t VALUES (2)");
  is("3");
  other.Query("DROP TABLE t");
  CHECK(StateOf(connection, "SELECT f(0)") == "42P01");
  other.Query("CREATE TABLE t AS SELECT 'x' AS s, 10 AS i");
  is("10");
  connection.Query("BEGIN");
  connection.Query("ALTER TABLE t RENAME COLUMN i TO j");
  CHECK(StateOf(connection, "SELECT f(0)") == "42703");
  connection.Query("ROLLBACK");
  is("10");
  connection.Query("BEGIN");
  connection.Query("CREATE TEMPORARY TABLE t AS SELECT 77::BIGINT AS i");
  CHECK(connection.Query("SELECT f(0)").ToString() == "77\n");
  connection.Query("COMMIT");
  is("77");
  connection.Query("DROP TABLE t");
  is("10");
  // The same text within itself; the innermost one reads the table.
  connection.CreateFunction(Adding("deep", "SELECT CASE WHEN i > 5 THEN f(i) END FROM t", kStable));
  CHECK(connection.Query("SELECT deep(1)").ToString() == "21\n");
  CHECK(connection.Query("SELECT deep(1)").ToString() == "21\n");
  // Listings are read when a query is bound, so their plans serve one statement.
  connection.CreateFunction(Adding("threads", "SELECT current_setting('threads')::BIGINT",
                                   FunctionDefinition::Volatility::kStable));
  CHECK(connection.Query("SELECT threads(0)").ToString() == "2\n");
  for (const char* const number : {"1", "2", "1"}) {
    connection.Query(std::string("SET threads = ") + number);
    CHECK(connection.Query("SELECT threads(0)").ToString() == std::string(number) + "\n");
  }
  // A change by an inner statement whose plan was kept.
  connection.CreateFunction(Adding("adding", "INSERT INTO t (i) VALUES (1) RETURNING i::BIGINT", kVolatile));
  for (int i = 0; i < 5; i++) CHECK(connection.Query("SELECT adding(0)").ToString() == "1\n");
  is("15");
}

TEST_CASE("A function without effects asks a query once in a statement", "[main]") {
  const char* const threads = GENERATE("1", "4");
  const Database database(":memory:", {{"threads", threads}});
  Connection connection(database);
  connection.Query("CREATE TABLE t AS SELECT i::BIGINT AS i FROM generate_series(1, 50000) AS g(i)");
  Mutex mutex;
  std::vector<QueryResult> answers;  // kept, so that no two lie in the same place
  const auto asking = [&](std::string name, std::string query, FunctionDefinition::Volatility volatility) {
    FunctionDefinition definition = Adding(std::move(name), query, volatility);
    definition.body = [&, query](const QueryResult& in, FunctionOutput& out) {
      const auto* const values = static_cast<const int64_t*>(in.Column(0).data);
      const Value parameter = Value::BigInt(values[0] > 0 ? 1 : 2);
      const bool has_parameter = query.find('$') != std::string::npos;
      const QueryResult found = has_parameter ? CallingStatement::Query(query, std::span(&parameter, 1))
                                              : CallingStatement::Query(query);
      const MutexLock lock(mutex);
      answers.push_back(found);
      for (size_t row = 0; row < out.row_count(); row++)
        out.DataAs<int64_t>()[row] = found.GetValue(0, 0).GetBigInt();
    };
    connection.CreateFunction(definition);
  };
  // Returns how many different answers there were in how many calls.
  const auto run = [&](const std::string& sql) {
    answers.clear();
    connection.Query(sql);
    std::set<const void*> places;
    for (const QueryResult& answer : answers) places.insert(answer.Column(0).data);
    CHECK(answers.size() > 1);
    return std::pair(places.size(), answers.size());
  };
  asking("f", "SELECT count(*) FROM t", kStable);
  CHECK(run("SELECT sum(f(i)) FROM t").first == 1);
  CHECK(run("SELECT sum(f(i)) FROM t").first == 1);
  asking("by_number", "SELECT sum(i) FROM t WHERE i <= $1", kStable);
  CHECK(run("SELECT sum(by_number(i)) FROM t").first == 1);
  // Each asks the other's question in between, and the last answer alone is kept.
  CHECK(run("SELECT sum(by_number(i) + by_number(-i)) FROM t").first > 1);
  CHECK(connection.Query("SELECT max(by_number(i)), max(by_number(-i)) FROM t").ToString() == "1\t3\n");
  for (const auto& [query, volatility] :
       {std::pair("SELECT count(*) FROM t", kVolatile),
        std::pair("SELECT (random() * 1000)::BIGINT", kStable), std::pair("SELECT f(1)", kStable),
        std::pair("SELECT i FROM t ORDER BY i", kStable)}) {
    asking("each", query, volatility);
    INFO(query);
    const auto [different, calls] = run("SELECT sum(each(i)) FROM t WHERE i > 0");
    CHECK(different == calls);
  }
  // Changes of the transaction are seen, and so are those that others have committed before the next
  // statement.
  connection.Query("BEGIN");
  connection.Query("DELETE FROM t WHERE i > 40000");
  CHECK(connection.Query("SELECT min(f(i)), max(f(i)) FROM t").ToString() == "40000\t40000\n");
  connection.Query("ROLLBACK");
  Connection(database).Query("INSERT INTO t VALUES (50001)");
  CHECK(connection.Query("SELECT min(f(i)), max(f(i)) FROM t").ToString() == "50001\t50001\n");
}

TEST_CASE("A function learns when its statement must have ended", "[main]") {
  const Database database;
  Connection connection(database);
  CHECK(CallingStatement::DeadlineMicros() == 0);
  FunctionDefinition left;
  left.name = "seconds_left";
  left.arguments = {TypeId::kBigInt};
  left.result = TypeId::kBigInt;
  left.volatility = kVolatile;
  left.body = [](const QueryResult&, FunctionOutput& out) {
    const std::chrono::microseconds deadline(CallingStatement::DeadlineMicros());
    if (deadline.count() == 0) return out.SetNull(0);
    const auto seconds = deadline - std::chrono::steady_clock::now().time_since_epoch();
    out.DataAs<int64_t>()[0] = std::chrono::round<std::chrono::seconds>(seconds).count();
  };
  connection.CreateFunction(left);
  CHECK(connection.Query("SELECT seconds_left(1)").ToString() == "NULL\n");
  connection.Query("SET statement_timeout = '1000s'");
  CHECK(connection.Query("SELECT seconds_left(1) BETWEEN 990 AND 1000").ToString() == "true\n");
  connection.CreateFunction(Adding("inner_left", "SELECT seconds_left(1)", kVolatile));
  CHECK(connection.Query("SELECT inner_left(0) BETWEEN 990 AND 1000").ToString() == "true\n");
}

TEST_CASE("The query of a function has the snapshot of its statement", "[main]") {
  const Database database;
  Connection connection(database), other(database);
  connection.Query("CREATE TABLE t AS SELECT 1 AS i");
  FunctionDefinition counting = Adding("counting", "", kVolatile);
  counting.body = [&](const QueryResult&, FunctionOutput& out) {
    other.Query("INSERT INTO t VALUES (2)");
    out.DataAs<int64_t>()[0] = CallingStatement::Query("SELECT count(*) FROM t").GetValue(0, 0).GetBigInt();
  };
  connection.CreateFunction(counting);
  CHECK(connection.Query("SELECT counting(1)").ToString() == "1\n");
  CHECK(connection.Query("SELECT counting(1)").ToString() == "2\n");
}

TEST_CASE("The reads of functions are validated", "[main]") {
  const Database database;
  Connection connection(database), other(database);
  connection.Query("CREATE TABLE t AS SELECT 1 AS i");
  connection.Query("CREATE TABLE log (n BIGINT)");
  connection.CreateFunction(Adding("f", "SELECT count(*) FROM t", kStable));
  connection.Query("BEGIN");
  connection.Query("INSERT INTO log SELECT f(n) FROM (VALUES (1)) AS v(n)");
  other.Query("INSERT INTO t VALUES (2)");
  CHECK(StateOf(connection, "COMMIT") == "40001");
}

TEST_CASE("What functions may run within statements", "[main]") {
  const Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (i BIGINT PRIMARY KEY)");
  const auto state_of = [&](const std::string& query, auto volatility, const std::string& sql) {
    connection.CreateFunction(Adding("f", query, volatility));
    return StateOf(connection, sql);
  };
  for (const char* refused : {"COMMIT", "CREATE TABLE u (a INT)", "SET threads = 2", "CHECKPOINT"})
    CHECK(state_of(refused, kVolatile, "SELECT f(1)") == "0A000");
  CHECK(state_of("SELECT 1; SELECT 2", kStable, "SELECT f(1)") == "42601");
  CHECK(state_of("SELECT nothing", kStable, "SELECT f(1)") == "42703");
  CHECK(state_of("SELECT $1", kStable, "SELECT f(1)") == "42P02");
  CHECK(state_of("INSERT INTO t VALUES (1)", kStable, "SELECT f(1)") == "25006");
  CHECK(state_of("INSERT INTO t VALUES (1)", kVolatile, "SELECT f(i) FROM t") == "");  // it has no rows
  connection.Query("INSERT INTO t VALUES (7)");
  CHECK(state_of("INSERT INTO t VALUES (1)", kVolatile, "SELECT f(i) FROM t") == "25006");
  CHECK(state_of("INSERT INTO t VALUES (1)", kVolatile, "SELECT f(1)") == "");
  CHECK(connection.Query("SELECT i FROM t ORDER BY i").ToString() == "1\n7\n");
  CHECK(state_of("INSERT INTO t VALUES (1)", kVolatile, "SELECT f(1)") == "23505");
  CHECK(state_of("SELECT f(1)", kVolatile, "SELECT f(1)") == "54001");
  try {
    CallingStatement::Query("SELECT 1");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(std::string(error.sqlstate()) == "55000");
  }
}

TEST_CASE("A change of a function that fails is undone alone", "[main]") {
  const Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (i BIGINT PRIMARY KEY)");
  FunctionDefinition definition = Adding("f", "", kVolatile);
  definition.body = [](const QueryResult&, FunctionOutput& out) {
    const Value one[] = {Value::BigInt(1)};
    CallingStatement::Query("INSERT INTO t VALUES ($1)", one);
    CHECK_THROWS_AS(CallingStatement::Query("INSERT INTO t SELECT 10 - i FROM generate_series(1, 9) AS g(i)"),
                    Error);
    out.DataAs<int64_t>()[0] = 1;
  };
  connection.CreateFunction(definition);
  CHECK(connection.Query("SELECT f(1)").ToString() == "1\n");
  CHECK(connection.Query("SELECT i FROM t").ToString() == "1\n");
}

}  // namespace scaup
