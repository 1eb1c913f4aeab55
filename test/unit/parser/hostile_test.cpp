// Tests that no text can crash the parser: deep ones are refused, wide ones parse, threads do not meet.
#include <catch2/catch.hpp>

#include <pthread.h>

#include <functional>
#include <thread>

#include "../effort.hpp"
#include "ast_text.hpp"

using namespace scaup;

namespace {

// Without optimization, and more so with sanitizers, frames are several times as large.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kSmallStack = 8 * 1024 * 1024;
#elif !defined(NDEBUG)
constexpr size_t kSmallStack = 2 * 1024 * 1024;
#else
constexpr size_t kSmallStack = 512 * 1024;
#endif

/// Runs `work` on a thread with a stack of this size.
void RunWithStack(size_t stack_bytes, std::function<void()> work) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, stack_bytes) == 0);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &work) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
}

using Text = std::function<std::string(size_t)>;

Text Nested(const std::string& open, const std::string& middle, const std::string& close) {
  return [=](size_t times) { return "SELECT " + Repeat(open, times) + middle + Repeat(close, times); };
}

/// Every way we know to make a tree deep.
std::vector<Text> DeepTexts() {
  return {
      Nested("(", "1", ")"),
      Nested("", "1", "+1"),
      Nested("", "a", "::int"),
      Nested("", "a", " IS NULL"),
      Nested("", "a", " ISNULL"),
      Nested("", "a", " COLLATE \"C\""),
      Nested("", "a", " AT TIME ZONE 'x'"),
      Nested("", "a", " || b.and"),
      Nested("", "a", " OPERATOR(pg_catalog.+) b"),
      Nested("", "a", " IS NULL BETWEEN 1 AND 2"),
      Nested("", "a", " LIKE 'x' || 'y'"),
      Nested("", "?", "+? "),
      Nested("", "sum(a) WITHIN GROUP (ORDER BY b)", " + sum(a) WITHIN GROUP (ORDER BY b)"),
      Nested("", "set", " + set + left(values, 1)"),
      Nested("NOT ", "a", ""),
      Nested("- ", "a", ""),
      Nested("@ ", "a", ""),
      Nested("f(", "1", ")"),
      Nested("a IN (", "1", ")"),
      Nested("ARRAY[", "1", "]"),
      Nested("a[", "1", "]"),
      Nested("(1,", "1", ")"),
      Nested("CASE WHEN ", "a", " THEN 1 END"),
      Nested("CASE a WHEN 1 THEN ", "1", " ELSE 2 END"),
      Nested("(a AND b OR ", "c", ")"),
      Nested("(SELECT ", "1", ")"),
      Nested("EXISTS (SELECT ", "1", ")"),
      Nested("a = ANY (VALUES (", "1", "))"),
      Nested("(FROM (SELECT ", "1", ") x)"),
      Nested("* FROM (SELECT ", "1", ") x"),
      Nested("1 ", "", "UNION SELECT 1 "),
      Nested("1 ", "", "EXCEPT SELECT 1 AS case "),
      Nested("1 ", "", "INTERSECT SELECT 2 case, 1 end "),
      Nested("* FROM a ", "", "JOIN b ON true "),
      Nested("* FROM a ", "", "NATURAL JOIN b "),
      Nested("* FROM a ", "JOIN (b CROSS JOIN b) ON a AND b", " CROSS JOIN b"),
      [](size_t n) { return Repeat("WITH a AS (", n) + "SELECT 1" + Repeat(") SELECT 1", n); },
      [](size_t n) { return Repeat("(SELECT 1 UNION ALL ", n) + "SELECT 1" + Repeat(")", n); },
      [](size_t n) { return "SELECT 1" + Repeat(" WHERE a IN (SELECT 1", n) + Repeat(")", n); },
      [](size_t n) { return "SELECT * FROM " + Repeat("(", n) + "a" + Repeat(" JOIN b ON true)", n); },
      [](size_t n) { return "SELECT sum(a) OVER (ORDER BY " + Repeat("(", n) + "1" + Repeat(")", n) + ")"; },
  };
}

}  // namespace

TEST_CASE("deep texts are refused with 54001 and a position") {
  const std::string message = "the statement is nested too deeply";
  for (const Text& text : DeepTexts()) {
    for (const size_t times : {size_t{1001}, test::Effort(20000), test::Effort(100000)}) {
      const std::string sql = text(times);
      INFO(sql.substr(0, 80) << " ... " << times);
      const std::string error = ErrorText(sql);
      CHECK_THAT(error, Catch::StartsWith("syntax 54001 ") && Catch::Contains(message));
      CHECK_THAT(error, !Catch::Contains(" -: "));
    }
  }
  CHECK_THAT(ErrorText("SELECT " + Repeat("+ ", 11) + "1", 10), Catch::StartsWith("syntax 54001 27: "));
  CHECK(ErrorText("SELECT " + Repeat("+ ", 10) + "1", 10) == "no error");
}

TEST_CASE("what passes the depth limit fits on a small stack") {
  for (const Text& text : DeepTexts()) {
    // The deepest text of this form that is accepted.
    size_t low = 0, high = 1001;
    const auto accepted = [&text](size_t times) {
      return ErrorText(text(times)).find(" 54001 ") == std::string::npos;
    };
    RunWithStack(kSmallStack, [&] {
      while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        (accepted(middle) ? low : high) = middle;
      }
    });
    INFO(text(3));
    CHECK(low >= 100);
  }
}

TEST_CASE("wide texts parse") {
  const size_t count = test::Effort(100000);
  const std::vector<std::string> texts = {
      "SELECT 1" + Repeat(", 1", count),
      "SELECT 1 WHERE a = 1" + Repeat(" AND a = 1", count),
      "SELECT 1 WHERE a = 1" + Repeat(" OR a = 1", count),
      "SELECT 1 WHERE a = 1" + Repeat(" OR a BETWEEN 1 AND 2 AND b", count),
      "SELECT 1 WHERE a IN (1" + Repeat(", 1", count) + ")",
      "VALUES (1, 'a')" + Repeat(", (1, -1)", count),
      "INSERT INTO t VALUES (1, 2)" + Repeat(", (1, DEFAULT)", count),
      "SELECT f(1" + Repeat(", a + 1", count) + ")",
      "SELECT CASE" + Repeat(" WHEN a = 1 THEN 2", count) + " END",
      "SELECT 1 FROM t" + Repeat(", t", count),
      "SELECT 1 GROUP BY 1" + Repeat(", a.b", count),
      "SELECT a" + Repeat(".a", count),
      "SELECT 1 case" + Repeat(", 2 end, 3 case", count / 10),
      "SELECT 1 WHERE ?=?" + Repeat(" AND ?=?", 30000),
      Repeat("SELECT 1;", count / 10),
      "SELECT '" + Repeat("x", 1000000) + "'",
      "SELECT '" + Repeat("-", 1000000) + "'",
      "SELECT '" + Repeat("=", 1000000) + "'",
      Repeat(" ", 1000000) + "SELECT 1 /*" + Repeat("*", 1000000) + "*/",
  };
  for (const std::string& text : texts) {
    INFO(text.substr(0, 60));
    CHECK(ErrorText(text) == "no error");
  }
  const auto wide = ParseOne("SELECT 1 WHERE a = 1" + Repeat(" AND a = 1", count));
  CHECK(wide->As<ast::SelectStatement>().where->As<ast::Conjunction>().children.size() == count + 1);
  const auto chain = ParseOne("SELECT 1" + Repeat(" UNION ALL SELECT 1", 999));
  CHECK(chain->As<ast::SelectStatement>().operands.size() == 1000);
}

TEST_CASE("garbage gives an error, not a crash") {
  for (const std::string& text : {Repeat(")", 100000),
                                  Repeat("]", 100000),
                                  Repeat("CASE ", 100000),
                                  Repeat("END ", 100000),
                                  Repeat("( CASE ", 400),
                                  Repeat("CASE ( END ) ", 1000),
                                  Repeat("FROM ", 100000),
                                  Repeat("FROM (", 900),
                                  Repeat("WITH ", 100000),
                                  Repeat("/*", 100000),
                                  Repeat("/*", 10000),
                                  "SELECT " + Repeat("+", 100000) + "1",
                                  "SELECT " + Repeat("+-", 100000) + "1",
                                  Repeat("SELECT " + Repeat("-+", 9000) + "\n", 20),
                                  Repeat("? ", 100000),
                                  Repeat("?", 100000),
                                  Repeat("DESCRIBE ", 1000),
                                  std::string("PRAGMA ("),
                                  std::string("PRAGMA f("),
                                  std::string("EXPORT DATABASE"),
                                  std::string("EXPORT DATABASE 'x' ("),
                                  std::string("EXPORT DATABASE 'x' (a (b)"),
                                  std::string("IMPORT DATABASE 'x' 'y'"),
                                  "EXPORT DATABASE " + Repeat("'x' ", 1000),
                                  std::string("DESCRIBE a."),
                                  std::string("DESCRIBE a("),
                                  std::string("DESC"),
                                  std::string("$"),
                                  std::string("\""),
                                  std::string("$$"),
                                  std::string("U&\"\\zz\""),
                                  std::string("E'\\xff'"),
                                  std::string("SELECT 1 'a' FROM"),
                                  Repeat("NOT ", 500)}) {
    INFO(text.substr(0, 40));
    CHECK_THAT(ErrorText(text), Catch::StartsWith("syntax "));
  }
}

TEST_CASE("threads parse at the same time") {
  std::vector<std::thread> threads;
  std::vector<size_t> failures(4, 0);
  for (size_t t = 0; t < failures.size(); ++t) {
    threads.emplace_back([t, &failures] {
      const std::string number = std::to_string(t);
      for (int i = 0; i < 500; ++i) {
        if (QueryText("FROM t SELECT a + " + number) != "select (+ a " + number + ") from t") ++failures[t];
        if (ErrorText("SELECT x y z" + number).find("z" + number) == std::string::npos) ++failures[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == std::vector<size_t>(4, 0));
}
