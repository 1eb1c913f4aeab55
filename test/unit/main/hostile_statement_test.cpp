// Statements that are too large, too deep or malformed: each ends in a typed error, and the connection goes
// on.
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "scaup/connection.hpp"
#include "scaup/error.hpp"

namespace scaup {
namespace {

std::string Repeat(std::string_view text, size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (size_t i = 0; i < count; i++) result += text;
  return result;
}

/// A connection and what must still work on it.
struct HostFixture {
  Database database{":memory:", {{"threads", "2"}}};
  Connection connection{database};

  HostFixture() { connection.Query("CREATE TABLE t AS SELECT i FROM range(10) AS r(i)"); }

  int64_t Number(const std::string& sql) {
    return static_cast<int64_t>(connection.Query(sql).GetValue(0, 0).GetInteger());
  }
  void CheckAlive() { CHECK(Number("SELECT count(*) FROM t") == 10); }

  /// The SQLSTATE with which `sql` fails; empty if it does not. `name_bytes`: of a name that messages show.
  std::string StateOf(const std::string& sql, size_t name_bytes = 0) {
    try {
      connection.Query(sql);
    } catch (const Error& error) {
      CHECK(std::string(error.what()).size() < 2000 + 2 * name_bytes);  // Not the whole statement again.
      if (error.position()) CHECK(*error.position() <= sql.size());
      return error.sqlstate();
    }
    return "";
  }
};

}  // namespace

TEST_CASE("a wide statement of a megabyte works", "[main][hostile]") {
  HostFixture session;
  CHECK(session.Number("SELECT 1" + Repeat("     ", 200'000)) == 1);
  CHECK(session.Number("SELECT 1 /* " + Repeat("comment ", 130'000) + "*/") == 1);
  CHECK(session.Number("SELECT length('" + Repeat("x", 1'000'000) + "')::BIGINT") == 1'000'000);
  CHECK(session.Number("SELECT count(*) FROM t WHERE i IN (" + Repeat("5, ", 300'000) + "7)") == 2);
  CHECK(session.Number("SELECT count(*) FROM (VALUES (0)" + Repeat(", (1)", 200'000) + ") v(x)") == 200'001);
  CHECK(session.Number("SELECT count(*) FROM t WHERE i = 0" + Repeat(" OR i = 1", 100'000)) == 2);
  CHECK(session.Number("SELECT count(*) FROM t WHERE i < 9" + Repeat(" AND i < 8", 100'000)) == 8);
  session.CheckAlive();
}

TEST_CASE("many statements in one text work", "[main][hostile]") {
  HostFixture session;
  CHECK(session.Number(Repeat("SELECT 1;", 20'000) + "SELECT 2::BIGINT") == 2);
  CHECK(session.Number(Repeat(";", 100'000) + "SELECT 3::BIGINT") == 3);
  CHECK(session.StateOf(Repeat("SELECT 1;", 1000) + "SELEC 2") == "42601");
  session.CheckAlive();
}

TEST_CASE("a deep statement is a clear error", "[main][hostile]") {
  HostFixture session;
  const size_t depth = GENERATE(10'000, 300'000);
  const auto nested = [&](std::string_view open, std::string_view middle, std::string_view close) {
    return Repeat(open, depth) + std::string(middle) + Repeat(close, depth);
  };
  CHECK(session.StateOf("SELECT " + nested("(", "1", ")")) == "54001");
  CHECK(session.StateOf("SELECT " + nested("-(", "1", ")")) == "54001");
  CHECK(session.StateOf("SELECT " + nested("abs(", "1", ")")) == "54001");
  CHECK(session.StateOf("SELECT " + nested("NOT ", "TRUE", "")) == "54001");
  CHECK(session.StateOf("SELECT " + nested("CASE WHEN TRUE THEN ", "1", " END")) == "54001");
  CHECK(session.StateOf("SELECT " + nested("(SELECT ", "1", ")")) == "54001");
  CHECK(session.StateOf("SELECT * FROM " + nested("(SELECT * FROM ", "t", ") x")) == "54001");
  CHECK(session.StateOf(nested("SELECT 1 UNION (", "SELECT 1", ")")) == "54001");
  const std::string casts = session.StateOf("SELECT 1" + nested("::INTEGER", "", ""));
  CHECK((casts == "54001" || (depth == 10'000 && casts.empty())));
  CHECK(session.StateOf("SELECT " + nested("[", "1", "]")) != "");
  session.CheckAlive();
}

TEST_CASE("long chains of operators either work or are a clear error", "[main][hostile]") {
  HostFixture session;
  for (const size_t length : {100, 10'000, 100'000}) {
    for (const char* link : {" + 1", " - 1", " || 'x'", " UNION ALL SELECT 1", " UNION SELECT 1"}) {
      const std::string state = session.StateOf("SELECT 1" + Repeat(link, length));
      CAPTURE(link, length, state);
      CHECK((state.empty() || state == "54001" || state == "42883"));
    }
    const std::string joins = session.StateOf("SELECT count(*) FROM t" + Repeat(" NATURAL JOIN t x", length));
    CHECK((joins == "54001" || joins == "42712"));
  }
  session.CheckAlive();
}

TEST_CASE("very many columns, tables and long names", "[main][hostile]") {
  HostFixture session;
  std::string columns = "c0 INTEGER", values = "0";
  for (int i = 1; i < 1500; i++) {
    columns += ", c" + std::to_string(i) + " INTEGER";
    values += ", " + std::to_string(i);
  }
  CHECK(session.StateOf("CREATE TABLE wide (" + columns + ")") == "");
  CHECK(session.StateOf("INSERT INTO wide VALUES (" + values + ")") == "");
  CHECK(session.Number("SELECT (c0 + c1499)::BIGINT FROM wide") == 1499);

  // Names are whole, of any length.
  const std::string name(100'000, 'n');
  CHECK(session.StateOf("CREATE TABLE " + name + " (a INTEGER)") == "");
  CHECK(session.StateOf("SELECT " + name + " FROM t", name.size()) == "42703");
  CHECK(session.StateOf("SELECT * FROM " + name + "x", name.size()) == "42P01");
  CHECK(session.StateOf("SELECT * FROM \"" + name + "x\".t", name.size()) == "42P01");
  CHECK(session.StateOf("SELECT " + name + "()", name.size()) == "42883");
  CHECK(session.StateOf("SELECT 1::" + name + "x", name.size()) == "42704");
  CHECK(session.StateOf("SELECT 1::" + name, name.size()) == "42846");  // to rows of the table
  CHECK(session.StateOf("SELECT '" + name + "'::INTEGER") == "22P02");
  CHECK(session.StateOf("SELECT " + std::string(200'000, '9')) == "22003");
  CHECK(session.Number("SELECT 1::BIGINT AS " + name) == 1);
  session.CheckAlive();
}

TEST_CASE("zero bytes and bytes that are not UTF-8 are refused", "[main][hostile]") {
  HostFixture session;
  using namespace std::string_literals;
  CHECK(session.StateOf("SELECT 1\0"s) == "22021");
  CHECK(session.StateOf("SELECT '\0'"s) == "22021");
  CHECK(session.StateOf("\0SELECT 1"s) == "22021");
  CHECK(session.StateOf("SELECT 1 -- \0 SELECT 2"s) == "22021");
  for (const char* bytes : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    CAPTURE(bytes);
    CHECK(session.StateOf("SELECT '" + std::string(bytes) + "'") == "22021");
    CHECK(session.StateOf("SELECT \"" + std::string(bytes) + "\" FROM t") == "22021");
  }
  session.CheckAlive();
}

TEST_CASE("every prefix of a statement works or is a clear error", "[main][hostile]") {
  HostFixture session;
  const std::string statement =
      "WITH w AS (SELECT i % 3 AS g, count(DISTINCT i) FILTER (WHERE i > 1) AS c FROM t GROUP BY i % 3 "
      "HAVING count(*) > 0) "
      "SELECT CASE WHEN g = 1 THEN 'a''b' ELSE E'\\n' || g END, \"c\", INTERVAL '1 day' * c FROM w a LEFT "
      "JOIN t b ON a.g = b.i "
      "AND b.i BETWEEN 1 AND 5 WHERE g NOT IN (SELECT i FROM t WHERE i = 2) ORDER BY 1 DESC NULLS LAST LIMIT "
      "5 OFFSET 1";
  CHECK(session.StateOf(statement) == "");
  for (size_t length = 0; length < statement.size(); length++) {
    const std::string state = session.StateOf(statement.substr(0, length));
    CAPTURE(statement.substr(0, length), state);
    CHECK(state != "XX000");
  }
  // And with any one byte left out.
  for (size_t skipped = 0; skipped < statement.size(); skipped++) {
    const std::string mangled = statement.substr(0, skipped) + statement.substr(skipped + 1);
    const std::string state = session.StateOf(mangled);
    CAPTURE(mangled, state);
    CHECK(state != "XX000");
  }
  session.CheckAlive();
}

}  // namespace scaup
