// Handles that were moved from: every method throws an error that says so, or knows nothing.
#include <catch2/catch.hpp>

#include <functional>

#include "scaup/scaup.hpp"

namespace scaup {

namespace {

void CheckMovedFrom(const std::function<void()>& call, const std::string& name) {
  try {
    call();
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    CHECK(std::string(error.sqlstate()) == "55000");
    CHECK(error.message().find("this " + name + " was moved from") != std::string::npos);
  }
}

}  // namespace

// What is moved from is used on purpose.
// NOLINTBEGIN(bugprone-use-after-move)

TEST_CASE("A database that was moved from has no connections", "[main]") {
  Database database;
  const Database moved = std::move(database);
  CheckMovedFrom([&] { Connection connection(database); }, "database");
  const Database copy = database;
  CheckMovedFrom([&] { Connection connection(copy); }, "database");
  Connection connection(moved);
  CHECK(connection.Query("SELECT 1").row_count() == 1);
  database = moved;
  CHECK(Connection(database).Query("SELECT 1").row_count() == 1);
}

TEST_CASE("A connection that was moved from refuses statements, and Interrupt and Progress do nothing",
          "[main]") {
  const Database database;
  Connection connection(database);
  Connection moved = std::move(connection);
  const Value parameters[] = {Value::Integer(1)};
  CheckMovedFrom([&] { connection.Query("SELECT 1"); }, "connection");
  CheckMovedFrom([&] { connection.Query("SELECT $1", parameters); }, "connection");
  CheckMovedFrom([&] { connection.Stream("SELECT 1"); }, "connection");
  CheckMovedFrom([&] { connection.Prepare("SELECT 1"); }, "connection");
  CheckMovedFrom([&] { Appender appender(connection, "t"); }, "connection");
  connection.Interrupt();
  CHECK(connection.Progress() < 0);
  CHECK(moved.Query("SELECT 1").row_count() == 1);
  connection = std::move(moved);
  CHECK(connection.Query("SELECT 1").row_count() == 1);
  CheckMovedFrom([&] { moved.Query("SELECT 1"); }, "connection");
}

TEST_CASE("A prepared statement that was moved from refuses all", "[main]") {
  const Database database;
  Connection connection(database);
  PreparedStatement prepared = connection.Prepare("SELECT 1");
  PreparedStatement moved = std::move(prepared);
  CheckMovedFrom([&] { prepared.parameter_count(); }, "prepared statement");
  CheckMovedFrom([&] { prepared.columns(); }, "prepared statement");
  CheckMovedFrom([&] { prepared.Execute(); }, "prepared statement");
  CheckMovedFrom([&] { prepared.Stream(); }, "prepared statement");
  prepared = std::move(moved);
  CHECK(prepared.Execute().row_count() == 1);
}

TEST_CASE("A stream that was moved from refuses all", "[main]") {
  const Database database;
  Connection connection(database);
  StreamingResult stream = connection.Stream("SELECT 1");
  StreamingResult moved = std::move(stream);
  QueryResult rows;
  CheckMovedFrom([&] { stream.columns(); }, "streaming result");
  CheckMovedFrom([&] { stream.rows_changed(); }, "streaming result");
  CheckMovedFrom([&] { stream.Fetch(rows); }, "streaming result");
  CheckMovedFrom([&] { stream.Fetch(rows, 1); }, "streaming result");
  stream = std::move(moved);
  CHECK(stream.Fetch(rows));
}

TEST_CASE("A result that was moved from refuses all", "[main]") {
  const Database database;
  Connection connection(database);
  QueryResult result = connection.Query("SELECT 'a'");
  QueryResult moved = std::move(result);
  std::string text;
  CheckMovedFrom([&] { result.columns(); }, "result");
  CheckMovedFrom([&] { result.column_count(); }, "result");
  CheckMovedFrom([&] { result.row_count(); }, "result");
  CheckMovedFrom([&] { result.has_rows(); }, "result");
  CheckMovedFrom([&] { result.rows_changed(); }, "result");
  CheckMovedFrom([&] { result.Column(0); }, "result");
  CheckMovedFrom([&] { result.IsNull(0, 0); }, "result");
  CheckMovedFrom([&] { result.GetString(0, 0); }, "result");
  CheckMovedFrom([&] { result.GetValue(0, 0); }, "result");
  CheckMovedFrom([&] { result.AppendText(0, 0, text); }, "result");
  CheckMovedFrom([&] { result.time_zone(); }, "result");
  CheckMovedFrom([&] { result.ToString(); }, "result");
  const QueryResult copy = result;
  CheckMovedFrom([&] { copy.row_count(); }, "result");
  result = moved;
  CHECK(result.ToString() == "a\n");
}

TEST_CASE("An appender that was moved from is closed", "[main]") {
  const Database database;
  Connection connection(database);
  connection.Query("CREATE TABLE t (a INTEGER)");
  Appender appender(connection, "t");
  appender.Append(1);
  Appender moved = std::move(appender);
  const std::function<void()> kCalls[] = {
      [&] { appender.Append(true); },
      [&] { appender.Append(int32_t{1}); },
      [&] { appender.Append(int64_t{1}); },
      [&] { appender.Append(1.5); },
      [&] { appender.Append(std::string_view("1")); },
      [&] { appender.Append("1"); },
      [&] { appender.Append(Value::Integer(1)); },
      [&] { appender.AppendNull(); },
      [&] { appender.EndRow(); },
      [&] { appender.AppendRow(1); },
      [&] { appender.Flush(); },
  };
  for (const auto& call : kCalls) {
    try {
      call();
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kUsage);
      CHECK(error.message().find("the appender is closed, or was moved from") != std::string::npos);
    }
  }
  CHECK_FALSE(appender.takes_documents());
  appender.Close();  // Nothing is left to do.
  moved.EndRow();
  moved.Close();
  CHECK(connection.Query("SELECT a FROM t").ToString() == "1\n");
}

TEST_CASE("Values and errors that were moved from can be looked at", "[main]") {
  Value values[] = {Value::Varchar("a text that is too long to lie in its object"),
                    Value::List(TypeId::kVarchar, {Value::Varchar("a")}),
                    Value::Struct(LogicalType::Struct({{"a", TypeId::kInteger}}), {Value::Integer(1)})};
  for (Value& value : values) {
    const Value moved = std::move(value);
    CHECK_FALSE(moved.is_null());
    CHECK(value.type() == moved.type());
    static_cast<void>(value.is_null());
    static_cast<void>(value == moved);
    value = moved;
    CHECK(value == moved);
  }
  Error error(ErrorKind::kUsage, "22023", "a message");
  const Error moved = std::move(error);
  CHECK(moved.message() == "a message");
  CHECK(error.kind() == ErrorKind::kUsage);
  CHECK(std::string(error.sqlstate()) == "22023");
}

// NOLINTEND(bugprone-use-after-move)

}  // namespace scaup
