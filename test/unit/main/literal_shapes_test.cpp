// Texts that differ in literals alone: they share a plan, and mean what they would mean by themselves.
#include "main/session/literal_shapes.hpp"

#include <catch2/catch.hpp>

#include "main/database/database_instance.hpp"
#include "main/session/session.hpp"

namespace scaup {

namespace {

struct Fixture {
  Fixture() {
    Run("CREATE TABLE t (a INTEGER PRIMARY KEY, small SMALLINT, big BIGINT, d DECIMAL(8,2), x DOUBLE, s "
        "VARCHAR, "
        "padded CHAR(4), day DATE, j JSON, few VARCHAR(3))");
    Run("INSERT INTO t SELECT i, i, i, i, i, 'name ' || i, 'p', DATE '2020-01-01' + i::int, '1', 'f' "
        "FROM range(1, 10) r (i)");
  }

  std::string Run(const std::string& sql) { return session->Execute(sql, {}, false).ToString(); }

  /// Makes the shape of a text known by two others of it, as the session would. Returns whether it has a
  /// plan.
  bool Learns(const std::string& sql) {
    const auto shape = shapes.ShapeToLearn(sql);
    if (!shape) return false;
    return session_learns(sql, *shape);
  }

  bool session_learns(const std::string& sql, const TextShape& shape) {
    ast::StatementPtr statement = SingleStatement(sql, session->Parse(sql));
    const auto literals = ParameterizeLiterals(*statement, sql, shape);
    if (!literals) return false;
    const PreparedPlan prepared = session->Prepare(*statement, TypesToBind(*literals, shape));
    return AreBoundLikeLiterals(*literals, shape, prepared);
  }

  /// Whether texts of the shape of `sql` share a plan.
  bool Shares(const std::string& sql) {
    const auto shape = ShapeOf(sql);
    return shape && session_learns(sql, *shape);
  }

  /// Returns SQLSTATE and position of the error.
  std::string ErrorOf(const std::string& sql) {
    try {
      Run(sql);
    } catch (const Error& error) {
      return std::string(error.sqlstate()) + " " +
             (error.position() ? std::to_string(*error.position()) : "-");
    }
    return "";
  }

  std::shared_ptr<DatabaseInstance> database = std::make_shared<DatabaseInstance>(":memory:", Config{});
  std::shared_ptr<Session> session = std::make_shared<Session>(database);
  LiteralShapes shapes;
};

}  // namespace

TEST_CASE("Literals beside columns become parameters", "[main][literals]") {
  Fixture fixture;
  CHECK(fixture.Shares("SELECT s FROM t WHERE a = 5"));
  CHECK(fixture.Shares("SELECT s FROM t WHERE small = 5 AND big > -7 OR 'x' <= s"));
  CHECK(fixture.Shares("UPDATE t SET big = big + 5, small = 3, d = 4, s = 'x' WHERE a = 5"));
  CHECK(fixture.Shares("UPDATE t SET big = big + -5 WHERE a = 5"));
  CHECK(fixture.Shares("DELETE FROM t WHERE day = '2020-01-05'"));
  CHECK(
      fixture.Shares("INSERT INTO t (a, s, day, x) VALUES (11, 'x', '2020-01-01', 5), (12, 'y', NULL, -5)"));
  CHECK(fixture.Shares("INSERT INTO t (a, few) VALUES (11, 'xyz')"));
}

TEST_CASE("Literals that mean more than their value do not", "[main][literals]") {
  Fixture fixture;
  // The type of a number decides that of the comparison, the text of a name, and the place of a column.
  CHECK_FALSE(fixture.Shares("SELECT s FROM t WHERE d = 5"));
  CHECK_FALSE(fixture.Shares("SELECT s FROM t WHERE x = 5"));
  CHECK_FALSE(fixture.Shares("SELECT s FROM t WHERE s = 5"));
  CHECK_FALSE(fixture.Shares("SELECT s, a FROM t WHERE a = 5 ORDER BY 1"));
  CHECK_FALSE(fixture.Shares("SELECT s, a FROM t WHERE a = 5 LIMIT 1"));
  CHECK_FALSE(fixture.Shares("SELECT 1 FROM t WHERE a = 5"));
  CHECK_FALSE(fixture.Shares("SELECT s::varchar(3) FROM t WHERE a = 5"));
  CHECK_FALSE(fixture.Shares("SELECT s FROM t WHERE a IN (5, 6)"));
  CHECK_FALSE(fixture.Shares("SELECT s FROM t WHERE day = DATE '2020-01-01'"));
  CHECK_FALSE(fixture.Shares("SELECT s FROM t WHERE a = - 5 + 1"));
  CHECK_FALSE(fixture.Shares("INSERT INTO t (a, j) VALUES (11, '[1]')"));
  CHECK_FALSE(fixture.Shares("INSERT INTO t (a, s) VALUES (11, 12)"));
}

TEST_CASE("A shape is learnt when it comes again", "[main][literals]") {
  Fixture fixture;
  CHECK_FALSE(fixture.shapes.ShapeToLearn("SELECT s FROM t WHERE a = 5"));
  CHECK(fixture.shapes.ShapeToLearn("SELECT s FROM t WHERE a = 6"));
  CHECK_FALSE(fixture.shapes.ShapeToLearn("SELECT s FROM t WHERE a = 'x'"));
  CHECK_FALSE(fixture.shapes.ShapeToLearn("SELECT s  FROM t WHERE a = 6"));
  CHECK_FALSE(fixture.shapes.Find("SELECT s FROM t WHERE a = 7"));
}

TEST_CASE("Texts with other literals have their own answers", "[main][literals]") {
  Fixture fixture;
  for (int i = 1; i < 10; i++) {
    const std::string n = std::to_string(i);
    CHECK(fixture.Run("SELECT s FROM t WHERE a = " + n) == "name " + n + "\n");
    CHECK(fixture.Run("SELECT a FROM t WHERE s = 'name " + n + "'") == n + "\n");
    CHECK(fixture.Run("SELECT count(*) FROM t WHERE small < " + n) == std::to_string(i - 1) + "\n");
    CHECK(fixture.Run("SELECT a FROM t WHERE d = " + n) == n + "\n");
    CHECK(fixture.Run("SELECT a FROM t WHERE day = '2020-01-0" + n + "'") ==
          (i == 1 ? "" : std::to_string(i - 1) + "\n"));
    CHECK(fixture.Run("SELECT typeof(" + n + "), " + n) == "INTEGER\t" + n + "\n");
    CHECK(fixture.Run("SELECT a, s FROM t WHERE a > 0 ORDER BY 1 LIMIT " + n).substr(0, 8) == "1\tname 1");
    fixture.Run("UPDATE t SET big = big + -" + n + " WHERE a = " + n);
    CHECK(fixture.Run("SELECT big FROM t WHERE a = " + n) == "0\n");
    fixture.Run("INSERT INTO t (a, d, x) VALUES (1" + n + ", " + n + ", -" + n + ")");
    CHECK(fixture.Run("SELECT d, x FROM t WHERE a = 1" + n) == n + ".00\t-" + n + "\n");
    fixture.Run("DELETE FROM t WHERE a = 1" + n);
    CHECK(fixture.Run("SELECT count(*) FROM t") == "9\n");
  }
}

TEST_CASE("Values that do not fit the plan are planned by themselves", "[main][literals]") {
  Fixture fixture;
  const std::string small = "SELECT a FROM t WHERE small = ";
  CHECK(fixture.Run(small + "1") == "1\n");
  CHECK(fixture.Run(small + "2") == "2\n");
  CHECK(fixture.Run(small + "3") == "3\n");
  CHECK(fixture.Run(small + "100000").empty());
  CHECK(fixture.Run(small + "-100000").empty());
  CHECK(fixture.Run(small + "9999999999").empty());
  CHECK(fixture.Run("SELECT count(*) FROM t WHERE small < 100000") == "9\n");
  const std::string day = "SELECT count(*) FROM t WHERE day < ";
  CHECK(fixture.Run(day + "'2020-01-02'") == "0\n");
  CHECK(fixture.Run(day + "'2020-01-03'") == "1\n");
  CHECK(fixture.Run(day + "'2020-01-04'") == "2\n");
  CHECK(fixture.Run(day + "'today'") == "9\n");
  CHECK(fixture.Run(day + "'tomorrow'") == "9\n");
  CHECK(fixture.ErrorOf(day + "'2020-13-01'").substr(0, 2) == "22");
  const std::string padded = "SELECT count(*) FROM t WHERE padded = ";
  CHECK(fixture.Run(padded + "'p'") == "9\n");
  CHECK(fixture.Run(padded + "'q'") == "0\n");
  CHECK(fixture.Run(padded + "'p  '") == "9\n");
}

TEST_CASE("Errors have the position in the text that ran", "[main][literals]") {
  Fixture fixture;
  const auto overflow = [](const std::string& value, const std::string& key) {
    return "UPDATE t SET a = a + " + value + " WHERE s = '" + key + "'";
  };
  fixture.Run("BEGIN");
  fixture.Run(overflow("100", "no"));
  fixture.Run(overflow("200", "none"));
  fixture.Run("ROLLBACK");
  for (const std::string value : {"2147483647", "2147483640", "2147483646"})
    CHECK(fixture.ErrorOf(overflow(value, "name 9")) == "22003 19");
  const auto later = [](const std::string& key, const std::string& value) {
    return "UPDATE t SET s = '" + key + "', a = a + " + value + " WHERE a = 9";
  };
  fixture.Run(later("a", "0"));
  fixture.Run(later("b", "0"));
  for (const std::string key : {"", "x", "a longer text"}) {
    const std::string sql = later(key, "2147483647");
    CHECK(fixture.ErrorOf(sql) == "22003 " + std::to_string(sql.find("+")));
  }
  // The value of a column that is too short.
  fixture.Run("UPDATE t SET few = 'a' WHERE a = 1");
  fixture.Run("UPDATE t SET few = 'b' WHERE a = 1");
  CHECK(fixture.ErrorOf("UPDATE t SET few = 'abcd' WHERE a = 1").substr(0, 5) == "22001");
}

TEST_CASE("Plans for literals follow the catalog and the settings", "[main][literals]") {
  Fixture fixture;
  const std::string find = "SELECT * FROM u WHERE k = ";
  fixture.Run("CREATE TABLE u (k INTEGER PRIMARY KEY, v INTEGER)");
  fixture.Run("INSERT INTO u VALUES (1, 10), (2, 20), (3, 30)");
  for (const std::string key : {"1", "2", "3"}) CHECK(fixture.Run(find + key) == key + "\t" + key + "0\n");
  fixture.Run("ALTER TABLE u ADD COLUMN w INTEGER DEFAULT 5");
  for (const std::string key : {"1", "2", "3"}) CHECK(fixture.Run(find + key) == key + "\t" + key + "0\t5\n");
  fixture.Run("DROP TABLE u");
  CHECK(fixture.ErrorOf(find + "1") == "42P01 14");
  fixture.Run("BEGIN");
  fixture.Run("CREATE TABLE u (k VARCHAR)");
  fixture.Run("INSERT INTO u VALUES ('1')");
  CHECK(fixture.ErrorOf(find + "2").substr(0, 5) == "42883");
  fixture.Run("ROLLBACK");
  fixture.Run("CREATE TABLE u (k BIGINT)");
  fixture.Run("INSERT INTO u VALUES (1), (2), (5000000000)");
  for (const std::string key : {"1", "2", "1", "5000000000"}) CHECK(fixture.Run(find + key) == key + "\n");
}

TEST_CASE("Plans for literals let go of dropped tables", "[main][literals]") {
  Fixture fixture;
  for (int i = 1; i < 4; i++) fixture.Run("SELECT s FROM t WHERE a = " + std::to_string(i));
  std::weak_ptr<Table> table;
  {
    const ReadTransaction transaction(fixture.database->transactions());
    table = fixture.database->catalog().Find<TableEntry>(*transaction, "main", "t")->storage;
  }
  fixture.Run("DROP TABLE t");
  // Without literals, which would ask for a plan.
  fixture.Run("SELECT version()");
  CHECK(table.expired());
}

TEST_CASE("Streams of texts with literals", "[main][literals]") {
  Fixture fixture;
  for (int i = 1; i < 5; i++) {
    const std::string sql = "SELECT s FROM t WHERE a >= " + std::to_string(i);
    StreamingResult stream = fixture.session->Stream(sql, nullptr, {});
    QueryResult rows;
    size_t count = 0;
    while (stream.Fetch(rows)) count += rows.row_count();
    CHECK(count == static_cast<size_t>(10 - i));
  }
}

}  // namespace scaup
