// The interface: functions and aggregates of the program.
#include <cstring>

#include "connection.hpp"

#define SCAUP_SQLITE_API extern "C" __attribute__((visibility("default")))

using scaup::sqlite::CreatedFunction;
using scaup::sqlite::Enter;
using scaup::sqlite::SqliteValue;

namespace {

using Destructor = void (*)(void*);

int Create(sqlite3* db, const char* name, int argument_count, int flags,
           const std::shared_ptr<CreatedFunction>& function, bool removes) {
  return Enter(db, [&] {
    const bool is_wrong =
        name == nullptr || std::strlen(name) > 255 || argument_count < -1 || argument_count > 127;
    if (is_wrong) return db->Fail(SQLITE_MISUSE, "bad parameter or other API misuse");
    function->name = scaup::sqlite::ToLower(name);
    function->argument_count = argument_count;
    function->is_deterministic = (flags & SQLITE_DETERMINISTIC) != 0;
    if (removes) {
      db->functions.Remove(function->name, argument_count);
    } else {
      db->functions.Add(db->engine, db->function_state, function);
    }
    // Statements that call the function are translated again.
    db->SchemaChanged();
    return db->Succeed();
  });
}

void SetError(sqlite3_context* context, int code, const std::string& message) {
  context->error_code = code;
  context->error_message = message;
}

void SetBytes(sqlite3_context* context, const void* bytes, int64_t size, Destructor destroy, bool is_text) {
  const auto* const text = static_cast<const char*>(bytes);
  try {
    if (bytes == nullptr) {
      context->result = SqliteValue();
    } else {
      std::string copy(text, size < 0 ? std::strlen(text) : static_cast<size_t>(size));
      const auto limit = static_cast<size_t>(context->db->limits[SQLITE_LIMIT_LENGTH]);
      if (copy.size() > limit) SetError(context, SQLITE_TOOBIG, "string or blob too big");
      context->result =
          is_text ? SqliteValue::MakeText(std::move(copy)) : SqliteValue::MakeBlob(std::move(copy));
    }
  } catch (const std::exception&) {
    SetError(context, SQLITE_NOMEM, "out of memory");
  }
  if (bytes != nullptr && destroy != SQLITE_STATIC && destroy != SQLITE_TRANSIENT)
    destroy(const_cast<void*>(bytes));
}

}  // namespace

SCAUP_SQLITE_API int sqlite3_create_function_v2(sqlite3* db, const char* name, int argument_count, int flags,
                                                void* data,
                                                void (*call)(sqlite3_context*, int, sqlite3_value**),
                                                void (*step)(sqlite3_context*, int, sqlite3_value**),
                                                void (*final)(sqlite3_context*), void (*destroy)(void*)) {
  const auto function = std::make_shared<CreatedFunction>();
  function->user_data = data;
  function->destroy = destroy;
  function->call = call;
  function->step = step;
  function->final = final;
  if (db != nullptr && (step == nullptr) != (final == nullptr))
    return db->Fail(SQLITE_MISUSE, "bad parameter or other API misuse");
  return Create(db, name, argument_count, flags, function, call == nullptr && step == nullptr);
}

SCAUP_SQLITE_API int sqlite3_create_function(sqlite3* db, const char* name, int argument_count, int flags,
                                             void* data, void (*call)(sqlite3_context*, int, sqlite3_value**),
                                             void (*step)(sqlite3_context*, int, sqlite3_value**),
                                             void (*final)(sqlite3_context*)) {
  return sqlite3_create_function_v2(db, name, argument_count, flags, data, call, step, final, nullptr);
}

SCAUP_SQLITE_API int sqlite3_create_window_function(sqlite3* db, const char* name, int argument_count,
                                                    int flags, void* data,
                                                    void (*step)(sqlite3_context*, int, sqlite3_value**),
                                                    void (*final)(sqlite3_context*),
                                                    void (*value)(sqlite3_context*),
                                                    void (*)(sqlite3_context*, int, sqlite3_value**),
                                                    void (*destroy)(void*)) {
  const auto function = std::make_shared<CreatedFunction>();
  function->user_data = data;
  function->destroy = destroy;
  function->step = step;
  function->final = final;
  function->value = value;
  return Create(db, name, argument_count, flags, function, step == nullptr);
}

SCAUP_SQLITE_API void* sqlite3_user_data(sqlite3_context* context) { return context->user_data; }
SCAUP_SQLITE_API sqlite3* sqlite3_context_db_handle(sqlite3_context* context) { return context->db; }

SCAUP_SQLITE_API void* sqlite3_aggregate_context(sqlite3_context* context, int size) {
  if (!context->has_memory) {
    if (size <= 0) return nullptr;
    try {
      context->memory.assign(static_cast<size_t>(size), '\0');
    } catch (const std::exception&) {
      return nullptr;
    }
    context->has_memory = true;
  }
  return context->memory.data();
}

SCAUP_SQLITE_API int sqlite3_value_type(sqlite3_value* value) { return value->value.TypeCode(); }
SCAUP_SQLITE_API int sqlite3_value_int(sqlite3_value* value) {
  return static_cast<int>(value->value.AsInteger());
}
SCAUP_SQLITE_API sqlite3_int64 sqlite3_value_int64(sqlite3_value* value) { return value->value.AsInteger(); }
SCAUP_SQLITE_API double sqlite3_value_double(sqlite3_value* value) { return value->value.AsReal(); }
SCAUP_SQLITE_API const unsigned char* sqlite3_value_text(sqlite3_value* value) {
  if (value->value.is_null()) return nullptr;
  try {
    if (value->text.empty()) value->text = value->value.AsBytes();
  } catch (const std::exception&) {
    return nullptr;
  }
  return reinterpret_cast<const unsigned char*>(value->text.c_str());
}
SCAUP_SQLITE_API const void* sqlite3_value_blob(sqlite3_value* value) {
  const void* const bytes = sqlite3_value_text(value);
  return value->text.empty() ? nullptr : bytes;
}
SCAUP_SQLITE_API int sqlite3_value_bytes(sqlite3_value* value) {
  return sqlite3_value_text(value) == nullptr ? 0 : static_cast<int>(value->text.size());
}

SCAUP_SQLITE_API void sqlite3_result_null(sqlite3_context* context) { context->result = SqliteValue(); }
SCAUP_SQLITE_API void sqlite3_result_int(sqlite3_context* context, int value) {
  context->result = SqliteValue(int64_t{value});
}
SCAUP_SQLITE_API void sqlite3_result_int64(sqlite3_context* context, sqlite3_int64 value) {
  context->result = SqliteValue(static_cast<int64_t>(value));
}
SCAUP_SQLITE_API void sqlite3_result_double(sqlite3_context* context, double value) {
  context->result = SqliteValue(value);
}
SCAUP_SQLITE_API void sqlite3_result_value(sqlite3_context* context, sqlite3_value* value) {
  context->result = value->value;
}
SCAUP_SQLITE_API void sqlite3_result_text(sqlite3_context* context, const char* text, int size,
                                          void (*destroy)(void*)) {
  SetBytes(context, text, size, destroy, true);
}
SCAUP_SQLITE_API void sqlite3_result_blob(sqlite3_context* context, const void* bytes, int size,
                                          void (*destroy)(void*)) {
  SetBytes(context, bytes, size < 0 ? 0 : size, destroy, false);
}
SCAUP_SQLITE_API void sqlite3_result_error(sqlite3_context* context, const char* message, int size) {
  SetError(context, SQLITE_ERROR,
           size < 0 ? std::string(message) : std::string(message, static_cast<size_t>(size)));
}
SCAUP_SQLITE_API void sqlite3_result_error_nomem(sqlite3_context* context) {
  SetError(context, SQLITE_NOMEM, "out of memory");
}
SCAUP_SQLITE_API void sqlite3_result_error_toobig(sqlite3_context* context) {
  SetError(context, SQLITE_TOOBIG, "string or blob too big");
}
SCAUP_SQLITE_API void sqlite3_result_error_code(sqlite3_context* context, int code) {
  SetError(context, code, scaup::sqlite::MessageOfCode(code));
}
