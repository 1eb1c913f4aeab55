// Finds libpq, and talks to servers.
#include "format/foreign/postgres_library.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <cerrno>

#include "common/dynamic_library.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr int kSqlStateField = 'C', kMessageField = 'M';
/// The forms in which our casts read texts.
constexpr const char* kSetForms =
    "SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1; "
    "SET bytea_output = 'hex'; SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; "
    "SET default_transaction_read_only = on";

bool FindPostgres(const DynamicLibrary& from, PostgresLibrary& to) {
  return from.Find("PQconnectdb", to.connectdb) && from.Find("PQfinish", to.finish) &&
         from.Find("PQstatus", to.status) && from.Find("PQerrorMessage", to.error_message) &&
         from.Find("PQexec", to.exec) && from.Find("PQprepare", to.prepare) &&
         from.Find("PQdescribePrepared", to.describe_prepared) && from.Find("PQsendQuery", to.send_query) &&
         from.Find("PQgetResult", to.get_result) && from.Find("PQresultStatus", to.result_status) &&
         from.Find("PQclear", to.clear) && from.Find("PQnfields", to.column_count) &&
         from.Find("PQfname", to.column_name) && from.Find("PQftype", to.column_type) &&
         from.Find("PQfmod", to.column_modifier) && from.Find("PQresultErrorField", to.error_field) &&
         from.Find("PQgetCopyData", to.get_copy_data) && from.Find("PQconsumeInput", to.consume_input) &&
         from.Find("PQsocket", to.socket) && from.Find("PQfreemem", to.free_memory);
}

std::string_view WithoutLineEnd(std::string_view message) {
  while (message.ends_with('\n')) message.remove_suffix(1);
  return message;
}

}  // namespace

const PostgresLibrary& PostgresLibrary::Get() {
  return FunctionsOf({"libpq.so.5", "libpq.so", "libpq.5.dylib"}, FindPostgres,
                     "this system has no libpq.so.5, which talks to PostgreSQL's servers: install libpq5");
}

PostgresConnection::PostgresConnection(const FunctionContext& context, const std::string& connection_string)
    : library_(PostgresLibrary::Get()),
      context_(context),
      connection_(library_.connectdb(connection_string.c_str())) {
  if (library_.status(connection_) != PostgresLibrary::kConnectionOk) {
    const std::string message(WithoutLineEnd(library_.error_message(connection_)));
    library_.finish(connection_);
    ThrowError(ErrorKind::kIo, "08001", "could not connect to PostgreSQL: " + message);
  }
  try {
    Check(library_.exec(connection_, kSetForms), PostgresLibrary::kCommandOk);
  } catch (...) {
    library_.finish(connection_);
    throw;
  }
}

PostgresConnection::~PostgresConnection() {
  FreeRow();
  library_.finish(connection_);
}

void PostgresConnection::FreeRow() {
  if (row_ != nullptr) library_.free_memory(row_);
  row_ = nullptr;
}

/// Clears a result, and throws the server's error unless it has the wanted status.
void PostgresConnection::Check(void* result, int wanted_status) {
  if (result != nullptr && library_.result_status(result) == wanted_status) return library_.clear(result);
  std::string message(WithoutLineEnd(library_.error_message(connection_))), state = "08006";
  if (result != nullptr) {
    if (const char* text = library_.error_field(result, kMessageField)) message = text;
    if (const char* text = library_.error_field(result, kSqlStateField)) state = text;
    library_.clear(result);
  }
  throw Error(ErrorKind::kIo, state.c_str(), "PostgreSQL: " + message);
}

std::vector<PostgresConnection::Column> PostgresConnection::Describe(const std::string& query) {
  Check(library_.prepare(connection_, "", query.c_str(), 0, nullptr), PostgresLibrary::kCommandOk);
  void* const result = library_.describe_prepared(connection_, "");
  std::vector<Column> columns;
  for (int i = 0; result != nullptr && i < library_.column_count(result); i++) {
    columns.push_back({library_.column_name(result, i), library_.column_type(result, i),
                       library_.column_modifier(result, i)});
  }
  Check(result, PostgresLibrary::kCommandOk);
  return columns;
}

void PostgresConnection::BeginCopy(const std::string& copy) {
  if (library_.send_query(connection_, copy.c_str()) == 0) Check(nullptr, PostgresLibrary::kCopyOut);
  Check(library_.get_result(connection_), PostgresLibrary::kCopyOut);
}

bool PostgresConnection::NextRow(std::string_view& row) {
  constexpr int kWaitMillis = 100;
  FreeRow();
  for (;;) {
    const int size = library_.get_copy_data(connection_, &row_, 1);
    if (size > 0) {
      row = {row_, static_cast<size_t>(size)};
      if (row.ends_with('\n')) row.remove_suffix(1);
      return true;
    }
    if (size == -1) {
      Check(library_.get_result(connection_), PostgresLibrary::kCommandOk);
      return false;
    }
    if (size < -1) {
      // The result says more than the connection, if there is one.
      Check(library_.get_result(connection_), PostgresLibrary::kCommandOk);
      Check(nullptr, PostgresLibrary::kCommandOk);
    }
    context_.CheckInterrupt();
    pollfd ready = {library_.socket(connection_), POLLIN, 0};
    if (poll(&ready, 1, kWaitMillis) > 0 && library_.consume_input(connection_) == 0)
      Check(nullptr, PostgresLibrary::kCommandOk);
  }
}

}  // namespace scaup
