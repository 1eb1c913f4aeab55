// Tests generate_series, range and the system listings.
#include "function/table/generate_series.hpp"

#include <catch2/catch.hpp>

#include "../format/csv/csv_test_context.hpp"
#include "system/table_function_registry.hpp"
#include "type/time/date_time.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

Rows Call(TableFunctionTest& test, const TableFunction& function, std::vector<Value> arguments) {
  const auto bound = function.bind(test.context, {std::move(arguments), {}});
  return test.Scan(function, *bound);
}

Value DateOf(const char* text) {
  int32_t days = 0;
  REQUIRE(ParseDate(text, days));
  return Value::Date(days);
}

}  // namespace

TEST_CASE("table functions are found by name") {
  const TableFunctionRegistry& registry = TableFunctionRegistry::Builtin();
  REQUIRE(registry.Find("read_csv") != nullptr);
  CHECK(registry.Find("read_csv")->name == "read_csv");
  CHECK(registry.Find("no_such") == nullptr);
  for (const TableFunction& function : registry.All())
    CHECK(registry.Find(function.name)->name == function.name);
}

TEST_CASE("series of numbers", "[table]") {
  TableFunctionTest test;
  const auto big = [](int64_t value) { return Value::BigInt(value); };
  CHECK(Call(test, MakeGenerateSeries(), {big(1), big(3)}) == Rows{{"1"}, {"2"}, {"3"}});
  CHECK(Call(test, MakeGenerateSeries(), {big(5), big(0), big(-2)}) == Rows{{"5"}, {"3"}, {"1"}});
  CHECK(Call(test, MakeGenerateSeries(), {big(3), big(1)}).empty());
  CHECK(Call(test, MakeGenerateSeries(), {big(3), Value()}).empty());
  CHECK(Call(test, MakeRange(), {Value::Integer(2)}) == Rows{{"0"}, {"1"}});
  CHECK(Call(test, MakeRange(), {big(1), big(7), big(3)}) == Rows{{"1"}, {"4"}});
  CHECK(Call(test, MakeGenerateSeries(), {big(INT64_MAX - 1), big(INT64_MAX)}).size() == 2);
  CHECK(Call(test, MakeGenerateSeries(), {big(INT64_MIN), big(INT64_MAX), big(INT64_MAX)}).size() == 3);
  CHECK_THROWS_AS(Call(test, MakeRange(), {big(1), big(2), big(0)}), Error);
  CHECK_THROWS_AS(Call(test, MakeRange(), {Value::Double(1.5)}), Error);
  CHECK(MakeRange().bind(test.context, {{big(1000000)}, {}})->estimated_row_count == 1000000);
}

TEST_CASE("a long series is complete and ordered with several threads", "[table]") {
  TableFunctionTest test(3);
  const Rows rows = Call(test, MakeRange(), {Value::BigInt(300000)});
  REQUIRE(rows.size() == 300000);
  for (size_t i = 0; i < rows.size(); i += 997) REQUIRE(rows[i][0] == std::to_string(i));
}

TEST_CASE("series of dates", "[table]") {
  TableFunctionTest test;
  CHECK(Call(test, MakeGenerateSeries(),
             {DateOf("2024-02-28"), DateOf("2024-03-01"), Value::MakeInterval({0, 1, 0})}) ==
        Rows{{"2024-02-28 00:00:00+00"}, {"2024-02-29 00:00:00+00"}, {"2024-03-01 00:00:00+00"}});
  CHECK(Call(test, MakeGenerateSeries(),
             {DateOf("2024-01-31"), DateOf("2024-03-31"), Value::MakeInterval({1, 0, 0})}) ==
        Rows{{"2024-01-31 00:00:00+00"}, {"2024-02-29 00:00:00+00"}, {"2024-03-29 00:00:00+00"}});
  CHECK(Call(test, MakeRange(),
             {DateOf("2024-03-01"), DateOf("2024-01-01"), Value::MakeInterval({-1, 0, 0})}) ==
        Rows{{"2024-03-01 00:00:00"}, {"2024-02-01 00:00:00"}});
  CHECK(Call(test, MakeGenerateSeries(),
             {DateOf("2024-01-01"), DateOf("2024-01-02"), Value::MakeInterval({0, 0, 12 * kMicrosPerHour})})
            .size() == 3);
  CHECK_THROWS_AS(Call(test, MakeRange(), {DateOf("2024-03-01"), DateOf("2024-01-01")}), Error);
  CHECK_THROWS_AS(
      Call(test, MakeRange(), {DateOf("2024-03-01"), DateOf("2024-01-01"), Value::MakeInterval({})}), Error);
}

TEST_CASE("system listings", "[table]") {
  TableFunctionTest test(2);
  const auto list = [&](const std::string& name) {
    const TableFunction* function = TableFunctionRegistry::Builtin().Find(name);
    return function == nullptr ? Rows{} : Call(test, *function, {});
  };
  CHECK(list("scaup_tables") == Rows{{"main", "t", "7", "<null>"}});
  CHECK(list("scaup_columns") == Rows{{"main", "t", "a", "1", "INTEGER", "true", "1", "<null>"},
                                      {"main", "t", "b", "2", "VARCHAR", "false", "<null>", "<null>"}});
  CHECK(list("scaup_settings").size() == AllSettings().size());
  const Rows functions = list("scaup_functions");
  CHECK(std::count_if(functions.begin(), functions.end(), [](const auto& row) {
          return row[0] == "range" && row[1] == "table" && row[2] == "any, [any], [any]";
        }) == 1);
}
