// Binding of INSERT, UPDATE, DELETE, MERGE and TRUNCATE: shapes, and what is refused.
#include "definition_fixture.hpp"

namespace scaup::test {

namespace {

using Columns = std::vector<size_t>;

/// t(a, b, c, d) of the fixture; p(id primary key, v, g generated from v, checked), q refers to p.
struct Fixture : DefinitionFixture {
  Fixture() {
    Run("CREATE TABLE p (id int PRIMARY KEY, v int DEFAULT 7 CHECK (v > 0), g int GENERATED ALWAYS AS (v * "
        "2) "
        "STORED, w text, CONSTRAINT small CHECK (g < 1000))");
    Run("CREATE TABLE q (id int REFERENCES p, x int UNIQUE)");
    Run("CREATE INDEX q_both ON q (x, id)");
  }
  bool Uses(const Expression& expression, size_t table_index, size_t column) {
    bool found = false;
    ForEachColumnRef(expression, [&](const ColumnRefExpression& reference) {
      found = found || reference.binding == ColumnBinding{table_index, column};
    });
    return found;
  }
};

}  // namespace

TEST_CASE("an UPDATE in place writes what is set and what is generated of it", "[binder]") {
  Fixture f;
  auto bound = f.Bind("UPDATE p SET v = v + 1 WHERE w = 'x'");
  const auto& update = bound->As<BoundUpdate>();
  CHECK(update.columns == Columns{1, 2});
  CHECK(update.source->names[0] == kRowNumberName);
  CHECK(update.source->types[0] == LogicalType(TypeId::kBigInt));
  REQUIRE(update.projection.size() == 3);
  CHECK(Binding(*update.projection[0]) == std::to_string(update.source->table_index) + ".0");
  CHECK(Binding(*update.projection[1]) == std::to_string(update.source->table_index) + ".1");
  CHECK(f.Uses(*update.projection[2], update.source->table_index, 1));  // The new v.
  REQUIRE(update.checks.size() == 2);
  CHECK(update.checks[0].name == "p_v_check");
  CHECK(f.Uses(*update.checks[0].condition, update.row_index, 1));
  CHECK(f.Uses(*update.checks[1].condition, update.row_index, 2));
  CHECK(f.Bind("UPDATE p SET w = 'y'")->As<BoundUpdate>().checks.empty());
  CHECK(f.Bind("UPDATE p SET w = 'y'")->As<BoundUpdate>().columns == Columns{3});
}

TEST_CASE("an UPDATE of a key is in place, too", "[binder]") {
  Fixture f;
  auto bound = f.Bind("UPDATE p SET id = id + 1");
  const auto& update = bound->As<BoundUpdate>();
  CHECK(update.columns == Columns{0});
  CHECK(update.projection.size() == 2);
}

TEST_CASE("RETURNING of an UPDATE sees new values and the tables of FROM", "[binder]") {
  Fixture f;
  auto bound = f.Bind("UPDATE p AS n SET v = q.x FROM q WHERE n.id = q.id RETURNING n.v, n.w, q.x + 1 AS y");
  const auto& update = bound->As<BoundUpdate>();
  REQUIRE(update.returning);
  CHECK(update.returning->names == std::vector<std::string>{"v", "w", "y"});
  const std::string row = std::to_string(update.row_index) + ".";
  CHECK(Binding(*update.returning->items[0]) == row + "1");
  CHECK(Binding(*update.returning->items[1]) == row + "3");
  CHECK(f.Uses(*update.returning->items[2], update.row_index, 4));
  CHECK(update.projection.size() == 5);
  auto star = f.Bind("UPDATE t SET a = 1 RETURNING *");
  CHECK(star->As<BoundUpdate>().returning->names == std::vector<std::string>{"a", "b", "c", "d"});
  f.Bind("WITH s AS (SELECT 1 AS one) UPDATE t SET a = s.one FROM s");
  f.Bind("UPDATE t SET (a, b) = (SELECT x, y FROM u WHERE u.a = t.a)");
  f.Bind("UPDATE t SET a = $1 WHERE b = $2");
  CHECK(f.parameter_types == std::vector<LogicalType>{TypeId::kInteger, TypeId::kVarchar});
}

TEST_CASE("UPDATE refuses as PostgreSQL does", "[binder]") {
  Fixture f;
  CHECK_THAT(f.ErrorOf("UPDATE t SET z = 1"), Catch::StartsWith("42703@13 "));
  CHECK_THAT(f.ErrorOf("UPDATE t SET a = 1, a = 2"), Catch::StartsWith("42601@20 "));
  CHECK_THAT(f.ErrorOf("UPDATE t SET a = z"), Catch::StartsWith("42703@17 "));
  CHECK_THAT(f.ErrorOf("UPDATE t SET a = x FROM u"), Catch::Equals(""));
  CHECK_THAT(f.ErrorOf("UPDATE t SET a = a FROM u"), Catch::StartsWith("42702@17 "));
  CHECK_THAT(f.ErrorOf("UPDATE t SET a = 1 FROM t"), Catch::StartsWith("42712@"));
  CHECK_THAT(f.ErrorOf("UPDATE t SET a = d"), Catch::StartsWith("42804@"));
  CHECK_THAT(f.ErrorOf("UPDATE t SET a = count(*)"), Catch::StartsWith("42803@17 "));
  CHECK_THAT(f.ErrorOf("UPDATE t SET a = 1 WHERE sum(a) > 1"), Catch::StartsWith("42803@25 "));
  CHECK_THAT(f.ErrorOf("UPDATE t SET a = 1 RETURNING sum(a)"), Catch::StartsWith("42803@29 "));
  CHECK_THAT(f.ErrorOf("UPDATE p SET g = 1"), Catch::StartsWith("428C9@13 "));
  CHECK_THAT(f.ErrorOf("UPDATE p SET g = DEFAULT, v = DEFAULT"), Catch::Equals(""));
  CHECK_THAT(f.ErrorOf("UPDATE nothing SET a = 1"), Catch::StartsWith("42P01@7 "));
  CHECK_THAT(f.ErrorOf("UPDATE t SET a = 1 WHERE \"\x01row\" = 1"), Catch::StartsWith("42703@25 "));
}

TEST_CASE("DELETE yields row numbers and what RETURNING needs", "[binder]") {
  Fixture f;
  auto bound = f.Bind("DELETE FROM p USING q WHERE p.id = q.id RETURNING p.v + q.x, p.*");
  const auto& deletion = bound->As<BoundDelete>();
  CHECK(deletion.source->names[0] == kRowNumberName);
  REQUIRE(deletion.returning);
  CHECK(deletion.returning->names == std::vector<std::string>{"?column?", "id", "v", "g", "w"});
  CHECK(deletion.source->types.size() == 6);
  CHECK(f.Uses(*deletion.returning->items[0], deletion.source->table_index, 2));
  CHECK(f.Bind("DELETE FROM p")->As<BoundDelete>().source->types.size() == 1);
  CHECK_THAT(f.ErrorOf("DELETE FROM p WHERE z = 1"), Catch::StartsWith("42703@20 "));
}

TEST_CASE("INSERT makes generated columns, checks and RETURNING", "[binder]") {
  Fixture f;
  auto bound = f.Bind("INSERT INTO p (id) VALUES (1) RETURNING g, id + 1");
  const auto& insert = bound->As<BoundInsert>();
  REQUIRE(insert.values.size() == 4);
  CHECK(Binding(*insert.values[2]) == "?");
  CHECK(insert.source->kind == BoundTableRefKind::kQuery);
  CHECK(insert.checks.size() == 2);
  CHECK(f.Uses(*insert.checks[0].condition, insert.row_index, 1));
  CHECK(Binding(*insert.returning->items[0]) == std::to_string(insert.row_index) + ".2");
  f.Bind("INSERT INTO p DEFAULT VALUES");
  f.Bind("INSERT INTO p VALUES (1, 2, DEFAULT, 'x')");
  f.Bind("INSERT INTO p AS n VALUES (1) RETURNING n.id");
  CHECK_THAT(f.ErrorOf("INSERT INTO p VALUES (1, 2, 3)"), Catch::StartsWith("428C9@28 "));
  CHECK_THAT(f.ErrorOf("INSERT INTO p (id, g) SELECT 1, 2"), Catch::StartsWith("428C9@19 "));
  CHECK_THAT(f.ErrorOf("INSERT INTO p VALUES (1) RETURNING z"), Catch::StartsWith("42703@35 "));
  CHECK_THAT(f.ErrorOf("INSERT INTO p AS n VALUES (1) RETURNING p.id"), Catch::StartsWith("42P01@40 "));
}

TEST_CASE("ON CONFLICT finds its indexes and binds both rows", "[binder]") {
  Fixture f;
  auto nothing = f.Bind("INSERT INTO q VALUES (1, 2) ON CONFLICT DO NOTHING");
  CHECK(nothing->As<BoundInsert>().on_conflict->indexes.empty());
  auto bound = f.Bind(
      "INSERT INTO p VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET v = p.v + excluded.v WHERE p.w IS NULL");
  const auto& insert = bound->As<BoundInsert>();
  const BoundOnConflict& conflict = *insert.on_conflict;
  CHECK(conflict.indexes == std::vector<std::string>{"p_pkey"});
  CHECK(conflict.set_columns == Columns{1, 2});
  REQUIRE(conflict.values.size() == 4);
  CHECK(Binding(*conflict.values[0]) == std::to_string(conflict.existing_index) + ".0");
  CHECK(f.Uses(*conflict.values[1], insert.row_index, 1));
  CHECK(f.Uses(*conflict.values[1], conflict.existing_index, 1));
  // The generated column is computed from the row that is written, with the new v.
  REQUIRE(conflict.generated_columns == Columns{2});
  CHECK(f.Uses(*conflict.generated[0], conflict.updated_index, 1));
  CHECK(conflict.where);
  auto named = f.Bind("INSERT INTO q VALUES (1) ON CONFLICT ON CONSTRAINT q_x_key DO NOTHING");
  CHECK(named->As<BoundInsert>().on_conflict->indexes == std::vector<std::string>{"q_x_key"});
  CHECK_THAT(f.ErrorOf("INSERT INTO p VALUES (1) ON CONFLICT (v) DO NOTHING"),
             Catch::StartsWith("42P10@25 "));
  CHECK_THAT(f.ErrorOf("INSERT INTO p VALUES (1) ON CONFLICT (z) DO NOTHING"),
             Catch::StartsWith("42703@38 "));
  CHECK_THAT(f.ErrorOf("INSERT INTO p VALUES (1) ON CONFLICT ON CONSTRAINT z DO NOTHING"),
             Catch::StartsWith("42704@"));
  CHECK_THAT(f.ErrorOf("INSERT INTO p VALUES (1) ON CONFLICT ON CONSTRAINT small DO NOTHING"),
             Catch::StartsWith("42809@"));
  CHECK_THAT(f.ErrorOf("INSERT INTO p VALUES (1) ON CONFLICT DO UPDATE SET v = 1"),
             Catch::StartsWith("42601@25 "));
}

TEST_CASE("MERGE binds its clauses over one source", "[binder]") {
  Fixture f;
  auto bound = f.Bind(
      "MERGE INTO p USING q AS s ON p.id = s.id WHEN MATCHED AND s.x > p.v THEN UPDATE SET v = s.x "
      "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, DEFAULT)");
  const auto& merge = bound->As<BoundMerge>();
  CHECK(merge.source->names == std::vector<std::string>{kRowNumberName, "clause", "id", "v", "g", "w"});
  CHECK(merge.source->types[1] == TypeId::kInteger);
  REQUIRE(merge.clauses.size() == 3);
  CHECK(merge.clauses[0].columns == Columns{1, 2});
  CHECK(merge.clauses[1].columns.empty());
  CHECK(merge.clauses[2].columns == Columns{0, 1, 2, 3});
  for (size_t i = 0; i < 4; i++) CHECK(merge.row_columns[i] == i + 2);
  REQUIRE(merge.checks.size() == 2);
  CHECK(f.Uses(*merge.checks[0].condition, merge.source->table_index, 3));
  // Without INSERT, the columns that are written or asked for are enough.
  bound =
      f.Bind("MERGE INTO p USING q ON p.id = q.id WHEN MATCHED THEN UPDATE SET w = x RETURNING q.x, p.id");
  const auto& narrow = bound->As<BoundMerge>();
  CHECK(narrow.source->names == std::vector<std::string>{kRowNumberName, "clause", "id", "w", "x"});
  CHECK(narrow.checks.empty());
  CHECK(narrow.returning->names == std::vector<std::string>{"x", "id"});
  CHECK_THAT(f.ErrorOf("MERGE INTO p USING q ON p.id = q.id WHEN NOT MATCHED THEN INSERT VALUES (p.id)"),
             Catch::StartsWith("42P01@73 "));
  CHECK_THAT(f.ErrorOf("MERGE INTO p USING p ON true WHEN MATCHED THEN DELETE"), Catch::StartsWith("42712@"));
  CHECK_THAT(f.ErrorOf("MERGE INTO q USING p ON true WHEN NOT MATCHED THEN INSERT (id) VALUES (1, 2)"),
             Catch::StartsWith("42601@71 "));
}

TEST_CASE("TRUNCATE minds foreign keys", "[binder]") {
  Fixture f;
  CHECK_THAT(f.ErrorOf("TRUNCATE p"), Catch::StartsWith("0A000@9 "));
  CHECK(f.Bind("TRUNCATE p, q")->As<BoundTruncate>().tables.size() == 2);
  CHECK(f.Bind("TRUNCATE p CASCADE")->As<BoundTruncate>().tables.size() == 2);
  CHECK(f.Bind("TRUNCATE q, q")->As<BoundTruncate>().tables.size() == 1);
}

TEST_CASE("COPY leaves generated columns out", "[binder]") {
  Fixture f;
  CHECK(f.Bind("COPY p TO 'x'")->As<BoundCopyTo>().query->names == std::vector<std::string>{"id", "v", "w"});
  CHECK_THAT(f.ErrorOf("COPY p (id, g) TO 'x'"), Catch::StartsWith("42P10@"));
}

}  // namespace scaup::test
