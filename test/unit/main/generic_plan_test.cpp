// Plans for any values of parameters: of which statements they are made, and that they answer as others do.
#include "main/statement/generic_plan.hpp"

#include <catch2/catch.hpp>

#include "main/database/database_instance.hpp"
#include "main/session/session.hpp"

namespace scaup {

namespace {

struct Fixture {
  Fixture() {
    Run("CREATE TABLE t (a INTEGER, b INTEGER, c VARCHAR UNIQUE, d DOUBLE, PRIMARY KEY (a, b))");
    Run("CREATE INDEX on_d ON t (d)");
    Run("INSERT INTO t SELECT i, i % 3, 'text ' || i, i / 2.0 FROM generate_series(1, 100) AS s(i)");
    Run("CREATE TABLE u (a INTEGER PRIMARY KEY)");
  }

  QueryResult Run(const std::string& sql) { return session->Execute(sql, {}, false); }

  /// Whether a generic plan runs the statement.
  bool IsGeneric(const std::string& sql, const std::vector<Value>& parameters = {}) {
    const ast::StatementPtr statement = SingleStatement(sql, session->Parse(sql));
    PreparedPlan prepared = session->Prepare(*statement);
    session->ExecutePrepared(*statement, prepared, parameters);
    return prepared.generic != nullptr;
  }

  std::shared_ptr<DatabaseInstance> database = std::make_shared<DatabaseInstance>(":memory:", Config{});
  std::shared_ptr<Session> session = std::make_shared<Session>(database);
};

/// A statement that is prepared once.
class Prepared {
 public:
  Prepared(std::shared_ptr<Session> session, const std::string& sql)
      : session_(std::move(session)),
        statement_(SingleStatement(sql, session_->Parse(sql))),
        plan_(session_->Prepare(*statement_)) {}
  std::string Run(const std::vector<Value>& parameters) {
    return session_->ExecutePrepared(*statement_, plan_, parameters).ToString();
  }
  bool is_generic() const { return plan_.generic != nullptr; }

 private:
  std::shared_ptr<Session> session_;
  ast::StatementPtr statement_;
  PreparedPlan plan_;
};

std::string StateOfError(const std::function<void()>& action) {
  try {
    action();
    return "";
  } catch (const Error& error) {
    return std::string(error.sqlstate());
  }
}

}  // namespace

TEST_CASE("Generic plans are made where no execution could be planned better", "[main][generic_plan]") {
  Fixture fixture;
  const Value one = Value::Integer(1), text = Value::Varchar("text 5");
  CHECK(fixture.IsGeneric("SELECT * FROM t WHERE c = $1", {text}));
  CHECK(fixture.IsGeneric("SELECT upper(c) || $2 FROM t WHERE $1 = c AND d > 1", {text, text}));
  CHECK(fixture.IsGeneric("SELECT d FROM t WHERE b = $1 AND a = $2", {one, one}));
  CHECK(fixture.IsGeneric("SELECT d FROM t WHERE a = 1 AND b = 1"));
}

TEST_CASE("What writes by key or given rows has a generic plan, too", "[main][generic_plan]") {
  Fixture fixture;
  const Value one = Value::Integer(1), text = Value::Varchar("text 5");
  CHECK(fixture.IsGeneric("INSERT INTO u VALUES ($1 + 1000), (5)", {one}));
  CHECK(fixture.IsGeneric("INSERT INTO u VALUES ($1) ON CONFLICT DO NOTHING RETURNING a", {one}));
  CHECK(fixture.IsGeneric("UPDATE t SET d = $1 WHERE c = $2 RETURNING d", {one, text}));
  CHECK(fixture.IsGeneric("DELETE FROM t WHERE a = $1 AND b = $1", {one}));
}

TEST_CASE("Where values or statistics matter there is no generic plan", "[main][generic_plan]") {
  Fixture fixture;
  const Value one = Value::Integer(1), text = Value::Varchar("text 5");
  CHECK_FALSE(fixture.IsGeneric("SELECT * FROM t WHERE a = $1", {one}));
  CHECK_FALSE(fixture.IsGeneric("SELECT * FROM t WHERE d = $1", {one}));
  CHECK_FALSE(fixture.IsGeneric("SELECT * FROM t WHERE c > $1", {text}));
  CHECK_FALSE(fixture.IsGeneric("SELECT * FROM t WHERE c = $1 OR a = 3", {text}));
  CHECK_FALSE(fixture.IsGeneric("SELECT count(*) FROM t WHERE c = $1", {text}));
  CHECK_FALSE(fixture.IsGeneric("SELECT * FROM t JOIN u USING (a) WHERE c = $1", {text}));
  CHECK_FALSE(
      fixture.IsGeneric("SELECT current_setting($2) FROM t WHERE c = $1", {text, Value::Varchar("jit")}));
  CHECK(fixture.IsGeneric("SELECT now(), c FROM t WHERE c = $1", {text}));
  CHECK_FALSE(fixture.IsGeneric("INSERT INTO u SELECT a + 500 FROM t"));
  CHECK_FALSE(fixture.IsGeneric("UPDATE t SET d = 1"));
  fixture.Run("SET disabled_optimizers = 'top_n'");
  CHECK_FALSE(fixture.IsGeneric("SELECT * FROM t WHERE c = $1", {text}));
  fixture.Run("RESET disabled_optimizers; SET plan_cache_mode = 'force_custom_plan'");
  CHECK_FALSE(fixture.IsGeneric("SELECT * FROM t WHERE c = $1", {text}));
}

TEST_CASE("A generic plan computes what has one value in a statement", "[main][generic_plan]") {
  Fixture fixture;
  fixture.Run("CREATE TABLE log (a INTEGER, at TIMESTAMP, zone VARCHAR, since TIMESTAMPTZ DEFAULT now())");
  Prepared insert(fixture.session,
                  "INSERT INTO log VALUES ($2, CURRENT_TIMESTAMP, current_setting('timezone'))");
  CHECK(fixture.IsGeneric("INSERT INTO log VALUES ($1, now())", {Value::Integer(0)}));
  fixture.Run("DELETE FROM log");
  const std::vector<Value> values = {Value::Integer(7), Value::Integer(1)};
  insert.Run(values);
  fixture.Run("SET timezone = 'Europe/Berlin'");
  insert.Run(values);
  fixture.Run("SELECT count(*) FROM range(1000000)");
  insert.Run(values);
  CHECK(fixture.Run("SELECT count(DISTINCT since), count(DISTINCT at) >= 3, min(a), max(a) FROM log")
            .ToString() == "3\ttrue\t1\t1\n");
  CHECK(fixture.Run("SELECT zone FROM log ORDER BY since").ToString() ==
        "UTC\nEurope/Berlin\nEurope/Berlin\n");
  fixture.Run("BEGIN");
  Prepared twice(fixture.session, "INSERT INTO log (a, at) VALUES ($1, now()) RETURNING since = now()");
  CHECK(twice.Run({Value::Integer(8)}) == "true\n");
  fixture.Run("SELECT count(*) FROM range(1000000)");
  CHECK(twice.Run({Value::Integer(8)}) == "true\n");
  CHECK(fixture.Run("SELECT count(DISTINCT since) FROM log WHERE a = 8").ToString() == "1\n");
  fixture.Run("ROLLBACK");
}

TEST_CASE("A generic plan answers for each execution's values and data", "[main][generic_plan]") {
  Fixture fixture;
  Prepared read(fixture.session, "SELECT b, $2 FROM t WHERE c = $1");
  Prepared change(fixture.session, "UPDATE t SET b = b + $1 WHERE c = $2 RETURNING b");
  const auto key = [](int number) { return Value::Varchar("text " + std::to_string(number)); };
  CHECK(read.Run({key(4), key(0)}) == "1\ttext 0\n");
  CHECK(read.Run({key(5), key(1)}) == "2\ttext 1\n");
  CHECK(read.Run({key(500), key(1)}).empty());
  CHECK(read.Run({Value(), key(1)}).empty());
  CHECK(change.Run({Value::Integer(10), key(4)}) == "11\n");
  CHECK(change.Run({Value::Integer(10), Value()}).empty());
  CHECK(read.Run({key(4), Value()}) == "11\tNULL\n");
  fixture.Run("DELETE FROM t WHERE c = 'text 4'");
  CHECK(read.Run({key(4), Value()}).empty());
  CHECK(StateOfError([&] { change.Run({Value::Varchar("ten"), key(5)}); }) == "22P02");
  CHECK(change.Run({Value::Varchar("10"), key(5)}) == "12\n");
  CHECK(read.is_generic());
  CHECK(change.is_generic());
  fixture.Run("ALTER TABLE t ALTER COLUMN b TYPE VARCHAR");
  CHECK(read.Run({key(5), key(1)}) == "12\ttext 1\n");
}

TEST_CASE("What a generic plan reads is tested at the commit", "[main][generic_plan]") {
  Fixture fixture;
  const auto other = std::make_shared<Session>(fixture.database);
  Prepared read(fixture.session, "SELECT d FROM t WHERE c = $1");
  for (const int changed : {7, 8}) {
    fixture.Run("BEGIN");
    read.Run({Value::Varchar("text 7")});
    REQUIRE(read.is_generic());
    other->Execute("UPDATE t SET d = d + 1 WHERE c = 'text " + std::to_string(changed) + "'", {}, false);
    fixture.Run("UPDATE t SET d = 0 WHERE c = 'text 20'");
    CHECK(StateOfError([&] { fixture.Run("COMMIT"); }) == (changed == 7 ? "40001" : ""));
  }
}

}  // namespace scaup
