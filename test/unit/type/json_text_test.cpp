// Tests of JSON text: the grammar, the normal form, walking, and random bytes.
#include "type/text/json_text.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "scaup/error.hpp"

namespace scaup {
namespace {

std::string Normal(std::string_view text) {
  std::string normal;
  return NormalizeJson(text, normal) ? normal : "refused";
}

}  // namespace

TEST_CASE("JSON text is what RFC 8259 says", "[type][json]") {
  for (const char* text :
       {"1", "-0", "0.5", "1e5", "1E-5", "\"\"", "\"\\u00e9\\ud83d\\ude00\"", "[]", "{}", "[[],{}]",
        " [1 , 2 ] ", "{\"a\":1,\"a\":2}", "true", "false", "null", "\"\xC3\xA9\"", "\t\r\n1"}) {
    CAPTURE(text);
    CHECK(IsJsonText(text));
  }
  for (const char* text : {"",          " ",          "01",          "1.",          ".5",
                           "-",         "+1",         "1e",          "1e+",         "\"",
                           "\"\\x\"",   "\"\\u12\"",  "\"\\ud800\"", "\"\\ude00\"", "\"\\ud800\\u0041\"",
                           "\"\n\"",    "[",          "[1",          "[1,",         "[1,]",
                           "[,1]",      "{",          "{\"a\"",      "{\"a\":",     "{\"a\":1",
                           "{\"a\":1,", "{\"a\":1,}", "{a:1}",       "tru",         "nulll",
                           "1 2",       "]",          "}",           "'a'",         "NaN",
                           "\xC3"}) {
    CAPTURE(text);
    CHECK_FALSE(IsJsonText(text));
    CHECK(Normal(text) == "refused");
  }
}

TEST_CASE("Faults say where and why", "[type][json]") {
  JsonFault fault;
  CHECK_FALSE(IsJsonText("{\"a\": [1, 2,, 3]}", &fault));
  CHECK(fault.offset == 12);
  CHECK_FALSE(IsJsonText("[\"abc", &fault));
  CHECK(fault.offset == 1);
  CHECK_FALSE(IsJsonText("{\"a\" 1}", &fault));
  CHECK(fault.offset == 5);
  CHECK_THROWS_WITH(ThrowJsonError("[1,\n\"\xC3\xA9\" 2]", false), Catch::Contains("line 2, character 5"));
}

TEST_CASE("Depth is bounded", "[type][json]") {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(IsJsonText(nested(kMaxJsonDepth)));
  CHECK(Normal(nested(kMaxJsonDepth)) == nested(kMaxJsonDepth));
  CHECK_FALSE(IsJsonText(nested(kMaxJsonDepth + 1)));
  CHECK_FALSE(IsJsonText(std::string(10'000'000, '[')));
}

TEST_CASE("The normal form is that of jsonb", "[type][json]") {
  CHECK(Normal("{\"bb\":1, \"a\" : [1,2.50 , true,null], \"bb\":2}") ==
        "{\"a\": [1, 2.50, true, null], \"bb\": 2}");
  CHECK(Normal("{\"\":0,\"b\":{\"z\":1,\"y\":2},\"aa\":3}") ==
        "{\"\": 0, \"b\": {\"y\": 2, \"z\": 1}, \"aa\": 3}");
  CHECK(Normal("\"\\u0041\\/\\n\\u0001\"") == "\"A/\\n\\u0001\"");
  CHECK(Normal("\"a\\u0000\"") == "refused");
  CHECK(Normal("-0") == "0");
  CHECK(Normal("-0.00") == "0.00");
  CHECK(Normal("1e3") == "1000");
  CHECK(Normal("1.5e1") == "15");
  CHECK(Normal("1.50e1") == "15.0");
  CHECK(Normal("-12.5E-3") == "-0.0125");
  CHECK(Normal("0e10") == "0");
  CHECK(Normal("1e999999999999") == "refused");
  CHECK(Normal("1e-999999999999") == "refused");
  CHECK(Normal("1e400").size() == 401);
}

TEST_CASE("Walking finds members and elements", "[type][json]") {
  const std::string_view json =
      "{ \"a\" : [1, {\"b\": \"},]\\\"\"}, -2.5e3 ], \"\\u0062\": null , \"a\\tc\":{} }";
  CHECK(JsonKindOf(json) == JsonKind::kObject);
  CHECK(JsonLength(json) == 3);
  const auto array = JsonMember(json, "a");
  REQUIRE(array);
  CHECK(JsonLength(*array) == 3);
  CHECK(JsonElement(*array, 0) == "1");
  CHECK(JsonElement(*array, 1) == "{\"b\": \"},]\\\"\"}");
  CHECK(JsonElement(*array, -1) == "-2.5e3");
  CHECK_FALSE(JsonElement(*array, 3));
  CHECK_FALSE(JsonElement(*array, -4));
  CHECK(JsonMember(json, "b") == "null");
  CHECK(JsonMember(json, "a\tc") == "{}");
  CHECK_FALSE(JsonMember(json, "c"));
  CHECK_FALSE(JsonMember("[1]", "a"));
  CHECK(JsonMember("{\"a\":1,\"a\":2}", "a") == "2");
  std::string text;
  AppendJsonUnescaped("\"\\ud83d\\ude00x\"", text);
  CHECK(text == "\xF0\x9F\x98\x80x");
}

TEST_CASE("Random bytes never break the parser, and normal forms stay as they are", "[type][json]") {
  std::mt19937_64 random(11);
  const std::string_view pieces[] = {"{", "}",        "[",       "]", ":",    ",",    "\"a\"", "\"b\\n\"",
                                     "1", "-2.5e-1",  "true",    " ", "null", "\"\"", "\\",    "\"",
                                     "0", "\xC3\xA9", "\\u00e9", "e", ".",    "\n"};
  size_t good = 0;
  for (size_t i = 0; i < 200'000; i++) {
    std::string text;
    const size_t length = random() % 12;
    for (size_t j = 0; j < length; j++) text += pieces[random() % std::size(pieces)];
    if (i % 5 == 0 && !text.empty()) text[random() % text.size()] = static_cast<char>(random());
    std::string normal, again;
    const bool is_json = IsJsonText(text);
    const bool is_normal = NormalizeJson(text, normal);
    if (is_normal) {
      CHECK(is_json);
      REQUIRE(NormalizeJson(normal, again));
      CHECK(again == normal);
      good++;
    }
    if (is_json && (JsonKindOf(text) == JsonKind::kArray || JsonKindOf(text) == JsonKind::kObject)) {
      for (JsonIterator items(text); items.Next();) CHECK(IsJsonText(items.value()));
    }
  }
  CHECK(good > 1000);
}

}  // namespace scaup
