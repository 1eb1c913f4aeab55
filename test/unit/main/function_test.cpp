// Functions of the program: Connection::CreateFunction.
#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "scaup/scaup.hpp"

namespace scaup {

namespace {

FunctionDefinition Define(std::string name, std::vector<LogicalType> arguments, LogicalType result,
                          std::function<void(const QueryResult&, FunctionOutput&)> body) {
  FunctionDefinition definition;
  definition.name = std::move(name);
  definition.arguments = std::move(arguments);
  definition.result = std::move(result);
  definition.body = std::move(body);
  return definition;
}

void AddOne(const QueryResult& arguments, FunctionOutput& output) {
  const auto* const in = static_cast<const int64_t*>(arguments.Column(0).data);
  auto* const out = output.DataAs<int64_t>();
  for (size_t row = 0; row < output.row_count(); row++) out[row] = in[row] + 1;
}

/// Returns the SQLSTATE of the error that a statement ends with.
std::string StateOf(Connection& connection, const std::string& sql) {
  try {
    connection.Query(sql);
    return "";
  } catch (const Error& error) {
    return error.sqlstate();
  }
}

}  // namespace

TEST_CASE("Functions of the program compute many rows at once", "[main]") {
  const Database database;
  Connection connection(database);
  std::atomic<size_t> calls{0}, rows{0};
  connection.CreateFunction(
      Define("Add_One", {TypeId::kBigInt}, TypeId::kBigInt, [&](const QueryResult& in, FunctionOutput& out) {
        calls++;
        rows += in.row_count();
        AddOne(in, out);
      }));
  CHECK(connection.Query("SELECT sum(add_one(i)) FROM generate_series(1, 300000) AS g(i)").ToString() ==
        std::to_string(int64_t{300000} * 300001 / 2 + 300000) + "\n");
  CHECK(rows == 300000);
  CHECK(calls < 40);
  CHECK(connection.Query("SELECT add_one(i::SMALLINT), add_one(NULL) FROM generate_series(1, 2) AS g(i)")
            .ToString() == "2\tNULL\n3\tNULL\n");
}

TEST_CASE("Results of functions are set in several ways", "[main]") {
  const Database database;
  Connection connection(database);
  connection.CreateFunction(
      Define("texts", {TypeId::kBigInt}, TypeId::kVarchar, [](const QueryResult& in, FunctionOutput& out) {
        for (size_t row = 0; row < in.row_count(); row++) {
          if (in.GetValue(0, row).GetBigInt() % 2 == 0) {
            out.SetNull(row);
          } else {
            out.SetText(row, "text of row number " + in.GetValue(0, row).ToString());
          }
        }
      }));
  CHECK(connection.Query("SELECT texts(i) FROM generate_series(1, 3) AS g(i)").ToString() ==
        "text of row number 1\nNULL\ntext of row number 3\n");
  connection.CreateFunction(Define("values_of", {TypeId::kBigInt}, LogicalType::Decimal(10, 2),
                                   [](const QueryResult& in, FunctionOutput& out) {
                                     for (size_t row = 0; row < in.row_count(); row++)
                                       out.SetValue(row, in.GetValue(0, row));
                                   }));
  CHECK(connection.Query("SELECT values_of(i) FROM generate_series(1, 2) AS g(i)").ToString() ==
        "1.00\n2.00\n");
  connection.CreateFunction(
      Define("same", {TypeId::kInteger}, TypeId::kBigInt,
             [](const QueryResult& in, FunctionOutput& out) { out.SetColumn(in.Column(0)); }));
  CHECK(connection.Query("SELECT same(i) FROM generate_series(1, 2) AS g(i)").ToString() == "1\n2\n");
  connection.CreateFunction(
      Define("nothing", {}, TypeId::kInteger, [](const QueryResult&, FunctionOutput&) {}));
  CHECK(connection.Query("SELECT nothing()").ToString() == "0\n");
}

TEST_CASE("Wrong results and exceptions of functions end the statement", "[main]") {
  const Database database;
  Connection connection(database);
  const auto try_body = [&](LogicalType result,
                            std::function<void(const QueryResult&, FunctionOutput&)> body) {
    connection.CreateFunction(Define("f", {TypeId::kDouble}, std::move(result), std::move(body)));
    return StateOf(connection, "SELECT f(i + 0.5) FROM generate_series(1, 10) AS g(i)");
  };
  CHECK(try_body(TypeId::kDouble,
                 [](const QueryResult&, FunctionOutput&) { throw std::runtime_error("no"); }) == "38000");
  CHECK(try_body(TypeId::kDouble, [](const QueryResult&, FunctionOutput&) {
          throw Error(ErrorKind::kConversion, "22P02", "no");
        }) == "22P02");
  CHECK(try_body(TypeId::kDouble,
                 [](const QueryResult&, FunctionOutput& out) { out.SetNull(out.row_count()); }) == "22023");
  CHECK(try_body(TypeId::kInteger,
                 [](const QueryResult& in, FunctionOutput& out) { out.SetColumn(in.Column(0)); }) == "22003");
  CHECK(try_body(TypeId::kVarchar,
                 [](const QueryResult& in, FunctionOutput& out) { out.SetColumn(in.Column(0)); }) == "42804");
  CHECK(try_body(TypeId::kVarchar, [](const QueryResult&, FunctionOutput& out) { out.Data(); }) == "42804");
  CHECK(try_body(TypeId::kDouble, [](const QueryResult& in, FunctionOutput& out) {
          ColumnView column = in.Column(0);
          column.row_count--;
          out.SetColumn(column);
        }) == "22023");
  CHECK(try_body(TypeId::kDouble, [](const QueryResult& in, FunctionOutput& out) {
          ColumnView column = in.Column(0);
          column.owner = nullptr;
          out.SetColumn(column);
        }) == "22023");
  CHECK(try_body(TypeId::kDouble,
                 [&](const QueryResult&, FunctionOutput&) { connection.Query("SELECT 1"); }) == "55006");
  CHECK(StateOf(connection, "SELECT 1").empty());
}

TEST_CASE("A function cannot wait for the statement that calls it, on any thread", "[main]") {
  const Database database(":memory:", {{"threads", "4"}});
  const Database other(":memory:", {{"threads", "4"}});
  Connection connection(database);
  Connection inner(other);
  std::atomic<size_t> calls{0};
  const auto ask = [&](const QueryResult&, FunctionOutput&) {
    calls++;
    connection.Query("SELECT 1");
  };
  constexpr const char* kManyRows = "SELECT count(f(i)) FROM range(0, 1000000) AS g(i)";
  connection.CreateFunction(Define("f", {TypeId::kBigInt}, TypeId::kBigInt, ask));
  // Which threads call is a matter of chance.
  for (int i = 0; i < 50; i++) REQUIRE(StateOf(connection, kManyRows) == "55006");

  // Neither directly nor through another connection.
  inner.CreateFunction(Define("f", {TypeId::kBigInt}, TypeId::kBigInt, ask));
  const size_t direct = calls;
  connection.CreateFunction(Define("f", {TypeId::kBigInt}, TypeId::kBigInt,
                                   [&](const QueryResult&, FunctionOutput&) { inner.Query(kManyRows); }));
  for (int i = 0; i < 50; i++) REQUIRE(StateOf(connection, kManyRows) == "55006");
  CHECK(calls > direct);
}

TEST_CASE("Constants come apart from columns where a function takes them so", "[main]") {
  const Database database;
  Connection connection(database);
  FunctionDefinition definition;
  definition.name = "power_of";
  definition.arguments = {TypeId::kBigInt, TypeId::kBigInt};
  definition.result = TypeId::kBigInt;
  definition.takes_constants = true;
  std::atomic<size_t> with_constants{0};
  definition.body = [&](const FunctionArguments& in, FunctionOutput& out) {
    const bool has_constant = !in.is_constant.empty();
    with_constants += has_constant;
    REQUIRE(in.column_count() == (has_constant ? 1 : 2));
    REQUIRE(in.row_count() == out.row_count());
    if (has_constant) {
      REQUIRE(in.is_constant == std::vector<bool>{false, true});
      REQUIRE(in.constants.row_count() == 1);
      REQUIRE(in.constants.columns()[0].name == "argument2");
    }
    for (size_t row = 0; row < in.row_count(); row++) {
      const int64_t exponent =
          has_constant ? in.constants.GetValue(0, 0).GetBigInt() : in.GetValue(1, row).GetBigInt();
      int64_t power = 1;
      for (int64_t i = 0; i < exponent; i++) power *= in.GetValue(0, row).GetBigInt();
      out.DataAs<int64_t>()[row] = power;
    }
  };
  connection.CreateFunction(definition);
  const std::string from = " FROM generate_series(1, 5000) AS g(i)";
  CHECK(connection.Query("SELECT sum(power_of(i, 2))" + from).ToString() == "41679167500\n");
  CHECK(with_constants > 0);
  with_constants = 0;
  CHECK(connection.Query("SELECT sum(power_of(i, i % 1 + 2))" + from).ToString() == "41679167500\n");
  CHECK(with_constants == 0);
  CHECK(connection.Query("SELECT power_of(3, 4)").ToString() == "81\n");
  CHECK(with_constants == 1);
  CHECK(connection.Query("SELECT count(power_of(i, NULL))" + from).ToString() == "0\n");
  CHECK(with_constants == 1);
  // Without takes_constants they are columns.
  definition.takes_constants = false;
  definition.name = "plain";
  definition.body = [](const QueryResult& in, FunctionOutput& out) {
    REQUIRE(in.column_count() == 2);
    AddOne(in, out);
  };
  connection.CreateFunction(definition);
  CHECK(connection.Query("SELECT sum(plain(i, 2))" + from).ToString() == "12507500\n");
}

TEST_CASE("Immutable functions get repeated values of dictionaries once", "[main]") {
  const Database database;
  Connection connection(database);
  connection.Query(
      "CREATE TABLE words AS SELECT 'a longer word ' || i % 7 AS word FROM generate_series(1, 200000) AS "
      "g(i)");
  std::atomic<size_t> rows{0};
  FunctionDefinition definition =
      Define("echo", {TypeId::kVarchar}, TypeId::kVarchar, [&](const QueryResult& in, FunctionOutput& out) {
        rows += in.row_count();
        for (size_t row = 0; row < in.row_count(); row++) out.SetText(row, in.GetString(0, row));
      });
  connection.CreateFunction(definition);
  CHECK(connection.Query("SELECT count(*) FROM words WHERE echo(word) = word").ToString() == "200000\n");
  CHECK(rows < 1000);
  CHECK(connection.Query("SELECT count(DISTINCT echo(word)), min(echo(word)) FROM words").ToString() ==
        "7\ta longer word 0\n");
  rows = 0;
  definition.volatility = FunctionDefinition::Volatility::kStable;
  connection.CreateFunction(definition);
  CHECK(connection.Query("SELECT count(*) FROM words WHERE echo(word) = word").ToString() == "200000\n");
  CHECK(rows == 200000);
}

TEST_CASE("Texts and documents of functions are checked", "[main]") {
  const Database database;
  Connection connection(database);
  const auto define = [&](const char* name, LogicalType type, const Value& value, bool sets_text) {
    connection.CreateFunction(
        Define(name, {TypeId::kBigInt}, std::move(type), [=](const QueryResult&, FunctionOutput& output) {
          if (sets_text) return output.SetText(0, value.GetString());
          output.SetValue(0, value);
        }));
  };
  const Value broken = Value::Varchar("\xff\xfe");
  define("bad_text", TypeId::kVarchar, broken, true);
  define("bad_value", TypeId::kVarchar, broken, false);
  define("bad_list", LogicalType::List(TypeId::kVarchar), Value::List(TypeId::kVarchar, {broken}), false);
  define("bad_json", TypeId::kJson, Value::Varchar("{"), true);
  define("bytes", TypeId::kBlob, broken, true);
  CHECK(StateOf(connection, "SELECT bad_text(1)") == "22021");
  CHECK(StateOf(connection, "SELECT bad_value(1)") == "22021");
  CHECK(StateOf(connection, "SELECT bad_list(1)") == "22021");
  CHECK(StateOf(connection, "SELECT bad_json(1)") == "22P02");
  CHECK(connection.Query("SELECT bytes(1)").ToString() == "\\xfffe\n");
}

TEST_CASE("Functions are replaced and removed by name", "[main]") {
  const Database database;
  Connection connection(database);
  CHECK_THROWS_AS(connection.CreateFunction(Define("abs", {TypeId::kBigInt}, TypeId::kBigInt, AddOne)),
                  Error);
  CHECK_THROWS_AS(connection.CreateFunction(Define("", {TypeId::kBigInt}, TypeId::kBigInt, AddOne)), Error);
  CHECK_THROWS_AS(connection.CreateFunction(Define("f", {TypeId::kBigInt}, TypeId::kBigInt, nullptr)), Error);
  connection.CreateFunction(Define("f", {TypeId::kBigInt}, TypeId::kBigInt, AddOne));
  PreparedStatement prepared = connection.Prepare("SELECT f(1)");
  CHECK(prepared.Execute().ToString() == "2\n");
  connection.CreateFunction(
      Define("F", {TypeId::kBigInt}, TypeId::kVarchar,
             [](const QueryResult&, FunctionOutput& output) { output.SetText(0, "another"); }));
  CHECK(prepared.Execute().ToString() == "another\n");
  CHECK(connection.RemoveFunction("f"));
  CHECK_FALSE(connection.RemoveFunction("f"));
  CHECK_THROWS_AS(prepared.Execute(), Error);
  CHECK(StateOf(connection, "SELECT f(1)") == "42883");
}

TEST_CASE("Functions and their arguments outlive connection and database", "[main]") {
  QueryResult kept;
  {
    const Database database;
    Connection connection(database);
    connection.CreateFunction(Define("keep", {TypeId::kVarchar}, TypeId::kVarchar,
                                     [&](const QueryResult& in, FunctionOutput&) { kept = in; }));
    connection.Query("SELECT keep('a text that is long enough ' || i) FROM generate_series(1, 2) AS g(i)");
  }
  CHECK(kept.ToString() == "a text that is long enough 1\na text that is long enough 2\n");
}

}  // namespace scaup
