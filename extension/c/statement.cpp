// Prepared statements and their parameters.
#include <memory>

#include "column.hpp"
#include "edge.hpp"
#include "handles.hpp"
#include "value.hpp"

using scaup::c::Guard;
using scaup::c::Require;
using scaup::c::RequireOutput;
using scaup::c::TextOf;
using scaup::c::ThrowUsage;

namespace {

/// Sets the value of parameter `number`, which counts from 1. `make` returns the value.
template <typename Make>
scaup_status Bind(scaup_statement* statement, size_t number, scaup_error** error, Make&& make) {
  return Guard(error, [&] {
    auto& values = Require(statement, "the statement").values;
    if (number == 0 || number > values.size()) {
      ThrowUsage("22023", "there is no parameter $" + std::to_string(number) + " in a statement of " +
                              std::to_string(values.size()) + " parameters");
    }
    values[number - 1] = make();
    statement->is_bound[number - 1] = true;
  });
}

const std::vector<scaup::Value>& RequireValues(const scaup_statement& statement) {
  for (size_t i = 0; i < statement.is_bound.size(); i++) {
    if (!statement.is_bound[i])
      ThrowUsage("22023", "parameter $" + std::to_string(i + 1) + " has no value: bind one, or NULL");
  }
  return statement.values;
}

}  // namespace

scaup_status scaup_prepare(scaup_connection* connection, const char* sql, size_t length,
                           scaup_statement** out, scaup_error** error) {
  return Guard(error, [&] {
    scaup_statement*& made = RequireOutput(out);
    Require(sql, "the SQL text");
    made = new scaup_statement(Require(connection, "the connection").connection.Prepare(TextOf(sql, length)));
  });
}

size_t scaup_statement_parameter_count(const scaup_statement* statement) {
  return statement == nullptr ? 0 : statement->values.size();
}

size_t scaup_statement_column_count(const scaup_statement* statement) {
  return statement == nullptr ? 0 : statement->statement.columns().size();
}

scaup_status scaup_statement_column(const scaup_statement* statement, size_t column, scaup_column* out,
                                    scaup_error** error) {
  return Guard(error, [&] {
    scaup::c::DescribeColumn(Require(statement, "the statement").statement.columns(), column, out);
  });
}

scaup_status scaup_bind_value(scaup_statement* statement, size_t parameter, const scaup_value* value,
                              scaup_error** error) {
  return Bind(statement, parameter, error, [&] { return scaup::c::ToValue(Require(value, "the value")); });
}

scaup_status scaup_bind_null(scaup_statement* statement, size_t parameter, scaup_error** error) {
  return Bind(statement, parameter, error, [&] { return scaup::Value(); });
}

scaup_status scaup_bind_boolean(scaup_statement* statement, size_t parameter, bool value,
                                scaup_error** error) {
  return Bind(statement, parameter, error, [&] { return scaup::Value::Boolean(value); });
}

scaup_status scaup_bind_int64(scaup_statement* statement, size_t parameter, int64_t value,
                              scaup_error** error) {
  return Bind(statement, parameter, error, [&] { return scaup::Value::BigInt(value); });
}

scaup_status scaup_bind_double(scaup_statement* statement, size_t parameter, double value,
                               scaup_error** error) {
  return Bind(statement, parameter, error, [&] { return scaup::Value::Double(value); });
}

scaup_status scaup_bind_text(scaup_statement* statement, size_t parameter, const char* text, size_t length,
                             scaup_error** error) {
  return Bind(statement, parameter, error, [&] { return scaup::c::TextValue(text, length); });
}

scaup_status scaup_bind_blob(scaup_statement* statement, size_t parameter, const void* bytes, size_t size,
                             scaup_error** error) {
  return Bind(statement, parameter, error, [&] { return scaup::c::BlobValue(bytes, size); });
}

scaup_status scaup_execute(scaup_statement* statement, scaup_result** out, scaup_error** error) {
  return Guard(error, [&] {
    if (out != nullptr) *out = nullptr;
    Require(statement, "the statement");
    // Made before the statement runs: what has been done must not look as if it had failed.
    auto made = std::make_unique<scaup_result>();
    made->result = statement->statement.Execute(RequireValues(*statement));
    if (out != nullptr) *out = made.release();
  });
}

scaup_status scaup_execute_stream(scaup_statement* statement, scaup_stream** out, scaup_error** error) {
  return Guard(error, [&] {
    scaup_stream*& opened = RequireOutput(out);
    Require(statement, "the statement");
    opened = new scaup_stream(statement->statement.Stream(RequireValues(*statement)));
  });
}

void scaup_statement_free(scaup_statement* statement) { delete statement; }
