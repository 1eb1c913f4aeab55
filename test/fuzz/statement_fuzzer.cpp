// The target for libFuzzer: splits, parses, binds, plans and explains any bytes as SQL, and executes nothing.
//
// What it asks for beyond the sanitizers: whatever the text, only `scaup::Error` is thrown; it has a SQLSTATE
// and a message, is never an internal error, and points into the text where the text is at fault.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "scaup/connection.hpp"

namespace {

/// Tables of many types, a view of each kind of thing that statements may name.
constexpr const char* kSchema = R"(
  CREATE TABLE t (a INTEGER PRIMARY KEY, b BIGINT, c VARCHAR DEFAULT 'x', d DECIMAL(9,2) CHECK (d > 0), e DOUBLE, f BOOLEAN);
  CREATE TABLE u (a INTEGER REFERENCES t (a), g DATE, h TIMESTAMP, i TIMESTAMPTZ, j INTERVAL, k UUID, l JSON, m BLOB, n TIME);
  CREATE TABLE integers (i INTEGER, j INTEGER);
  CREATE INDEX t_b ON t (b, c);
  CREATE SEQUENCE s;
  CREATE SCHEMA other;
  CREATE TABLE other.t (a SMALLINT, z REAL);
  INSERT INTO t VALUES (1, 2, 'three', 4.5, 6.7, TRUE), (2, NULL, NULL, NULL, NULL, NULL);
  INSERT INTO integers VALUES (1, 2), (2, NULL), (NULL, 3);
)";

scaup::Connection& OpenConnection() {
  static scaup::Database database(":memory:", {{"threads", "1"}, {"memory_limit", "32MB"}});
  static scaup::Connection connection(database);
  static const bool is_ready = [] {
    connection.Query(kSchema);
    return true;
  }();
  (void)is_ready;
  return connection;
}

/// Ends the process for libFuzzer to keep the input, unless `error` is what a user can work with.
void CheckError(const scaup::Error& error, std::string_view sql) {
  const bool must_point =
      error.kind() == scaup::ErrorKind::kSyntax || error.kind() == scaup::ErrorKind::kBinder;
  const char* fault = nullptr;
  if (error.kind() == scaup::ErrorKind::kInternal) fault = "an internal error";
  if (std::strlen(error.sqlstate()) != 5) fault = "no SQLSTATE";
  if (error.message().empty()) fault = "no message";
  if (must_point && !error.position()) fault = "no position";
  if (error.position() && *error.position() > sql.size()) fault = "a position outside the text";
  if (fault == nullptr) return;
  std::fprintf(stderr, "%s: %s (%s)\n%.*s\n", fault, error.what(), error.sqlstate(),
               static_cast<int>(sql.size()), sql.data());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argument_count*/, char*** /*arguments*/) {
  OpenConnection();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size_bytes) {
  const std::string sql(reinterpret_cast<const char*>(data), size_bytes);
  scaup::Connection& connection = OpenConnection();
  try {
    scaup::SplitStatements(sql);
  } catch (const scaup::Error& error) {
    CheckError(error, sql);
  }
  try {
    // Only a single statement is prepared: then EXPLAIN before it has nothing behind it that would be
    // executed.
    connection.Prepare(sql);
  } catch (const scaup::Error& error) {
    CheckError(error, sql);
    return 0;
  }
  const std::string explained = "EXPLAIN " + sql;
  try {
    connection.Prepare(explained).Execute();
  } catch (const scaup::Error& error) {
    CheckError(error, explained);
  }
  return 0;
}
