/* The C interface of Scaup: databases, statements, results, Arrow streams and appenders, for C programs and
 * for the foreign-function interfaces of other languages. Plain C11. docs/c-api.md is the guide.
 *
 * ERRORS. A function that can fail returns a scaup_status, 0 for success, and has `scaup_error** error` as
 * its last parameter. If that is not NULL, it gets a new error, which the caller frees with scaup_error_free,
 * or NULL after success. An earlier error in it is overwritten, not freed. Outputs are NULL after a failure,
 * numbers unchanged. No C++ exception leaves a function, and no function ends the process or prints.
 *
 * OWNERSHIP. Whatever a function makes, the caller frees with the function that its comment names; each of
 * these accepts NULL. Handles may be freed in any order: statements, streams and appenders keep their
 * connection's session and its database open, results keep nothing open and outlive all of them. Texts and
 * bytes that are passed in are copied. Pointers that are handed out belong to the handle that they came from,
 * and are valid until it is freed, unless their comment says otherwise.
 *
 * THREADS. Databases, errors, results, types, scripts and elements may be used by any number of threads at
 * once. Calls on a connection wait for each other, but for scaup_interrupt and scaup_progress, which are made
 * for other threads. A statement, stream or appender is used by one thread at a time. A handle is freed once,
 * when no thread uses it.
 *
 * NULL. Where a handle or an output is NULL that must not be, a function that can fail returns
 * SCAUP_ERROR_USAGE. Others return 0, false or NULL.
 *
 * VERSIONS. Within one SCAUP_ABI_VERSION functions and constants may be added; none is removed or changed,
 * and no structure changes its size. A program that was built for a number runs with every library that
 * returns the same one from scaup_abi_version.
 *
 * TEXT is UTF-8. Each text comes with its number of bytes, or SCAUP_NUL_TERMINATED if it ends with a NUL.
 * Columns and rows count from 0, parameters from 1, as $1 does. */
#ifndef SCAUP_H
#define SCAUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scaup/arrow.h"

#if defined(__GNUC__)
#define SCAUP_C_API __attribute__((visibility("default")))
#else
#define SCAUP_C_API
#endif

#define SCAUP_ABI_VERSION 1
/* The length of a text that ends with a NUL. */
#define SCAUP_NUL_TERMINATED SIZE_MAX

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scaup_database scaup_database;
typedef struct scaup_connection scaup_connection;
typedef struct scaup_statement scaup_statement;
typedef struct scaup_result scaup_result;
typedef struct scaup_stream scaup_stream;
typedef struct scaup_appender scaup_appender;
typedef struct scaup_script scaup_script;
typedef struct scaup_elements scaup_elements;
typedef struct scaup_error scaup_error;
typedef struct scaup_type scaup_type;
typedef struct scaup_function scaup_function;
typedef struct scaup_output scaup_output;
typedef struct scaup_table_input scaup_table_input;
typedef struct scaup_table_output scaup_table_output;

/* Success, or the kind of an error. */
typedef int32_t scaup_status;
enum {
  SCAUP_OK = 0,
  SCAUP_ERROR_SYNTAX = 1,         /* The text is not SQL. */
  SCAUP_ERROR_BINDER = 2,         /* Names or types do not fit. */
  SCAUP_ERROR_CATALOG = 3,        /* A table or other object is missing, or exists already. */
  SCAUP_ERROR_CONVERSION = 4,     /* A value cannot be converted to the wanted type. */
  SCAUP_ERROR_OUT_OF_RANGE = 5,   /* Overflow, division by zero, a value outside its type's range. */
  SCAUP_ERROR_CONSTRAINT = 6,     /* NOT NULL, CHECK, UNIQUE, ... refused a row. */
  SCAUP_ERROR_TRANSACTION = 7,    /* Serialization failure, or a statement in an aborted transaction. */
  SCAUP_ERROR_IO = 8,             /* A file could not be opened, read or written, or is malformed. */
  SCAUP_ERROR_OUT_OF_MEMORY = 9,  /* The memory limit is reached; only the statement failed. */
  SCAUP_ERROR_INTERRUPTED = 10,   /* scaup_interrupt was called. */
  SCAUP_ERROR_USAGE = 11,         /* A function was called in a way that its comment forbids. */
  SCAUP_ERROR_NOT_SUPPORTED = 12, /* Valid SQL that Scaup does not execute. */
  SCAUP_ERROR_INTERNAL = 13       /* A check inside Scaup failed: a bug. Only the statement ended. */
};

/* The SQL types, and how columns store them in memory. */
typedef int32_t scaup_type_id;
enum {
  SCAUP_TYPE_NULL = 0,         /* a bare NULL: int8_t */
  SCAUP_TYPE_BOOLEAN = 1,      /* uint8_t, 0 or 1 */
  SCAUP_TYPE_TINYINT = 2,      /* int8_t */
  SCAUP_TYPE_SMALLINT = 3,     /* int16_t */
  SCAUP_TYPE_INTEGER = 4,      /* int32_t */
  SCAUP_TYPE_BIGINT = 5,       /* int64_t */
  SCAUP_TYPE_HUGEINT = 6,      /* scaup_int128 */
  SCAUP_TYPE_REAL = 7,         /* float */
  SCAUP_TYPE_DOUBLE = 8,       /* double */
  SCAUP_TYPE_DECIMAL = 9,      /* the number times 10^scale: int16_t, int32_t, int64_t or scaup_int128, for a
                                  width of at most 4, 9, 18 or 38 digits */
  SCAUP_TYPE_VARCHAR = 10,     /* scaup_string, UTF-8 */
  SCAUP_TYPE_BLOB = 11,        /* scaup_string */
  SCAUP_TYPE_DATE = 12,        /* int32_t, days since 1970-01-01; the smallest and largest are -infinity and
                                  infinity, also of both kinds of TIMESTAMP */
  SCAUP_TYPE_TIME = 13,        /* int64_t, microseconds since midnight */
  SCAUP_TYPE_TIMESTAMP = 14,   /* int64_t, microseconds since 1970-01-01 00:00:00 */
  SCAUP_TYPE_INTERVAL = 15,    /* scaup_interval */
  SCAUP_TYPE_UUID = 16,        /* scaup_int128, with the highest of the 128 bits inverted */
  SCAUP_TYPE_TIMESTAMPTZ = 17, /* int64_t, microseconds since 1970-01-01 00:00:00 UTC */
  SCAUP_TYPE_JSON = 18,        /* scaup_string, the text of a JSON value, as it was written */
  SCAUP_TYPE_JSONB = 19,       /* scaup_string, the text of a JSON value in normal form */
  SCAUP_TYPE_LIST = 20,        /* no plain memory: see scaup_result_elements, or export to Arrow */
  SCAUP_TYPE_STRUCT = 21,      /* no plain memory: likewise */
  SCAUP_TYPE_ENUM = 22,        /* int16_t, the position of the label in the type, from 0 */
  SCAUP_TYPE_NUMERIC = 23,     /* no plain memory: read it as text or double; given as text in `bytes` */
  SCAUP_TYPE_UTINYINT = 24,    /* uint8_t */
  SCAUP_TYPE_USMALLINT = 25,   /* uint16_t */
  SCAUP_TYPE_UINTEGER = 26,    /* uint32_t */
  SCAUP_TYPE_UBIGINT = 27,     /* uint64_t */
  SCAUP_TYPE_BIT = 28,    /* no plain memory: read it as text; given as a text of zeros and ones in `bytes` */
  SCAUP_TYPE_TIMETZ = 29, /* int64_t: microseconds since midnight UTC, times 2^24, plus 57599 less the
                             seconds that the clocks are east of Greenwich */
  SCAUP_TYPE_RANGE = 30,  /* no plain memory: read it as text, or its five parts by scaup_result_elements */
  SCAUP_TYPE_MULTIRANGE = 31 /* no plain memory: likewise, its ranges */
};

/* An integer of 128 bits, in two's complement. */
typedef struct scaup_int128 {
  uint64_t low;
  int64_t high;
} scaup_int128;

/* Months, days and microseconds, which are not converted into each other. */
typedef struct scaup_interval {
  int32_t months;
  int32_t days;
  int64_t micros;
} scaup_interval;

/* A string in a column. Up to 12 bytes are stored inline, in `head` and `tail.rest`; of longer ones `head` is
 * the first four bytes, and `tail.data` points to all of them. There is no terminating NUL. */
typedef struct scaup_string {
  uint32_t size;
  char head[4];
  union {
    char rest[8];
    const char* data;
  } tail;
} scaup_string;

/* Returns the bytes of a string in a column; `string->size` of them. Valid as long as the column. */
static inline const char* scaup_string_data(const scaup_string* string) {
  return string->size <= 12 ? string->head : string->tail.data;
}

/* A setting for scaup_open. */
typedef struct scaup_setting {
  const char* name;
  const char* value;
} scaup_setting;

/* A column of a result: `data` is an array of `row_count` values of `value_bytes` bytes each, as the comments
 * of the types say. NULL rows have the value zero. Columns of statements and streams have no rows. */
typedef struct scaup_column {
  const char* name;
  const scaup_type* type;
  scaup_type_id type_id;
  uint8_t width; /* of DECIMAL: all digits */
  uint8_t scale; /* of DECIMAL: digits after the point */
  size_t row_count;
  size_t value_bytes;
  const void* data;     /* NULL for LIST and STRUCT, and without rows */
  const uint8_t* nulls; /* nulls[row] is 1 if the value is NULL, else 0; NULL if no value is */
} scaup_column;

/* One value of any type, in parameters and appended rows, and read from results. Which members count depends
 * on `type`. Set all others to zero; all zero is a NULL. */
typedef struct scaup_value {
  scaup_type_id type;
  uint8_t width;     /* of DECIMAL */
  uint8_t scale;     /* of DECIMAL */
  bool is_null;      /* also true of SCAUP_TYPE_NULL when read */
  int64_t integer;   /* BOOLEAN, integers to BIGINT and UINTEGER, DECIMAL to 18 digits, DATE, TIME,
                        TIMESTAMP, TIMESTAMPTZ; the position of the label of an ENUM */
  scaup_int128 huge; /* HUGEINT, UBIGINT, DECIMAL above 18 digits; the 128 bits of a UUID, none inverted */
  double real;       /* REAL, DOUBLE */
  scaup_interval interval; /* INTERVAL */
  const char* bytes;       /* VARCHAR, BLOB, JSON, JSONB, the label of an ENUM; no NUL behind them */
  size_t size;             /* number of `bytes`; SCAUP_NUL_TERMINATED in parameters that are text */
} scaup_value;

/* --- The library --- */

/* Returns the library's version, such as "0.1.0". The string is static. */
SCAUP_C_API const char* scaup_version(void);
/* Returns the number that SCAUP_ABI_VERSION had when the library was built. */
SCAUP_C_API uint32_t scaup_abi_version(void);

/* --- Errors --- */

/* Returns the status that came with the error. */
SCAUP_C_API scaup_status scaup_error_kind(const scaup_error* error);
/* Returns the message, without a newline at its end. It says what to do where that helps. */
SCAUP_C_API const char* scaup_error_message(const scaup_error* error);
/* Returns the five characters of the SQLSTATE, with PostgreSQL's meaning. */
SCAUP_C_API const char* scaup_error_sqlstate(const scaup_error* error);
/* Returns the byte of the SQL text, from 0, that the error is about; -1 if none is known. */
SCAUP_C_API int64_t scaup_error_position(const scaup_error* error);
SCAUP_C_API void scaup_error_free(scaup_error* error);

/* --- Databases and connections --- */

/* Opens the database file at `path`, which is created if it is missing; with NULL, "" or ":memory:" a new
 * database that is lost when it is closed. `settings` are those that SHOW ALL lists, such as {"threads", "4"}
 * or {"access_mode", "read_only"}; may be NULL if `setting_count` is 0. Free with scaup_close.
 * Fails with SCAUP_ERROR_USAGE for an unknown setting or an invalid value; SCAUP_ERROR_IO with SQLSTATE 55006
 * if the file is open elsewhere, 58P01 if it is missing and cannot be created, XX001 if it is damaged or no
 * database; SCAUP_ERROR_NOT_SUPPORTED for a file of a newer version. */
SCAUP_C_API scaup_status scaup_open(const char* path, const scaup_setting* settings, size_t setting_count,
                                    scaup_database** out, scaup_error** error);
/* Frees the handle. The database is closed when its last connection, statement, stream and appender are
 * freed, too. */
SCAUP_C_API void scaup_close(scaup_database* database);
/* Opens a session of a database. Free with scaup_disconnect. */
SCAUP_C_API scaup_status scaup_connect(scaup_database* database, scaup_connection** out, scaup_error** error);
/* Frees the handle. The session ends, and an open transaction is rolled back, when its statements, streams
 * and appenders are freed, too. */
SCAUP_C_API void scaup_disconnect(scaup_connection* connection);
/* Makes the running statement, if any, fail with SCAUP_ERROR_INTERRUPTED. Does not wait for its end. May be
 * called by any thread, and in a signal handler. */
SCAUP_C_API void scaup_interrupt(scaup_connection* connection);
/* Returns the progress of the running statement, 0 to 1; a negative number if it is not known. May be called
 * by any thread. */
SCAUP_C_API double scaup_progress(const scaup_connection* connection);

/* --- Statements in one go --- */

/* Executes one or more statements, separated by semicolons, and gives the result of the last one. None is
 * executed if the syntax of any is wrong. `out` may be NULL if the result is not wanted. Free the result with
 * scaup_result_free. Positions of errors count in the whole text. */
SCAUP_C_API scaup_status scaup_query(scaup_connection* connection, const char* sql, size_t length,
                                     scaup_result** out, scaup_error** error);
/* Executes one statement, whose rows are fetched in batches. A statement that only reads computes them while
 * they are fetched; one that changes something is complete when this returns. Another statement on the
 * connection ends a stream that still computes. Free with scaup_stream_free. */
SCAUP_C_API scaup_status scaup_query_stream(scaup_connection* connection, const char* sql, size_t length,
                                            scaup_stream** out, scaup_error** error);
/* Splits a text into its statements without executing them, for programs that want the result of each. Needs
 * no database. Fails with SCAUP_ERROR_SYNTAX. Free with scaup_script_free. */
SCAUP_C_API scaup_status scaup_split(const char* sql, size_t length, scaup_script** out, scaup_error** error);
/* Returns the number of statements. */
SCAUP_C_API size_t scaup_script_count(const scaup_script* script);
/* Returns a statement without its semicolon, with a NUL at its end; NULL if there is none of this index,
 * which counts from 0. */
SCAUP_C_API const char* scaup_script_statement(const scaup_script* script, size_t index);
SCAUP_C_API void scaup_script_free(scaup_script* script);

/* --- Prepared statements --- */

/* Parses and plans one statement with any number of parameters $1, $2, .... If a table that it uses is
 * altered, it is prepared again by itself. Free with scaup_statement_free. */
SCAUP_C_API scaup_status scaup_prepare(scaup_connection* connection, const char* sql, size_t length,
                                       scaup_statement** out, scaup_error** error);
/* Returns the number of parameters. */
SCAUP_C_API size_t scaup_statement_parameter_count(const scaup_statement* statement);
/* Returns the number of columns of the result; 0 if the statement has no rows. */
SCAUP_C_API size_t scaup_statement_column_count(const scaup_statement* statement);
/* Describes a column of the result. The name and type are valid until the statement is executed or freed.
 * Fails with SCAUP_ERROR_USAGE if there is no such column. */
SCAUP_C_API scaup_status scaup_statement_column(const scaup_statement* statement, size_t column,
                                                scaup_column* out, scaup_error** error);

/* The next functions set the value of a parameter, from 1. It stays until it is set again; the order does not
 * matter. A VARCHAR is treated like a quoted literal: it takes the type that its context needs, so that
 * lists, structs, enums and UUIDs can be given as text. All fail with SCAUP_ERROR_USAGE if there is no such
 * parameter; scaup_bind_value also for values out of the type's range, for widths above 38, and for the types
 * LIST, STRUCT and ENUM. A text that is not UTF-8 fails when the statement is executed, with 22021. */
SCAUP_C_API scaup_status scaup_bind_value(scaup_statement* statement, size_t parameter,
                                          const scaup_value* value, scaup_error** error);
SCAUP_C_API scaup_status scaup_bind_null(scaup_statement* statement, size_t parameter, scaup_error** error);
SCAUP_C_API scaup_status scaup_bind_boolean(scaup_statement* statement, size_t parameter, bool value,
                                            scaup_error** error);
SCAUP_C_API scaup_status scaup_bind_int64(scaup_statement* statement, size_t parameter, int64_t value,
                                          scaup_error** error);
SCAUP_C_API scaup_status scaup_bind_double(scaup_statement* statement, size_t parameter, double value,
                                           scaup_error** error);
SCAUP_C_API scaup_status scaup_bind_text(scaup_statement* statement, size_t parameter, const char* text,
                                         size_t length, scaup_error** error);
SCAUP_C_API scaup_status scaup_bind_blob(scaup_statement* statement, size_t parameter, const void* bytes,
                                         size_t size, scaup_error** error);

/* Executes the statement with the values of its parameters. Fails with SCAUP_ERROR_USAGE if one has none.
 * `out` may be NULL if the result is not wanted. Free the result with scaup_result_free. */
SCAUP_C_API scaup_status scaup_execute(scaup_statement* statement, scaup_result** out, scaup_error** error);
/* Executes the statement and streams its rows, as scaup_query_stream does. */
SCAUP_C_API scaup_status scaup_execute_stream(scaup_statement* statement, scaup_stream** out,
                                              scaup_error** error);
SCAUP_C_API void scaup_statement_free(scaup_statement* statement);

/* --- Results --- */

/* Returns the number of columns; 0 for statements without rows, such as CREATE and INSERT. */
SCAUP_C_API size_t scaup_result_column_count(const scaup_result* result);
SCAUP_C_API size_t scaup_result_row_count(const scaup_result* result);
/* Returns the number of rows that the statement inserted, updated, deleted or copied; 0 for others. */
SCAUP_C_API uint64_t scaup_result_rows_changed(const scaup_result* result);
/* Gives the name, type and memory of a column, without a copy. All pointers are valid until the result is
 * freed. Fails with SCAUP_ERROR_USAGE if there is no such column. */
SCAUP_C_API scaup_status scaup_result_column(const scaup_result* result, size_t column, scaup_column* out,
                                             scaup_error** error);
/* Returns whether a value is NULL; true if there is no such column or row. */
SCAUP_C_API bool scaup_result_is_null(const scaup_result* result, size_t column, size_t row);

/* The next functions read one value. They fail with SCAUP_ERROR_USAGE if there is no such column or row. */

/* Gives a value of any type. `out->bytes` belongs to the result. */
SCAUP_C_API scaup_status scaup_result_value(const scaup_result* result, size_t column, size_t row,
                                            scaup_value* out, scaup_error** error);
/* Gives a BOOLEAN, an integer, a DATE, TIME or TIMESTAMP as stored, or the position of an ENUM's label. Fails
 * with SCAUP_ERROR_USAGE (22002) for NULL, SCAUP_ERROR_OUT_OF_RANGE for a number of more than 64 bits with
 * its sign, and SCAUP_ERROR_CONVERSION for other types. */
SCAUP_C_API scaup_status scaup_result_int64(const scaup_result* result, size_t column, size_t row,
                                            int64_t* out, scaup_error** error);
/* Gives a REAL, DOUBLE, integer or DECIMAL, rounded to the nearest number if need be. Fails with
 * SCAUP_ERROR_USAGE (22002) for NULL and SCAUP_ERROR_CONVERSION for other types. */
SCAUP_C_API scaup_status scaup_result_double(const scaup_result* result, size_t column, size_t row,
                                             double* out, scaup_error** error);
/* Writes the text of any value, like a cast to VARCHAR in the statement's session, "NULL" for NULL, and a
 * terminating NUL into `buffer`, cut off after `capacity` bytes. `length` gets the bytes of the whole text
 * without the NUL; if it is not below `capacity`, the text was cut. `buffer` may be NULL if `capacity` is 0.
 */
SCAUP_C_API scaup_status scaup_result_text(const scaup_result* result, size_t column, size_t row,
                                           char* buffer, size_t capacity, size_t* length,
                                           scaup_error** error);
/* Gives the elements of a LIST, or the values of a STRUCT's fields. Fails with SCAUP_ERROR_USAGE (22002) for
 * NULL, and SCAUP_ERROR_CONVERSION for other types. Free with scaup_elements_free. Many rows are read faster
 * as Arrow arrays. */
SCAUP_C_API scaup_status scaup_result_elements(const scaup_result* result, size_t column, size_t row,
                                               scaup_elements** out, scaup_error** error);
SCAUP_C_API void scaup_result_free(scaup_result* result);

/* Returns the number of elements, or of fields. */
SCAUP_C_API size_t scaup_elements_count(const scaup_elements* elements);
/* Gives an element, from 0. `out->bytes` belongs to `elements`. Fails with SCAUP_ERROR_USAGE if there is no
 * such element. */
SCAUP_C_API scaup_status scaup_elements_value(const scaup_elements* elements, size_t index, scaup_value* out,
                                              scaup_error** error);
/* Gives the elements of an element that is a LIST or STRUCT itself. Fails like scaup_result_elements. Free
 * with scaup_elements_free, in any order. */
SCAUP_C_API scaup_status scaup_elements_nested(const scaup_elements* elements, size_t index,
                                               scaup_elements** out, scaup_error** error);
SCAUP_C_API void scaup_elements_free(scaup_elements* elements);

/* --- Streams --- */

SCAUP_C_API size_t scaup_stream_column_count(const scaup_stream* stream);
/* Describes a column. Fails with SCAUP_ERROR_USAGE if there is no such column. */
SCAUP_C_API scaup_status scaup_stream_column(const scaup_stream* stream, size_t column, scaup_column* out,
                                             scaup_error** error);
/* Returns the number of rows that the statement changed, which is final from the beginning. */
SCAUP_C_API uint64_t scaup_stream_rows_changed(const scaup_stream* stream);
/* Fetches the next rows as a result: exactly `row_count` of them or the rest, or with 0 as many as are best,
 * a few thousand at most. `*out` is NULL at the end. Fails with the errors of the statement, and with
 * SCAUP_ERROR_USAGE (24000) if another statement has ended the stream. Free each result with
 * scaup_result_free. */
SCAUP_C_API scaup_status scaup_stream_fetch(scaup_stream* stream, size_t row_count, scaup_result** out,
                                            scaup_error** error);
/* Ends the statement, if it still runs. */
SCAUP_C_API void scaup_stream_free(scaup_stream* stream);

/* --- Types --- */

/* A scaup_type belongs to the result, stream or statement whose column it came from. */
SCAUP_C_API scaup_type_id scaup_type_get_id(const scaup_type* type);
/* Returns all digits of a DECIMAL, and those after the point; 0 for other types. */
SCAUP_C_API uint8_t scaup_type_width(const scaup_type* type);
SCAUP_C_API uint8_t scaup_type_scale(const scaup_type* type);
/* Returns 1 for a LIST, the number of fields of a STRUCT or of labels of an ENUM, and 0 for other types. */
SCAUP_C_API size_t scaup_type_child_count(const scaup_type* type);
/* Returns the name of a STRUCT's field, or the label of an ENUM; NULL if there is none. */
SCAUP_C_API const char* scaup_type_child_name(const scaup_type* type, size_t index);
/* Returns the type of a LIST's elements, or of a STRUCT's field; NULL if there is none. */
SCAUP_C_API const scaup_type* scaup_type_child(const scaup_type* type, size_t index);
/* Writes the type's SQL name, such as DECIMAL(15,2) or VARCHAR[]. `buffer`, `capacity` and `length` are those
 * of scaup_result_text. */
SCAUP_C_API scaup_status scaup_type_name(const scaup_type* type, char* buffer, size_t capacity,
                                         size_t* length, scaup_error** error);

/* --- Arrow --- */

/* How results become Arrow arrays; 0 for none of them. */
enum {
  SCAUP_ARROW_STRING_VIEWS =
      1,                       /* VARCHAR and BLOB as utf8_view and binary_view rather than utf8 and binary */
  SCAUP_ARROW_PLAIN_ENUMS = 2, /* ENUM as utf8 rather than as dictionaries */
  SCAUP_ARROW_PLAIN_TYPES = 4  /* JSON and UUID as their storage rather than as arrow.json and arrow.uuid */
};

/* Makes `out` a stream of the result's rows, in arrays of at most `batch_rows` rows (0 for 131072). `out`
 * must be uninitialized or released. The caller owns it and calls its `release`; it is independent of the
 * result. Numbers are shared with the result, not copied. Fails with SCAUP_ERROR_USAGE for a statement
 * without rows. */
SCAUP_C_API scaup_status scaup_result_export_arrow(const scaup_result* result, uint32_t options,
                                                   size_t batch_rows, struct ArrowArrayStream* out,
                                                   scaup_error** error);
/* Makes `out` a stream of the remaining rows, which are computed on request. Whatever would end `stream` ends
 * it, and its `release` ends the statement. `stream` is used up if this succeeds: it can only be freed. */
SCAUP_C_API scaup_status scaup_stream_export_arrow(scaup_stream* stream, uint32_t options, size_t batch_rows,
                                                   struct ArrowArrayStream* out, scaup_error** error);
/* Makes the rows of a stream a table of this connection, under a name without schema. They can be read once,
 * by the first statement that needs them. A table or view of the database with the same name takes
 * precedence; one that was registered under it is replaced. Takes ownership of `stream`, also if it fails. */
SCAUP_C_API scaup_status scaup_register_arrow(scaup_connection* connection, const char* name,
                                              struct ArrowArrayStream* stream, scaup_error** error);
/* Opens a pass over a table of the program: makes `out` a stream that has at least the named columns; with
 * `column_count` 0 all columns. Returns 0, or an errno value that ends the statement. Called by threads that
 * run statements, one at a time. Must not use the connection that reads the table. */
typedef int (*scaup_arrow_open)(void* context, const char* const* columns, size_t column_count,
                                struct ArrowArrayStream* out);
/* Makes a table that can be read any number of times. `destroy`, if not NULL, is called with `context` once,
 * when the table is no longer needed, by any thread, also if this function fails. */
SCAUP_C_API scaup_status scaup_register_arrow_table(scaup_connection* connection, const char* name,
                                                    scaup_arrow_open open, void* context,
                                                    void (*destroy)(void* context), scaup_error** error);
/* Removes a registered table. `*removed`, if `removed` is not NULL, tells whether there was one. */
SCAUP_C_API scaup_status scaup_unregister_arrow(scaup_connection* connection, const char* name, bool* removed,
                                                scaup_error** error);

/* --- Functions of the program --- */

/* Begins the definition of a function, aggregate or table function that SQL can call. One of the functions
 * scaup_create_... below makes it callable; the definition may then be used again, or freed. Free with
 * scaup_function_free. */
SCAUP_C_API scaup_status scaup_function_new(const char* name, scaup_function** out, scaup_error** error);
SCAUP_C_API void scaup_function_free(scaup_function* function);
/* Adds an argument of a type as SQL writes it, such as "DECIMAL(10,2)". Table functions may have one argument
 * that is a table, "TABLE (id INTEGER, v DOUBLE)", or "TABLE" for any columns: f((SELECT ...)), f(TABLE t).
 * `name` is for calls with name => value; may be NULL. Fails with SCAUP_ERROR_SYNTAX, or SCAUP_ERROR_BINDER
 * for an unknown type. */
SCAUP_C_API scaup_status scaup_function_add_argument(scaup_function* function, const char* name,
                                                     const char* type, scaup_error** error);
/* Sets the type of the result; of table functions "TABLE (id INTEGER, p VARCHAR)". */
SCAUP_C_API scaup_status scaup_function_set_result(scaup_function* function, const char* type,
                                                   scaup_error** error);
/* Adds a column to the state of an aggregate; see scaup_create_aggregate. */
SCAUP_C_API scaup_status scaup_function_add_state(scaup_function* function, const char* type,
                                                  scaup_error** error);
/* What a definition says besides, 0 unless it is set. */
typedef int32_t scaup_function_option;
enum {
  SCAUP_FUNCTION_VOLATILITY = 1,     /* of functions: 0: the same arguments always give the same result; 1:
                                        within a statement; 2: a call is made for each row that needs it. Of
                                        table functions 2: their queries may change rows */
  SCAUP_FUNCTION_TAKES_NULLS = 2,    /* 1: the body gets rows with NULL arguments; else such rows give NULL,
                                        and aggregates leave them out */
  SCAUP_FUNCTION_BATCH_ROWS = 3,     /* the most rows of a call; 0: 65,536 */
  SCAUP_FUNCTION_TAKES_ALL_ROWS = 4, /* of functions: 1: one call gets all rows, which must fit in memory */
  SCAUP_FUNCTION_IS_VARIADIC = 5,    /* of functions: 1: calls may have more arguments of the last type */
  SCAUP_FUNCTION_TAKES_BATCHES = 6 /* of table functions: 1: a run for each batch of rows, several at once */
};
/* Sets an option. Fails with SCAUP_ERROR_USAGE for an unknown one, or a value that it does not have. */
SCAUP_C_API scaup_status scaup_function_set_option(scaup_function* function, scaup_function_option option,
                                                   uint64_t value, scaup_error** error);

/* Bodies are called by any threads that run statements, also at the same time, and never while no statement
 * runs. They must not use the connection that calls them (SQLSTATE 55006); scaup_query_within queries. What
 * they are given is valid during the call. They return 0, or anything else to end the statement with the
 * error that scaup_output_fail has set, or that one of their calls with the output has failed with; without
 * one with SQLSTATE 38000. */

/* Computes a value for each row of `arguments`, whose columns are the arguments. */
typedef int (*scaup_function_body)(void* context, const scaup_result* arguments, scaup_output* output);
/* Makes a function callable on this connection; one with the same name and argument types is replaced.
 * `destroy`, if not NULL, is called with `context` once, when the function is no longer needed, by any
 * thread, also if this fails. Fails with SCAUP_ERROR_USAGE for a definition that is not whole, and
 * SCAUP_ERROR_CATALOG (42723) for the name of a built-in function. */
SCAUP_C_API scaup_status scaup_create_function(scaup_connection* connection, const scaup_function* function,
                                               scaup_function_body body, void* context,
                                               void (*destroy)(void* context), scaup_error** error);

/* Computes a value for each group; with a state, one row of `rows` for each, its state. Rows of a group are
 * one after the other: group i has the rows offsets[i] to offsets[i + 1] - 1, and at least one. */
typedef int (*scaup_aggregate_body)(void* context, const scaup_result* rows, const int64_t* offsets,
                                    size_t group_count, scaup_output* output);
/* Computes a state for each group, of some of its rows, or of several states; an output for each column. */
typedef int (*scaup_aggregate_step)(void* context, const scaup_result* rows, const int64_t* offsets,
                                    size_t group_count, scaup_output* const* state);
/* Makes an aggregate callable, likewise. `accumulate` and `merge` are for definitions with a state, NULL for
 * others, whose body gets all rows of a group at once; these must fit in memory. */
SCAUP_C_API scaup_status scaup_create_aggregate(scaup_connection* connection, const scaup_function* function,
                                                scaup_aggregate_body body, scaup_aggregate_step accumulate,
                                                scaup_aggregate_step merge, void* context,
                                                void (*destroy)(void* context), scaup_error** error);

/* Begins a run of a table function: `values` has one row, the arguments, NULL in the place of the table.
 * `*run` is for the steps. If it fails, there is no `end`. */
typedef int (*scaup_table_start)(void* context, const scaup_result* values, void** run, scaup_output* output);
/* Gives some rows, maybe none; `*has_more` is true before. The steps of a run are called one after the other
 * until `*has_more` is false, one fails, or no more rows are needed. */
typedef int (*scaup_table_step)(void* context, void* run, scaup_table_input* input,
                                scaup_table_output* output, bool* has_more);
/* Ends a run; any thread. */
typedef void (*scaup_table_end)(void* context, void* run);
/* Makes a table function callable in FROM, likewise. `end` may be NULL. */
SCAUP_C_API scaup_status scaup_create_table_function(scaup_connection* connection,
                                                     const scaup_function* function, scaup_table_start start,
                                                     scaup_table_step step, scaup_table_end end,
                                                     void* context, void (*destroy)(void* context),
                                                     scaup_error** error);
/* Removes all functions of this name that the program has created. `*removed`, if `removed` is not NULL,
 * tells whether there was one. */
SCAUP_C_API scaup_status scaup_remove_function(scaup_connection* connection, const char* name, bool* removed,
                                               scaup_error** error);

/* Returns the number of values to set. */
SCAUP_C_API size_t scaup_output_row_count(const scaup_output* output);
/* Gives an array of values to write, zero at first, as scaup_column describes it. Fails with
 * SCAUP_ERROR_USAGE for VARCHAR, BLOB and nested types, which have none. */
SCAUP_C_API scaup_status scaup_output_data(scaup_output* output, void** out, scaup_error** error);
/* The next functions set one value. Fail with SCAUP_ERROR_USAGE if there is no such row, and for values of
 * another type that do not fit, SQLSTATE 22021 for text that is not UTF-8 included. */
SCAUP_C_API scaup_status scaup_output_set_null(scaup_output* output, size_t row, scaup_error** error);
SCAUP_C_API scaup_status scaup_output_set_text(scaup_output* output, size_t row, const char* bytes,
                                               size_t length, scaup_error** error);
SCAUP_C_API scaup_status scaup_output_set_value(scaup_output* output, size_t row, const scaup_value* value,
                                                scaup_error** error);
/* Sets all values to those of an Arrow array, whose memory is shared where the layouts agree. Takes ownership
 * of both, also if it fails. */
SCAUP_C_API scaup_status scaup_output_set_arrow(scaup_output* output, struct ArrowSchema* schema,
                                                struct ArrowArray* array, scaup_error** error);
/* Sets the error with which the statement ends if the body does not return 0. `sqlstate` has five characters;
 * NULL for 38000. */
SCAUP_C_API void scaup_output_fail(scaup_output* output, const char* sqlstate, const char* message);

/* Gives the next rows of a table function's table as a result, at most `row_count`, or 65,536 for 0, which
 * are computed meanwhile. `*out` is NULL at the end. Fails with the errors of the query. Free with
 * scaup_result_free. */
SCAUP_C_API scaup_status scaup_table_input_next(scaup_table_input* input, size_t row_count,
                                                scaup_result** out, scaup_error** error);
/* Begins the rows of a step. Columns that are never set are zero, or empty. */
SCAUP_C_API scaup_status scaup_table_output_begin(scaup_table_output* output, size_t row_count,
                                                  scaup_error** error);
/* Returns what sets a column of the rows, after scaup_table_output_begin; NULL if there is no such column. */
SCAUP_C_API scaup_output* scaup_table_output_column(scaup_table_output* output, size_t column);
/* Sets the error of a step, as scaup_output_fail does. */
SCAUP_C_API void scaup_table_output_fail(scaup_table_output* output, const char* sqlstate,
                                         const char* message);

/* Runs a query within the statement that calls the function whose body this thread runs: in its transaction
 * and snapshot. A function may change rows if its volatility is 2, and the statement that calls it reads no
 * tables. `values` are those of $1, $2, ... Fails with SCAUP_ERROR_USAGE (55000) if the thread runs no body,
 * and SCAUP_ERROR_NOT_SUPPORTED for other statements. `out` may be NULL. Free with scaup_result_free. */
SCAUP_C_API scaup_status scaup_query_within(const char* sql, size_t length, const scaup_value* values,
                                            size_t value_count, scaup_result** out, scaup_error** error);

/* --- Appenders --- */

/* Opens an appender, which inserts many rows fast, for a table or collection; `schema` NULL is "main". A row
 * has a value for each column, in order, except those that are GENERATED ALWAYS; a row of a collection is one
 * document as JSON text. Fails with SCAUP_ERROR_CATALOG if there is no such table. Free with
 * scaup_appender_free. */
SCAUP_C_API scaup_status scaup_appender_open(scaup_connection* connection, const char* schema,
                                             const char* table, scaup_appender** out, scaup_error** error);
/* The next functions append the next value of the row, which is cast to the type of its column. They fail
 * with SCAUP_ERROR_CONVERSION or SCAUP_ERROR_OUT_OF_RANGE if it does not fit, SCAUP_ERROR_CONSTRAINT for NULL
 * in a NOT NULL column, and SCAUP_ERROR_USAGE for one value too many or as scaup_bind_value does; the row
 * then has to be appended from its first value. */
SCAUP_C_API scaup_status scaup_append_value(scaup_appender* appender, const scaup_value* value,
                                            scaup_error** error);
SCAUP_C_API scaup_status scaup_append_null(scaup_appender* appender, scaup_error** error);
SCAUP_C_API scaup_status scaup_append_boolean(scaup_appender* appender, bool value, scaup_error** error);
SCAUP_C_API scaup_status scaup_append_int64(scaup_appender* appender, int64_t value, scaup_error** error);
SCAUP_C_API scaup_status scaup_append_double(scaup_appender* appender, double value, scaup_error** error);
SCAUP_C_API scaup_status scaup_append_text(scaup_appender* appender, const char* text, size_t length,
                                           scaup_error** error);
SCAUP_C_API scaup_status scaup_append_blob(scaup_appender* appender, const void* bytes, size_t size,
                                           scaup_error** error);
/* Ends the row. Fails with SCAUP_ERROR_USAGE if values are missing. Fails with SCAUP_ERROR_OUT_OF_MEMORY if
 * memory does not suffice for the rows since the last flush, which are then dropped. */
SCAUP_C_API scaup_status scaup_append_row_end(scaup_appender* appender, scaup_error** error);
/* Appends the rows of a stream of Arrow arrays behind those so far, without a copy; scaup_appender_flush
 * reads them. Takes ownership of `stream`, also if it fails. Fails with SCAUP_ERROR_USAGE for another number
 * of columns or within a row, and SCAUP_ERROR_CONVERSION for types that do not convert to the table's. */
SCAUP_C_API scaup_status scaup_append_arrow(scaup_appender* appender, struct ArrowArrayStream* stream,
                                            scaup_error** error);
/* Appends the rows of one Arrow array, a struct of its columns, of the type `schema`. Takes ownership of
 * both, also if it fails. Fails like scaup_append_arrow. */
SCAUP_C_API scaup_status scaup_append_arrow_array(scaup_appender* appender, struct ArrowSchema* schema,
                                                  struct ArrowArray* array, scaup_error** error);
/* Inserts the rows since the last flush: all of them or, if it fails, none, and they are dropped. They are
 * visible, and on disk, when it returns, unless a transaction is open. Fails with SCAUP_ERROR_CONSTRAINT for
 * rows that break the table's constraints, SCAUP_ERROR_CATALOG if the table was dropped or changed, and
 * SCAUP_ERROR_USAGE, without dropping any, within a row. */
SCAUP_C_API scaup_status scaup_appender_flush(scaup_appender* appender, scaup_error** error);
/* Drops the rows that were not flushed. */
SCAUP_C_API void scaup_appender_free(scaup_appender* appender);

#ifdef __cplusplus
}
#endif

#endif
