// Aggregates of the program: Connection::CreateAggregate.
#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "scaup/scaup.hpp"

namespace scaup {

namespace {

const double* DoublesOf(const GroupedRows& groups, size_t column) {
  return static_cast<const double*>(groups.rows.Column(column).data);
}

/// wmean(v, w): the mean of v weighted by w, of whole groups.
AggregateDefinition WeightedMean() {
  AggregateDefinition definition;
  definition.name = "WMean";
  definition.arguments = {TypeId::kDouble, TypeId::kDouble};
  definition.result = TypeId::kDouble;
  definition.body = [](const GroupedRows& groups, FunctionOutput& result) {
    const double* v = DoublesOf(groups, 0);
    const double* w = DoublesOf(groups, 1);
    for (size_t i = 0; i < groups.group_count; i++) {
      double sum = 0, weights = 0;
      for (int64_t row = groups.offsets[i]; row < groups.offsets[i + 1]; row++) {
        sum += v[row] * w[row];
        weights += w[row];
      }
      result.DataAs<double>()[i] = sum / weights;
    }
  };
  return definition;
}

/// The same by a state of two sums.
AggregateDefinition WeightedMeanOfSums(std::atomic<size_t>& merges, std::atomic<size_t>& accumulations) {
  AggregateDefinition definition = WeightedMean();
  definition.state = {TypeId::kDouble, TypeId::kDouble};
  definition.accumulate = [&](const GroupedRows& groups, std::span<FunctionOutput* const> state) {
    accumulations++;
    const double* v = DoublesOf(groups, 0);
    const double* w = DoublesOf(groups, 1);
    for (size_t i = 0; i < groups.group_count; i++) {
      for (int64_t row = groups.offsets[i]; row < groups.offsets[i + 1]; row++) {
        state[0]->DataAs<double>()[i] += v[row] * w[row];
        state[1]->DataAs<double>()[i] += w[row];
      }
    }
  };
  definition.merge = [&](const GroupedRows& groups, std::span<FunctionOutput* const> state) {
    merges++;
    for (size_t i = 0; i < groups.group_count; i++) {
      for (int64_t row = groups.offsets[i]; row < groups.offsets[i + 1]; row++) {
        for (size_t c = 0; c < 2; c++) state[c]->DataAs<double>()[i] += DoublesOf(groups, c)[row];
      }
    }
  };
  definition.body = [](const GroupedRows& groups, FunctionOutput& result) {
    for (size_t i = 0; i < groups.group_count; i++)
      result.DataAs<double>()[i] = DoublesOf(groups, 0)[i] / DoublesOf(groups, 1)[i];
  };
  return definition;
}

/// joined(s): the texts of a group, one behind the other, with a dash for NULL.
AggregateDefinition Joined() {
  AggregateDefinition definition;
  definition.name = "joined";
  definition.arguments = {TypeId::kVarchar};
  definition.result = TypeId::kVarchar;
  definition.body = [](const GroupedRows& groups, FunctionOutput& result) {
    for (size_t i = 0; i < groups.group_count; i++) {
      std::string text;
      for (auto row = static_cast<size_t>(groups.offsets[i]);
           row < static_cast<size_t>(groups.offsets[i + 1]); row++)
        text += groups.rows.IsNull(0, row) ? "-" : groups.rows.GetString(0, row);
      result.SetText(i, text);
    }
  };
  return definition;
}

Error ErrorOf(Connection& connection, const std::string& sql) {
  try {
    connection.Query(sql);
  } catch (const Error& error) {
    return error;
  }
  FAIL("no error: " << sql);
  throw std::logic_error("unreachable");
}

constexpr const char* kWantedMeans = "SELECT k, round(sum(v * w) / sum(w), 6) FROM t GROUP BY k ORDER BY k";
constexpr const char* kMeans = "SELECT k, round(wmean(v, w), 6) FROM t GROUP BY k ORDER BY k";

void MakeTable(Connection& connection, size_t rows, size_t groups) {
  connection.Query("CREATE OR REPLACE TABLE t AS SELECT i * 7919 % " + std::to_string(groups) +
                   " AS k, i % 17 + 0.25::DOUBLE AS v, i % 5 + 1::DOUBLE AS w FROM generate_series(1, " +
                   std::to_string(rows) + ") AS g(i)");
}

}  // namespace

TEST_CASE("Aggregates of the program get whole groups", "[main]") {
  const Database database;
  Connection connection(database);
  connection.CreateAggregate(WeightedMean());
  for (const size_t groups : {1, 7, 5000}) {
    MakeTable(connection, 200000, groups);
    CHECK(connection.Query(kMeans).ToString() == connection.Query(kWantedMeans).ToString());
  }
  CHECK(connection.Query("SELECT round(wmean(v, w), 3) FROM t").ToString() ==
        connection.Query("SELECT round(sum(v * w) / sum(w), 3) FROM t").ToString());
}

TEST_CASE("Calls of aggregates have as many rows as they may, in whole groups", "[main]") {
  const Database database;
  Connection connection(database);
  MakeTable(connection, 100000, 100);
  AggregateDefinition sizes;
  sizes.name = "calls_of";
  sizes.arguments = {TypeId::kDouble};
  sizes.result = TypeId::kBigInt;
  sizes.batch_rows = 5000;
  std::atomic<size_t> calls{0}, most{0};
  sizes.body = [&](const GroupedRows& groups, FunctionOutput& result) {
    calls++;
    if (groups.rows.row_count() > most) most = groups.rows.row_count();
    for (size_t i = 0; i < groups.group_count; i++)
      result.DataAs<int64_t>()[i] = groups.offsets[i + 1] - groups.offsets[i];
  };
  connection.CreateAggregate(sizes);
  CHECK(connection.Query("SELECT sum(n), min(n), max(n) FROM (SELECT calls_of(v) AS n FROM t GROUP BY k)")
            .ToString() == "100000\t1000\t1000\n");
  CHECK(most == 5000);
  CHECK(connection.Query("SELECT calls_of(v) FROM t").ToString() == "100000\n");
}

TEST_CASE("States of aggregates are accumulated, merged and finished", "[main]") {
  std::atomic<size_t> merges{0}, accumulations{0};
  for (const char* memory : {"1GB", "16MB"}) {
    Database database(":memory:", {{"memory_limit", memory}, {"threads", "2"}});
    Connection connection(database);
    AggregateDefinition definition = WeightedMeanOfSums(merges, accumulations);
    definition.batch_rows = 1000;
    connection.CreateAggregate(definition);
    for (const size_t groups : {1, 7, 5000, 60000}) {
      MakeTable(connection, 200000, groups);
      CHECK(connection.Query(kMeans).ToString() == connection.Query(kWantedMeans).ToString());
    }
    CHECK(connection.Query("SELECT round(wmean(v, w), 3) FROM t").ToString() ==
          connection.Query("SELECT round(sum(v * w) / sum(w), 3) FROM t").ToString());
  }
  CHECK(merges > 0);
  CHECK(accumulations > 200);
}

TEST_CASE("Many groups come in few calls", "[main]") {
  std::atomic<size_t> merges{0}, accumulations{0}, calls{0};
  for (const char* memory : {"1GB", "24MB"}) {
    Database database(":memory:", {{"memory_limit", memory}, {"threads", "2"}});
    Connection connection(database);
    connection.Query(
        "CREATE TABLE many AS SELECT i::BIGINT * 7919 % 100000 AS k, i % 17 + 0.25::DOUBLE AS v, i % 5 + "
        "1::DOUBLE "
        "AS w, CASE WHEN i % 7 > 3 THEN 'the text of row ' || i END AS s "
        "FROM generate_series(1, 300000) AS g(i)");
    connection.CreateAggregate(WeightedMeanOfSums(merges, accumulations));
    AggregateDefinition joined = Joined();
    joined.body = [&, body = joined.body](const GroupedRows& groups, FunctionOutput& result) {
      calls++;
      body(groups, result);
      for (size_t i = 0; i < groups.group_count; i++) {
        if (groups.offsets[i + 1] - groups.offsets[i] == 1) result.SetNull(i);
      }
    };
    connection.CreateAggregate(joined);
    calls = accumulations = merges = 0;
    CHECK(connection
              .Query("SELECT count(*), count(a), sum(length(a)) FROM (SELECT joined(s) AS a FROM many GROUP "
                     "BY k)")
              .ToString() ==
          connection
              .Query("SELECT count(*), count(a), sum(length(a)) FROM (SELECT CASE WHEN count(s) > 1 THEN "
                     "string_agg(s, '') END AS a FROM many GROUP BY k)")
              .ToString());
    CHECK(connection.Query("SELECT round(sum(m), 3) FROM (SELECT wmean(v, w) AS m FROM many GROUP BY k)")
              .ToString() ==
          connection
              .Query("SELECT round(sum(m), 3) FROM (SELECT sum(v * w) / sum(w) AS m FROM many GROUP BY k)")
              .ToString());
    // Without memory for more, there may be a call for each 1024 groups of a partition, or for fewer.
    if (std::string(memory) == "1GB") {
      CHECK(calls < 400);
      CHECK(accumulations < 400);
      CHECK(merges == 0);
    }
  }
}

TEST_CASE("All rows of a table come in their order", "[main]") {
  for (const char* memory : {"1GB", "24MB"}) {
    Database database(":memory:", {{"memory_limit", memory}, {"threads", "2"}});
    Connection connection(database);
    connection.Query(
        "CREATE TABLE t AS SELECT i, CASE WHEN i % 3 > 0 THEN i END AS n, 'text ' || i AS s FROM "
        "generate_series(1, 300000) AS g(i)");
    AggregateDefinition ordered;
    ordered.name = "ordered";
    ordered.arguments = {TypeId::kVarchar, TypeId::kBigInt};
    ordered.result = TypeId::kVarchar;
    size_t calls = 0;
    ordered.body = [&](const GroupedRows& groups, FunctionOutput& result) {
      calls++;
      REQUIRE(groups.group_count == 1);
      const auto* const n = static_cast<const int64_t*>(groups.rows.Column(1).data);
      int64_t last = 0, sum = 0;
      for (size_t row = 0; row < groups.rows.row_count(); row++) {
        REQUIRE(groups.rows.GetString(0, row) == "text " + std::to_string(n[row]));
        REQUIRE(n[row] > last);
        last = n[row];
        sum += last;
      }
      result.SetText(0, std::to_string(groups.rows.row_count()) + " rows, in all " + std::to_string(sum));
    };
    connection.CreateAggregate(ordered);
    CHECK(connection.Query("SELECT ordered(s, n) FROM t").ToString() == "200000 rows, in all 30000000000\n");
    CHECK(connection.Query("SELECT ordered(s, n) FROM t WHERE i > 299990").ToString() ==
          "6 rows, in all 1799973\n");
    CHECK(connection.Query("SELECT ordered(s, n) FROM t WHERE i < 0").ToString() == "NULL\n");
    CHECK(connection.Query("SELECT ordered(s, n) FROM t WHERE i % 3 = 0").ToString() == "NULL\n");
    CHECK(calls == 2);
    AggregateDefinition counted;
    counted.name = "counted";
    counted.arguments = {TypeId::kBigInt, TypeId::kBigInt};
    counted.result = TypeId::kBigInt;
    counted.takes_nulls = true;
    counted.body = [](const GroupedRows& groups, FunctionOutput& result) {
      int64_t nulls = 0;
      for (size_t row = 0; row < groups.rows.row_count(); row++)
        nulls += groups.rows.IsNull(0, row) + groups.rows.IsNull(1, row);
      result.DataAs<int64_t>()[0] = nulls;
    };
    connection.CreateAggregate(counted);
    CHECK(connection.Query("SELECT counted(n, i) FROM t").ToString() == "100000\n");
    CHECK(connection.Query("SELECT counted(n, n) FROM t").ToString() == "200000\n");
    CHECK(connection.Query("SELECT counted(n, i) FILTER (WHERE i <= 30) FROM t").ToString() == "10\n");
    CHECK(connection.Query("SELECT counted(n, i), count(n) FROM t").ToString() == "100000\t200000\n");
    CHECK(connection.Query("SELECT counted(DISTINCT n % 2, 1) FROM t").ToString() == "1\n");
  }
}

TEST_CASE("Clauses of calls work for aggregates of the program", "[main]") {
  const Database database;
  Connection connection(database);
  connection.CreateAggregate(Joined());
  connection.Query(
      "CREATE TABLE s AS SELECT * FROM (VALUES (1, 'b', 2), (1, 'a', 1), (2, 'c', 4), (1, 'a', 3), "
      "(2, NULL, 5), (3, NULL, 6)) AS s(k, x, n)");
  const auto is = [&](const std::string& query, const std::string& wanted) {
    INFO(query);
    CHECK(connection.Query(query).ToString() == wanted);
  };
  is("SELECT k, joined(x ORDER BY n DESC) FROM s GROUP BY k ORDER BY k", "1\taba\n2\tc\n3\tNULL\n");
  is("SELECT k, joined(DISTINCT x) FROM s GROUP BY k ORDER BY k", "1\tab\n2\tc\n3\tNULL\n");
  is("SELECT k, joined(x ORDER BY x) FILTER (WHERE n > 1) FROM s GROUP BY k ORDER BY k",
     "1\tab\n2\tc\n3\tNULL\n");
  is("SELECT k, joined(x ORDER BY n) FROM s GROUP BY ROLLUP (k) ORDER BY k",
     "1\taba\n2\tc\n3\tNULL\nNULL\tabac\n");
  is("SELECT n, joined(x) OVER (PARTITION BY k ORDER BY n) FROM s ORDER BY n",
     "1\ta\n2\tab\n3\taba\n4\tc\n5\tc\n6\tNULL\n");
  is("SELECT n, joined(x) OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) "
     "FROM s "
     "ORDER BY n",
     "1\tb\n2\taa\n3\tbc\n4\ta\n5\tc\n6\tNULL\n");
  is("SELECT joined(x) FROM s WHERE k > 10", "NULL\n");
  is("SELECT joined('x') || joined(NULL) IS NULL FROM s", "true\n");
  AggregateDefinition with_nulls = Joined();
  with_nulls.name = "joined_all";
  with_nulls.takes_nulls = true;
  connection.CreateAggregate(with_nulls);
  is("SELECT k, joined_all(x ORDER BY n) FROM s GROUP BY k ORDER BY k", "1\taba\n2\tc-\n3\t-\n");
}

TEST_CASE("Errors of aggregates end the statement", "[main]") {
  const Database database;
  Connection connection(database);
  AggregateDefinition definition = Joined();
  definition.name = "failing";
  definition.body = [](const GroupedRows&, FunctionOutput&) { throw std::runtime_error("no luck"); };
  connection.CreateAggregate(definition);
  const Error error = ErrorOf(connection, "SELECT failing('x')");
  CHECK(std::string(error.sqlstate()) == "38000");
  CHECK(error.message() == "function failing failed: no luck");
  definition.name = "short";
  definition.result = TypeId::kBigInt;
  definition.body = [](const GroupedRows& groups, FunctionOutput& result) {
    result.SetColumn(groups.rows.Column(0));
  };
  definition.arguments = {TypeId::kBigInt};
  connection.CreateAggregate(definition);
  CHECK(ErrorOf(connection, "SELECT short(i) FROM generate_series(1, 3) AS g(i)").message() ==
        "function short was called for 1 rows and returned 3 values");
  CHECK(std::string(ErrorOf(connection, "SELECT short(DATE '2024-01-01')").sqlstate()) == "42883");
  CHECK(std::string(ErrorOf(connection, "CREATE TABLE c (x INTEGER CHECK (short(x) > 0))").sqlstate()) != "");

  AggregateDefinition bad = Joined();
  bad.name = "sum";
  CHECK_THROWS_AS(connection.CreateAggregate(bad), Error);
  bad.name = "half";
  bad.state = {TypeId::kBigInt};
  CHECK_THROWS_AS(connection.CreateAggregate(bad), Error);
  bad.state.clear();
  bad.arguments.clear();
  CHECK_THROWS_AS(connection.CreateAggregate(bad), Error);
  CHECK(connection.RemoveFunction("Failing"));
  CHECK(std::string(ErrorOf(connection, "SELECT failing('x')").sqlstate()) == "42883");
}

TEST_CASE("A view over an aggregate of the program is temporary", "[main]") {
  const Database database;
  Connection connection(database);
  connection.CreateAggregate(Joined());
  connection.Query("CREATE VIEW v AS SELECT joined(x) AS j FROM (VALUES ('a'), ('b')) AS t(x)");
  CHECK(connection.Query("SELECT j FROM v").ToString() == "ab\n");
  Connection other(database);
  CHECK(std::string(ErrorOf(other, "SELECT * FROM v").sqlstate()) == "42P01");
}

}  // namespace scaup
