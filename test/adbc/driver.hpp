// Driver: what the tests of the ADBC driver use in common.
#pragma once

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "adbc.h"

extern "C" {
AdbcStatusCode AdbcDriverInit(int version, void* driver, AdbcError* error);
AdbcStatusCode AdbcDriverScaupInit(int version, void* driver, AdbcError* error);
AdbcStatusCode scaup_adbc_init(int version, void* driver, AdbcError* error);
}

/// The driver's table of functions.
inline const AdbcDriver& Driver() {
  static const AdbcDriver* const driver = [] {
    auto* made = new AdbcDriver();
    if (AdbcDriverInit(ADBC_VERSION_1_1_0, made, nullptr) != ADBC_STATUS_OK)
      throw std::runtime_error("no driver");
    return made;
  }();
  return *driver;
}

/// An error that is released when it is destroyed.
struct TestError {
  AdbcError error = ADBC_ERROR_INIT;
  ~TestError() { Release(); }
  void Release() {
    if (error.release != nullptr) error.release(&error);
  }
  /// A cleared error for the next call.
  operator AdbcError*() {  // NOLINT(google-explicit-constructor)
    Release();
    error = ADBC_ERROR_INIT;
    return &error;
  }
  std::string message() const { return error.message == nullptr ? "" : error.message; }
  std::string sqlstate() const { return {error.sqlstate, 5}; }
};

/// A database in memory and a connection to it, with a statement.
struct TestConnection {
  TestConnection() {
    REQUIRE(Driver().DatabaseNew(&database, error) == ADBC_STATUS_OK);
    REQUIRE(Driver().DatabaseInit(&database, error) == ADBC_STATUS_OK);
    REQUIRE(Driver().ConnectionNew(&connection, error) == ADBC_STATUS_OK);
    REQUIRE(Driver().ConnectionInit(&connection, &database, error) == ADBC_STATUS_OK);
    REQUIRE(Driver().StatementNew(&connection, &statement, error) == ADBC_STATUS_OK);
  }
  ~TestConnection() {
    if (statement.private_data != nullptr) Driver().StatementRelease(&statement, nullptr);
    if (connection.private_data != nullptr) Driver().ConnectionRelease(&connection, nullptr);
    if (database.private_data != nullptr) Driver().DatabaseRelease(&database, nullptr);
  }
  AdbcStatusCode Query(const char* sql, ArrowArrayStream* out = nullptr) {
    const AdbcStatusCode status = Driver().StatementSetSqlQuery(&statement, sql, error);
    return status == ADBC_STATUS_OK ? Driver().StatementExecuteQuery(&statement, out, &rows_affected, error)
                                    : status;
  }

  AdbcDatabase database{};
  AdbcConnection connection{};
  AdbcStatement statement{};
  TestError error;
  int64_t rows_affected = -2;
};

/// Reads a stream of one column of 64-bit integers to its end and releases it.
inline std::vector<int64_t> ReadIntegers(ArrowArrayStream& stream) {
  std::vector<int64_t> values;
  while (true) {
    ArrowArray array{};
    REQUIRE(stream.get_next(&stream, &array) == 0);
    if (array.release == nullptr) break;
    const auto* column = static_cast<const int64_t*>(array.children[0]->buffers[1]);
    values.insert(values.end(), column, column + array.length);
    array.release(&array);
  }
  stream.release(&stream);
  return values;
}
