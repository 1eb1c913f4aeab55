// Functions and operators over texts.
#include <catch2/catch.hpp>

#include "../scalar_harness.hpp"

namespace scaup {
using namespace test;

TEST_CASE("LIKE") {
  const auto like = [](const char* text, const char* pattern) {
    return Text("~~", {S(text), S(pattern)}) == "true";
  };
  CHECK(like("scaup", "scaup"));
  CHECK_FALSE(like("scaup", "scau"));
  CHECK(like("scaup", "sc%"));
  CHECK(like("scaup", "%up"));
  CHECK(like("scaup", "%cau%"));
  CHECK(like("scaup", "s%a%p"));
  CHECK_FALSE(like("scaup", "s%p%a"));
  CHECK(like("the special last requests here", "%special%requests%"));
  CHECK(like("", "%"));
  CHECK(like("", ""));
  CHECK_FALSE(like("", "_"));
  CHECK(like("scaup", "_c__p"));
  CHECK(like("\xc3\xa4x", "_x"));
  CHECK_FALSE(like("\xc3\xa4x", "__x"));
  CHECK(like("aXbYc", "%_b_%c"));
  CHECK(like("abcab", "%a_"));
  CHECK_FALSE(like("ab", "%ab_"));
  CHECK_FALSE(like("aba", "ab%ba"));
  CHECK(like("50%", "50\\%"));
  CHECK_FALSE(like("505", "50\\%"));
  CHECK(Text("~~", {S("50%"), S("50!%"), S("!")}) == "true");
  CHECK(Text("!~~", {S("duck"), S("d%")}) == "false");
  CHECK(Text("~~*", {S("SCAUP"), S("sc%P")}) == "true");
  CHECK(Text("!~~*", {S("SCAUP"), S("sc%P")}) == "false");
  CHECK(Text("~~", {Null(TypeId::kVarchar), S("x")}) == "NULL");
  CHECK(ErrorOf("~~", {S("a"), S("a\\")}) == "22025: LIKE pattern must not end with escape character");
}

TEST_CASE("regular expressions") {
  CHECK(Text("~", {S("scaup"), S("c.u")}) == "true");
  CHECK(Text("!~", {S("scaup"), S("^c")}) == "true");
  CHECK(Text("~*", {S("SCAUP"), S("^sc")}) == "true");
  CHECK(Text("!~*", {S("SCAUP"), S("^sc")}) == "false");
  CHECK(ErrorOf("~", {S("a"), S("(")}).substr(0, 5) == "2201B");
  CHECK(Text("similar_to", {S("abc"), S("a(b|x)_")}) == "true");
  CHECK(Text("similar_to", {S("abc"), S("b")}) == "false");
  CHECK(Text("similar_to", {S("a.c"), S("a.c")}) == "true");
  CHECK(Text("similar_to", {S("abc"), S("a.c")}) == "false");
  CHECK(Text("regexp_replace", {S("Thomas"), S(".[mN]a."), S("M")}) == "ThM");
  CHECK(Text("regexp_replace", {S("banana"), S("a(n)"), S("<\\1\\&>"), S("g")}) == "b<nan><nan>a");
  CHECK(Text("regexp_replace", {S("ab"), S("a"), S("<\\1>")}) == "<>b");
  CHECK(Text("regexp_like", {S("Scaup"), S("sc"), S("i")}) == "true");
}

TEST_CASE("parts of texts") {
  const std::string umlauts =
      "\xc3\xa4\xc3\xb6\xc3\xbc"
      "ABC";
  CHECK(Text("substring", {S("mallard"), I(4)}) == "lard");
  CHECK(Text("substring", {S("mallard"), I(2), I(3)}) == "all");
  CHECK(Text("substring", {S("abc"), I(-1), I(3)}) == "a");
  CHECK(Text("substring", {S("abc"), I(2), I(INT32_MAX)}) == "bc");
  CHECK(Text("substring", {S(umlauts), I(2), I(3)}) ==
        "\xc3\xb6\xc3\xbc"
        "A");
  CHECK(ErrorOf("substring", {S("abc"), I(1), I(-1)}) == "22011: negative substring length not allowed");
  CHECK(Text("left", {S(umlauts), I(2)}) == "\xc3\xa4\xc3\xb6");
  CHECK(Text("left", {S("abc"), I(-1)}) == "ab");
  CHECK(Text("right", {S("abc"), I(2)}) == "bc");
  CHECK(Text("right", {S("abc"), I(-1)}) == "bc");
  CHECK(Text("right", {S("abc"), I(9)}) == "abc");
  CHECK(Text("split_part", {S("a,b,c"), S(","), I(2)}) == "b");
  CHECK(Text("split_part", {S("a,b,c"), S(","), I(-1)}) == "c");
  CHECK(Text("split_part", {S("a,b,c"), S(","), I(4)}) == "");
  CHECK(Text("strpos", {S(umlauts), S("A")}) == "4");
  CHECK(Text("position", {S("abc"), S("x")}) == "0");
  CHECK(Text("starts_with", {S("mallard"), S("mal")}) == "true");
  CHECK(Text("overlay", {S("Txxxxas"), S("hom"), I(2), I(4)}) == "Thomas");
  CHECK(Text("overlay", {S("abcdef"), S("XY"), I(3)}) == "abXYef");
}

TEST_CASE("lengths and codes") {
  CHECK(Text("length", {S("\xc3\xa4"
                          "b")}) == "2");
  CHECK(Text("octet_length", {S("\xc3\xa4"
                                "b")}) == "3");
  CHECK(Text("bit_length", {S("ab")}) == "16");
  CHECK(Text("ascii", {S("\xc3\xa4")}) == "228");
  CHECK(Text("chr", {I(228)}) == "\xc3\xa4");
  CHECK(ErrorOf("chr", {I(0)}) == "54000: null character not permitted");
  CHECK(Text("to_hex", {I(-1)}) == "ffffffff");
  CHECK(Text("md5", {S("")}) == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(Text("md5", {S("The quick brown fox jumps over the lazy dog")}) ==
        "9e107d9d372bb6826bd81d3542a419d6");
  CHECK(Text("md5", {S(std::string(64, 'a'))}) == "014842d480b571495a4a0363793f7367");
}

TEST_CASE("changed texts") {
  CHECK(Text("lower", {S("\xc3\x84X and much more than twelve")}) == "\xc3\xa4x and much more than twelve");
  CHECK(Text("upper", {S("stra\xc3\xbc"
                         "e")}) ==
        "STRA\xc3\x9c"
        "E");
  CHECK(Text("initcap", {S("greater SCAUP x2y")}) == "Greater Scaup X2y");
  CHECK(Text("replace", {S("mallard"), S("l"), S("LL")}) == "maLLLLard");
  CHECK(Text("replace", {S("abc"), S(""), S("x")}) == "abc");
  CHECK(Text("translate", {S("12345"), S("143"), S("ax")}) == "a2x5");
  CHECK(Text("btrim", {S("xyduckyx"), S("xy")}) == "duck");
  CHECK(Text("ltrim", {S("  duck ")}) == "duck ");
  CHECK(Text("rtrim", {S("  duck ")}) == "  duck");
  CHECK(Text("lpad", {S("hi"), I(5), S("xy")}) == "xyxhi");
  CHECK(Text("rpad", {S("hi"), I(4)}) == "hi  ");
  CHECK(Text("lpad", {S("hello"), I(2)}) == "he");
  CHECK(Text("repeat", {S("ab"), I(3)}) == "ababab");
  CHECK(Text("repeat", {S("ab"), I(-3)}) == "");
  CHECK(ErrorOf("repeat", {S("ab"), I(INT32_MAX)}).substr(0, 5) == "54000");
  CHECK(Text("reverse", {S("\xc3\xa4"
                           "bc")}) == "cb\xc3\xa4");
}

TEST_CASE("joined texts") {
  CHECK(Text("||", {S("sca"), S("up")}) == "scaup");
  CHECK(Text("||", {S("n = "), I(5)}) == "n = 5");
  CHECK(Text("||", {I(5), S(" ducks and many more of them")}) == "5 ducks and many more of them");
  CHECK(Text("||", {S("a"), Null(TypeId::kVarchar)}) == "NULL");
  CHECK(Text("concat", {S("a"), Null(TypeId::kVarchar), I(1)}) == "a1");
  CHECK(Text("concat_ws", {S("-"), S("a"), Null(TypeId::kVarchar), I(1)}) == "a-1");
  CHECK(Text("format", {S("%s has %2$s %%, %I, %L"), S("a"), I(5), S("My t"), S("it's")}) ==
        "a has 5 %, \"My t\", 'it''s'");
  CHECK(Text("quote_literal", {S("it's")}) == "'it''s'");
  CHECK(Text("quote_ident", {S("plain_1")}) == "plain_1");
  CHECK(ErrorOf("format", {S("%s %s"), S("a")}) == "22023: too few arguments for format()");
}

}  // namespace scaup
