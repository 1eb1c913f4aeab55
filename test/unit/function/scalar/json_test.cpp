// Functions and operators over JSON and JSONB.
#include <catch2/catch.hpp>

#include "../scalar_harness.hpp"

namespace scaup {
using namespace test;

namespace {

Value Json(std::string_view text) { return Make(TypeId::kJson, text); }
Value Jsonb(std::string_view text) { return Make(TypeId::kJsonb, text); }

Value Texts(std::vector<std::string> texts) {
  std::vector<Value> values;
  for (std::string& text : texts) values.push_back(Value::Varchar(std::move(text)));
  return Value::List(TypeId::kVarchar, values);
}

}  // namespace

TEST_CASE("parts of JSON") {
  CHECK(Text("->", {Json("{\"a\": {\"b\":  1}}"), S("a")}) == "{\"b\":  1}");
  CHECK(Text("->", {Json("[1, \"x\", null]"), I(1)}) == "\"x\"");
  CHECK(Text("->>", {Json("[1, \"x\\ty\", null]"), I(1)}) == "x\ty");
  CHECK(Text("->>", {Json("[1, \"x\", null]"), I(-1)}) == "NULL");
  CHECK(Text("->", {Json("[1, \"x\", null]"), I(-1)}) == "null");
  CHECK(Text("->", {Jsonb("{\"a\": 1}"), S("b")}) == "NULL");
  CHECK(Text("#>", {Jsonb("{\"a\": [0, {\"b c\": 2}]}"), Texts({"a", "1", "b c"})}) == "2");
  CHECK(Text("#>>", {Jsonb("{\"a\": [0, {\"b\": \"z\"}]}"), Texts({"a", "-1", "b"})}) == "z");
  CHECK(Text("#>", {Jsonb("{\"a\": 1}"), Texts({})}) == "{\"a\": 1}");
  CHECK(Text("json_extract_path", {Json("{\"a\": [1, 2]}"), S("a"), S("1")}) == "2");
}

TEST_CASE("what JSON is and holds") {
  CHECK(Text("json_typeof", {Json(" {} ")}) == "object");
  CHECK(Text("jsonb_array_length", {Jsonb("[1, [2, 3]]")}) == "2");
  CHECK(ErrorOf("json_array_length", {Json("1")}).substr(0, 5) == "22023");
  CHECK(Text("@>", {Jsonb("{\"a\": 1, \"b\": [1, {\"c\": 3.0}]}"), Jsonb("{\"b\": [{\"c\": 3}]}")}) ==
        "true");
  CHECK(Text("@>", {Jsonb("[1, [2]]"), Jsonb("2")}) == "false");
  CHECK(Text("<@", {Jsonb("2"), Jsonb("[1, 2]")}) == "true");
  CHECK(Text("?", {Jsonb("[\"a\", \"b\"]"), S("b")}) == "true");
  CHECK(Text("?&", {Jsonb("{\"a\": 1}"), Texts({"a", "b"})}) == "false");
  CHECK(Text("?|", {Jsonb("{\"a\": 1}"), Texts({"x", "a"})}) == "true");
}

TEST_CASE("JSON that is made") {
  CHECK(Text("to_json", {S("a \"b\"")}) == "\"a \\\"b\\\"\"");
  CHECK(Text("to_json", {Make(TypeId::kTimestampTz, "2024-02-29 12:00:00.5+00")}) ==
        "\"2024-02-29T12:00:00.5+00:00\"");
  CHECK(Text("to_json", {Value::Boolean(true)}) == "true");
  CHECK(Text("json_build_array", {I(1), Json("{\"a\":1}")}) == "[1, {\"a\":1}]");
  CHECK(ErrorOf("json_build_object", {S("a")}).substr(0, 5) == "22023");
  CHECK(Text("||", {Jsonb("{\"a\": 1}"), Jsonb("{\"a\": 2, \"b\": 3}")}) == "{\"a\": 2, \"b\": 3}");
  CHECK(Text("||", {Jsonb("[1]"), Jsonb("2")}) == "[1, 2]");
  CHECK(Text("-", {Jsonb("{\"a\": 1, \"b\": 2}"), S("a")}) == "{\"b\": 2}");
  CHECK(Text("-", {Jsonb("[1, 2, 3]"), I(-1)}) == "[1, 2]");
}

}  // namespace scaup
