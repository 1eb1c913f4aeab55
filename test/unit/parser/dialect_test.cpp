// Tests the statements that PostgreSQL's grammar lacks.
#include <catch2/catch.hpp>

#include "ast_text.hpp"
#include "parser/dialect/extensions.hpp"

using namespace scaup;

namespace {

std::string Described(const std::string& sql) {
  const auto statement = ParseOne(sql);
  if (statement->kind != ast::StatementKind::kDescribe) return "not DESCRIBE";
  return AstText(*statement->As<ast::DescribeStatement>().query);
}

std::string Pragma(const std::string& sql) {
  const auto statement = ParseOne(sql);
  if (statement->kind != ast::StatementKind::kPragma) return "not PRAGMA";
  const auto& pragma = statement->As<ast::PragmaStatement>();
  std::string text = pragma.name;
  for (const auto& argument : pragma.arguments) text += " " + argument;
  return text;
}

}  // namespace

TEST_CASE("every syntax extension rewrites statements or forms, and says what") {
  for (const SyntaxExtension& extension : AllSyntaxExtensions()) {
    INFO(extension.syntax);
    CHECK((extension.rewrite_statement == nullptr) != (extension.make_form == nullptr));
    CHECK_FALSE(extension.syntax.empty());
    CHECK_FALSE(extension.becomes.empty());
  }
}

TEST_CASE("DESCRIBE") {
  CHECK(Described("DESCRIBE t") == "select * from t");
  CHECK(Described("desc S.\"T\";") == "select * from s.T");
  CHECK(Described("DESCRIBE read_csv('x')") == "select * from read_csv('x')");
  CHECK(Described("DESCRIBE SELECT a FROM t") == "select a from t");
  CHECK(Described("DESCRIBE FROM t") == "select * from t");
  CHECK(Described("DESCRIBE WITH a AS (SELECT 1) FROM a") == "with a {select 1} select * from a");
  CHECK(ErrorText("DESCRIBE t WHERE x") == "syntax 42601 11: syntax error at or near \"WHERE\"");
  CHECK(ErrorText("DESCRIBE") == "syntax 42601 8: syntax error at end of input");
  CHECK(QueryText("SELECT describe FROM describe") == "select describe from describe");
}

TEST_CASE("PRAGMA") {
  CHECK(Pragma("PRAGMA database_list") == "database_list");
  CHECK(Pragma("PRAGMA threads = 4") == "threads 4");
  CHECK(Pragma("PRAGMA x=-5") == "x -5");
  CHECK(Pragma("PRAGMA enable_profiling = 'json'") == "enable_profiling json");
  CHECK(Pragma("PRAGMA table_info('it''s')") == "table_info it's");
  CHECK(Pragma("PRAGMA f(t, 2)") == "f t 2");
  CHECK(ErrorText("PRAGMA f(1) + 2") == "syntax 42601 12: syntax error at or near \"+\"");
  CHECK(ErrorText("PRAGMA a b") == "syntax 42601 9: syntax error at or near \"b\"");
  CHECK(ErrorText("PRAGMA f(a + 1)") == "syntax 42601 11: a setting's value must be a constant");
}

TEST_CASE("EXPORT DATABASE and IMPORT DATABASE") {
  const auto statement = ParseOne("export Database 'it''s' (FORMAT csv, DELIMITER '|', HEADER)");
  REQUIRE(statement->kind == ast::StatementKind::kExportDatabase);
  const auto& out = statement->As<ast::ExportDatabaseStatement>();
  CHECK(out.directory == "it's");
  REQUIRE(out.options.size() == 3);
  CHECK(out.options[1].name == "delimiter");
  CHECK(out.options[1].value == "|");
  CHECK(out.options[1].position == 37);
  CHECK_FALSE(out.options[2].has_value);
  CHECK(statement->position == 0);
  CHECK(statement->length == 59);
  const auto in = ParseOne(" IMPORT DATABASE 'x';");
  REQUIRE(in->kind == ast::StatementKind::kImportDatabase);
  CHECK(in->As<ast::ImportDatabaseStatement>().directory == "x");
  CHECK(in->position == 1);
  CHECK(ParseOne("EXPORT DATABASE E'a\\tb'")->As<ast::ExportDatabaseStatement>().directory == "a\tb");

  CHECK(ErrorText("EXPORT DATABASE") == "syntax 42601 15: syntax error at end of input");
  CHECK(ErrorText("EXPORT DATABASE db") == "syntax 42601 16: syntax error at or near \"db\"");
  CHECK(ErrorText("EXPORT DATABASE STDOUT") == "syntax 42601 16: syntax error at or near \"STDOUT\"");
  CHECK(ErrorText("EXPORT DATABASE 'x' CSV") == "syntax 42601 20: syntax error at or near \"CSV\"");
  CHECK(ErrorText("EXPORT DATABASE 'x' () y") == "syntax 42601 23: syntax error at or near \"y\"");
  CHECK(ErrorText("EXPORT DATABASE 'x' (a 1").starts_with("syntax 42601"));
  CHECK(ErrorText("IMPORT DATABASE 'x' (FORMAT csv)") == "syntax 42601 20: syntax error at or near \"(\"");
  CHECK(ErrorText("IMPORT DATABASE 'x' WHERE a") == "syntax 42601 20: syntax error at or near \"WHERE\"");
  CHECK(ErrorText("IMPORT FOREIGN SCHEMA s FROM SERVER x INTO y").starts_with("not supported"));
  CHECK(QueryText("SELECT export, import FROM export, database") ==
        "select export, import from export, database");
}

TEST_CASE("ATTACH, DETACH and USE") {
  const auto statement =
      ParseOne("attach Database if NOT exists 'it''s.scaup' AS Other (READ_ONLY, type scaup)");
  REQUIRE(statement->kind == ast::StatementKind::kAttach);
  const auto& attach = statement->As<ast::AttachStatement>();
  CHECK(attach.path == "it's.scaup");
  CHECK(attach.name == "other");
  CHECK(attach.if_not_exists);
  REQUIRE(attach.options.size() == 2);
  CHECK(attach.options[0].name == "read_only");
  CHECK_FALSE(attach.options[0].has_value);
  CHECK(attach.options[1].value == "scaup");
  const auto plain = ParseOne("ATTACH ':memory:'");
  CHECK(plain->As<ast::AttachStatement>().name == "");
  CHECK_FALSE(plain->As<ast::AttachStatement>().if_not_exists);
  CHECK(ParseOne("ATTACH 'x' AS \"Select\"")->As<ast::AttachStatement>().name == "Select");
  const auto detach = ParseOne("DETACH DATABASE IF EXISTS o;");
  REQUIRE(detach->kind == ast::StatementKind::kDetach);
  CHECK(detach->As<ast::DetachStatement>().name == "o");
  CHECK(detach->As<ast::DetachStatement>().if_exists);
  CHECK(ParseOne("DETACH database")->As<ast::DetachStatement>().name == "database");
  const auto use = ParseOne("USE o.main");
  REQUIRE(use->kind == ast::StatementKind::kUse);
  CHECK(use->As<ast::UseStatement>().name.schema == "o");
  CHECK(use->As<ast::UseStatement>().name.name == "main");
  CHECK(ParseOne("USE o")->As<ast::UseStatement>().name.name == "o");

  CHECK(ErrorText("ATTACH") == "syntax 42601 6: syntax error at end of input");
  CHECK(ErrorText("ATTACH o") == "syntax 42601 7: syntax error at or near \"o\"");
  CHECK(ErrorText("ATTACH 'x' o") == "syntax 42601 11: syntax error at or near \"o\"");
  CHECK(ErrorText("ATTACH 'x' AS") == "syntax 42601 13: syntax error at end of input");
  CHECK(ErrorText("ATTACH 'x' AS o p") == "syntax 42601 16: syntax error at or near \"p\"");
  CHECK(ErrorText("DETACH o p") == "syntax 42601 9: syntax error at or near \"p\"");
  CHECK(ErrorText("USE a.b.c").starts_with("syntax 42601"));
  CHECK(QueryText("SELECT use, attach FROM detach AS use") == "select use, attach from detach as use");
}

TEST_CASE("queries that begin with FROM") {
  CHECK(QueryText("FROM t") == "select * from t");
  CHECK(QueryText("FROM t, u JOIN v USING (k) WHERE x ORDER BY 1 LIMIT 2") ==
        "select * from t, (u inner v using k) where x order by 1 limit 2");
  CHECK(QueryText("FROM t SELECT a, b WHERE c GROUP BY d") == "select a, b from t where c group by d");
  CHECK(QueryText("FROM t SELECT DISTINCT a") == "select distinct a from t");
  CHECK(QueryText("FROM f(1) WITH ORDINALITY x SELECT a") == "select a from f(1) with ordinality as x");
  CHECK(QueryText("FROM (FROM t SELECT a) x SELECT (FROM u SELECT b)") ==
        "select (scalar select b from u) from {select a from t} as x");
  CHECK(QueryText("FROM a UNION ALL FROM b SELECT x UNION ALL SELECT 1") ==
        "union all[select * from a; select x from b; select 1]");
  CHECK(QueryText("WITH a AS (FROM t) FROM a WHERE b") == "with a {select * from t} select * from a where b");
  CHECK(AstText(*ParseOne("INSERT INTO t (a) FROM u")->As<ast::InsertStatement>().query) ==
        "select * from u");
  CHECK(AstText(*ParseOne("CREATE TABLE t AS FROM u")->As<ast::CreateTableStatement>().query) ==
        "select * from u");
  CHECK(ParseOne("EXPLAIN FROM u")->As<ast::ExplainStatement>().statement->kind ==
        ast::StatementKind::kSelect);
  CHECK(AstText(*ParseOne("COPY (FROM u) TO 'x'")->As<ast::CopyStatement>().query) == "select * from u");
  CHECK(QueryText("FROM t SELECT a, ? WHERE b = ?") == "select a, $0 from t where (= b $1)");
}

TEST_CASE("FROM of PostgreSQL's own is left alone") {
  CHECK(QueryText("SELECT 1 AS from FROM t") == "select 1 as from from t");
  CHECK(QueryText("SELECT explain, insert, a.from FROM t") == "select explain, insert, a.from from t");
  CHECK(QueryText("SELECT f(a) FROM t WHERE a IS DISTINCT FROM b") ==
        "select f(a) from t where (is distinct from a b)");
  CHECK(QueryText("SELECT trim(FROM a), substring(a FROM 1) FROM t") ==
        "select btrim(a), substring(a, 1) from t");
  CHECK(ParseOne("COPY t (a) FROM 'x'")->kind == ast::StatementKind::kCopy);
  CHECK(ErrorText("DELETE FROM t") == "no error");
}

TEST_CASE("positions point into the user's text after a rewrite") {
  const auto from_first = ParseOne("FROM t SELECT a, b");
  const auto& query = from_first->As<ast::SelectStatement>();
  CHECK(query.from[0]->position == 5);
  CHECK(query.items[1].expression->position == 17);
  CHECK(query.position == 0);
  const auto nested = ParseOne("SELECT * FROM (FROM t SELECT a) x");
  CHECK(nested->As<ast::SelectStatement>().from[0]->As<ast::SubqueryTable>().query->position == 22);
  CHECK(from_first->length == 18);
  const auto described = ParseOne("DESCRIBE s.t");
  CHECK(described->As<ast::DescribeStatement>().query->from[0]->position == 9);
  const auto marks = ParseOne("SELECT a=?, ?+b");
  const auto& items = marks->As<ast::SelectStatement>().items;
  CHECK(items[0].expression->position == 8);
  CHECK(items[0].expression->As<ast::Operator>().right->position == 9);
  CHECK(items[1].expression->As<ast::Operator>().right->position == 14);
  const auto cast = ParseOne("SELECT 1, try_cast(a AS int)");
  CHECK(cast->As<ast::SelectStatement>().items[1].expression->position == 10);

  CHECK(ErrorText("FROM t SELECT '\xC3\xA9\xC3\xA9', x y z WHERE a") ==
        "syntax 42601 26: syntax error at or near \"z\"");
  CHECK(ErrorText("SELECT '\xC3\xA9', ?, x y z") == "syntax 42601 20: syntax error at or near \"z\"");
  CHECK(ErrorText("SELECT 1; SELECT try_cast(\xC3\xA9 AS int) a b") ==
        "syntax 42601 39: syntax error at or near \"b\"");
  CHECK(ErrorText("SELECT ? +") == "syntax 42601 10: syntax error at end of input");
}

TEST_CASE("UNION BY NAME") {
  CHECK(QueryText("SELECT 1 UNION ALL BY NAME SELECT 2 UNION ALL BY NAME SELECT 3") ==
        "union all by name[select 1; select 2; select 3]");
  CHECK(QueryText("FROM a UNION BY NAME FROM b UNION FROM c") ==
        "union[union by name[select * from a; select * from b]; select * from c]");
  CHECK(QueryText("TABLE a UNION DISTINCT BY NAME (SELECT 2 INTERSECT SELECT 3)") ==
        "union by name[select * from a; intersect[select 2; select 3]]");
  CHECK(ErrorText("SELECT 1 UNION BY NAME x") == "syntax 42601 23: syntax error at or near \"x\"");
  CHECK(ErrorText("SELECT 1 EXCEPT BY NAME SELECT 2") == "syntax 42601 16: syntax error at or near \"BY\"");
}

TEST_CASE("POSITIONAL JOIN and ASOF JOIN") {
  CHECK(QueryText("SELECT 1 FROM a POSITIONAL JOIN b AS x POSITIONAL JOIN c") ==
        "select 1 from ((a positional b as x) positional c)");
  CHECK(QueryText("SELECT 1 FROM a ASOF JOIN b ON x >= y") == "select 1 from (a asof b on (>= x y))");
  CHECK(QueryText("SELECT 1 FROM z JOIN a ASOF LEFT JOIN b USING (k, t) ON true") ==
        "select 1 from (z inner (a asof left b using k,t) on true)");
  CHECK(QueryText("SELECT 1 FROM asof JOIN positional ON true") ==
        "select 1 from (asof inner positional on true)");
  CHECK(ErrorText("SELECT 1 FROM a ASOF FULL JOIN b ON x >= y").starts_with("not supported 0A000 16: "));
  CHECK(ErrorText("SELECT 1 FROM a POSITIONAL JOIN b ON x") ==
        "syntax 42601 34: syntax error at or near \"ON\"");
}

TEST_CASE("lambdas and list comprehensions") {
  CHECK(QueryText("SELECT list_transform(l, lambda x, i: x + i)") ==
        "select list_transform(l, (lambda x, i: (+ x i)))");
  CHECK(QueryText("SELECT list_filter(l, x -> x > 1 AND y), apply(l, (x, \"Y\") -> x)") ==
        "select list_filter(l, (lambda x: (and (> x 1), y))), apply(l, (lambda x, Y: x))");
  CHECK(QueryText("SELECT list_transform(l, x -> list_transform(x, y -> y -> 'a'))") ==
        "select list_transform(l, (lambda x: list_transform(x, (lambda y: (-> y 'a')))))");
  CHECK(QueryText("SELECT [a.b for x, i in f(l) if x]") ==
        "select list_transform(f(l), (lambda x, i: a.b), (lambda x, i: x))");
  // For other functions, and where no name stands before it, it is the operator.
  CHECK(QueryText("SELECT f(x -> 'a'), list_transform(x.y -> 'a', 1 -> 2)") ==
        "select f((-> x 'a')), list_transform((-> x.y 'a'), (-> 1 2))");
  CHECK(QueryText("SELECT lambda, f(lambda), lambda(x)") == "select lambda, f(lambda), lambda(x)");

  CHECK(ErrorText("SELECT list_transform(l, x -> a b c)") ==
        "syntax 42601 32: syntax error at or near \"b\"");
  CHECK(ErrorText("SELECT [a b c for x in l]") == "syntax 42601 10: syntax error at or near \"b\"");
  CHECK(ErrorText("SELECT f(lambda x: )").substr(0, 12) == "syntax 42601");
}

TEST_CASE("PIVOT and UNPIVOT") {
  CHECK(QueryText("PIVOT t ON c USING sum(x) GROUP BY g") ==
        "select * from pivot {select g, c, sum(x) from t} for {select distinct c from t where (c is not "
        "null) order by 1} as unnamed_subquery2");
  CHECK(QueryText("SELECT 1 FROM t PIVOT (sum(x) AS s FOR (c, d) IN ((1, 2) AS n) e IN (3)) AS p(k)") ==
        "select 1 from pivot {select *, c, d, e, sum(x) as s from t} for 1, 2 as n for 3 as p(k)");
  CHECK(QueryText("UNPIVOT t ON a, b INTO NAME n VALUE v LIMIT 1") ==
        "select * from {select * from {select *, unnest(array['a', 'b']) as n, unnest(array[a, b]) as v from "
        "t} where (v is not null)} as unnamed_subquery2 limit 1");
  CHECK(QueryText("SELECT 1 FROM pivot(a, b), t AS unpivot(c, d), pivot AS x") ==
        "select 1 from pivot(a, b), t as unpivot(c,d), pivot as x");
  CHECK(ErrorText("PIVOT t ON c USING") == "syntax 42601 18: syntax error at end of input");
  CHECK(ErrorText("SELECT 1 FROM t PIVOT (sum(x) FOR c)") ==
        "syntax 42601 35: syntax error at or near \")\"");
  CHECK(ErrorText("SELECT 1 FROM t UNPIVOT (v FOR n IN (a) m IN (b))") ==
        "syntax 42601 48: syntax error at or near \")\"");
}

TEST_CASE("*COLUMNS in lists of values") {
  CHECK(QueryText("SELECT f(*COLUMNS('a'), b), g(DISTINCT *columns('x'))") ==
        "select f(*columns('a'), b), g(distinct *columns('x'))");
  CHECK(QueryText("SELECT a *columns('x'), (a) *columns('x')") ==
        "select (* a columns('x')), (* a columns('x'))");
  CHECK(ErrorText("SELECT f(* columns)") == "syntax 42601 11: syntax error at or near \"columns\"");
}

TEST_CASE("IGNORE NULLS") {
  CHECK(QueryText("SELECT lag(x) IGNORE NULLS OVER w, lag(x RESPECT NULLS) OVER w") ==
        "select lag(x over), lag(x over)");
  CHECK(QueryText("SELECT ignore, respect FROM ignore") == "select ignore, respect from ignore");
  CHECK(ErrorText("SELECT lag(x) IGNORE NULLS") == "syntax 42601 21: syntax error at or near \"NULLS\"");
}

TEST_CASE("INTERVAL with a unit") {
  CHECK(QueryText("SELECT INTERVAL 3 DAYS, INTERVAL '2' weeks") ==
        "select interval '3 days', interval '2 weeks'");
  CHECK(QueryText("SELECT INTERVAL (x) DAY, interval t.y hours, INTERVAL -1 QUARTER") ==
        "select (* x interval '1 day'), (* t.y interval '1 hours'), (* 3 interval '-1 months')");
  CHECK(QueryText("SELECT INTERVAL '1 day' days, interval FROM interval") ==
        "select interval '1 day' as days, interval from interval");
  CHECK(ErrorText("SELECT INTERVAL 3") == "syntax 42601 16: syntax error at or near \"3\"");
}

TEST_CASE("names that look like the dialect's words") {
  CHECK(QueryText("SELECT try_cast, \"try_cast\"(a), s.try_cast(a)") ==
        "select try_cast, try_cast(a), s.try_cast(a)");
  CHECK(QueryText("SELECT pragma FROM pragma") == "select pragma from pragma");
  CHECK(QueryText("SELECT 'FROM t', 'a'  \n 'b', $x$ ? $x$") == "select 'FROM t', 'ab', ' ? '");
}

namespace {

/// Returns a macro's name, arguments and body.
std::string Macro(const std::string& sql) {
  const auto statement = ParseOne(sql);
  if (statement->kind != ast::StatementKind::kCreateFunction) return "no function";
  const auto& create = statement->As<ast::CreateFunctionStatement>();
  std::string text = create.name.schema + "." + create.name.name + "(";
  for (const ast::FunctionParameter& parameter : create.parameters)
    text += parameter.name + "=" + parameter.default_text + ",";
  return text + ") " + (create.returns_rows ? "rows " : "") + create.body;
}

}  // namespace

TEST_CASE("CREATE MACRO") {
  CHECK(Macro("CREATE MACRO f(a, B := 1 + 2) AS a + b") == ".f(a=,b=1 + 2,) SELECT a + b");
  CHECK(Macro("create or replace macro s.f() as x -> y") == "s.f() SELECT x -> y");
  CHECK(Macro("CREATE TEMP MACRO f(\"A\") AS (SELECT \"A\")") == "pg_temp.f(A=,) SELECT (SELECT \"A\")");
  CHECK(Macro("CREATE MACRO f(n) AS TABLE FROM t LIMIT n") == ".f(n=,) rows FROM t LIMIT n");
  CHECK(Macro("CREATE FUNCTION f(a int) RETURNS int RETURN a") == ".f(a=,) SELECT a");
  CHECK(Macro("CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; END") ==
        ".f() SELECT CASE WHEN true THEN 1 END");
  CHECK(Macro("CREATE MACRO f(a int, b DECIMAL(3, 1) := 2) AS a") == ".f(a=,b=2,) SELECT a");
  CHECK(Macro("CREATE FUNCTION f(a, b := 2) AS a || b") == ".f(a=,b=2,) SELECT a || b");
  CHECK(Macro("CREATE FUNCTION f(a) AS 'x'") == ".f(a=,) SELECT 'x'");
  CHECK(Macro("CREATE TEMP FUNCTION f(a int) RETURNS int RETURN a") == "pg_temp.f(a=,) SELECT a");
  CHECK(ErrorText("CREATE MACRO f(a int,) AS a") == "syntax 42601 21: syntax error at or near \")\"");
  CHECK(ErrorText("CREATE MACRO f(a)") == "syntax 42601 17: syntax error at end of input");
  CHECK(ErrorText("CREATE MACRO f AS 1") == "syntax 42601 15: syntax error at or near \"AS\"");
  CHECK(QueryText("SELECT macro FROM macro") == "select macro from macro");
}

TEST_CASE("SET VARIABLE") {
  const auto set = ParseOne("SET VARIABLE X = (SELECT max(a) FROM t)");
  REQUIRE(set->kind == ast::StatementKind::kSetVariable);
  CHECK(set->As<ast::SetVariableStatement>().name == "x");
  const auto reset = ParseOne("RESET VARIABLE \"X\"");
  REQUIRE(reset->kind == ast::StatementKind::kSetVariable);
  CHECK(reset->As<ast::SetVariableStatement>().name == "X");
  CHECK(reset->As<ast::SetVariableStatement>().query == nullptr);
  CHECK(ErrorText("SET VARIABLE x = 1, 2") == "syntax 42601 18: syntax error at or near \",\"");
}

TEST_CASE("arguments that are tables become subqueries") {
  const auto query_of = [](const std::string& argument) {
    const auto statement = ParseOne("SELECT * FROM f(" + argument + ")");
    const auto& table = statement->As<ast::SelectStatement>().from.at(0)->As<ast::FunctionTable>();
    const ast::Expression& given = *table.call->arguments.at(0);
    REQUIRE(given.kind == ast::ExpressionKind::kSubquery);
    const ast::SelectStatement& query = *given.As<ast::Subquery>().query;
    if (query.partition.empty()) return AstText(query);
    std::string text = AstText(*query.from.at(0)->As<ast::SubqueryTable>().query);
    text += " as " + query.from[0]->alias;
    text += " by " + std::to_string(query.partition[0].partition_by.size());
    return text + " " + std::to_string(query.partition[0].order_by.size());
  };
  CHECK(query_of("TABLE t") == "select * from t");
  CHECK(query_of("TABLE (t)") == "select * from t");
  CHECK(query_of("TABLE(s.t)") == "select * from s.t");
  CHECK(query_of("TABLE t, 5") == "select * from t");
  CHECK(query_of("TABLE (SELECT a FROM t)") == "select a from t");
  CHECK(query_of("TABLE g(1, TABLE t)") == query_of("(SELECT * FROM g(1, (SELECT * FROM t)))"));
  CHECK(query_of("TABLE (g(2)) PARTITION BY a") == "select * from g(2) as g by 1 0");
  CHECK(query_of("TABLE (VALUES (1))") == query_of("(VALUES (1))"));
  CHECK(query_of("x => TABLE t") == "select * from t");
  CHECK(query_of("(SELECT a FROM t) PARTITION BY a") == "select a from t as table by 1 0");
  CHECK(query_of("(SELECT a FROM t) PARTITION BY (a, b) ORDER BY (c DESC, d), 7") ==
        "select a from t as table by 2 2");
  CHECK(query_of("TABLE t PARTITION BY a + 1 ORDER BY b") == "select * from t as t by 1 1");
  CHECK(query_of("TABLE T ORDER BY b") == "select * from t as t by 0 1");
  // An aggregate has its own ORDER BY.
  CHECK(QueryText("SELECT string_agg(a, (SELECT ',') ORDER BY b) FROM t") !=
        QueryText("SELECT string_agg(a, (SELECT ',')) FROM t"));
}
