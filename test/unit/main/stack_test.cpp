// Statements on small stacks: deep ones end in 54001 wherever the stack ends, plain ones need little of it.
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "common/stack_bound.hpp"
#include "scaup/connection.hpp"
#include "scaup/error.hpp"

// Frames are several times larger under sanitizers: sizes of stacks say nothing about those of users there.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace scaup {
namespace {

constexpr size_t kKilobyte = 1024 * kStackScale;

/// Runs `work` on a thread with a stack of this size.
void RunOnStack(size_t bytes, std::function<void()> work) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, bytes) == 0);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &work) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
}

std::string Repeat(std::string_view text, size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (size_t i = 0; i < count; i++) result += text;
  return result;
}

/// A statement of any depth, and what it gives as text; "" for anything.
struct DeepStatement {
  std::string name;
  std::function<std::string(size_t)> text;
  std::function<std::string(size_t)> answer;
};

DeepStatement Deep(
    std::string name, std::function<std::string(size_t)> text,
    std::function<std::string(size_t)> answer = [](size_t) { return std::string(); }) {
  return {std::move(name), std::move(text), std::move(answer)};
}

/// SELECT open open ... middle close close ...
DeepStatement Nested(const std::string& open, const std::string& middle, const std::string& close,
                     const std::string& answer = "") {
  return Deep(
      open + middle + close,
      [=](size_t n) { return "SELECT " + Repeat(open, n) + middle + Repeat(close, n); },
      [=](size_t) { return answer; });
}

std::string Chain(size_t n, const std::function<std::string(size_t)>& link) {
  std::string text;
  for (size_t i = 1; i < n; i++) text += link(i);
  return text;
}

std::vector<DeepStatement> DeepExpressions() {
  const auto number = [](size_t n) { return std::to_string(n); };
  return {
      Nested("(", "1", ")", "1"),
      Nested("abs(", "1", ")", "1"),
      Nested("-(", "1", ")"),
      Deep("NOT NOT",
           [](size_t n) { return "SELECT " + Repeat("NOT ", n) + "(i IS NULL) FROM t WHERE i = 1"; }),
      Deep(
          "case in case",
          [](size_t n) {
            return "SELECT " + Repeat("CASE WHEN i < 5 THEN ", n) + "i" + Repeat(" ELSE 8 END", n) +
                   " FROM t WHERE i = 1";
          },
          [](size_t) { return std::string("1"); }),
      Deep("condition in condition",
           [](size_t n) {
             return "SELECT " + Repeat("CASE WHEN ", n) + "i = 1" + Repeat(" THEN true ELSE false END", n) +
                    " FROM t WHERE i = 1";
           }),
      Nested("coalesce(NULL, ", "1", ")", "1"),
      Deep(
          "coalesce of rows",
          [](size_t n) {
            return "SELECT " + Repeat("coalesce(nullif(i, 1), ", n) + "7" + Repeat(")", n) +
                   " FROM t WHERE i = 1";
          },
          [](size_t) { return std::string("7"); }),
      Nested("[", "1", "]"),
      Nested("(SELECT ", "1", ")", "1"),
      Nested("EXISTS (SELECT ", "1", ")"),
      Deep(
          "IN", [](size_t n) { return "SELECT 1" + Repeat(" WHERE 1 IN (SELECT 1", n) + Repeat(")", n); },
          [](size_t) { return std::string("1"); }),
      Deep(
          "correlated subqueries",
          [](size_t n) {
            std::string text = "SELECT i FROM t t0 WHERE i = 1";
            for (size_t k = 1; k < n; k++)
              text += " AND EXISTS (SELECT 1 FROM t t" + std::to_string(k) + " WHERE t" + std::to_string(k) +
                      ".i = t" + std::to_string(k - 1) + ".i";
            return text + Repeat(")", n - 1);
          },
          [](size_t) { return std::string("1"); }),
      Deep(
          "1+1+...", [](size_t n) { return "SELECT (1" + Repeat(" + 1", n) + ")::BIGINT"; },
          [number](size_t n) { return number(n + 1); }),
      Deep(
          "i+1+...",
          [](size_t n) { return "SELECT (i" + Repeat(" + 1", n) + ")::BIGINT FROM t WHERE i = 1"; },
          [number](size_t n) { return number(n + 1); }),
      Deep(
          "sum(i+1+...)",
          [](size_t n) { return "SELECT sum(i" + Repeat(" + 1", n) + ")::BIGINT FROM t WHERE i = 1"; },
          [number](size_t n) { return number(n + 1); }),
      Deep(
          "order by i+1+...",
          [](size_t n) { return "SELECT i FROM t ORDER BY i" + Repeat(" + 1", n) + " LIMIT 1"; },
          [](size_t) { return std::string("0"); }),
      Deep(
          "|| of texts", [](size_t n) { return "SELECT length('x'" + Repeat(" || 'x'", n) + ")::BIGINT"; },
          [number](size_t n) { return number(n + 1); }),
      Deep(
          "and of or",
          [](size_t n) {
            return "SELECT i FROM t WHERE " + Repeat("(i = 1 AND (i < 9 OR ", n) + "i = 1" + Repeat("))", n);
          },
          [](size_t) { return std::string("1"); }),
      Deep(
          "casts", [](size_t n) { return "SELECT 1" + Repeat("::BIGINT::INTEGER", n); },
          [](size_t) { return std::string("1"); }),
  };
}

std::vector<DeepStatement> DeepTables() {
  const auto number = [](size_t n) { return std::to_string(n); };
  return {
      Deep(
          "derived tables",
          [](size_t n) {
            return "SELECT * FROM " + Repeat("(SELECT i + 1 AS i FROM ", n) + "(SELECT 0 AS i) x" +
                   Repeat(") x", n);
          },
          [number](size_t n) { return number(n); }),
      Deep(
          "derived tables with limits",
          [](size_t n) {
            return "SELECT * FROM " + Repeat("(SELECT i FROM ", n) + "t" +
                   Repeat(" ORDER BY i LIMIT 3) x", n) + " LIMIT 1";
          },
          [](size_t) { return std::string("0"); }),
      Deep(
          "groups of groups",
          [](size_t n) {
            return "SELECT count(*) FROM " + Repeat("(SELECT i FROM ", n) + "t" + Repeat(" GROUP BY i) x", n);
          },
          [](size_t) { return std::string("10"); }),
      Deep(
          "windows over windows",
          [](size_t n) {
            return "SELECT count(*) FROM " +
                   Repeat("(SELECT i, row_number() OVER (ORDER BY i) AS r FROM ", n) + "t" + Repeat(") x", n);
          },
          [](size_t) { return std::string("10"); }),
      Deep(
          "joins in a row",
          [](size_t n) {
            return "SELECT count(*) FROM t x0" + Chain(n, [](size_t k) {
                     return " JOIN t x" + std::to_string(k) + " ON x" + std::to_string(k) + ".i = x0.i";
                   });
          },
          [](size_t) { return std::string("10"); }),
      Deep(
          "left joins in a row",
          [](size_t n) {
            return "SELECT count(*) FROM t x0" + Chain(n, [](size_t k) {
                     return " LEFT JOIN t x" + std::to_string(k) + " ON x" + std::to_string(k) + ".i = x0.i";
                   });
          },
          [](size_t) { return std::string("10"); }),
      Deep(
          "joins in brackets",
          [](size_t n) {
            return "SELECT count(*) FROM " + Repeat("(", n) + "t x" + Chain(n + 1, [](size_t k) {
                     return " LEFT JOIN t y" + std::to_string(k) + " ON x.i = y" + std::to_string(k) + ".i)";
                   });
          },
          [](size_t) { return std::string("10"); }),
      Deep(
          "WITH parts in a row",
          [](size_t n) {
            return "WITH c0 AS (SELECT 1 AS x)" +
                   Chain(n,
                         [](size_t k) {
                           return ", c" + std::to_string(k) + " AS (SELECT x FROM c" + std::to_string(k - 1) +
                                  ")";
                         }) +
                   " SELECT * FROM c" + std::to_string(n - 1);
          },
          [](size_t) { return std::string("1"); }),
      Deep(
          "kept WITH parts in a row",
          [](size_t n) {
            return "WITH c0 AS MATERIALIZED (SELECT 1 AS x)" +
                   Chain(n,
                         [](size_t k) {
                           return ", c" + std::to_string(k) + " AS MATERIALIZED (SELECT x FROM c" +
                                  std::to_string(k - 1) + ")";
                         }) +
                   " SELECT * FROM c" + std::to_string(n - 1);
          },
          [](size_t) { return std::string("1"); }),
      Deep(
          "WITH in WITH",
          [](size_t n) {
            return Repeat("WITH a AS (", n) + "SELECT 1 AS x" + Repeat(") SELECT x FROM a", n);
          },
          [](size_t) { return std::string("1"); }),
  };
}

std::vector<DeepStatement> OtherDeepStatements() {
  const auto number = [](size_t n) { return std::to_string(n); };
  return {
      Deep(
          "UNION ALL in a row",
          [](size_t n) {
            return "SELECT count(*) FROM (SELECT 1" + Repeat(" UNION ALL SELECT 1", n) + ") x";
          },
          [number](size_t n) { return number(n + 1); }),
      Deep(
          "UNION in a row",
          [](size_t n) { return "SELECT count(*) FROM (SELECT 1" + Repeat(" UNION SELECT 2", n) + ") x"; },
          [](size_t) { return std::string("2"); }),
      Deep(
          "EXCEPT in a row", [](size_t n) { return "SELECT 1" + Repeat(" EXCEPT SELECT 2", n); },
          [](size_t) { return std::string("1"); }),
      Deep("UNION and EXCEPT by turns",
           [](size_t n) { return "SELECT 1" + Repeat(" UNION ALL SELECT 2 EXCEPT SELECT 3", n / 2); }),
      Deep(
          "UNION in brackets",
          [](size_t n) {
            return "SELECT count(*) FROM (" + Repeat("(SELECT 1 UNION ALL ", n) + "SELECT 1" +
                   Repeat(")", n) + ") x";
          },
          [number](size_t n) { return number(n + 1); }),
      Deep("EXPLAIN",
           [](size_t n) {
             return "EXPLAIN SELECT * FROM " + Repeat("(SELECT i FROM ", n) + "t" +
                    Repeat(" ORDER BY i LIMIT 3) x", n);
           }),
      Deep("EXPLAIN ANALYZE",
           [](size_t n) {
             return "EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM t WHERE i = 0" + Repeat(" + 1", n);
           }),
      Deep("JSON",
           [](size_t n) {
             return "SELECT ('" + Repeat("[", n) + "1" + Repeat("]", n) + "'::JSONB)::VARCHAR";
           }),
      Deep("JSON in objects",
           [](size_t n) {
             return "SELECT ('" + Repeat("{\"a\":", n) + "1" + Repeat("}", n) +
                    "'::JSONB) @> '{\"a\":1}'::JSONB";
           }),
      Deep("grouping sets in each other",
           [](size_t n) {
             return "SELECT count(*) FROM t GROUP BY " + Repeat("GROUPING SETS (", n) + "i" + Repeat(")", n);
           }),
      Deep("INSERT", [](size_t n) { return "INSERT INTO sink SELECT 1" + Repeat(" + 1", n); }),
      Deep("UPDATE", [](size_t n) { return "UPDATE sink SET i = 1" + Repeat(" + 1", n) + " WHERE i < 0"; }),
      Deep("DELETE",
           [](size_t n) { return "DELETE FROM sink WHERE i < " + Repeat("abs(", n) + "0" + Repeat(")", n); }),
      Deep("CHECK",
           [](size_t n) {
             return "DROP TABLE IF EXISTS checked; CREATE TABLE checked (i BIGINT CHECK (i < 1" +
                    Repeat(" + 1", n) + "))";
           }),
  };
}

std::vector<DeepStatement> DeepStatements() {
  std::vector<DeepStatement> all = DeepExpressions();
  for (const auto& more : {DeepTables(), OtherDeepStatements()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// What the statement gives in its first row and column, or "54001", or another error.
std::string Outcome(Connection& connection, const std::string& sql) {
  try {
    const auto result = connection.Query(sql);
    if (result.row_count() == 0) return "";
    return result.GetValue(0, 0).ToString();
  } catch (const Error& error) {
    if (std::string_view(error.sqlstate()) == "54001") {
      CHECK(std::string(error.what()).size() < 1000);
      return "54001";
    }
    return std::string("error ") + error.sqlstate() + ": " + error.what();
  }
}

size_t LargestDepth() {
  return std::getenv("SCAUP_STACK_DEPTH") ? std::strtoull(std::getenv("SCAUP_STACK_DEPTH"), nullptr, 10)
                                          : 1000;
}

}  // namespace

TEST_CASE("deep statements are right or refused on any stack", "[main][stack]") {
  using Clock = std::chrono::steady_clock;
  Database database(":memory:", {{"threads", "2"}});
  Connection setup(database);
  setup.Query("CREATE TABLE t AS SELECT i FROM range(10) AS r(i)");
  setup.Query("CREATE TABLE sink (i BIGINT)");
  for (const DeepStatement& deep : DeepStatements()) {
    for (const size_t kilobytes : {64, 96, 128, 256, 512, 1024, 8192}) {
      RunOnStack(kilobytes * kKilobyte, [&] {
        Connection connection(database);
        for (const size_t depth : {10, 30, 100, 300, 1000, 3000, 10000}) {
          if (depth > LargestDepth()) break;
          const auto begin = Clock::now();
          const std::string outcome = Outcome(connection, deep.text(depth));
          CAPTURE(deep.name, kilobytes, depth, outcome.substr(0, 300));
          const std::string wanted = deep.answer(depth);
          const bool is_right =
              outcome == "54001" || (wanted.empty() ? !outcome.starts_with("error XX") : outcome == wanted);
          CHECK(is_right);
          const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
          if (std::getenv("SCAUP_STACK_TIMES"))
            WARN(deep.name << " " << kilobytes << "k " << depth << " " << outcome.substr(0, 40) << " "
                           << seconds);
          if (outcome == "54001" || seconds > 0.25) break;
        }
      });
    }
  }
  CHECK(Outcome(setup, "SELECT count(*) FROM t") == "10");
}

TEST_CASE("plain statements need no more than 128 KiB of stack", "[main][stack]") {
  const auto directory = std::filesystem::temp_directory_path() / ("scaup_stack_" + std::to_string(getpid()));
  std::filesystem::create_directories(directory);
  const std::string csv = (directory / "a.csv").string(), json = (directory / "a.json").string();
  for (const char* threads : {"1", "2"}) {
    for (const bool is_file : {false, true}) {
      const auto path =
          is_file ? (directory / (std::string("stack") + threads + ".scaup")).string() : ":memory:";
      Database database(path, {{"threads", threads}});
      const std::vector<std::string> statements = {
          "CREATE TABLE a AS SELECT i AS k, i % 7 AS g, 'text ' || i AS s, i / 3.0 AS d FROM range(20000) "
          "r(i)",
          "CREATE TABLE b (k BIGINT PRIMARY KEY, n VARCHAR NOT NULL CHECK (length(n) < 100))",
          "INSERT INTO b SELECT k, s FROM a WHERE k < 5000",
          "CREATE COLLECTION docs",
          "INSERT INTO docs VALUES ('{\"a\": {\"b\": [1, {\"c\": \"x\"}]}, \"n\": 3}')",
          "SELECT a.b, n FROM docs WHERE n = 3",
          "SELECT count(*) FROM a JOIN b ON a.k = b.k LEFT JOIN a c ON c.k = b.k AND c.s LIKE '%9%'",
          "SELECT g, count(*), sum(d), count(DISTINCT s), string_agg(s, ',' ORDER BY k) FROM a GROUP BY "
          "ROLLUP (g) ORDER BY 1",
          "SELECT k, row_number() OVER (PARTITION BY g ORDER BY d DESC), sum(d) OVER (ORDER BY k ROWS 3 "
          "PRECEDING) FROM a ORDER BY 2 LIMIT 5",
          "COPY a TO '" + csv + "' (FORMAT csv, HEADER)",
          "CREATE TABLE c AS SELECT * FROM read_csv('" + csv + "')",
          "COPY a TO '" + json + "' (FORMAT json)",
          "SELECT count(*) FROM read_json_documents('" + json + "')",
          "MERGE INTO b USING a ON a.k = b.k WHEN MATCHED AND a.g = 1 THEN DELETE WHEN MATCHED THEN UPDATE "
          "SET n = a.s || '!' WHEN NOT MATCHED AND a.k < 6000 THEN INSERT VALUES (a.k, a.s)",
          "SELECT count(*) FROM a x WHERE d > (SELECT avg(d) FROM a y WHERE y.g = x.g) AND EXISTS (SELECT 1 "
          "FROM b WHERE b.k = x.k)",
          "SELECT g FROM a UNION SELECT k FROM b EXCEPT (SELECT 1 INTERSECT SELECT g FROM a) ORDER BY 1",
          "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 100) SELECT sum(n) "
          "FROM r",
          "EXPLAIN ANALYZE SELECT g, count(*) FROM a JOIN b USING (k) GROUP BY g HAVING count(*) > 1 ORDER "
          "BY 2",
          "UPDATE b SET n = upper(n) WHERE k IN (SELECT k FROM a WHERE g = 2)",
          "DELETE FROM b WHERE k % 5 = 0 RETURNING k",
          "INSERT INTO b VALUES (1, 'one') ON CONFLICT (k) DO UPDATE SET n = excluded.n",
          "CREATE VIEW v AS SELECT g, max(s) AS m FROM a GROUP BY g",
          "SELECT * FROM v JOIN LATERAL (SELECT count(*) AS c FROM a WHERE a.g = v.g) l ON true",
          "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY d), mode() WITHIN GROUP (ORDER BY g) FROM a",
          "SELECT list_sort(array_agg(k)), regexp_replace(min(s), 't(e)', '\\1'), to_char(max(d), '999.99') "
          "FROM a",
          "SELECT ('{\"a\": [1, 2]}'::JSONB)->'a'->>0, '2024-02-03'::DATE + INTERVAL '1 month'",
          "CREATE INDEX ai ON a (g, k)",
          "SELECT s FROM a WHERE g = 3 AND k > 100 ORDER BY k LIMIT 3",
          "ALTER TABLE c ADD COLUMN z INTEGER DEFAULT 7",
          "SELECT count(*) FROM information_schema.columns",
          "VACUUM",
          "CHECKPOINT",
      };
      for (const std::string& statement : statements) {
        RunOnStack(128 * kKilobyte, [&] {
          Connection connection(database);
          const std::string outcome = Outcome(connection, statement);
          CAPTURE(threads, is_file, statement, outcome.substr(0, 300));
          CHECK((outcome != "54001" && !outcome.starts_with("error")));
        });
      }
    }
  }
  std::filesystem::remove_all(directory);
}

TEST_CASE("views over views end in 54001 where the stack ends", "[main][stack]") {
  Database database(":memory:", {{"threads", "2"}});
  Connection connection(database);
  connection.Query("CREATE VIEW v0 AS SELECT 1 AS x");
  for (int i = 1; i <= 300; i++) {
    connection.Query("CREATE VIEW v" + std::to_string(i) + " AS SELECT x FROM v" + std::to_string(i - 1));
  }
  for (const size_t kilobytes : {64, 96, 128, 256, 512, 1024, 8192}) {
    RunOnStack(kilobytes * kKilobyte, [&] {
      Connection other(database);
      for (const int depth : {10, 100, 300}) {
        const std::string outcome = Outcome(other, "SELECT x FROM v" + std::to_string(depth));
        CAPTURE(kilobytes, depth, outcome);
        CHECK((outcome == "1" || outcome == "54001"));
        if (kilobytes == 8192) CHECK(outcome == "1");
      }
    });
  }
}

TEST_CASE("what was made on a large stack is deleted on a small one", "[main][stack]") {
  Database database(":memory:", {{"threads", "1"}});
  std::optional<Connection> connection(std::in_place, database);
  std::optional<PreparedStatement> plain, with, joined;
  RunOnStack(32768 * kKilobyte, [&] {
    plain.emplace(connection->Prepare("SELECT $1::BIGINT" + Repeat(" + 1", 3000)));
    with.emplace(connection->Prepare("SELECT * FROM " + Repeat("(SELECT i + 1 AS i FROM ", 800) +
                                     "(SELECT 0 AS i) x" + Repeat(") x", 800)));
    const Value one[] = {Value::BigInt(1)};
    CHECK(plain->Execute(one).GetValue(0, 0).GetBigInt() == 3001);
  });
  RunOnStack(64 * kKilobyte, [&] {
    plain.reset();
    with.reset();
    connection.reset();
  });
}

TEST_CASE("no place where the stack ends is a crash", "[main][stack]") {
  Database database(":memory:", {{"threads", "1"}});
  Connection setup(database);
  setup.Query("CREATE TABLE t AS SELECT i FROM range(10) AS r(i)");
  setup.Query("CREATE TABLE sink (i BIGINT)");
  const size_t step =
      std::getenv("SCAUP_STACK_STEP") ? std::strtoull(std::getenv("SCAUP_STACK_STEP"), nullptr, 10) : 8;
  for (const DeepStatement& deep : DeepStatements()) {
    for (size_t kilobytes = 32; kilobytes <= 200; kilobytes += step) {
      RunOnStack(kilobytes * kKilobyte, [&] {
        Connection connection(database);
        const std::string outcome = Outcome(connection, deep.text(20));
        CAPTURE(deep.name, kilobytes, outcome.substr(0, 300));
        CHECK(!outcome.starts_with("error XX"));
      });
    }
  }
}

}  // namespace scaup

#endif
