// Every way to read a table logs the read: another transaction's commit that changes the answer stops a
// serializable transaction that has written something, and a commit that does not change it does not.
#include <catch2/catch.hpp>

#include "main/database/database_instance.hpp"
#include "main/session/session.hpp"

namespace scaup {

namespace {

/// A way to read, and what other transactions may do meanwhile.
struct ReadPath {
  std::string name;
  std::string read;      ///< a statement, or several
  std::string conflict;  ///< changes what the statement reads
  std::string harmless;  ///< does not; "" if every change of the table counts
  std::string plan =
      {};  ///< what EXPLAIN ANALYZE of the statement must mention, so that the way is the one meant
};

const std::vector<ReadPath>& ReadPaths() {
  static const auto& paths = *new std::vector<ReadPath>{
      {"scan", "SELECT sum(v) FROM t WHERE v > 40 AND v < 50", "UPDATE t SET v = 45 WHERE id = 1",
       "UPDATE t SET v = 60 WHERE id = 70", "Scan"},
      {"lookup of a key", "SELECT v FROM t WHERE id = 5", "UPDATE t SET v = 0 WHERE id = 5",
       "UPDATE t SET v = 0 WHERE id = 6", "rows found by the index"},
      {"lookup of an absent key", "SELECT v FROM t WHERE id = 700000",
       "INSERT INTO t VALUES (700000, 1, 1, 'x')", "INSERT INTO t VALUES (700001, 1, 1, 'x')"},
      {"lookup of listed keys", "SELECT v FROM t WHERE id IN (5, 7)", "DELETE FROM t WHERE id = 7",
       "DELETE FROM t WHERE id = 6", "rows found by the index"},
      {"lookup of a range", "SELECT v FROM t WHERE id BETWEEN 5 AND 7", "DELETE FROM t WHERE id = 6",
       "DELETE FROM t WHERE id = 8", "rows found by the index"},
      {"alternatives", "SELECT s FROM t WHERE v = 5 OR w = 100", "UPDATE t SET w = 100 WHERE id = 1",
       "UPDATE t SET w = 99, s = 'x' WHERE id = 1"},
      {"alternatives that rows leave", "SELECT s FROM t WHERE v = 5 OR v = 6",
       "UPDATE t SET v = -1 WHERE id = 6", "UPDATE t SET v = -1 WHERE id = 7"},
      {"alternatives with a filter", "SELECT s FROM t WHERE id > 10 AND (v = 5000 OR w = 100)",
       "INSERT INTO t VALUES (6000, 1, 100, '')", "INSERT INTO t VALUES (-1, 1, 100, '')"},
      {"alternatives that statistics prove", "SELECT max(w) FROM t WHERE v >= 0 OR w >= 0",
       "UPDATE t SET v = -1, w = -1 WHERE id = 1", ""},
      {"lookup of words", "SELECT v FROM t WHERE matches(s, 'word77')",
       "UPDATE t SET s = 'word77' WHERE id = 1", "", "rows found by the index"},
      {"count", "SELECT count(*) FROM t", "DELETE FROM t WHERE id = 1", "UPDATE t SET v = 0 WHERE id = 1",
       "TableCount"},
      {"order of an index", "SELECT v FROM t ORDER BY id LIMIT 3", "DELETE FROM t WHERE id = 2",
       "DELETE FROM t WHERE id = 200", "entries of the index"},
      {"order of an index, downwards over NULLs", "SELECT id FROM t ORDER BY v DESC LIMIT 3",
       "UPDATE t SET v = NULL WHERE id = 1", "DELETE FROM t WHERE id = 2", "entries of the index"},
      {"LIMIT 0", "SELECT v FROM t ORDER BY id LIMIT 0; SELECT v FROM t WHERE id = 5",
       "DELETE FROM t WHERE id = 5", "DELETE FROM t WHERE id = 2"},
      {"join by keys of an index", "SELECT t.v FROM few JOIN t ON t.id = few.x",
       "UPDATE t SET v = 0 WHERE id = 20", "UPDATE t SET v = 0 WHERE id = 21", "IndexJoin"},
      {"join", "SELECT count(*) FROM t JOIN u ON u.x = t.v", "DELETE FROM t WHERE id = 1", ""},
      {"semi-join", "SELECT count(*) FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.v = u.x)",
       "UPDATE t SET v = 0 WHERE id = 1", "UPDATE t SET w = 1 WHERE id = 1"},
      {"emptiness by statistics", "SELECT w FROM t WHERE v > 1000000",
       "UPDATE t SET v = 2000000 WHERE id = 1", "UPDATE t SET v = 5 WHERE id = 1", "0 rows"},
      {"a filter that statistics prove", "SELECT max(w) FROM t WHERE v >= 0",
       "UPDATE t SET v = -1 WHERE id = 1", "UPDATE t SET s = 'x' WHERE id = 1"},
      {"recursion",
       "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT t.id + 1 FROM r JOIN t ON t.id = r.n "
       "WHERE r.n < 4) SELECT count(*) FROM r",
       "DELETE FROM t WHERE id = 2", ""},
      {"prepared statement",
       "PREPARE p(INTEGER) AS SELECT v FROM t WHERE id = $1; EXECUTE p(5); EXECUTE p(6); EXECUTE p(7); "
       "EXECUTE p(8); EXECUTE p(9); EXECUTE p(10); EXECUTE p(11); DEALLOCATE p",
       "UPDATE t SET v = 0 WHERE id = 11", "UPDATE t SET v = 0 WHERE id = 12"},
      {"INSERT ... SELECT", "INSERT INTO u SELECT v FROM t WHERE id = 9", "UPDATE t SET v = 0 WHERE id = 9",
       "UPDATE t SET v = 0 WHERE id = 10"},
      {"ON CONFLICT DO NOTHING", "INSERT INTO t VALUES (5, 0, 0, '') ON CONFLICT DO NOTHING",
       "DELETE FROM t WHERE id = 5", "UPDATE t SET v = 0 WHERE id = 5"},
      {"ON CONFLICT with a condition",
       "INSERT INTO t AS o VALUES (5, 0, 0, '') ON CONFLICT (id) DO UPDATE SET v = 1 WHERE o.w = 77",
       "UPDATE t SET w = 77 WHERE id = 5", "UPDATE t SET s = 'x' WHERE id = 5"},
      {"a key that is taken", "SAVEPOINT s; INSERT INTO t VALUES (5, 0, 0, ''); ROLLBACK TO s",
       "DELETE FROM t WHERE id = 5", "UPDATE t SET v = 0 WHERE id = 5"},
      {"a key that is free", "SAVEPOINT s; INSERT INTO t VALUES (-5, 0, 0, ''); ROLLBACK TO s",
       "INSERT INTO t VALUES (-5, 0, 0, '')", "INSERT INTO t VALUES (-6, 0, 0, '')"},
      {"reference to a row", "INSERT INTO child VALUES (5)", "DELETE FROM t WHERE id = 5",
       "UPDATE t SET v = 0 WHERE id = 5"},
      {"UPDATE", "UPDATE u SET x = (SELECT v FROM t WHERE id = 3)", "UPDATE t SET v = 0 WHERE id = 3",
       "UPDATE t SET v = 0 WHERE id = 4"},
      {"DELETE", "DELETE FROM t WHERE v = 9999999", "UPDATE t SET v = 9999999 WHERE id = 1",
       "UPDATE t SET v = 1 WHERE id = 1"},
      {"MERGE", "MERGE INTO u USING t ON u.x = t.v AND t.id = 3 WHEN MATCHED THEN DELETE",
       "UPDATE t SET v = 0 WHERE id = 3", ""},
      {"TRUNCATE", "TRUNCATE u", "INSERT INTO u VALUES (5)", ""},
      {"documents", "SELECT a FROM d WHERE b = 3", "UPDATE d SET a = 0 WHERE b = 3",
       "UPDATE d SET a = 0 WHERE b = 4"},
      {"types of documents", "SELECT a FROM d WHERE b = 3", "INSERT INTO d VALUES ('{\"a\": \"text\"}')",
       "INSERT INTO d VALUES ('{\"a\": 1, \"b\": 9}')"},
      {"attributes of documents", "SELECT * FROM pragma_collection_info('d')",
       "INSERT INTO d VALUES ('{\"a\": 1, \"b\": 9}')", ""},
      {"elements of documents", "SELECT n FROM e WHERE n = 3",
       "UPDATE d SET k = '[{\"n\": 3}]'::JSON WHERE b = 7",
       "UPDATE d SET k = '[{\"n\": 4}]'::JSON WHERE b = 7"},
  };
  return paths;
}

struct Fixture {
  Fixture() {
    Run(*a, "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, w INTEGER, s VARCHAR)");
    Run(*a, "INSERT INTO t SELECT g, g, g % 7, 'word' || g FROM generate_series(1, 5000) AS r(g)");
    Run(*a, "CREATE INDEX by_v ON t (v)");
    Run(*a, "CREATE INDEX ON t USING text (s)");
    Run(*a, "CREATE TABLE u (x INTEGER); INSERT INTO u SELECT * FROM generate_series(1, 3000)");
    Run(*a, "CREATE TABLE few (x INTEGER); INSERT INTO few VALUES (10), (20)");
    Run(*a, "CREATE TABLE child (x INTEGER REFERENCES t (id))");
    Run(*a, "CREATE COLLECTION d");
    Run(*a,
        "INSERT INTO d SELECT ('{\"a\": ' || g || ', \"b\": ' || g || ', \"k\": [{\"n\": 0}]}') "
        "FROM generate_series(1, 100) AS r(g)");
    Run(*a, "CREATE ELEMENT TABLE e ON d (k)");
    Run(*a, "CREATE TABLE notes (x INTEGER)");
  }

  /// Runs statements one by one, also after an error. Returns the SQLSTATE of the last error; "" if there was
  /// none.
  static std::string Run(Session& session, const std::string& statements) {
    std::string state;
    for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 2) {
      end = statements.find("; ", begin);
      try {
        session.Execute(statements.substr(begin, end - begin), {}, true);
      } catch (const Error& error) {
        state = error.sqlstate();
      }
    }
    return state;
  }
  /// Returns the SQLSTATE with which a transaction commits that has read, and written elsewhere, while
  /// another one has committed `other`; "" for success.
  std::string Commit(const std::string& read, const std::string& other) {
    Run(*a, "BEGIN ISOLATION LEVEL SERIALIZABLE");
    Run(*a, read);
    Run(*a, "INSERT INTO notes VALUES (1)");
    REQUIRE(Run(*b, other) == "");
    return Run(*a, "COMMIT");
  }

  std::shared_ptr<DatabaseInstance> database = std::make_shared<DatabaseInstance>(":memory:", Config{});
  std::shared_ptr<Session> a = std::make_shared<Session>(database), b = std::make_shared<Session>(database);
};

}  // namespace

TEST_CASE("Every way to read a table logs the read", "[main][transactions]") {
  for (const ReadPath& path : ReadPaths()) {
    INFO(path.name);
    CHECK(Fixture().Commit(path.read, path.conflict) == "40001");
    if (!path.harmless.empty()) CHECK(Fixture().Commit(path.read, path.harmless) == "");
    if (path.plan.empty()) continue;
    Fixture fixture;
    const std::string plan = fixture.a->Execute("EXPLAIN ANALYZE " + path.read, {}, false).ToString();
    CHECK_THAT(plan, Catch::Contains(path.plan));
  }
}

TEST_CASE("Constraints are checked against reads at every isolation level", "[main][transactions]") {
  const auto commit = [](const std::string& change, const std::string& other) {
    Fixture fixture;
    Fixture::Run(*fixture.a, "BEGIN ISOLATION LEVEL REPEATABLE READ");
    REQUIRE(Fixture::Run(*fixture.a, "SELECT 1 FROM notes; " + change) == "");
    REQUIRE(Fixture::Run(*fixture.b, other) == "");
    return Fixture::Run(*fixture.a, "COMMIT");
  };
  CHECK(commit("INSERT INTO child VALUES (5)", "DELETE FROM t WHERE id = 5") == "40001");
  // Other reads are not validated at this level.
  CHECK(commit("INSERT INTO notes SELECT v FROM t WHERE id = 5", "UPDATE t SET v = 0 WHERE id = 5") == "");
}

}  // namespace scaup
