// Tests how INSERT, UPDATE, DELETE, MERGE and TRUNCATE turn into syntax trees.
#include <catch2/catch.hpp>

#include "ast_text.hpp"

using namespace scaup;

namespace {

std::string Value(const ast::Expression& expression) {
  const std::string text = AstText(expression);
  return text == ast::kDefaultMarker ? "DEFAULT" : text;
}

std::string Text(const std::vector<ast::Assignment>& assignments) {
  std::string text;
  for (const auto& assignment : assignments)
    text += (text.empty() ? "" : ", ") + assignment.column + "=" + Value(*assignment.value);
  return text;
}

std::string Text(const std::vector<ast::SelectItem>& items) {
  std::string text;
  for (const auto& item : items) {
    text += (text.empty() ? "" : ", ") + AstText(*item.expression) +
            (item.alias.empty() ? "" : " as " + item.alias);
  }
  return text;
}

std::string Set(const std::string& list) {
  const auto statement = ParseOne("UPDATE t SET " + list);
  return Text(statement->As<ast::UpdateStatement>().assignments);
}

std::string Conflict(const std::string& clause) {
  const auto statement = ParseOne("INSERT INTO t VALUES (1) " + clause);
  const auto& conflict = statement->As<ast::InsertStatement>().on_conflict;
  if (!conflict) return "none";
  std::string text;
  for (const auto& column : conflict->columns) text += column + " ";
  if (!conflict->constraint.empty()) text += "constraint " + conflict->constraint + " ";
  text += conflict->do_update ? "update " + Text(conflict->assignments) : "nothing";
  if (conflict->where) text += " where " + AstText(*conflict->where);
  return text;
}

}  // namespace

TEST_CASE("INSERT with alias, OVERRIDING and RETURNING") {
  const auto statement =
      ParseOne("INSERT INTO s.t AS x (a) OVERRIDING SYSTEM VALUE VALUES (1) RETURNING *, a + 1 AS b");
  const auto& insert = statement->As<ast::InsertStatement>();
  CHECK(AstText(insert.table) == "s.t as x");
  CHECK(insert.overriding == ast::Overriding::kSystem);
  CHECK(Text(insert.returning) == "*, (+ a 1) as b");
  CHECK(ParseOne("INSERT INTO t OVERRIDING USER VALUE SELECT 1")->As<ast::InsertStatement>().overriding ==
        ast::Overriding::kUser);
  const auto defaults = ParseOne("INSERT INTO t DEFAULT VALUES RETURNING a");
  CHECK(defaults->As<ast::InsertStatement>().query == nullptr);
  CHECK(Text(defaults->As<ast::InsertStatement>().returning) == "a");
}

TEST_CASE("ON CONFLICT") {
  CHECK(Conflict("") == "none");
  CHECK(Conflict("ON CONFLICT DO NOTHING") == "nothing");
  CHECK(Conflict("ON CONFLICT (a, \"B\") DO NOTHING") == "a B nothing");
  CHECK(Conflict("ON CONFLICT ON CONSTRAINT k DO NOTHING") == "constraint k nothing");
  CHECK(Conflict("ON CONFLICT (a) DO UPDATE SET b = excluded.b, c = DEFAULT WHERE t.b > 1") ==
        "a update b=excluded.b, c=DEFAULT where (> t.b 1)");
  const auto statement = ParseOne("INSERT INTO t VALUES (1) ON CONFLICT (a, b) DO NOTHING");
  const auto& conflict = *statement->As<ast::InsertStatement>().on_conflict;
  CHECK(conflict.position == 25);
  CHECK(conflict.column_positions == std::vector<size_t>{38, 41});
}

TEST_CASE("SET lists") {
  CHECK(Set("a = 1, b = DEFAULT") == "a=1, b=DEFAULT");
  CHECK(Set("(a, b) = (1, DEFAULT), c = a") == "a=1, b=DEFAULT, c=a");
  CHECK(Set("(a, b) = ROW(1, 2)") == "a=1, b=2");
  CHECK(Set("(a, b) = (SELECT x, y FROM u)") == "a=(scalar select x from u), b=(scalar select y from u)");
  CHECK(ErrorText("UPDATE t SET (a, b) = (1, 2, 3)") ==
        "syntax 42601 22: number of columns does not match number of values (3 for 2)");
  CHECK(ErrorText("UPDATE t SET (a, b) = (SELECT 1)") ==
        "syntax 42601 22: number of columns does not match number of values (1 for 2)");
  CHECK(ErrorText("UPDATE t SET (a, b) = 1").starts_with("syntax 42601 14: source for a multiple-column"));
  CHECK(ErrorText("UPDATE t SET a = 1 + DEFAULT") ==
        "syntax 42601 21: DEFAULT is not allowed in this context");
}

TEST_CASE("UPDATE") {
  const auto statement = ParseOne(
      "WITH q AS (SELECT 1) UPDATE s.t AS x SET a = q.b FROM q, u WHERE x.a = u.a RETURNING x.*, u.b");
  const auto& update = statement->As<ast::UpdateStatement>();
  REQUIRE(update.with.queries.size() == 1);
  CHECK(update.with.queries[0].name == "q");
  CHECK(AstText(update.table) == "s.t as x");
  CHECK(update.assignments[0].position == 41);
  REQUIRE(update.from.size() == 2);
  CHECK(AstText(*update.from[1]) == "u");
  CHECK(AstText(*update.where) == "(= x.a u.a)");
  CHECK(Text(update.returning) == "x.*, u.b");
}

TEST_CASE("DELETE") {
  const auto statement = ParseOne("DELETE FROM t USING u, v w WHERE t.a = u.a RETURNING *");
  const auto& deletion = statement->As<ast::DeleteStatement>();
  CHECK(AstText(deletion.table) == "t");
  REQUIRE(deletion.from.size() == 2);
  CHECK(AstText(*deletion.from[1]) == "v as w");
  CHECK(AstText(*deletion.where) == "(= t.a u.a)");
  CHECK(Text(deletion.returning) == "*");
  CHECK(ParseOne("DELETE FROM t")->As<ast::DeleteStatement>().where == nullptr);
  CHECK(ParseOne("DELETE FROM t WHERE a IS DISTINCT FROM b")->kind == ast::StatementKind::kDelete);
}

TEST_CASE("MERGE") {
  const auto statement = ParseOne(
      "MERGE INTO t AS x USING (SELECT 1 AS a) s ON x.a = s.a "
      "WHEN MATCHED AND CASE WHEN x.b > 1 THEN true END THEN UPDATE SET b = s.a, (c, d) = (1, DEFAULT) "
      "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (a, b) OVERRIDING USER VALUE VALUES (1, "
      "DEFAULT) "
      "WHEN NOT MATCHED THEN INSERT DEFAULT VALUES WHEN MATCHED THEN DO NOTHING");
  const auto& merge = statement->As<ast::MergeStatement>();
  using Action = ast::MergeClause::Action;
  using Match = ast::MergeClause::Match;
  CHECK(AstText(merge.table) == "t as x");
  CHECK(merge.source->alias == "s");
  CHECK(AstText(*merge.condition) == "(= x.a s.a)");
  REQUIRE(merge.clauses.size() == 5);
  CHECK(merge.clauses[0].action == Action::kUpdate);
  CHECK(merge.clauses[0].match == Match::kMatched);
  CHECK(merge.clauses[0].condition != nullptr);
  CHECK(merge.clauses[0].position == 55);
  CHECK(Text(merge.clauses[0].assignments) == "b=s.a, c=1, d=DEFAULT");
  CHECK(merge.clauses[1].action == Action::kDelete);
  CHECK(merge.clauses[2].action == Action::kInsert);
  CHECK(merge.clauses[2].match == Match::kNotMatchedByTarget);
  CHECK(merge.clauses[2].columns == std::vector<std::string>{"a", "b"});
  CHECK(merge.clauses[2].overriding == ast::Overriding::kUser);
  REQUIRE(merge.clauses[2].values.size() == 2);
  CHECK(Value(*merge.clauses[2].values[1]) == "DEFAULT");
  CHECK(merge.clauses[3].values.empty());
  CHECK(merge.clauses[4].action == Action::kNothing);
}

TEST_CASE("MERGE with BY SOURCE and RETURNING") {
  const std::string sql =
      "WITH w AS (SELECT ? AS a) MERGE INTO t USING w ON true WHEN NOT MATCHED BY TARGET AND w.a > ? "
      "THEN INSERT VALUES (1) WHEN NOT MATCHED BY SOURCE AND t.x = 2 THEN DELETE "
      "RETURNING merge_action(), t.*, (t.a + ?) AS n";
  const auto statement = ParseOne(sql);
  const auto& merge = statement->As<ast::MergeStatement>();
  using Match = ast::MergeClause::Match;
  CHECK(statement->parameter_count == 3);
  REQUIRE(merge.clauses.size() == 2);
  CHECK(merge.clauses[0].match == Match::kNotMatchedByTarget);
  CHECK(AstText(*merge.clauses[0].condition) == "(> w.a $1)");
  CHECK(merge.clauses[1].match == Match::kNotMatchedBySource);
  CHECK(merge.clauses[1].action == ast::MergeClause::Action::kDelete);
  CHECK(merge.clauses[1].position == sql.find("WHEN NOT MATCHED BY SOURCE"));
  REQUIRE(merge.returning.size() == 3);
  CHECK(AstText(*merge.returning[2].expression) == "(+ t.a $2)");
  CHECK(merge.returning[2].alias == "n");
  CHECK(merge.returning[1].expression->position == sql.find("t.*"));

  const std::string begin = "MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE ";
  for (const char* wrong :
       {"RETURNING", "RETURNING a FROM t", "RETURNING a) AND (SELECT b", "RETURNING a WHERE b",
        "RETURNING DISTINCT a", "RETURNING a,, ", "RETURNING a WHEN MATCHED THEN DELETE",
        "WHEN NOT MATCHED BY SOURCE THEN INSERT VALUES (1)", "WHEN NOT MATCHED BY x THEN DO NOTHING",
        "WHEN MATCHED BY SOURCE THEN DELETE"}) {
    INFO(wrong);
    CHECK_THAT(ErrorText(begin + wrong), Catch::Contains("42601"));
  }
}

TEST_CASE("TRUNCATE") {
  const auto statement = ParseOne("TRUNCATE TABLE a, s.b RESTART IDENTITY CASCADE");
  const auto& truncate = statement->As<ast::TruncateStatement>();
  REQUIRE(truncate.tables.size() == 2);
  CHECK(AstText(truncate.tables[1]) == "s.b");
  CHECK(truncate.tables[1].position == 18);
  CHECK(truncate.restart_identity);
  CHECK(truncate.cascade);
  CHECK_FALSE(ParseOne("TRUNCATE t")->As<ast::TruncateStatement>().cascade);
}
