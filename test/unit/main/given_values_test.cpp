// Tests that bytes that are no text, and texts that are no JSON, are refused wherever a program hands them
// over.
#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <vector>

#include "scaup/scaup.hpp"

using namespace scaup;

namespace {

std::string StateOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.sqlstate();
  }
  return "none";
}

const Value kNoTexts[] = {
    Value::Varchar("\xFF\xFE"),
    Value::Varchar(std::string("a\0b", 3)),
    Value::Varchar("a text that is longer than what is looked at byte by byte \xC3\xA4 and so on \xE2\x82"),
    Value::Varchar("\xED\xA0\x80"),
    Value::FromBytes(TypeId::kJson, "\"\xFF\""),
    Value::List(TypeId::kVarchar, {Value::Varchar("a"), Value::Varchar("\xC0\x80")}),
    Value::Struct(LogicalType::Struct({{"a", TypeId::kInteger}, {"b", TypeId::kVarchar}}),
                  {Value::Integer(1), Value::Varchar("\x80")}),
};
const Value kNoJson[] = {
    Value::FromBytes(TypeId::kJson, "{nope"),
    Value::FromBytes(TypeId::kJson, ""),
    Value::FromBytes(TypeId::kJsonb, "{nope"),
    Value::FromBytes(TypeId::kJsonb, "{\"b\":1,   \"a\":2}"),
    Value::List(TypeId::kJson, {Value::FromBytes(TypeId::kJson, "1 2")}),
};

}  // namespace

TEST_CASE("parameters that are no text are refused") {
  Database database(":memory:");
  Connection connection(database);
  connection.Query("CREATE TABLE t (a VARCHAR)");
  PreparedStatement prepared = connection.Prepare("INSERT INTO t VALUES ($1)");
  PreparedStatement selected = connection.Prepare("SELECT $1 || 'x'");
  const auto check = [&](const Value& value, const std::string& state) {
    const std::vector<Value> values = {value};
    CHECK(StateOf([&] { connection.Query("SELECT $1", values); }) == state);
    CHECK(StateOf([&] { connection.Query("INSERT INTO t SELECT $1::varchar", values); }) == state);
    CHECK(StateOf([&] {
            StreamingResult stream = connection.Stream("SELECT $1", values);
            QueryResult rows;
            stream.Fetch(rows);
          }) == state);
    if (value.type().id() != TypeId::kVarchar) return;
    CHECK(StateOf([&] { prepared.Execute(values); }) == state);
    CHECK(StateOf([&] { prepared.Execute(values); }) == state);
    CHECK(StateOf([&] { selected.Execute(values); }) == state);
    connection.Query("PREPARE p AS SELECT $1::varchar");
    CHECK(StateOf([&] { connection.Query("EXECUTE p($1)", values); }) == state);
    connection.Query("DEALLOCATE p");
  };
  for (const Value& value : kNoTexts) check(value, "22021");
  for (const Value& value : kNoJson) check(value, "22P02");
  CHECK(connection.Query("SELECT count(*) FROM t").GetValue(0, 0) == Value::BigInt(0));
  check(Value::Varchar("\xF0\x9F\x98\x80"), "none");
  check(Value::FromBytes(TypeId::kJson, " {\"a\": [1, \"\xC3\xA4\"]} "), "none");
  check(Value::FromBytes(TypeId::kJsonb, "{\"a\": 2, \"b\": 1}"), "none");
  CHECK(StateOf([&] { connection.Query("SELECT $1", std::vector<Value>{Value::Blob("\xFF")}); }) == "none");
}

TEST_CASE("an appender refuses what is no text, and goes on") {
  Database database(":memory:");
  Connection connection(database);
  connection.Query("CREATE TABLE t (a VARCHAR, j JSON)");
  Appender appender(connection, "t");
  for (const Value& value : kNoTexts) CHECK(StateOf([&] { appender.Append(value); }) == "22021");
  for (const Value& value : kNoJson) CHECK(StateOf([&] { appender.Append(value); }) == "22P02");
  CHECK(StateOf([&] { appender.Append(std::string_view("\xFF")); }) == "22021");
  CHECK(StateOf([&] { appender.Append(std::string_view("\0", 1)); }) == "22021");
  // A text becomes JSON by a cast, which checks it.
  appender.Append(std::string_view("x"));
  CHECK(StateOf([&] { appender.Append(std::string_view("{nope")); }) == "22P02");
  appender.Append(std::string_view("x")).Append(std::string_view("{\"a\": 1}"));
  appender.EndRow();
  appender.Close();
  CHECK(connection.Query("SELECT a || (j ->> 'a') FROM t").GetValue(0, 0) == Value::Varchar("x1"));

  connection.Query("CREATE COLLECTION c");
  Appender documents(connection, "c");
  CHECK(StateOf([&] { documents.Append(std::string_view("{\"a\": \"\xFF\"}")); }) != "none");
  CHECK(StateOf([&] { documents.Append(Value::FromBytes(TypeId::kJson, "{nope")); }) == "22P02");
}
