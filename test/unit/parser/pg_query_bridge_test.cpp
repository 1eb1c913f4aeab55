// Tests that libpg_query's token numbers are those we know, and the reading of its answers.
#include <catch2/catch.hpp>

#include "parser/pg_query/pg_query_bridge.hpp"

using namespace scaup;

TEST_CASE("token numbers are those of the library") {
  const std::pair<const char*, TokenType> known[] = {
      {"abc", TokenType::kIdentifier},
      {"U&\"abc\"", TokenType::kUnicodeIdentifier},
      {"'a'", TokenType::kString},
      {"U&'a'", TokenType::kUnicodeString},
      {"12", TokenType::kInteger},
      {"$1", TokenType::kParameter},
      {"||", TokenType::kOperator},
      {"::", TokenType::kTypeCast},
      {":=", TokenType::kColonEquals},
      {"=>", TokenType::kEqualsGreater},
      {"<=", TokenType::kLessEquals},
      {">=", TokenType::kGreaterEquals},
      {"<>", TokenType::kNotEquals},
      {"all", TokenType::kAll},
      {"and", TokenType::kAnd},
      {"as", TokenType::kAs},
      {"at", TokenType::kAt},
      {"atomic", TokenType::kAtomic},
      {"begin", TokenType::kBegin},
      {"between", TokenType::kBetween},
      {"by", TokenType::kBy},
      {"case", TokenType::kCase},
      {"collate", TokenType::kCollate},
      {"create", TokenType::kCreate},
      {"default", TokenType::kDefault},
      {"delete", TokenType::kDelete},
      {"desc", TokenType::kDesc},
      {"distinct", TokenType::kDistinct},
      {"else", TokenType::kElse},
      {"end", TokenType::kEnd},
      {"except", TokenType::kExcept},
      {"exists", TokenType::kExists},
      {"explain", TokenType::kExplain},
      {"fetch", TokenType::kFetch},
      {"for", TokenType::kFor},
      {"from", TokenType::kFrom},
      {"group", TokenType::kGroup},
      {"having", TokenType::kHaving},
      {"if", TokenType::kIf},
      {"ilike", TokenType::kIlike},
      {"in", TokenType::kIn},
      {"insert", TokenType::kInsert},
      {"intersect", TokenType::kIntersect},
      {"into", TokenType::kInto},
      {"is", TokenType::kIs},
      {"isnull", TokenType::kIsNull},
      {"join", TokenType::kJoin},
      {"like", TokenType::kLike},
      {"limit", TokenType::kLimit},
      {"not", TokenType::kNot},
      {"notnull", TokenType::kNotNull},
      {"offset", TokenType::kOffset},
      {"on", TokenType::kOn},
      {"operator", TokenType::kOperatorWord},
      {"or", TokenType::kOr},
      {"order", TokenType::kOrder},
      {"overlaps", TokenType::kOverlaps},
      {"returning", TokenType::kReturning},
      {"select", TokenType::kSelect},
      {"set", TokenType::kSet},
      {"similar", TokenType::kSimilar},
      {"table", TokenType::kTable},
      {"then", TokenType::kThen},
      {"trim", TokenType::kTrim},
      {"union", TokenType::kUnion},
      {"unique", TokenType::kUnique},
      {"values", TokenType::kValues},
      {"when", TokenType::kWhen},
      {"where", TokenType::kWhere},
      {"window", TokenType::kWindow},
      {"with", TokenType::kWith},
      {"(", CharacterToken('(')},
      {"%", CharacterToken('%')},
      {";", CharacterToken(';')},
      {".", CharacterToken('.')},
  };
  for (const auto& [text, type] : known) {
    INFO(text);
    const PgScan scan = ScanTokens(text);
    REQUIRE(scan.tokens.size() == 1);
    CHECK(scan.tokens[0].type == type);
    CHECK(scan.tokens[0].end == std::string_view(text).size());
  }
}

TEST_CASE("comments are left out, offsets are bytes") {
  const PgScan scan = ScanTokens("'\xC3\xA9' /* c */ FROM -- d\n x");
  REQUIRE(scan.tokens.size() == 3);
  CHECK(scan.tokens[1].start == 13);
  CHECK(scan.tokens[1].is_keyword);
  CHECK_FALSE(scan.tokens[2].is_keyword);
}

TEST_CASE("failures come with their byte offset") {
  const PgTree tree("SELECT '\xC3\xA9' x y");
  REQUIRE(tree.failure());
  CHECK(tree.failure()->offset == 14u);
  CHECK(tree.json().empty());
  CHECK(ScanTokens("SELECT 'a").failure->offset == 7u);
}
