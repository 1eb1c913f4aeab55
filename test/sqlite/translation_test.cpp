// Tests how SQLite's SQL is split, parsed and written as the engine's.
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <limits>

#include "definition.hpp"
#include "error.hpp"
#include "stored_value.hpp"
#include "writer.hpp"

namespace scaup::sqlite {

namespace {

std::string Joined(std::string_view sql) {
  std::string text;
  for (const Token& token : ReadStatement(sql).tokens)
    text += (text.empty() ? "" : "|") + std::string(token.text);
  return text;
}

/// Writes a query over an empty database.
std::string Written(const std::string& sql) {
  static const Schema schema;
  static const FunctionRegistry functions;
  static const std::set<std::string> collations;
  std::array<int, SQLITE_LIMIT_WORKER_THREADS + 1> limits;
  limits.fill(100);
  TranslationState state;
  state.schema = &schema;
  state.functions = &functions;
  state.collations = &collations;
  state.limits = limits.data();
  state.catalog_table = [](const std::string&, const std::string&) { return std::string(); };
  const Tokens tokens = ReadStatement(sql).tokens;
  return SqlWriter(tokens, state).WriteQuery(0, tokens.size());
}

std::string ErrorOf(const std::string& sql) {
  try {
    return "no error: " + Written(sql);
  } catch (const SqliteError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("Statements are split into tokens") {
  CHECK(Joined("select a.b,'it''s' -- comment\n from t; select 2") == "select|a|.|b|,|'it''s'|from|t");
  CHECK(Joined("x'00' \"q\"\"q\" [b r] `c` ?1 :a @b $c ? 0x1F 1.5e-3 .5 || <> ->>") ==
        "x'00'|\"q\"\"q\"|[b r]|`c`|?1|:a|@b|$c|?|0x1F|1.5e-3|.5||||<>|->>");
  CHECK(Joined(";;select 1 /* open") == "select|1");
  CHECK(Joined("") == "");
  CHECK(ReadStatement("select 1; select 2").end == 9);
  CHECK(ReadStatement("x'0'").tokens[0].kind == TokenKind::kIllegal);
  CHECK(ReadStatement("'open").tokens[0].kind == TokenKind::kIllegal);
  CHECK(ReadStatement("1abc").tokens[0].kind == TokenKind::kIllegal);
  CHECK(ReadStatement("create trigger x begin select 1; end; select 2").tokens.size() == 8);
  CHECK(ReadStatement("\"a\"\"b\"").tokens[0].Unquoted() == "a\"b");
}

TEST_CASE("Complete statements end with a semicolon") {
  CHECK(EndsWithStatement("select 1;"));
  CHECK(EndsWithStatement("select 1; -- comment"));
  CHECK_FALSE(EndsWithStatement("select 1"));
  CHECK_FALSE(EndsWithStatement("select ';"));
  CHECK_FALSE(EndsWithStatement("create trigger x begin select 1;"));
  CHECK(EndsWithStatement("create trigger x begin select 1; end;"));
}

TEST_CASE("Declared types have SQLite's affinities") {
  CHECK(AffinityOf("BIGINT") == Affinity::kInteger);
  CHECK(AffinityOf("varchar(10)") == Affinity::kText);
  CHECK(AffinityOf("Double Precision") == Affinity::kReal);
  CHECK(AffinityOf("") == Affinity::kBlob);
  CHECK(AffinityOf("blob") == Affinity::kBlob);
  CHECK(AffinityOf("TIMESTAMP") == Affinity::kNumeric);
  CHECK(AffinityOf("CHARINT") == Affinity::kInteger);
}

TEST_CASE("CREATE TABLE is parsed") {
  const Tokens tokens =
      ReadStatement(
          "create temp table if not exists x.\"T\"(Id integer primary key autoincrement, n decimal(10, 2) "
          "default -1.5 not null, z, check (n > 0), unique (n, z)) strict")
          .tokens;
  const TableDefinition table = ParseCreateTable(tokens);
  CHECK(table.is_temporary);
  CHECK(table.if_not_exists);
  CHECK(table.schema == "x");
  CHECK(table.name == "T");
  REQUIRE(table.columns.size() == 3);
  CHECK(table.columns[0].is_autoincrement);
  CHECK(table.RowidColumn() == table.columns.data());
  CHECK(table.columns[1].declared_type == "decimal(10, 2)");
  CHECK(table.columns[1].default_text == "-1.5");
  CHECK(table.columns[1].is_not_null);
  CHECK(table.columns[2].declared_type.empty());
  CHECK(table.constraints.size() == 2);
  const Tokens other = ReadStatement("create table t(a int primary key, b)").tokens;
  CHECK(ParseCreateTable(other).RowidColumn() == nullptr);
  const Tokens wrong = ReadStatement("create table t(a, )").tokens;
  CHECK_THROWS_AS(ParseCreateTable(wrong), SqliteError);
}

TEST_CASE("Queries are written in the engine's SQL") {
  CHECK(Written("select a == 1 from (select 'x' as A)") ==
        "SELECT \"a\" = 1::bigint FROM (SELECT 'x' AS \"a\")");
  CHECK(Written("select x'0a', 1.5, 0x10") ==
        "SELECT ('\\x0a'::bytea) , ('1.5'::double precision) , 16::bigint");
  CHECK(Written("select 'a' like 'b'") == "SELECT 'a' ILIKE 'b' ESCAPE ''");
  CHECK(Written("select 1 is not 2, 1 is null") ==
        "SELECT 1::bigint IS DISTINCT FROM 2::bigint , 1::bigint IS NULL");
  CHECK(Written("select ?, :a, ?, :a") == "SELECT $1 , $2 , $3 , $2");
  CHECK(Written("select 1 order by 1 limit 2, 3").find("LIMIT 3 OFFSET greatest((2)::bigint, 0)") !=
        std::string::npos);
  CHECK(Written("select 1 limit -1").find("LIMIT") == std::string::npos);
  CHECK(Written("select typeof('a')") == "SELECT \"sqlite_typeof\"(\"sqlite_any\"('a'::varchar))");
}

TEST_CASE("What is no SQL, or not supported, is refused") {
  CHECK(ErrorOf("select (1") == "incomplete input");
  CHECK(ErrorOf("select 1)") == "near \")\": syntax error");
  CHECK(ErrorOf("select ! 1") == "unrecognized token: \"!\"");
  CHECK(ErrorOf("select * from nosuch") == "no such table: nosuch");
  CHECK(ErrorOf("select 'a' collate nosuch") == "no such collation sequence: nosuch");
  CHECK(ErrorOf("select json_extract('{}', '$')") == "no such function: json_extract");
  CHECK(ErrorOf("select typeof(1, 2)") == "wrong number of arguments to function typeof()");
  std::string nested = "select ";
  for (int i = 0; i < 200; i++) nested += "(";
  nested += "1";
  for (int i = 0; i < 200; i++) nested += ")";
  CHECK(ErrorOf(nested).find("too large") != std::string::npos);
}

TEST_CASE("Values of any kind keep their kind and SQLite's order") {
  const std::vector<SqliteValue> ordered{SqliteValue(std::numeric_limits<int64_t>::min()),
                                         SqliteValue(-1.5),
                                         SqliteValue(int64_t{-1}),
                                         SqliteValue(int64_t{0}),
                                         SqliteValue(0.25),
                                         SqliteValue(int64_t{9007199254740992}),
                                         SqliteValue(int64_t{9007199254740993}),
                                         SqliteValue(std::numeric_limits<int64_t>::max()),
                                         SqliteValue(1e300),
                                         SqliteValue::MakeText(""),
                                         SqliteValue::MakeText("a"),
                                         SqliteValue::MakeBlob("")};
  for (size_t i = 0; i < ordered.size(); i++) {
    CHECK(DecodeValue(EncodeValue(ordered[i])) == ordered[i]);
    if (i > 0) CHECK(EncodeValue(ordered[i - 1]) < EncodeValue(ordered[i]));
  }
  CHECK_THROWS_AS(DecodeValue("?"), Error);
}

TEST_CASE("Values are converted as columns store them") {
  const SqliteValue text = SqliteValue::MakeText("12");
  CHECK(StoreValue(Storage::kInteger, Affinity::kInteger, text) == SqliteValue(int64_t{12}));
  CHECK(StoreValue(Storage::kInteger, Affinity::kInteger, SqliteValue(3.0)) == SqliteValue(int64_t{3}));
  CHECK(StoreValue(Storage::kText, Affinity::kText, SqliteValue(1.0)) == SqliteValue::MakeText("1.0"));
  CHECK(StoreValue(Storage::kReal, Affinity::kReal, text) == SqliteValue(12.0));
  CHECK(StoreValue(Storage::kDynamic, Affinity::kNumeric, text) == SqliteValue(int64_t{12}));
  CHECK(StoreValue(Storage::kDynamic, Affinity::kBlob, text) == text);
  CHECK_THROWS_AS(StoreValue(Storage::kInteger, Affinity::kInteger, SqliteValue(2.5)), Error);
  CHECK_THROWS_AS(StoreValue(Storage::kText, Affinity::kText, SqliteValue::MakeBlob("x")), Error);
  CHECK(StoreValue(Storage::kInteger, Affinity::kInteger, SqliteValue()).is_null());
}

TEST_CASE("Texts are UTF-8 without NUL") {
  CHECK(IsText(""));
  CHECK(IsText("a\xc3\xa4\xe2\x82\xac\xf0\x9f\xa6\x86"));
  CHECK_FALSE(IsText(std::string_view("a\0b", 3)));
  for (const char* const wrong :
       {"\xfa", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"})
    CHECK_FALSE(IsText(wrong));
}

TEST_CASE("Texts are read as numbers by their longest prefix") {
  CHECK(SqliteValue::MakeText(" 12abc").AsInteger() == 12);
  CHECK(SqliteValue::MakeText("1.5e2x").AsReal() == 150);
  CHECK(SqliteValue::MakeText("abc").AsInteger() == 0);
  CHECK(SqliteValue::MakeText("99999999999999999999").AsInteger() == std::numeric_limits<int64_t>::max());
  CHECK(NumberOfText("12abc").is_null());
  CHECK(NumberOfText(" 7 ") == SqliteValue(int64_t{7}));
  CHECK(RealToText(1) == "1.0");
  CHECK(RealToText(1e20) == "1.0e+20");
  CHECK(SqliteValue::MakeText("it's").AsSql() == "'it''s'");
}

}  // namespace scaup::sqlite
