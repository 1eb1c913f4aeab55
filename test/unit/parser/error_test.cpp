// Tests errors: messages, SQLSTATEs, positions, and refusals of what the syntax tree has no place for.
#include <catch2/catch.hpp>

#include "ast_text.hpp"

using namespace scaup;

TEST_CASE("syntax errors are PostgreSQL's, with a byte position") {
  CHECK(ErrorText("SELEC 1") == "syntax 42601 0: syntax error at or near \"SELEC\"");
  CHECK(ErrorText("SELECT 1; SELECT FROM WHERE") == "syntax 42601 22: syntax error at or near \"WHERE\"");
  CHECK(ErrorText("SELECT (1") == "syntax 42601 9: syntax error at end of input");
  CHECK(ErrorText("SELECT '\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80' + + from") ==
        "syntax 42601 23: syntax error at or near \"from\"");
  CHECK(ErrorText("SELECT '\xC3\xA9', 'abc") ==
        "syntax 42601 13: unterminated quoted string at or near \"'abc\"");
  CHECK(ErrorText("SELECT $name") == "syntax 42601 7: syntax error at or near \"$\"");
  CHECK(ErrorText("SELECT * FROM (SELECT 1) WHERE") == "syntax 42601 30: syntax error at end of input");
  std::string unnamed;
  for (int i = 0; i < 101; i++) unnamed += i == 0 ? "SELECT * FROM (SELECT 1)" : ", (SELECT 1)";
  CHECK(ErrorText(unnamed).ends_with("subquery in FROM must have an alias: write FROM (...) AS name"));
  CHECK(ErrorText("SELECT a::numeric(x)") == "syntax 42601 18: type modifiers must be integer constants");
}

TEST_CASE("long messages are cut") {
  const std::string error = ErrorText("SELECT '" + Repeat("\xE2\x82\xAC", 100000));
  CHECK(error.size() < 300);
  CHECK(error.starts_with("syntax 42601 7: unterminated quoted string"));
}

TEST_CASE("text that is no text") {
  CHECK(ErrorText(std::string("SELECT 1\0;", 10)) == "syntax 22021 8: the SQL text contains a NUL byte");
  CHECK(ErrorText("SELECT '\xFF'") == "syntax 22021 8: the SQL text is not valid UTF-8");
  CHECK(ErrorText("SELECT '\xC3\xA9\xC3'") == "syntax 22021 10: the SQL text is not valid UTF-8");
  CHECK(ErrorText("SELECT '\xED\xA0\x80'") == "syntax 22021 8: the SQL text is not valid UTF-8");
  CHECK(ErrorText("SELECT \xE2\x82") == "syntax 22021 7: the SQL text is not valid UTF-8");
}

TEST_CASE("valid SQL without a place in the tree is refused by name") {
  struct Case {
    const char* sql;
    const char* position_and_words;
  };
  const Case cases[] = {
      {"SELECT a INTO b FROM t", "14: SELECT INTO (use CREATE TABLE ... AS)"},
      {"SELECT a FROM ONLY t", "19: ONLY"},
      {"SELECT a ORDER BY a USING <", "26: ORDER BY ... USING"},
      {"SELECT f(VARIADIC a)", "7: VARIADIC"},
      {"SELECT a operator(x.+) b", "9: an operator of a schema"},
      {"INSERT INTO t (a[1]) VALUES (1)", "15: a subscript or field"},
      {"CREATE TABLE t (a int) PARTITION BY LIST (a)", "13: PARTITION BY"},
      {"CREATE SCHEMA s AUTHORIZATION u", "30: AUTHORIZATION"},
      {"COPY t FROM PROGRAM 'x'", "5: PROGRAM"},
      {"COPY t FROM 'x' WHERE a > 1", "24: WHERE in COPY"},
      {"COMMIT AND CHAIN", "7: AND CHAIN"},
      {"PREPARE TRANSACTION 'x'", "0: a prepared transaction"},
      {"BEGIN READ ONLY, DEFERRABLE", "17: DEFERRABLE"},
      {"SET TRANSACTION SNAPSHOT 'x'", "4: SET TRANSACTION SNAPSHOT"},
      {"UPDATE ONLY t SET a = 1", "12: ONLY"},
      {"UPDATE t SET a = 1 WHERE CURRENT OF c", "0: WHERE CURRENT OF"},
      {"UPDATE t SET (a, b) = (SELECT * FROM u)", "22: * in the query of"},
      {"UPDATE t SET (a, b) = (SELECT 1, 2 UNION SELECT 3, 4)", "22: (a, b) = (a query with"},
      {"CREATE TABLE t (a int, UNIQUE NULLS NOT DISTINCT (a))", "23: NULLS NOT DISTINCT in UNIQUE"},
      {"CREATE TABLE t (a int, EXCLUDE (a WITH =))", "23: EXCLUDE"},
      {"CREATE TABLE t (a int, FOREIGN KEY (a, b) REFERENCES u MATCH FULL)", "23: MATCH FULL"},
      {"CREATE TABLE t (a int REFERENCES u ON DELETE SET NULL (a))", "22: a column list after SET NULL"},
      {"CREATE TABLE t (a int) INHERITS (u)", "13: INHERITS"},
      {"CREATE INDEX CONCURRENTLY i ON t (a)", "31: CONCURRENTLY"},
      {"CREATE INDEX i ON t USING hash (a)", "18: the index method hash"},
      {"CREATE INDEX i ON t (a) INCLUDE (b)", "18: INCLUDE"},
      {"DROP INDEX CONCURRENTLY i", "11: CONCURRENTLY"},
      {"CREATE RULE g AS ON INSERT TO t DO NOTHING", "0: CREATE RULE"},
      {"CREATE TRIGGER g INSTEAD OF INSERT ON t EXECUTE FUNCTION f()", "17: INSTEAD OF"},
      {"CREATE CONSTRAINT TRIGGER g AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()",
       "26: CREATE CONSTRAINT"},
      {"ALTER TABLE t ADD a int, OWNER TO u", "25: this action of ALTER TABLE"},
      {"ALTER TABLE t ADD UNIQUE USING INDEX i", "18: USING INDEX"},
      {"ALTER CONVERSION a RENAME TO b", "6: RENAME of this kind of object"},
      {"CREATE PROCEDURE f() BEGIN ATOMIC SELECT 1; END", "7: CREATE PROCEDURE"},
      {"CREATE FUNCTION f(OUT a int) RETURN 1", "18: OUT, INOUT"},
  };
  for (const Case& test : cases) {
    INFO(test.sql);
    CHECK_THAT(ErrorText(test.sql),
               Catch::StartsWith(std::string("not supported 0A000 ") + test.position_and_words));
  }
}
