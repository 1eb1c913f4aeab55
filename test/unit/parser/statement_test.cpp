// Tests how statements other than queries turn into syntax trees.
#include <catch2/catch.hpp>

#include "ast_text.hpp"

using namespace scaup;
using ast::StatementKind;

TEST_CASE("statements are split at semicolons") {
  const auto statements = Parser().Parse(" ;; SELECT ';' ; -- c;\n/* ; */ SELECT 2;;");
  REQUIRE(statements.size() == 2);
  CHECK(statements[0]->position == 4);
  CHECK(statements[0]->length == 10);
  CHECK(statements[1]->position == 31);
  CHECK(statements[1]->length == 8);
  CHECK(statements[1]->As<ast::SelectStatement>().items[0].expression->position == 38);
  CHECK(Parser().Parse("").empty());
  CHECK(Parser().Parse(" ; -- nothing").empty());
}

TEST_CASE("INSERT") {
  const auto insert = ParseOne("INSERT INTO s.t (a, \"B\") VALUES (1, DEFAULT), (2, 3)");
  const auto& values = insert->As<ast::InsertStatement>();
  CHECK(AstText(values.table) == "s.t");
  CHECK(values.columns == std::vector<std::string>{"a", "B"});
  CHECK(values.column_positions == std::vector<size_t>{17, 20});
  CHECK(AstText(*values.query) == std::string("values (1, ") + ast::kDefaultMarker + "), (2, 3)");
  CHECK(values.table.position == 12);

  const auto defaults = ParseOne("INSERT INTO t DEFAULT VALUES");
  CHECK(defaults->As<ast::InsertStatement>().query == nullptr);
  const auto with = ParseOne("WITH a AS (SELECT 1) INSERT INTO t WITH b AS (SELECT 2) SELECT * FROM a, b");
  CHECK(AstText(*with->As<ast::InsertStatement>().query) == "with b {select 2} select * from a, b");
  CHECK(with->As<ast::InsertStatement>().with.queries.at(0).name == "a");
  CHECK(ErrorText("SELECT DEFAULT") == "syntax 42601 7: DEFAULT is not allowed in this context");
  CHECK(ErrorText("INSERT INTO t SELECT * FROM (VALUES (DEFAULT)) x") ==
        "syntax 42601 37: DEFAULT is not allowed in this context");
}

TEST_CASE("CREATE TABLE") {
  const auto statement = ParseOne(
      "CREATE TABLE IF NOT EXISTS s.t (a int NOT NULL DEFAULT f(1, 2) + -5, b varchar(3) NULL, c "
      "numeric(15,2)[], "
      "d text DEFAULT 'x' /* y */ NOT NULL, e int DEFAULT try_cast(1 AS int))");
  const auto& create = statement->As<ast::CreateTableStatement>();
  CHECK(AstText(create.table) == "s.t");
  CHECK(create.if_not_exists);
  REQUIRE(create.columns.size() == 5);
  CHECK(create.columns[0].name == "a");
  CHECK(create.columns[0].not_null);
  CHECK(create.columns[0].position == 32);
  CHECK(AstText(*create.columns[0].default_value) == "(+ f(1, 2) -5)");
  CHECK(create.columns[0].default_text == "f(1, 2) + -5");
  CHECK(AstText(create.columns[1].type) == "varchar(3)");
  CHECK_FALSE(create.columns[1].not_null);
  CHECK(AstText(create.columns[2].type) == "numeric(15,2)[]");
  CHECK(create.columns[3].default_text == "'x'");
  CHECK(create.columns[3].not_null);
  CHECK(create.columns[4].default_text == "try_cast(1 AS int)");

  const auto as = ParseOne("CREATE TABLE t (x, y) AS SELECT 1, 2 WITH NO DATA");
  const auto& from_query = as->As<ast::CreateTableStatement>();
  CHECK(from_query.column_names == std::vector<std::string>{"x", "y"});
  CHECK(from_query.with_no_data);
  CHECK(AstText(*from_query.query) == "select 1, 2");
  CHECK(ErrorText("CREATE TABLE t (a int NULL NOT NULL)") ==
        "syntax 42601 27: conflicting NULL and NOT NULL for one column");
}

TEST_CASE("CREATE SCHEMA and DROP") {
  const auto schema = ParseOne("CREATE SCHEMA IF NOT EXISTS s");
  CHECK(schema->As<ast::CreateSchemaStatement>().name == "s");
  CHECK(schema->As<ast::CreateSchemaStatement>().if_not_exists);
  const auto statement = ParseOne("DROP TABLE IF EXISTS a, s.\"B\" CASCADE");
  const auto& drop = statement->As<ast::DropStatement>();
  CHECK(drop.object == ast::DropStatement::Object::kTable);
  CHECK(drop.if_exists);
  CHECK(drop.cascade);
  REQUIRE(drop.names.size() == 2);
  CHECK(AstText(drop.names[1]) == "s.B");
  CHECK(drop.names[0].position == 21);
  CHECK(drop.names[1].position == 24);
  CHECK(ParseOne("DROP SCHEMA a")->As<ast::DropStatement>().object == ast::DropStatement::Object::kSchema);
  CHECK(ParseOne("DROP VIEW v")->As<ast::DropStatement>().names[0].name == "v");
}

TEST_CASE("COPY with new and old options") {
  const auto options = [](const std::string& sql) {
    const auto statement = ParseOne(sql);
    std::string text;
    for (const auto& option : statement->As<ast::CopyStatement>().options) {
      text += option.name + (option.has_value ? "=" + option.value : "");
      for (const auto& value : option.values) text += "<" + value + ">";
      text += " ";
    }
    return text;
  };
  CHECK(options(
            "COPY t FROM 'x' (FORMAT CSV, HEADER, DELIMITER '|', \"NULL\" 'NA', sample -5, f 1.5, h off)") ==
        "format=csv header delimiter=| null=NA sample=-5 f=1.5 h=off ");
  CHECK(options("COPY t FROM 'x' WITH CSV HEADER DELIMITER '|' NULL 'x'") ==
        "format=csv header=true delimiter=| null=x ");
  CHECK(options("COPY t TO 'x' (FORCE_QUOTE (a, b), ESCAPE '\\')") == "force_quote=<a><b> escape=\\ ");
  const auto statement = ParseOne("COPY s.t (a, b) FROM 'my''file.csv'");
  const auto& from = statement->As<ast::CopyStatement>();
  CHECK(from.is_from);
  CHECK(from.path == "my'file.csv");
  CHECK(AstText(from.table) == "s.t");
  CHECK(from.columns == std::vector<std::string>{"a", "b"});
  const auto to = ParseOne("COPY (SELECT 1) TO 'x'");
  CHECK_FALSE(to->As<ast::CopyStatement>().is_from);
  CHECK(AstText(*to->As<ast::CopyStatement>().query) == "select 1");
}

TEST_CASE("EXPLAIN") {
  const auto statement = ParseOne("EXPLAIN (ANALYZE, FORMAT json) INSERT INTO t VALUES (1)");
  const auto& explain = statement->As<ast::ExplainStatement>();
  CHECK(explain.analyze);
  CHECK(explain.format == "json");
  CHECK(explain.statement->kind == StatementKind::kInsert);
  CHECK(ParseOne("EXPLAIN ANALYZE SELECT 1")->As<ast::ExplainStatement>().analyze);
  CHECK_FALSE(ParseOne("EXPLAIN (ANALYZE off) SELECT 1")->As<ast::ExplainStatement>().analyze);
  CHECK(ErrorText("EXPLAIN (costs off) SELECT 1") ==
        "not supported 0A000 9: EXPLAIN's option costs is not supported");
}

TEST_CASE("SET, RESET, SHOW") {
  const auto set = [](const std::string& sql) {
    const auto statement = ParseOne(sql);
    const auto& node = statement->As<ast::SetStatement>();
    return node.name + "=" + node.value.value_or("(none)");
  };
  CHECK(set("SET threads = 4") == "threads=4");
  CHECK(set("SET x TO -5") == "x=-5");
  CHECK(set("SET memory_limit = '1GB'") == "memory_limit=1GB");
  CHECK(set("SET search_path TO a, b") == "search_path=a, b");
  CHECK(set("SET a.b = on") == "a.b=on");
  CHECK(set("SET x TO DEFAULT") == "x=(none)");
  CHECK(set("RESET x") == "x=(none)");
  CHECK(set("RESET ALL") == "all=(none)");
  CHECK(set("SET TIME ZONE 'utc'") == "timezone=utc");
  CHECK(ParseOne("SHOW TABLES")->As<ast::ShowStatement>().name == "tables");
  CHECK(ParseOne("SHOW ALL")->As<ast::ShowStatement>().name == "all");
}

TEST_CASE("CHECKPOINT, VACUUM and ANALYZE") {
  CHECK(ParseOne("checkpoint")->kind == StatementKind::kCheckpoint);
  const auto text = [](const std::string& sql) {
    const auto statement = ParseOne(sql);
    REQUIRE(statement->kind == StatementKind::kVacuum);
    const auto& vacuum = statement->As<ast::VacuumStatement>();
    std::string result = std::string(vacuum.vacuum ? "vacuum" : "") + (vacuum.full ? " full" : "") +
                         (vacuum.analyze ? " analyze" : "");
    for (const auto& target : vacuum.targets) {
      result += " " + AstText(target.table);
      for (const auto& column : target.columns) result += "." + column;
    }
    return result;
  };
  CHECK(text("VACUUM") == "vacuum");
  CHECK(text("VACUUM t") == "vacuum t");
  CHECK(text("VACUUM FULL s.t, u") == "vacuum full s.t u");
  CHECK(text("VACUUM VERBOSE ANALYZE t (a, \"B\")") == "vacuum analyze t.a.B");
  CHECK(text("VACUUM (FULL off, ANALYZE, VERBOSE true) t") == "vacuum analyze t");
  CHECK(text("ANALYZE") == " analyze");
  CHECK(text("ANALYZE VERBOSE t (a)") == " analyze t.a");
  CHECK(ErrorText("VACUUM t (a)") ==
        "syntax 42601 7: the ANALYZE option must be given when a column list is");
  CHECK(ErrorText("VACUUM FREEZE").starts_with("not supported 0A000"));
  CHECK(ErrorText("VACUUM (PARALLEL 2) t") ==
        "not supported 0A000 8: VACUUM's option parallel is not supported");
  CHECK(ErrorText("ANALYZE (FULL) t") == "not supported 0A000 9: ANALYZE's option full is not supported");
  CHECK(ErrorText("CHECKPOINT t") == "syntax 42601 11: syntax error at or near \"t\"");
}

TEST_CASE("PREPARE, EXECUTE and DEALLOCATE") {
  const auto statements =
      Parser().Parse("SELECT 1; PREPARE p (int, text[]) AS SELECT $1; EXECUTE P(1, 'x'); ");
  REQUIRE(statements.size() == 3);
  const auto& prepare = statements[1]->As<ast::PrepareStatement>();
  CHECK(prepare.name == "p");
  REQUIRE(prepare.types.size() == 2);
  CHECK(AstText(prepare.types[1]) == "text[]");
  CHECK(prepare.parameter_count == 0);
  CHECK(prepare.statement->parameter_count == 2);
  CHECK(prepare.statement->kind == StatementKind::kSelect);
  CHECK(prepare.text == "PREPARE p (int, text[]) AS SELECT $1");
  const auto& execute = statements[2]->As<ast::ExecuteStatement>();
  CHECK(execute.name == "p");
  CHECK(execute.name_position == 56);
  CHECK(execute.arguments.size() == 2);
  const auto create = ParseOne("CREATE TABLE t AS EXECUTE p (?)");
  CHECK(create->parameter_count == 1);
  REQUIRE(create->As<ast::CreateTableStatement>().execute != nullptr);
  CHECK(create->As<ast::CreateTableStatement>().execute->As<ast::ExecuteStatement>().name_position == 26);
  CHECK(ParseOne("DEALLOCATE PREPARE p")->As<ast::DeallocateStatement>().name == "p");
  CHECK(ParseOne("DEALLOCATE ALL")->As<ast::DeallocateStatement>().name.empty());
  CHECK(ParseOne("DEALLOCATE \"all\"")->As<ast::DeallocateStatement>().name == "all");
}
