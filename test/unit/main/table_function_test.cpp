// Table functions of the program: Connection::CreateTableFunction.
#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scaup/scaup.hpp"

namespace scaup {

namespace {

using Step = TableFunctionDefinition::Step;

/// Counts up to its argument, some rows a step.
TableFunctionDefinition CountTo(std::atomic<size_t>* steps = nullptr) {
  TableFunctionDefinition definition;
  definition.name = "Count_To";
  definition.arguments = {TableFunctionDefinition::Scalar("n", TypeId::kBigInt)};
  definition.columns = {{"i", TypeId::kBigInt}, {"t", TypeId::kVarchar}};
  definition.start = [steps](const TableCall& call) -> Step {
    return [steps, next = int64_t{1}, n = call.values[0].GetBigInt()](TableFunctionInput& input,
                                                                      TableFunctionOutput& output) mutable {
      CHECK(input.columns().empty());
      if (steps != nullptr) ++*steps;
      const auto count = static_cast<size_t>(std::min<int64_t>(3000, n - next + 1));
      output.SetRowCount(count);
      for (size_t row = 0; row < count; row++) {
        output.Column(0).DataAs<int64_t>()[row] = next;
        output.Column(1).SetText(row, std::to_string(next++));
      }
      return next <= n;
    };
  };
  return definition;
}

/// Returns for each run the number of its rows and the sum of their column x.
TableFunctionDefinition Sums(bool takes_batches, size_t most_rows) {
  TableFunctionDefinition definition;
  definition.name = "sums";
  definition.arguments = {
      TableFunctionDefinition::Rows("t", {{"k", TypeId::kInteger}, {"x", TypeId::kBigInt}})};
  definition.columns = {{"k", TypeId::kInteger}, {"n", TypeId::kBigInt}, {"s", TypeId::kBigInt}};
  definition.takes_batches = takes_batches;
  definition.batch_rows = takes_batches ? most_rows : 0;
  definition.start = [most_rows](const TableCall& call) -> Step {
    REQUIRE(call.input.has_value());
    CHECK(call.input->at(1).name == "x");
    return [most_rows](TableFunctionInput& input, TableFunctionOutput& output) {
      int64_t count = 0, sum = 0, key = 0;
      while (true) {
        const QueryResult rows = most_rows == 0 ? input.All() : input.Next(most_rows);
        if (rows.row_count() == 0) break;
        key = static_cast<const int32_t*>(rows.Column(0).data)[0];
        for (size_t row = 0; row < rows.row_count(); row++)
          sum += static_cast<const int64_t*>(rows.Column(1).data)[row];
        count += static_cast<int64_t>(rows.row_count());
      }
      output.SetRowCount(1);
      output.Column(0).SetValue(0, Value::Integer(static_cast<int32_t>(key)));
      output.Column(1).SetValue(0, Value::BigInt(count));
      output.Column(2).SetValue(0, Value::BigInt(sum));
      return false;
    };
  };
  return definition;
}

/// Passes its rows on, with a column more that says how many columns there were.
TableFunctionDefinition Widen() {
  TableFunctionDefinition definition;
  definition.name = "widen";
  definition.arguments = {TableFunctionDefinition::Rows("t")};
  definition.bind = [](const TableCall& call) {
    std::vector<ResultColumn> columns = *call.input;
    columns.push_back({"width", TypeId::kInteger});
    return columns;
  };
  definition.start = [](const TableCall&) -> Step {
    return [](TableFunctionInput& input, TableFunctionOutput& output) {
      const QueryResult rows = input.Next(5000);
      output.SetRowCount(rows.row_count());
      const size_t width = rows.column_count();
      for (size_t column = 0; column < width; column++) {
        for (size_t row = 0; row < rows.row_count(); row++)
          output.Column(column).SetValue(row, rows.GetValue(column, row));
      }
      for (size_t row = 0; row < rows.row_count(); row++)
        output.Column(width).SetValue(row, Value::Integer(static_cast<int32_t>(width)));
      return rows.row_count() != 0;
    };
  };
  return definition;
}

std::string StateOf(Connection& connection, const std::string& sql) {
  try {
    connection.Query(sql);
    return "";
  } catch (const Error& error) {
    return error.sqlstate();
  }
}

std::string TextOf(Connection& connection, const std::string& sql) {
  return connection.Query(sql).ToString();
}

}  // namespace

TEST_CASE("Table functions of the program stream their rows", "[main]") {
  const Database database;
  Connection connection(database);
  std::atomic<size_t> steps{0};
  connection.CreateTableFunction(CountTo(&steps));
  CHECK(TextOf(connection, "SELECT count(*), sum(i), max(length(t)) FROM count_to(100000)") ==
        "100000\t5000050000\t6\n");
  steps = 0;
  CHECK(TextOf(connection, "SELECT i FROM count_to(100000000) LIMIT 2") == "1\n2\n");
  CHECK(steps < 10);
  CHECK(TextOf(connection, "SELECT c.t FROM count_to(n => 3) AS c(a, t) WHERE a > 2") == "3\n");
  PreparedStatement prepared = connection.Prepare("SELECT count(*) FROM count_to($1)");
  const Value five[] = {Value::BigInt(5)}, seven[] = {Value::BigInt(7)};
  CHECK(prepared.Execute(five).ToString() == "5\n");
  CHECK(prepared.Execute(seven).ToString() == "7\n");
}

TEST_CASE("Table functions get the rows of a query", "[main]") {
  const Database database;
  Connection connection(database);
  connection.Query(
      "CREATE TABLE t AS SELECT (i % 100)::INTEGER AS k, i::BIGINT AS x FROM generate_series(1, 300000) AS "
      "g(i)");
  for (const size_t most_rows : {size_t{0}, size_t{1000}, size_t{100000}}) {
    connection.CreateTableFunction(Sums(false, most_rows));
    CHECK(TextOf(connection, "SELECT n, s FROM sums((SELECT * FROM t))") == "300000\t45000150000\n");
    CHECK(TextOf(connection, "SELECT n, s FROM sums(TABLE t)") == "300000\t45000150000\n");
    CHECK(TextOf(connection, "SELECT n, s FROM sums((SELECT 1::SMALLINT, 2::INTEGER WHERE false))") ==
          "0\t0\n");
    CHECK(TextOf(connection,
                 "SELECT count(*), sum(n), sum(s), count(DISTINCT k), min(n) FROM sums(TABLE t "
                 "PARTITION BY k)") == "100\t300000\t45000150000\t100\t3000\n");
  }
  connection.CreateTableFunction(Sums(true, 10000));
  CHECK(TextOf(connection, "SELECT sum(n), sum(s), max(n) <= 10000, count(*) >= 30 FROM sums(TABLE (t))") ==
        "300000\t45000150000\ttrue\ttrue\n");
  CHECK(TextOf(connection, "SELECT count(*) FROM sums((SELECT * FROM t WHERE k < 0))") == "0\n");
  connection.CreateTableFunction(Sums(false, 0));
  CHECK(TextOf(connection, "SELECT count(*), sum(n) FROM sums((SELECT * FROM t) PARTITION BY k % 7)") ==
        "7\t300000\n");
}

TEST_CASE("Table functions are chained, and find their columns", "[main]") {
  const Database database;
  Connection connection(database);
  connection.CreateTableFunction(Widen());
  connection.CreateTableFunction(CountTo());
  connection.CreateTableFunction(Sums(false, 0));
  CHECK(TextOf(connection, "SELECT * FROM widen((SELECT 'a' AS a, NULL::DATE AS b))") == "a\tNULL\t2\n");
  CHECK(
      TextOf(connection, "SELECT sum(width), count(*), max(i) FROM widen((SELECT * FROM count_to(20000)))") ==
      "40000\t20000\t20000\n");
  CHECK(TextOf(connection,
               "SELECT k, n, s FROM sums((SELECT (i % 2)::INTEGER AS k, i FROM widen((SELECT * FROM "
               "count_to(10)))) PARTITION BY k) ORDER BY k") == "0\t5\t30\n1\t5\t25\n");
  CHECK(TextOf(connection,
               "WITH c AS (SELECT * FROM count_to(4)) SELECT width, t FROM widen(TABLE c) WHERE i = 4") ==
        "2\t4\n");
}

TEST_CASE("Partitions are sorted by ORDER BY", "[main]") {
  const Database database;
  Connection connection(database);
  TableFunctionDefinition first;
  first.name = "firsts";
  first.arguments = {TableFunctionDefinition::Rows("t")};
  first.columns = {{"k", TypeId::kVarchar}, {"x", TypeId::kInteger}};
  first.start = [](const TableCall&) -> Step {
    return [](TableFunctionInput& input, TableFunctionOutput& output) {
      const QueryResult rows = input.All();
      output.SetRowCount(1);
      if (!rows.IsNull(0, 0)) output.Column(0).SetText(0, rows.GetString(0, 0));
      if (rows.IsNull(0, 0)) output.Column(0).SetNull(0);
      output.Column(1).SetValue(0, rows.GetValue(1, 0));
      return false;
    };
  };
  connection.CreateTableFunction(first);
  connection.Query(
      "CREATE TABLE t AS SELECT * FROM (VALUES ('b', 3), ('a', 1), (NULL, 9), ('b', 5), ('a', 4), (NULL, 8)) "
      "AS v(k, x)");
  CHECK(TextOf(connection, "SELECT * FROM firsts(TABLE t PARTITION BY k ORDER BY x DESC) ORDER BY k") ==
        "a\t4\nb\t5\nNULL\t9\n");
  CHECK(TextOf(connection,
               "SELECT * FROM firsts((SELECT k, x FROM t) PARTITION BY (k) ORDER BY (x)) ORDER BY k") ==
        "a\t1\nb\t3\nNULL\t8\n");
  CHECK(TextOf(connection, "SELECT * FROM firsts(TABLE(t) PARTITION BY t.k) AS f ORDER BY 1, 2 LIMIT 1")
            .substr(0, 1) == "a");
  CHECK(TextOf(connection, "SELECT x FROM firsts(TABLE t ORDER BY x DESC)") == "9\n");
  const std::string plan =
      TextOf(connection, "EXPLAIN SELECT * FROM firsts(TABLE t PARTITION BY k ORDER BY x)");
  CHECK(plan.find("firsts") != std::string::npos);
  CHECK(plan.find("partition by: ") != std::string::npos);
}

TEST_CASE("Calls of table functions that do not fit are errors", "[main]") {
  const Database database;
  Connection connection(database);
  connection.CreateTableFunction(CountTo());
  connection.CreateTableFunction(Sums(false, 0));
  connection.Query("CREATE TABLE t (k INTEGER, x BIGINT)");
  CHECK(StateOf(connection, "SELECT * FROM count_to()") == "42883");
  CHECK(StateOf(connection, "SELECT * FROM count_to(1, 2)") == "42883");
  CHECK(StateOf(connection, "SELECT * FROM count_to(DATE '2020-01-01')") == "42883");
  CHECK(StateOf(connection, "SELECT * FROM count_to(m => 1)") == "42883");
  CHECK(StateOf(connection, "SELECT * FROM sums(1)") == "42883");
  CHECK(StateOf(connection, "SELECT * FROM sums((SELECT 1))") == "42883");
  CHECK(StateOf(connection, "SELECT * FROM sums((SELECT 1, 'a'::VARCHAR))") == "42883");
  CHECK(StateOf(connection, "SELECT * FROM sums(TABLE t, TABLE t)") == "0A000");
  CHECK(StateOf(connection, "SELECT * FROM t, count_to(t.x)") == "0A000");
  CHECK(StateOf(connection, "SELECT (SELECT max(n) FROM sums((SELECT t.k, 1))) FROM t") == "0A000");
  CHECK(StateOf(connection, "SELECT count_to(1)") == "42883");
  CHECK(StateOf(connection, "SELECT * FROM sums(TABLE nothing)") == "42P01");
  CHECK(StateOf(connection, "SELECT count(TABLE t PARTITION BY k) FROM t") == "42601");
  TableFunctionDefinition bad;
  CHECK_THROWS_AS(connection.CreateTableFunction(bad), Error);
  bad = CountTo();
  bad.columns.clear();
  CHECK_THROWS_AS(connection.CreateTableFunction(bad), Error);
  bad = CountTo();
  bad.name = "generate_series";
  CHECK_THROWS_AS(connection.CreateTableFunction(bad), Error);
  CHECK(connection.RemoveFunction("COUNT_TO"));
  CHECK(StateOf(connection, "SELECT * FROM count_to(1)") == "42883");
}

TEST_CASE("Errors and interruptions end the runs of table functions", "[main]") {
  const Database database;
  Connection connection(database);
  TableFunctionDefinition failing = CountTo();
  failing.name = "failing";
  std::atomic<int> alive{0};
  struct Counted {
    explicit Counted(std::atomic<int>& count_in) : count(count_in) { count++; }
    Counted(const Counted& other) : count(other.count) { count++; }
    ~Counted() { count--; }
    std::atomic<int>& count;
  };
  failing.start = [&](const TableCall& call) -> Step {
    if (call.values[0].GetBigInt() == 0) throw std::runtime_error("none");
    return [counted = Counted(alive), n = call.values[0].GetBigInt()](TableFunctionInput&,
                                                                      TableFunctionOutput& output) mutable {
      output.SetRowCount(1);
      if (--n == 0) throw std::runtime_error("over");
      return true;
    };
  };
  connection.CreateTableFunction(failing);
  CHECK(StateOf(connection, "SELECT * FROM failing(0)") == "38000");
  CHECK(StateOf(connection, "SELECT * FROM failing(10)") == "38000");
  CHECK(TextOf(connection, "SELECT i FROM failing(10) LIMIT 1") == "0\n");
  CHECK(alive == 0);
  // Steps without rows go on until the statement is interrupted.
  TableFunctionDefinition endless = CountTo();
  endless.name = "endless";
  endless.start = [&](const TableCall&) -> Step {
    return [&](TableFunctionInput&, TableFunctionOutput&) {
      connection.Interrupt();
      return true;
    };
  };
  connection.CreateTableFunction(endless);
  CHECK(StateOf(connection, "SELECT * FROM endless(1)") == "57014");
}

TEST_CASE("The rows of a query are given for several arguments", "[main]") {
  const Database database;
  Connection connection(database);
  TableFunctionDefinition scaled;
  scaled.name = "scaled";
  scaled.arguments = {TableFunctionDefinition::Scalar("a", TypeId::kDouble),
                      TableFunctionDefinition::Scalar("b", TypeId::kDouble),
                      TableFunctionDefinition::Scalar("factor", TypeId::kDouble)};
  scaled.arguments[2].fallback = Value::Double(2);
  scaled.columns = {{"y", TypeId::kDouble}};
  scaled.start = [](const TableCall& call) -> Step {
    REQUIRE(call.input);
    CHECK(call.input->at(0).name == "a");
    CHECK(call.values[0].is_null());
    return [factor = call.values[2].GetDouble()](TableFunctionInput& input, TableFunctionOutput& output) {
      const QueryResult rows = input.Next();
      output.SetRowCount(rows.row_count());
      for (size_t row = 0; row < rows.row_count(); row++) {
        output.Column(0).DataAs<double>()[row] =
            factor * (rows.GetValue(0, row).GetDouble() + rows.GetValue(1, row).GetDouble());
      }
      return rows.row_count() != 0;
    };
  };
  connection.CreateTableFunction(scaled);
  CHECK(TextOf(connection, "SELECT * FROM scaled((SELECT 1, 2), 10)") == "30\n");
  CHECK(TextOf(connection, "SELECT * FROM scaled((SELECT 1, 2))") == "6\n");
}

TEST_CASE("A table function may leave NULLs out", "[main]") {
  const Database database;
  Connection connection(database);
  std::atomic<size_t> steps{0};
  TableFunctionDefinition definition = CountTo(&steps);
  definition.omits_nulls = true;
  connection.CreateTableFunction(definition);
  CHECK(connection.Query("SELECT count(*) FROM count_to(NULL)").ToString() == "0\n");
  CHECK(steps == 0);
  CHECK(connection.Query("SELECT count(*) FROM count_to(5)").ToString() == "5\n");
  definition = {};
  definition.name = "passed";
  definition.arguments = {TableFunctionDefinition::Scalar("x", TypeId::kBigInt)};
  definition.columns = {{"x", TypeId::kBigInt}};
  definition.omits_nulls = true;
  definition.start = [](const TableCall&) -> Step {
    return [](TableFunctionInput& input, TableFunctionOutput& output) {
      const QueryResult rows = input.Next(1000);
      output.SetRowCount(rows.row_count());
      if (rows.row_count() != 0) output.Column(0).SetColumn(rows.Column(0));
      return rows.row_count() != 0;
    };
  };
  connection.CreateTableFunction(definition);
  const std::string query =
      "SELECT count(*), count(x) FROM passed((SELECT nullif(i % 4, 0) FROM range(4000) r(i)))";
  CHECK(connection.Query(query).ToString() == "3000\t3000\n");
  definition.omits_nulls = false;
  connection.CreateTableFunction(definition);
  CHECK(connection.Query(query).ToString() == "4000\t3000\n");
}

}  // namespace scaup
