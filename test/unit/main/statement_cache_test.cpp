// The cache of statements: what is kept and found, what is not, and when it goes.
#include "main/session/statement_cache.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "main/database/database_instance.hpp"
#include "main/session/session.hpp"

namespace scaup {

namespace {

using Types = std::vector<LogicalType>;

struct Fixture {
  Fixture() {
    session->Execute("CREATE TABLE t (a INTEGER, b VARCHAR)", {}, false);
    session->Execute("INSERT INTO t VALUES (1, 'one'), (2, 'two')", {}, false);
  }

  uint64_t version() const { return database->catalog().version(); }

  /// As a session does for a text: looks, and offers what it did not find. True where it was found.
  bool Use(const std::string& sql, const Types& types = {}) {
    if (CachedStatement* found = cache.Find(sql, types, version())) {
      CHECK(found->prepared.plan);
      CHECK(found->prepared.catalog_version == version());
      return true;
    }
    ast::StatementPtr statement = SingleStatement(sql, session->Parse(sql));
    PreparedPlan prepared = session->Prepare(*statement);
    if (cache.WouldKeep(sql, types, *statement, prepared))
      cache.Add(sql, types, {std::move(statement), std::move(prepared)});
    return false;
  }

  std::shared_ptr<DatabaseInstance> database = std::make_shared<DatabaseInstance>(":memory:", Config{});
  std::shared_ptr<Session> session = std::make_shared<Session>(database);
  StatementCache cache{4};
};

}  // namespace

TEST_CASE("A text that comes again is kept", "[main]") {
  Fixture fixture;
  const std::string sql = "SELECT a FROM t WHERE b = $1";
  CHECK_FALSE(fixture.Use(sql));
  CHECK(fixture.cache.size() == 0);
  CHECK_FALSE(fixture.Use(sql));
  CHECK(fixture.cache.size() == 1);
  CHECK(fixture.Use(sql));
  CHECK(fixture.Use(sql));
  // The text as it is written.
  CHECK_FALSE(fixture.Use("SELECT a FROM t  WHERE b = $1"));
  const CachedStatement* found = fixture.cache.Find(sql, {}, fixture.version());
  REQUIRE(found != nullptr);
  CHECK(found->statement->parameter_count == 1);
  CHECK(found->prepared.plan->names == std::vector<std::string>{"a"});
  fixture.cache.Clear();
  CHECK_FALSE(fixture.Use(sql));
}

TEST_CASE("The declared types of parameters tell statements apart", "[main]") {
  Fixture fixture;
  const std::string sql = "SELECT $1";
  const Types integers = {TypeId::kInteger}, untyped = {TypeId::kNull},
              two = {TypeId::kInteger, TypeId::kInteger};
  for (size_t i = 0; i < 2; i++) {
    CHECK_FALSE(fixture.Use(sql, integers));
    CHECK(fixture.cache.Find(sql, untyped, fixture.version()) == nullptr);
    CHECK(fixture.cache.Find(sql, two, fixture.version()) == nullptr);
  }
  CHECK(fixture.Use(sql, integers));
  const Types narrow = {LogicalType::Decimal(5, 2)}, wide = {LogicalType::Decimal(9, 2)};
  for (size_t i = 0; i < 2; i++) CHECK_FALSE(fixture.Use(sql, narrow));
  CHECK(fixture.Use(sql, narrow));
  CHECK_FALSE(fixture.Use(sql, wide));
}

TEST_CASE("The statement that was not used for longest makes room", "[main]") {
  Fixture fixture;
  const auto text = [](size_t i) { return "SELECT a + " + std::to_string(i) + " FROM t"; };
  for (size_t i = 0; i < 4; i++) {
    fixture.Use(text(i));
    fixture.Use(text(i));
  }
  CHECK(fixture.cache.size() == 4);
  CHECK(fixture.Use(text(0)));
  fixture.Use(text(4));
  fixture.Use(text(4));
  CHECK(fixture.cache.size() == 4);
  for (const size_t i : {0, 2, 3, 4}) CHECK(fixture.Use(text(i)));
  CHECK(fixture.cache.Find(text(1), {}, fixture.version()) == nullptr);
  // Again and again: places are given back.
  for (size_t i = 0; i < 300; i++) {
    fixture.Use(text(i));
    fixture.Use(text(i));
  }
  CHECK(fixture.cache.size() == 4);
}

TEST_CASE("Another version of the catalog lets all statements and their tables go", "[main]") {
  Fixture fixture;
  const std::string sql = "INSERT INTO t VALUES ($1, $2)";
  fixture.Use(sql);
  fixture.Use(sql);
  REQUIRE(fixture.Use(sql));
  const auto transaction = fixture.database->transactions().Begin();
  const std::weak_ptr<const TableEntry> table =
      fixture.database->catalog().Find<TableEntry>(*transaction, "main", "t");
  fixture.database->transactions().Rollback(*transaction);
  REQUIRE_FALSE(table.expired());
  fixture.session->Execute("DROP TABLE t", {}, false);
  CHECK(fixture.cache.Find("SELECT 1", {}, fixture.version()) == nullptr);
  CHECK(fixture.cache.size() == 0);
  CHECK(table.expired());
  fixture.session->Execute("CREATE TABLE t (a INTEGER, b VARCHAR)", {}, false);
  CHECK_FALSE(fixture.Use(sql));
  // A plan that was made before the version that was looked for is not kept.
  ast::StatementPtr statement = SingleStatement(sql, fixture.session->Parse(sql));
  PreparedPlan prepared = fixture.session->Prepare(*statement);
  fixture.session->Execute("CREATE TABLE u (a INTEGER)", {}, false);
  CHECK(fixture.cache.Find(sql, {}, fixture.version()) == nullptr);
  CHECK_FALSE(fixture.cache.WouldKeep(sql, {}, *statement, prepared));
}

TEST_CASE("A transaction begins at the version of the catalog that it sees", "[main]") {
  Fixture fixture;
  const uint64_t without_view = fixture.version();
  fixture.session->Execute("CREATE VIEW v AS SELECT 1 AS one", {}, false);
  const uint64_t step = fixture.version() - without_view;
  fixture.session->Execute("DROP VIEW v", {}, false);
  // Each change counts alike, so the version tells whether the view is there.
  REQUIRE(fixture.version() == without_view + 2 * step);
  std::atomic<bool> is_done{false};
  std::thread changer([&] {
    for (size_t i = 0; i < 2000; i++) {
      fixture.session->Execute("CREATE VIEW v AS SELECT 1 AS one", {}, false);
      fixture.session->Execute("DROP VIEW v", {}, false);
    }
    is_done.store(true);
  });
  size_t wrong_count = 0;
  while (!is_done.load()) {
    const auto begun = fixture.database->Begin();
    const bool sees_view =
        fixture.database->catalog().Find<ViewEntry>(*begun.transaction, "", "v") != nullptr;
    if (sees_view != ((begun.catalog_version - without_view) / step % 2 == 1)) wrong_count++;
    fixture.database->transactions().Rollback(*begun.transaction);
  }
  changer.join();
  CHECK(wrong_count == 0);
}

TEST_CASE("What depends on more than the catalog is not kept", "[main]") {
  Fixture fixture;
  const std::string long_text = "SELECT '" + std::string(5000, 'x') + "'";
  std::string wide = "SELECT a";
  for (size_t i = 0; i < 300; i++) wide += ", a";
  for (const std::string& sql :
       {std::string("SHOW threads"), std::string("DESCRIBE t"), std::string("EXPLAIN SELECT 1"),
        std::string("SELECT * FROM range(3)"), std::string("SELECT (SELECT count(*) FROM range(3)) FROM t"),
        std::string("CREATE TABLE u AS SELECT 1 AS a"), std::string("SET threads = 1"),
        std::string("PRAGMA show_tables"), long_text, wide + " FROM t"}) {
    INFO(sql.substr(0, 80));
    for (size_t i = 0; i < 3; i++) CHECK_FALSE(fixture.Use(sql));
    CHECK(fixture.cache.size() == 0);
  }
}

}  // namespace scaup
