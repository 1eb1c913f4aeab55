// Appenders of the C interface.
#include "arrow_guard.hpp"
#include "edge.hpp"
#include "handles.hpp"
#include "value.hpp"

using scaup::c::ArrowGuard;
using scaup::c::Guard;
using scaup::c::Require;
using scaup::c::RequireOutput;

namespace {

/// Appends a value, which `make` returns.
template <typename Make>
scaup_status Append(scaup_appender* appender, scaup_error** error, Make&& make) {
  return Guard(error, [&] { Require(appender, "the appender").appender.Append(make()); });
}

}  // namespace

scaup_status scaup_appender_open(scaup_connection* connection, const char* schema, const char* table,
                                 scaup_appender** out, scaup_error** error) {
  return Guard(error, [&] {
    scaup_appender*& opened = RequireOutput(out);
    Require(table, "the table's name");
    opened = new scaup_appender{scaup::Appender(Require(connection, "the connection").connection, table,
                                                schema == nullptr ? "main" : schema)};
  });
}

scaup_status scaup_append_value(scaup_appender* appender, const scaup_value* value, scaup_error** error) {
  return Append(appender, error, [&] { return scaup::c::ToValue(Require(value, "the value")); });
}

scaup_status scaup_append_null(scaup_appender* appender, scaup_error** error) {
  return Append(appender, error, [&] { return scaup::Value(); });
}

scaup_status scaup_append_boolean(scaup_appender* appender, bool value, scaup_error** error) {
  return Append(appender, error, [&] { return scaup::Value::Boolean(value); });
}

scaup_status scaup_append_int64(scaup_appender* appender, int64_t value, scaup_error** error) {
  return Append(appender, error, [&] { return scaup::Value::BigInt(value); });
}

scaup_status scaup_append_double(scaup_appender* appender, double value, scaup_error** error) {
  return Append(appender, error, [&] { return scaup::Value::Double(value); });
}

scaup_status scaup_append_text(scaup_appender* appender, const char* text, size_t length,
                               scaup_error** error) {
  return Append(appender, error, [&] { return scaup::c::TextValue(text, length); });
}

scaup_status scaup_append_blob(scaup_appender* appender, const void* bytes, size_t size,
                               scaup_error** error) {
  return Append(appender, error, [&] { return scaup::c::BlobValue(bytes, size); });
}

scaup_status scaup_append_row_end(scaup_appender* appender, scaup_error** error) {
  return Guard(error, [&] { Require(appender, "the appender").appender.EndRow(); });
}

scaup_status scaup_append_arrow(scaup_appender* appender, struct ArrowArrayStream* stream,
                                scaup_error** error) {
  return Guard(error, [&] {
    const ArrowGuard owned(stream);
    scaup::c::RequireUnreleased(stream, "stream");
    Require(appender, "the appender").appender.AppendArrow(stream);
  });
}

scaup_status scaup_append_arrow_array(scaup_appender* appender, struct ArrowSchema* schema,
                                      struct ArrowArray* array, scaup_error** error) {
  return Guard(error, [&] {
    const ArrowGuard owned_schema(schema);
    const ArrowGuard owned_array(array);
    scaup::c::RequireUnreleased(schema, "schema");
    scaup::c::RequireUnreleased(array, "array");
    Require(appender, "the appender").appender.AppendArrow(schema, array);
  });
}

scaup_status scaup_appender_flush(scaup_appender* appender, scaup_error** error) {
  return Guard(error, [&] { Require(appender, "the appender").appender.Flush(); });
}

void scaup_appender_free(scaup_appender* appender) { delete appender; }
