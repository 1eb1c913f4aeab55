// Tests the statements and forms for collections of documents.
#include <catch2/catch.hpp>

#include "ast_text.hpp"

using namespace scaup;

namespace {

std::string Created(const std::string& sql) {
  const auto statement = ParseOne(sql);
  if (statement->kind != ast::StatementKind::kCreateTable) return "not CREATE";
  const auto& create = statement->As<ast::CreateTableStatement>();
  return std::string(create.is_collection ? "collection " : "table ") +
         (create.if_not_exists ? "if not exists " : "") + AstText(create.table) + " " +
         std::to_string(create.table.position);
}

std::string Dropped(const std::string& sql) {
  const auto statement = ParseOne(sql);
  if (statement->kind != ast::StatementKind::kDrop) return "not DROP";
  const auto& drop = statement->As<ast::DropStatement>();
  std::string text = drop.object == ast::DropStatement::Object::kCollection ? "collection" : "other";
  for (const auto& name : drop.names) text += " " + AstText(name) + ":" + std::to_string(name.position);
  return text + (drop.if_exists ? " if exists" : "") + (drop.cascade ? " cascade" : "");
}

std::string Inserted(const std::string& sql) {
  const auto statement = ParseOne(sql);
  if (statement->kind != ast::StatementKind::kInsert) return "not INSERT";
  const auto& insert = statement->As<ast::InsertStatement>();
  return std::string(insert.is_object ? "object " : "plain ") + AstText(insert.table) + " " +
         AstText(*insert.query);
}

}  // namespace

TEST_CASE("CREATE COLLECTION and DROP COLLECTION") {
  CHECK(Created("CREATE COLLECTION c") == "collection c 18");
  CHECK(Created("create Collection if NOT exists s.\"C\";") == "collection if not exists s.C 32");
  CHECK(Created("CREATE TABLE collection (a int)") == "table collection 13");
  CHECK(ErrorText("CREATE COLLECTION c (a int)") == "syntax 42601 20: syntax error at or near \"(\"");
  CHECK(ErrorText("CREATE COLLECTION c ()") == "syntax 42601 20: syntax error at or near \"(\"");
  CHECK(ErrorText("CREATE COLLECTION c AS SELECT 1") == "syntax 42601 20: syntax error at or near \"AS\"");
  CHECK(ErrorText("CREATE COLLECTION") == "syntax 42601 17: syntax error at end of input");
  CHECK(Dropped("DROP COLLECTION c") == "collection c:16");
  CHECK(Dropped("drop collection IF EXISTS a, s.b CASCADE") == "collection a:26 s.b:29 if exists cascade");
  CHECK(Dropped("DROP COLLECTION a RESTRICT") == "collection a:16");
  CHECK(Dropped("DROP TABLE collection") == "other collection:11");
}

TEST_CASE("INSERT OBJECT") {
  CHECK(Inserted("INSERT INTO c OBJECT {\"a\": 1}") == "object c values (cast('{\"a\": 1}' as json))");
  CHECK(Inserted("insert into s.c as x object{} , {\"b\":[{}]}\n") ==
        "object s.c as x values (cast('{}' as json)), (cast('{\"b\":[{}]}' as json))");
  CHECK(Inserted("INSERT INTO c VALUES ('{}')") == "plain c values ('{}')");
  // What the scanner would stumble over.
  CHECK(
      Inserted(
          R"(INSERT INTO c OBJECT {"": "it's; -- $$ /* \" \\", "\"{": "}", "ä\u00e4$1?": [-1e5, null]})") ==
      R"(object c values (cast('{"": "it's; -- $$ /* \" \\", "\"{": "}", "ä\u00e4$1?": [-1e5, null]}' as json)))");
  CHECK(Inserted("INSERT INTO c OBJECT /* {\"a\" */ -- {\n\t{ \"a\"\n:\n\"b\" }") ==
        "object c values (cast('{ \"a\"\n:\n\"b\" }' as json))");
  CHECK(Inserted("INSERT INTO object OBJECT {\"'\":\"''\"}") ==
        "object object values (cast('{\"'\":\"''\"}' as json))");
  const auto two = Parser().Parse("INSERT INTO c OBJECT {\";\": \"\\\";\"}; INSERT INTO c VALUES (1)");
  REQUIRE(two.size() == 2);
  CHECK(two[1]->position == 35);
  CHECK_FALSE(two[1]->As<ast::InsertStatement>().is_object);
  const auto returning = ParseOne("INSERT INTO c OBJECT {}, {} ON CONFLICT DO NOTHING RETURNING a");
  CHECK(returning->As<ast::InsertStatement>().returning[0].expression->position == 61);
  CHECK(ParseOne("EXPLAIN INSERT INTO c OBJECT {}")->kind == ast::StatementKind::kExplain);
  CHECK(ParseOne("PREPARE p AS INSERT INTO c OBJECT {}")->kind == ast::StatementKind::kPrepare);
  const auto with = ParseOne("WITH a AS (INSERT INTO t SELECT 1 RETURNING *) INSERT INTO c OBJECT {}");
  CHECK(with->As<ast::InsertStatement>().is_object);
  CHECK_FALSE(with->As<ast::InsertStatement>().with.queries[0].change->As<ast::InsertStatement>().is_object);
}

TEST_CASE("INSERT OBJECT with errors") {
  CHECK(ErrorText("INSERT INTO c OBJECT {\"a\": 1, b: 2}") ==
        "conversion 22P02 30: the object is not JSON: a member of an object begins with its name in "
        "quotes");
  CHECK(
      ErrorText("INSERT INTO c OBJECT {\"a\": [1}; SELECT 1").starts_with("conversion 22P02 29: the object"));
  CHECK(ErrorText("INSERT INTO c OBJECT {\"a\": 1; SELECT 1").starts_with("conversion 22P02 28: the object"));
  CHECK(ErrorText("INSERT INTO c OBJECT {\"a").starts_with("conversion 22P02 "));
  CHECK(ErrorText("SELECT OBJECT {}") == "syntax 42601 7: syntax error at or near \"OBJECT\"");
  CHECK(ErrorText("SELECT * FROM (OBJECT {})") == "syntax 42601 15: syntax error at or near \"OBJECT\"");
  CHECK(ErrorText("INSERT INTO c (a) OBJECT {}") == "syntax 42601 18: syntax error at or near \"OBJECT\"");
  CHECK(ErrorText("INSERT INTO c OBJECT {} {}").starts_with("syntax 42601 24: syntax error"));
  CHECK(ErrorText("INSERT INTO c OBJECT {},,") == "syntax 42601 24: syntax error at or near \",\"");
  CHECK(ErrorText("INSERT INTO c OBJECT {}\n'a'").starts_with("syntax 42601 21: syntax error"));
  CHECK(ErrorText("INSERT INTO c OBJECT {}, [1]").starts_with("syntax 42601 25: syntax error"));
  CHECK(ErrorText("INSERT INTO c OBJECT (1)") == "syntax 42601 14: syntax error at or near \"OBJECT\"");
}

TEST_CASE("Text that looks like OBJECT {") {
  CHECK(QueryText(
            "SELECT 'OBJECT {', \"object {\", $$object {$$, $a$ object { $a$, E'\\'object {' -- object {") ==
        "select 'OBJECT {', object {, 'object {', ' object { ', ''object {'");
  CHECK(QueryText("SELECT E'a'\n'\\'object {', /* /* */ object { */ 1") == "select 'a'object {', 1");
  CHECK(QueryText("SELECT object, {'a': 1}") == "select object, row(a: 1)");
}

TEST_CASE("ANY of a path") {
  CHECK(ExpressionText("'x' = ANY tags") == ExpressionText("'x' = ANY (tags)"));
  CHECK(ExpressionText("'x' = any a.\"b.c\".d") == ExpressionText("'x' = ANY (a.\"b.c\".d)"));
  CHECK(ExpressionText("1 < SOME kids[2].n AND b") == ExpressionText("1 < SOME (kids[2].n) AND b"));
  CHECK(ExpressionText("a LIKE ALL names") == ExpressionText("a LIKE ALL (names)"));
  CHECK(ExpressionText("a = ANY b[c[1]:2]") == ExpressionText("a = ANY (b[c[1]:2])"));
  CHECK(QueryText("SELECT ALL a FROM t WHERE a = ANY b UNION ALL SELECT 1") ==
        QueryText("SELECT ALL a FROM t WHERE a = ANY (b) UNION ALL SELECT 1"));
  CHECK(ErrorText("SELECT a = ANY b + 1 FROM") == "syntax 42601 25: syntax error at end of input");
  CHECK(ErrorText("SELECT a = ANY f(b)") == "syntax 42601 15: syntax error at or near \"f\"");
  CHECK(ErrorText("SELECT ANY b") == "syntax 42601 7: syntax error at or near \"ANY\"");
}

TEST_CASE("Subscripts within paths") {
  CHECK(ExpressionText("kids[3].name") == "(kids[3]).name");
  CHECK(ExpressionText("a.b[2].c.d") == "((a.b[2]).c).d");
  CHECK(ExpressionText("\"a.b\"[1][2]") == "a.b[1][2]");
  CHECK(QueryText("SELECT x FROM c WHERE kids[3].name = 'x' ORDER BY a[1].b") ==
        "select x from c where (= (kids[3]).name 'x') order by (a[1]).b");
}
