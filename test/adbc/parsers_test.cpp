// The parsers of URIs and of named parameters.
#include <catch2/catch.hpp>

#include "parameter_names.hpp"
#include "scaup/error.hpp"
#include "uri.hpp"
#include "xdbc.hpp"

using scaup::adbc::NumberParameters;
using scaup::adbc::ParseUri;

TEST_CASE("URIs have paths and settings", "[adbc]") {
  CHECK(ParseUri("flights.scaup").path == "flights.scaup");
  CHECK(ParseUri("a?b%20c").path == "a?b%20c");
  CHECK(ParseUri("/a/b").path == "/a/b");
  CHECK(ParseUri("scaup:a/b.scaup").path == "a/b.scaup");
  CHECK(ParseUri("file:/a/b%20c").path == "/a/b c");
  CHECK(ParseUri("scaup:///a/b").path == "/a/b");
  CHECK(ParseUri("file://localhost/a/b").path == "/a/b");
  CHECK(ParseUri("scaup://").path == ":memory:");
  CHECK(ParseUri("scaup::memory:").path == ":memory:");
  CHECK(ParseUri("scaup://:memory:").path == ":memory:");
  const auto uri = ParseUri("scaup:a?threads=2&&temp_directory=%2Ftmp&x=");
  CHECK(uri.path == "a");
  CHECK(uri.settings == scaup::Config{{"threads", "2"}, {"temp_directory", "/tmp"}, {"x", ""}});
  CHECK_THROWS_AS(ParseUri("scaup://host/a"), scaup::Error);
  CHECK_THROWS_AS(ParseUri("scaup:a?threads"), scaup::Error);
  CHECK_THROWS_AS(ParseUri("scaup:a%2"), scaup::Error);
  CHECK_THROWS_AS(ParseUri("scaup:a%zz"), scaup::Error);
}

TEST_CASE("named parameters become numbers", "[adbc]") {
  const auto numbered =
      NumberParameters("SELECT $bb, $a + $bb, x$y, 'a$b', \"$c\" -- $d\n, /* $e /* */ $f */ $a");
  CHECK(numbered.sql == "SELECT $1 , $2 + $1 , x$y, 'a$b', \"$c\" -- $d\n, /* $e /* */ $f */ $2");
  CHECK(numbered.names == std::vector<std::string>{"bb", "a"});
  const auto same = [](const char* sql) {
    const auto given = NumberParameters(sql);
    return given.sql == sql && given.names.empty();
  };
  CHECK(same("SELECT $1, ?, $2"));
  CHECK(same("SELECT $$ $a $$, $t$ $a $u$ $$ $t$"));
  CHECK(same("SELECT E'\\' $a', 'it''s $a'"));
  CHECK(same("SELECT 'open $a"));
  CHECK(same("SELECT 1 /* open $a"));
  CHECK(same("-- $a"));
  CHECK(same(""));
  CHECK(same("$"));
  CHECK(NumberParameters("E'\\\\' $a").names == std::vector<std::string>{"a"});
  CHECK(NumberParameters("'\\' $a").names == std::vector<std::string>{"a"});
  CHECK(NumberParameters("$\xc3\xa4").names == std::vector<std::string>{"\xc3\xa4"});
  CHECK_THROWS_AS(NumberParameters("SELECT $1, $a"), scaup::Error);
}

TEST_CASE("types have the numbers of ODBC", "[adbc]") {
  using scaup::adbc::XdbcTypeOf;
  CHECK(XdbcTypeOf("DECIMAL(10,2)").data_type == 3);
  CHECK(XdbcTypeOf("VARCHAR(3)").sql_data_type == 12);
  CHECK(XdbcTypeOf("TIMESTAMP(3) WITH TIME ZONE").data_type == 93);
  CHECK(XdbcTypeOf("TIMESTAMP").sql_data_type == 9);
  CHECK(XdbcTypeOf("TIME").datetime_sub == 2);
  CHECK(XdbcTypeOf("mood").data_type == 12);
  CHECK_FALSE(XdbcTypeOf("DATE[]").data_type.has_value());
  CHECK_FALSE(XdbcTypeOf("STRUCT(a INTEGER)").data_type.has_value());
}
