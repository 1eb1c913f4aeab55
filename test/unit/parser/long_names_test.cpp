// Tests that names of any length are whole, wherever they stand.
#include <catch2/catch.hpp>

#include "ast_text.hpp"

using namespace scaup;

namespace {

std::string Name(size_t size_bytes) { return "n" + std::string(size_bytes - 1, 'x'); }

}  // namespace

TEST_CASE("names are whole, quoted or not") {
  for (const size_t size : {62, 63, 64, 65, 200, 10'000}) {
    const std::string name = Name(size), other = name + "y";
    const std::string sql = "SELECT \"" + name + "\", " + other + " AS \"" + other + "z\" FROM s." + name;
    const std::string text = QueryText(sql);
    INFO(text);
    CHECK(text.find(name + ",") != std::string::npos);
    CHECK(text.find(other + "z") != std::string::npos);
    CHECK(text.find(other + " ") != std::string::npos);
    CHECK(text.find("s." + name) != std::string::npos);
  }
}

TEST_CASE("names that are spelled in unusual ways") {
  const std::string long_part(61, 'a');
  // Folded as short ones are; characters across the place where PostgreSQL cuts; quotes inside.
  CHECK(QueryText("SELECT " + std::string(70, 'A')) == QueryText("SELECT " + std::string(70, 'a')));
  for (const char* character : {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\"\"", "\\", "\n"}) {
    const std::string sql = "SELECT \"" + long_part + character + "end\"";
    const std::string meant = std::string(character) == "\"\"" ? "\"" : character;
    CHECK(QueryText(sql).find(long_part + meant + "end") != std::string::npos);
  }
  // 65 bytes with the quotes' doubles, 64 without.
  const std::string doubled = "\"" + std::string(60, 'b') + "\"\"c\"";
  CHECK(QueryText("SELECT " + doubled).find(std::string(60, 'b') + "\"c") != std::string::npos);
  CHECK(QueryText("SELECT U&\"" + long_part + "\\0061\\+01F600\\D83D\\DE00\\\\e\"")
            .find(long_part + "a\xF0\x9F\x98\x80\xF0\x9F\x98\x80\\e") != std::string::npos);
  CHECK(QueryText("SELECT U&\"" + long_part + "!0061bcd!!\" UESCAPE '!' + 1").find(long_part + "abcd!") !=
        std::string::npos);
}

TEST_CASE("what the grammar says against long names names them, where they stand") {
  const std::string name = Name(100);
  CHECK(ErrorText("SELECT 1 " + name + " x") == "syntax 42601 110: syntax error at or near \"x\"");
  CHECK(ErrorText("SELECT 1 AS a, \"" + name + "\" \"" + name + "\" b") ==
        "syntax 42601 221: syntax error at or near \"b\"");
  CHECK(ErrorText("SELECT FROM t x \"" + name + "\"") ==
        "syntax 42601 16: syntax error at or near \"\"" + name + "\"\"");
}

TEST_CASE("literals that look like what stands for a name are what they are") {
  const std::string name = Name(70);
  const std::string text = QueryText("SELECT " + name + ", 'name_', 'name_0123456789abcdef_0_'");
  CHECK(text.find("'name_0123456789abcdef_0_'") != std::string::npos);
  CHECK(text.find(name) != std::string::npos);
}
