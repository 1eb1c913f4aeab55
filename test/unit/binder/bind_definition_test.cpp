// Binding of CREATE TABLE with constraints, indexes, sequences and ALTER TABLE.
#include "catalog/catalog_dependencies.hpp"
#include "catalog/create_statement.hpp"
#include "definition_fixture.hpp"

namespace scaup::test {

namespace {

using Names = std::vector<std::string>;

struct Fixture : DefinitionFixture {
  const UniqueConstraint& Unique(const std::string& table, size_t index) {
    return Table(table)->constraints.uniques.at(index);
  }
};

}  // namespace

TEST_CASE("constraints are named as PostgreSQL names them", "[binder]") {
  Fixture f;
  f.Run(
      "CREATE TABLE p (a int PRIMARY KEY, b int UNIQUE CHECK (b > 1) CHECK (b < 9), c int, UNIQUE (b, c), "
      "CHECK (b < c), CONSTRAINT own UNIQUE (c))");
  const TableConstraints& constraints = f.Table("p")->constraints;
  CHECK(f.Unique("p", 0).name == "p_pkey");
  CHECK(f.Unique("p", 0).is_primary);
  CHECK(f.Unique("p", 1).name == "p_b_key");
  CHECK(f.Unique("p", 2).name == "p_b_c_key");
  CHECK(f.Unique("p", 3).name == "own");
  REQUIRE(constraints.checks.size() == 3);
  CHECK(constraints.checks[0].name == "p_b_check");
  CHECK(constraints.checks[1].name == "p_b_check1");
  CHECK(constraints.checks[2].name == "p_check");
  CHECK(constraints.checks[2].text == "b < c");
  CHECK(f.Table("p")->columns[0].not_null);
  CHECK(IndexesOf(f.catalog, *f.transaction, *f.Table("p")).size() == 4);
  f.Run("CREATE INDEX ON p (b, c)");
  f.Run("CREATE INDEX ON p (b, c)");
  CHECK(f.catalog.Find<IndexEntry>(*f.transaction, "", "p_b_c_idx1"));
}

TEST_CASE("constraints that cannot be are refused", "[binder]") {
  Fixture f;
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a int, UNIQUE (z))"), Catch::StartsWith("42703@23 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a int, UNIQUE (a, a))"), Catch::StartsWith("42701@23 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a int PRIMARY KEY, b int PRIMARY KEY)"),
             Catch::StartsWith("42P16@41 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a int CHECK (z > 1))"), Catch::StartsWith("42703@29 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a int CHECK (a + 1))"), Catch::StartsWith("42804@"));
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a int CHECK (sum(a) > 1))"), Catch::StartsWith("42803@29 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a int CHECK (a > (SELECT 1)))"), Catch::StartsWith("0A000@33 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a int CONSTRAINT x CHECK (a > 1) CONSTRAINT x CHECK (a > 2))"),
             Catch::StartsWith("42710@49 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a int CONSTRAINT t UNIQUE)"), Catch::StartsWith("42P07@22 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a int GENERATED ALWAYS AS (b) STORED, b int GENERATED ALWAYS AS (1) "
                       "STORED)"),
             Catch::StartsWith("42P17@43 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a double precision GENERATED ALWAYS AS (random()) STORED)"),
             Catch::StartsWith("42P17@56 "));
  f.Run("CREATE TABLE p (a int PRIMARY KEY)");
  CHECK_THAT(f.ErrorOf("CREATE TABLE p_pkey (a int)"), Catch::StartsWith("42P07@13 "));
}

TEST_CASE("foreign keys", "[binder]") {
  Fixture f;
  f.Run("CREATE TABLE p (a int PRIMARY KEY, b int, c bigint UNIQUE)");
  f.Run(
      "CREATE TABLE q (x int REFERENCES p ON DELETE CASCADE, y int REFERENCES q (x), x2 int UNIQUE, z bigint "
      "REFERENCES p (c), UNIQUE (x))");
  const auto& keys = f.Table("q")->constraints.foreign_keys;
  REQUIRE(keys.size() == 3);
  CHECK(keys[0].name == "q_x_fkey");
  CHECK(keys[0].referenced_columns == Names{"a"});
  CHECK(keys[0].on_delete == ReferentialAction::kCascade);
  CHECK(keys[1].referenced_table == "q");
  CHECK(keys[2].referenced_columns == Names{"c"});
  CHECK_THAT(f.ErrorOf("CREATE TABLE r (x int REFERENCES nothing)"), Catch::StartsWith("42P01@33 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE r (x int REFERENCES t)"), Catch::StartsWith("42704@33 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE r (x int REFERENCES p (b))"), Catch::StartsWith("42830@22 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE r (x int, y int, FOREIGN KEY (x, y) REFERENCES p)"),
             Catch::StartsWith("42830@30 "));
  CHECK_THAT(f.ErrorOf("CREATE TABLE r (x text REFERENCES p)"), Catch::StartsWith("42804@23 "));
}

TEST_CASE("sequences and their options", "[binder]") {
  Fixture f;
  f.Run("CREATE SEQUENCE s AS smallint INCREMENT -1");
  const auto s = f.catalog.Find<SequenceEntry>(*f.transaction, "", "s");
  CHECK(s->options == SequenceOptions{SequenceOptions::Type::kSmallInt, -1, -1, -32768, -1, false, 1});
  CHECK(s->state->position() == SequenceState::Position{-1, false});
  CHECK(f.Bind("CREATE SEQUENCE IF NOT EXISTS s")->As<BoundCreateSequence>().sequence == nullptr);
  auto altered = f.Bind("ALTER SEQUENCE s INCREMENT 2 MINVALUE -5 MAXVALUE 5 RESTART WITH 3 OWNED BY t.a");
  const auto& sequence = *altered->As<BoundAlterSequence>().sequence;
  CHECK(sequence.options.maximum == 5);
  CHECK(sequence.state->position() == SequenceState::Position{3, false});
  CHECK(sequence.owner_table == "t");
  CHECK_THAT(f.ErrorOf("CREATE SEQUENCE s"), Catch::StartsWith("42P07@16 "));
  CHECK_THAT(f.ErrorOf("CREATE SEQUENCE r INCREMENT 0"), Catch::StartsWith("22023@18 "));
  CHECK_THAT(f.ErrorOf("CREATE SEQUENCE r MINVALUE 5 MAXVALUE 5"), Catch::StartsWith("22023@"));
  CHECK_THAT(f.ErrorOf("CREATE SEQUENCE r START 0"), Catch::StartsWith("22023@"));
  CHECK_THAT(f.ErrorOf("CREATE SEQUENCE r AS smallint MAXVALUE 40000"), Catch::StartsWith("22023@"));
  CHECK_THAT(f.ErrorOf("CREATE SEQUENCE r AS text"), Catch::StartsWith("22023@"));
  CHECK_THAT(f.ErrorOf("CREATE SEQUENCE r OWNED BY nothing.a"), Catch::StartsWith("42P01@"));
  CHECK_THAT(f.ErrorOf("ALTER SEQUENCE r RESTART"), Catch::StartsWith("42P01@15 "));
  CHECK(f.Bind("DROP SEQUENCE s")->As<BoundDrop>().sequences.size() == 1);
  CHECK_THAT(f.ErrorOf("DROP INDEX s"), Catch::StartsWith("42809@11 "));
  CHECK(f.Bind("DROP INDEX IF EXISTS nothing")->As<BoundDrop>().indexes.empty());
}

TEST_CASE("serial and identity columns come with sequences", "[binder]") {
  Fixture f;
  auto bound = f.Bind("CREATE TABLE p (a serial, b smallint GENERATED ALWAYS AS IDENTITY (START 5))");
  const auto& create = bound->As<BoundCreateTable>();
  REQUIRE(create.sequences.size() == 2);
  CHECK(create.sequences[0]->name == "p_a_seq");
  CHECK(create.sequences[0]->owner_column == "a");
  CHECK(create.sequences[0]->options.type == SequenceOptions::Type::kInteger);
  CHECK(create.sequences[1]->options.start == 5);
  CHECK(create.columns[0].default_text == "nextval('\"main\".\"p_a_seq\"')");
  CHECK(create.columns[0].not_null);
  CHECK(create.columns[1].identity == IdentityKind::kAlways);
  CHECK_THAT(f.ErrorOf("CREATE TABLE p (a text GENERATED ALWAYS AS IDENTITY)"),
             Catch::StartsWith("22023@16 "));
}

TEST_CASE("ALTER TABLE folds its actions into one definition", "[binder]") {
  Fixture f;
  f.Run("CREATE TABLE p (a int PRIMARY KEY, b int CHECK (b > 1), c text)");
  auto bound = f.Bind(
      "ALTER TABLE p ADD COLUMN d int NOT NULL DEFAULT 3 UNIQUE, DROP COLUMN b, ALTER c TYPE int USING "
      "length(c), "
      "ALTER a SET DEFAULT 9, ADD CONSTRAINT k CHECK (a < d)");
  const auto& alter = bound->As<BoundAlterTable>();
  CHECK(alter.rewrites);
  REQUIRE(alter.columns.size() == 3);
  CHECK(alter.columns[0].default_text == "9");
  CHECK(alter.columns[1].name == "c");
  CHECK(alter.columns[1].type == LogicalType(TypeId::kInteger));
  CHECK(alter.columns[2].name == "d");
  CHECK(alter.rows->types == std::vector<LogicalType>{TypeId::kInteger, TypeId::kInteger, TypeId::kInteger});
  CHECK(alter.constraints.checks.size() == 1);
  CHECK(alter.new_not_null == std::vector<size_t>{2});
  REQUIRE(alter.new_checks.size() == 1);
  CHECK(alter.new_checks[0].name == "k");
  CHECK(alter.new_uniques == Names{"p_d_key"});
  CHECK_FALSE(f.Bind("ALTER TABLE p ALTER b SET NOT NULL")->As<BoundAlterTable>().rewrites);
  CHECK(f.Bind("ALTER TABLE IF EXISTS nothing DROP a")->As<BoundAlterTable>().table == nullptr);
}

TEST_CASE("renaming follows into constraints and texts", "[binder]") {
  Fixture f;
  f.Run(
      "CREATE TABLE p (a int PRIMARY KEY, b int GENERATED ALWAYS AS (a + length('a')) STORED, CHECK (p.a > 1 "
      "AND \"a\" < 5))");
  f.Run("CREATE TABLE q (x int REFERENCES p)");
  f.Run("ALTER TABLE p RENAME COLUMN a TO \"New\"");
  CHECK(f.Unique("p", 0).columns == Names{"New"});
  CHECK(f.Table("p")->constraints.checks[0].text == "p.\"New\" > 1 AND \"New\" < 5");
  CHECK(f.Table("p")->columns[1].generated_text == "\"New\" + length('a')");
  CHECK(f.Table("q")->constraints.foreign_keys[0].referenced_columns == Names{"New"});
  f.Run("ALTER TABLE p RENAME TO r");
  CHECK(f.Table("r")->constraints.checks[0].text == "\"r\".\"New\" > 1 AND \"New\" < 5");
  CHECK(f.Table("q")->constraints.foreign_keys[0].referenced_table == "r");
  f.Run("ALTER TABLE r RENAME CONSTRAINT p_pkey TO key");
  CHECK(f.catalog.Find<IndexEntry>(*f.transaction, "", "key"));
  CHECK_FALSE(f.catalog.Find<IndexEntry>(*f.transaction, "", "p_pkey"));
}

TEST_CASE("ALTER TABLE refuses as PostgreSQL does", "[binder]") {
  Fixture f;
  f.Run("CREATE TABLE p (a int PRIMARY KEY, b int, g int GENERATED ALWAYS AS (b) STORED)");
  f.Run("CREATE TABLE q (x int REFERENCES p)");
  const auto error = [&](const std::string& actions) { return f.ErrorOf("ALTER TABLE p " + actions); };
  CHECK_THAT(error("DROP z"), Catch::StartsWith("42703@19 "));
  CHECK(error("DROP IF EXISTS z").empty());
  CHECK_THAT(error("DROP b"), Catch::StartsWith("2BP01@19 "));
  CHECK(f.Bind("ALTER TABLE p DROP b CASCADE")->As<BoundAlterTable>().columns.size() == 1);
  CHECK_THAT(error("ADD a int"), Catch::StartsWith("42701@18 "));
  CHECK(error("ADD IF NOT EXISTS a int").empty());
  CHECK_THAT(error("ALTER a DROP NOT NULL"), Catch::StartsWith("42P16@20 "));
  CHECK_THAT(error("ALTER g SET DEFAULT 5"), Catch::StartsWith("42601@20 "));
  CHECK_THAT(error("ALTER a SET DEFAULT now()"), Catch::StartsWith("42804@"));
  CHECK_THAT(error("ALTER a TYPE bigint"), Catch::StartsWith("0A000@20 "));  // q refers to it.
  CHECK_THAT(error("ALTER b TYPE bigint"), Catch::StartsWith("0A000@20 "));  // g is made of it.
  CHECK_THAT(f.ErrorOf("ALTER TABLE t ALTER d TYPE int"), Catch::StartsWith("42804@20 "));
  CHECK_THAT(error("DROP CONSTRAINT z"), Catch::StartsWith("42704@30 "));
  CHECK_THAT(error("RENAME a TO b"), Catch::StartsWith("42701@21 "));
  CHECK_THAT(error("RENAME TO t"), Catch::StartsWith("42P07@14 "));
  CHECK_THAT(error("SET SCHEMA nothing"), Catch::StartsWith("3F000@14 "));
  CHECK_THAT(error("ALTER b DROP IDENTITY"), Catch::StartsWith("55000@20 "));
  CHECK_THAT(error("ALTER b DROP EXPRESSION"), Catch::StartsWith("55000@20 "));
  CHECK_THAT(f.ErrorOf("ALTER TABLE nothing DROP a"), Catch::StartsWith("42P01@12 "));
}

TEST_CASE("transactions keep their modes", "[binder]") {
  Fixture f;
  auto bound = f.Bind("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  const auto& begin = bound->As<BoundTransaction>();
  CHECK(begin.action == BoundTransaction::Action::kBegin);
  CHECK(begin.isolation == IsolationLevel::kRepeatableRead);
  CHECK(begin.read_only == true);
  auto savepoint = f.Bind("ROLLBACK TO a");
  CHECK(savepoint->As<BoundTransaction>().action == BoundTransaction::Action::kRollbackTo);
  CHECK(savepoint->As<BoundTransaction>().savepoint == "a");
}

}  // namespace scaup::test
