// Shapes of texts: what a literal is without the grammar, and which texts have none.
#include "parser/text/text_shape.hpp"

#include <catch2/catch.hpp>

namespace scaup {

namespace {

/// The key with readable marks: ?i for an integer, ?l for a large one, ?s for a string.
std::string Key(std::string_view sql) {
  const auto shape = ShapeOf(sql);
  if (!shape) return "";
  std::string key = shape->key;
  for (char& c : key) c = c == '\x01' ? '?' : c;
  return key;
}

}  // namespace

TEST_CASE("integers and strings are taken out of a text", "[parser]") {
  CHECK(Key("SELECT a FROM t WHERE b = 12") == "SELECT a FROM t WHERE b = ?i");
  CHECK(Key("SELECT a FROM t WHERE b = 2147483647;") == "SELECT a FROM t WHERE b = ?i;");
  CHECK(Key("SELECT a FROM t WHERE b = 2147483649 ; \n") == "SELECT a FROM t WHERE b = ?l ; \n");
  CHECK(Key("SELECT a1 FROM t_2 WHERE b='it''s; --' AND \"c 3\"=-7") ==
        "SELECT a1 FROM t_2 WHERE b=?s AND \"c 3\"=-?i");
  const auto shape = ShapeOf("f(  007, 'it''s', 999999999999999999)");
  REQUIRE(shape);
  REQUIRE(shape->literals.size() == 3);
  CHECK(shape->literals[0].integer == 7);
  CHECK(shape->literals[0].begin == 4);
  CHECK(shape->literals[0].end == 7);
  CHECK(shape->literals[1].text == "it's");
  CHECK(shape->literals[2].kind == TextLiteral::Kind::kBigInt);
  CHECK(shape->literals[2].integer == 999999999999999999);
  CHECK(Key("'\xc3\xa4' = \xc3\xa4 1") == "?s = \xc3\xa4 ?i");
}

TEST_CASE("other numbers stay in the key", "[parser]") {
  CHECK(Key("VALUES (1, 1.5, .5, 5., 1e5, 0x1F, 1_000, 2147483648)") ==
        "VALUES (?i, 1.5, .5, 5., 1e5, 0x1F, 1_000, 2147483648)");
  CHECK(Key("SELECT t.1 + 2") == "SELECT t.1 + ?i");
  CHECK(Key("SELECT 1 + 1e+5").empty() == false);
}

TEST_CASE("texts that only the grammar understands have no shape", "[parser]") {
  for (const char* sql : {"SELECT a FROM t",
                          "",
                          "SELECT 1 -- one",
                          "SELECT /* one */ 1",
                          "SELECT $1 + 1",
                          "SELECT ? + 1",
                          "SELECT E'a', 1",
                          "SELECT e'a\\'', 1",
                          "SELECT x'ff', 1",
                          "SELECT U&'a', 1",
                          "SELECT u&\"a\", 1",
                          "SELECT N'a', 1",
                          "SELECT 'a'\n'b'",
                          "SELECT 'a' 'b'",
                          "SELECT $$a$$, 1",
                          "SELECT 1; SELECT 2",
                          "SELECT 'a",
                          "SELECT \"a, 1",
                          "SELECT 1234567890123456789",
                          "SELECT \x01i, 1",
                          "SELECT '\xff'",
                          "SELECT 1 \\ 2"}) {
    INFO(sql);
    CHECK(Key(sql).empty());
  }
  CHECK_FALSE(ShapeOf(std::string_view("SELECT 'a\0b'", 12)));
  std::string many = "SELECT 1";
  for (int i = 0; i < 64; i++) many += ", 1";
  CHECK_FALSE(ShapeOf(many));
  CHECK_FALSE(ShapeOf("SELECT 1" + std::string(4000, ' ')));
}

}  // namespace scaup
