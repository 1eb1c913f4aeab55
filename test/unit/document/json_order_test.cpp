// Tests of the order of JSON values and of their normal form.
#include "document/json/json_order.hpp"

#include <catch2/catch.hpp>

#include <vector>

namespace scaup {
namespace {

std::string Order(std::string_view json) {
  std::string order;
  AppendJsonOrder(json, order);
  return order;
}

std::string Normal(std::string_view json) {
  std::string normal;
  AppendJsonNormal(json, normal);
  return normal;
}

}  // namespace

TEST_CASE("Values of JSON have one order", "[document][order]") {
  // Each line is less than the next; values within a line are equal.
  const std::vector<std::vector<const char*>> lines = {
      {"-1e400"},
      {"-100000000000000000001"},
      {"-100000000000000000000", "-1e20"},
      {"-10"},
      {"-9.5"},
      {"-9"},
      {"-1"},
      {"-0.5"},
      {"-0.05", "-5e-2", "-0.050"},
      {"-1e-400"},
      {"0", "-0", "0.0", "0e9"},
      {"1e-400"},
      {"0.05"},
      {"0.5"},
      {"0.55"},
      {"1", "1.0", "10e-1", " 1 "},
      {"1.5", "1.50", "15e-1"},
      {"9"},
      {"10", "1e1"},
      {"15"},
      {"100"},
      {"1577134800018164904"},
      {"1577134800018164905"},
      {"1e400"},
      {"\"\""},
      {"\" \""},
      {"\"1\""},
      {"\"a\"", "\"\\u0061\""},
      {"\"aa\""},
      {"\"b\""},
      {"false"},
      {"true"},
      {"[]", "[ ]"},
      {"[null]"},
      {"[1]"},
      {"[1,2]", "[1.0, 2]"},
      {"[2]"},
      {"[10]"},
      {"[\"a\"]"},
      {"[\"a\",1]"},
      {"[\"ab\"]"},
      {"[[]]"},
      {"{}"},
      {"{\"a\":1}"},
      {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1.0}", "{\"a\":3,\"a\":1,\"b\":2}"},
      {"{\"a\":2}"},
      {"{\"aa\":1}"},
      {"{\"b\":0}"}};
  for (size_t i = 0; i < lines.size(); i++) {
    for (const char* value : lines[i]) {
      CAPTURE(value);
      CHECK(Order(value) == Order(lines[i][0]));
      CHECK(Normal(value) == Normal(lines[i][0]));
      CHECK(Order(Normal(value)) == Order(value));
      CHECK(Normal(Normal(value)) == Normal(value));
      if (i > 0) CHECK(Order(lines[i - 1][0]) < Order(value));
    }
  }
}

TEST_CASE("The normal form of numbers", "[document][order]") {
  CHECK(Normal("1.50") == "1.5");
  CHECK(Normal("1e3") == "1000");
  CHECK(Normal("-0.0") == "0");
  CHECK(Normal("12e-4") == "0.0012");
  CHECK(Normal("1577134800018164905") == "1577134800018164905");
  CHECK(Normal("1e400") == "1e400");
  CHECK(Normal("12.5E+300") == "1.25e301");
  CHECK(Normal("123e-402") == "1.23e-400");
}

}  // namespace scaup
