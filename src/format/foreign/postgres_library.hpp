// The part of libpq that reads rows, from the system's library.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "function/function_context.hpp"

namespace scaup {

/// Functions of libpq; handles are opaque. Immutable; thread-safe.
struct PostgresLibrary {
  // Names and results as in PostgreSQL's documentation.
  void* (*connectdb)(const char* connection_string);
  void (*finish)(void* connection);
  int (*status)(const void* connection);
  char* (*error_message)(const void* connection);
  void* (*exec)(void* connection, const char* sql);
  void* (*prepare)(void* connection, const char* name, const char* sql, int types, const unsigned* type);
  void* (*describe_prepared)(void* connection, const char* name);
  int (*send_query)(void* connection, const char* sql);
  void* (*get_result)(void* connection);
  int (*result_status)(const void* result);
  void (*clear)(void* result);
  int (*column_count)(const void* result);
  char* (*column_name)(const void* result, int column);
  unsigned (*column_type)(const void* result, int column);
  int (*column_modifier)(const void* result, int column);
  char* (*error_field)(const void* result, int field);
  int (*get_copy_data)(void* connection, char** buffer, int is_asynchronous);
  int (*consume_input)(void* connection);
  int (*socket)(const void* connection);
  void (*free_memory)(void* memory);

  static constexpr int kConnectionOk = 0;
  enum ResultStatus { kCommandOk = 1, kTuplesOk = 2, kCopyOut = 3 };

  /// The system's library. Throws Error(kNotSupported) if there is none.
  static const PostgresLibrary& Get();
};

/// A connection that reads. One thread at a time.
class PostgresConnection {
 public:
  struct Column {
    std::string name;
    unsigned type;  ///< its object number
    int modifier;
  };

  /// Throws Error(kIo, 08001) if there is no connection. `context` is borrowed.
  PostgresConnection(const FunctionContext& context, const std::string& connection_string);
  ~PostgresConnection();
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  /// The columns of a query. All errors of the server are thrown with its SQLSTATE.
  std::vector<Column> Describe(const std::string& query);
  /// Begins COPY ... TO STDOUT.
  void BeginCopy(const std::string& copy);
  /// The next row as COPY writes it, without its line end; valid until the next call. Returns false at the
  /// end. Waits for the server as long as the query is not interrupted.
  bool NextRow(std::string_view& row);

 private:
  void Check(void* result, int wanted_status);
  void FreeRow();

  const PostgresLibrary& library_;
  const FunctionContext& context_;
  void* connection_;
  char* row_ = nullptr;
};

}  // namespace scaup
