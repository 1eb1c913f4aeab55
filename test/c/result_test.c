/* Results: columns in memory, single values, elements of lists and structs, types. */
#include "check.h"

/* Two rows of all types that have plain memory: values, and NULLs. */
static const char* const all_types =
    "SELECT * FROM (VALUES (true, CAST(-8 AS TINYINT), CAST(-16 AS SMALLINT), -32, CAST(-64 AS BIGINT), "
    "CAST('-170141183460469231731687303715884105728' AS HUGEINT), CAST(1.5 AS REAL), CAST(0.1 AS DOUBLE), "
    "CAST(-1.25 AS DECIMAL(4,2)), CAST(-1.25 AS DECIMAL(9,2)), CAST(-1.25 AS DECIMAL(18,2)), CAST(-1.25 AS "
    "DECIMAL(38,2)), "
    "'twelve bytes', 'thirteen byte', CAST('\\x00ff' AS BLOB), DATE '2022-01-08', TIME '01:00:00', TIMESTAMP "
    "'1970-01-01 00:00:01', "
    "TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:02+00', INTERVAL '1 month 2 days 3 microseconds', "
    "CAST('ffeeddcc-bbaa-9988-0123-456789abcdef' AS UUID), CAST('{\"b\":1}' AS JSON), CAST('{\"b\":1}' AS "
    "JSONB), CAST('sad' AS mood)), "
    "(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
    "NULL, NULL, NULL, NULL, NULL, "
    "NULL, NULL)) AS t(b, i1, i2, i4, i8, i16, r, d, d4, d9, d18, d38, short, long, bytes, date, time, "
    "moment, zoned, span, uuid, json, "
    "jsonb, mood)";

static struct session open_moods(void) {
  struct session session = open_session();
  run(session.connection, "CREATE TYPE mood AS ENUM ('happy', 'sad')");
  return session;
}

static bool is_string(const scaup_column* column, const char* wanted) {
  const scaup_string* string = (const scaup_string*)column->data;
  return string->size == strlen(wanted) && memcmp(scaup_string_data(string), wanted, string->size) == 0;
}

/* Returns the memory of a column after checking its type and the size of its values. */
static scaup_column take(const scaup_result* result, const char* name, scaup_type_id type,
                         size_t value_bytes) {
  scaup_column column;
  memset(&column, 0, sizeof(column));
  for (size_t i = 0; i < scaup_result_column_count(result); i++) {
    SUCCEEDS(scaup_result_column(result, i, &column, &error));
    if (strcmp(column.name, name) == 0) break;
  }
  CHECK_TEXT(column.name, name);
  CHECK(column.type_id == type && scaup_type_get_id(column.type) == type);
  CHECK(column.row_count == 2 && column.value_bytes == value_bytes);
  CHECK(column.nulls != NULL && column.nulls[0] == 0 && column.nulls[1] == 1);
  CHECK(column.width == scaup_type_width(column.type) && column.scale == scaup_type_scale(column.type));
  return column;
}

#define FIRST(ctype, name, type) (*(const ctype*)take(result, (name), (type), sizeof(ctype)).data)

void test_columns(void) {
  struct session session = open_moods();
  scaup_result* result = query(session.connection, all_types);
  scaup_column column;
  CHECK(FIRST(uint8_t, "b", SCAUP_TYPE_BOOLEAN) == 1);
  CHECK(FIRST(int8_t, "i1", SCAUP_TYPE_TINYINT) == -8);
  CHECK(FIRST(int16_t, "i2", SCAUP_TYPE_SMALLINT) == -16);
  CHECK(FIRST(int32_t, "i4", SCAUP_TYPE_INTEGER) == -32);
  CHECK(FIRST(int64_t, "i8", SCAUP_TYPE_BIGINT) == -64);
  CHECK(FIRST(scaup_int128, "i16", SCAUP_TYPE_HUGEINT).high == INT64_MIN);
  CHECK(FIRST(scaup_int128, "i16", SCAUP_TYPE_HUGEINT).low == 0);
  CHECK(FIRST(float, "r", SCAUP_TYPE_REAL) == 1.5F);
  CHECK(FIRST(double, "d", SCAUP_TYPE_DOUBLE) == 0.1);
  CHECK(FIRST(int16_t, "d4", SCAUP_TYPE_DECIMAL) == -125);
  CHECK(FIRST(int32_t, "d9", SCAUP_TYPE_DECIMAL) == -125);
  CHECK(FIRST(int64_t, "d18", SCAUP_TYPE_DECIMAL) == -125);
  CHECK(FIRST(scaup_int128, "d38", SCAUP_TYPE_DECIMAL).low == (uint64_t)-125);
  CHECK(FIRST(int32_t, "date", SCAUP_TYPE_DATE) == 19000);
  CHECK(FIRST(int64_t, "time", SCAUP_TYPE_TIME) == INT64_C(3600000000));
  CHECK(FIRST(int64_t, "moment", SCAUP_TYPE_TIMESTAMP) == 1000000);
  CHECK(FIRST(int64_t, "zoned", SCAUP_TYPE_TIMESTAMPTZ) == 2000000);
  CHECK(FIRST(scaup_interval, "span", SCAUP_TYPE_INTERVAL).months == 1);
  CHECK(FIRST(scaup_interval, "span", SCAUP_TYPE_INTERVAL).days == 2);
  CHECK(FIRST(scaup_interval, "span", SCAUP_TYPE_INTERVAL).micros == 3);
  CHECK(FIRST(scaup_int128, "uuid", SCAUP_TYPE_UUID).high == INT64_C(0x7feeddccbbaa9988));
  CHECK(FIRST(scaup_int128, "uuid", SCAUP_TYPE_UUID).low == UINT64_C(0x0123456789abcdef));
  CHECK(FIRST(int16_t, "mood", SCAUP_TYPE_ENUM) == 1);
  column = take(result, "short", SCAUP_TYPE_VARCHAR, 16);
  CHECK(is_string(&column, "twelve bytes"));
  column = take(result, "long", SCAUP_TYPE_VARCHAR, 16);
  CHECK(is_string(&column, "thirteen byte"));
  column = take(result, "json", SCAUP_TYPE_JSON, 16);
  CHECK(is_string(&column, "{\"b\":1}"));
  column = take(result, "jsonb", SCAUP_TYPE_JSONB, 16);
  CHECK(is_string(&column, "{\"b\": 1}"));
  column = take(result, "bytes", SCAUP_TYPE_BLOB, 16);
  CHECK(((const scaup_string*)column.data)->size == 2);
  CHECK(memcmp(scaup_string_data((const scaup_string*)column.data), "\0\xff", 2) == 0);
  FAILS(scaup_result_column(result, 24, &column, &error), SCAUP_ERROR_USAGE, "22023");
  scaup_result_free(result);

  /* Columns without NULLs have no mask; lists, structs, NUMERICs and BITs have no plain memory. */
  result = query(session.connection,
                 "SELECT 1 AS a, ARRAY[1, 2] AS l, ROW(1, 'a') AS s, CAST(0.1 AS NUMERIC) AS n, B'01' AS b");
  SUCCEEDS(scaup_result_column(result, 0, &column, &error));
  CHECK(column.nulls == NULL && column.data != NULL);
  for (size_t i = 1; i < 5; i++) {
    SUCCEEDS(scaup_result_column(result, i, &column, &error));
    CHECK(column.data == NULL && column.value_bytes == 0 && column.row_count == 1);
  }
  scaup_result_free(result);
  close_session(&session);
}

/* Gives a value back as a parameter, and compares its text. */
static void check_round_trip(scaup_connection* connection, const scaup_value* value, const char* type,
                             const char* text) {
  char sql[200];
  scaup_value given = *value;
  scaup_statement* statement;
  if (given.type == SCAUP_TYPE_ENUM) given.type = SCAUP_TYPE_VARCHAR;
  snprintf(sql, sizeof(sql), "SELECT CAST($1 AS %s)", type);
  statement = prepare(connection, sql);
  SUCCEEDS(scaup_bind_value(statement, 1, &given, &error));
  CHECK(execute_has_text(statement, text));
  scaup_statement_free(statement);
}

/* NUMERICs are read as double or text, and given as text. */
static void check_numeric(scaup_connection* connection) {
  const char* const digits = "12345678901234567890123456789012345678901234567890.5";
  scaup_result* result = query(connection, "SELECT CAST(0.1 AS NUMERIC)");
  scaup_statement* statement = prepare(connection, "SELECT $1");
  scaup_value value;
  double number;
  SUCCEEDS(scaup_result_value(result, 0, 0, &value, &error));
  CHECK(value.type == SCAUP_TYPE_NUMERIC && !value.is_null && value.bytes == NULL);
  SUCCEEDS(scaup_result_double(result, 0, 0, &number, &error));
  CHECK(number == 0.1);
  value.bytes = digits;
  value.size = strlen(digits);
  SUCCEEDS(scaup_bind_value(statement, 1, &value, &error));
  CHECK(execute_has_text(statement, digits));
  value.bytes = "x";
  value.size = 1;
  FAILS(scaup_bind_value(statement, 1, &value, &error), SCAUP_ERROR_USAGE, "22P02");
  scaup_statement_free(statement);
  scaup_result_free(result);
}

void test_values(void) {
  struct session session = open_moods();
  scaup_result* result = query(session.connection, all_types);
  scaup_value value;
  for (size_t column = 0; column < scaup_result_column_count(result); column++) {
    char type[60], text[60];
    scaup_column description;
    SUCCEEDS(scaup_result_column(result, column, &description, &error));
    SUCCEEDS(scaup_type_name(description.type, type, sizeof(type), NULL, &error));
    for (size_t row = 0; row < 2; row++) {
      SUCCEEDS(scaup_result_value(result, column, row, &value, &error));
      CHECK(value.type == description.type_id && value.is_null == (row == 1));
      CHECK(scaup_result_is_null(result, column, row) == value.is_null);
      SUCCEEDS(scaup_result_text(result, column, row, text, sizeof(text), NULL, &error));
      check_round_trip(session.connection, &value, type, text);
    }
  }
  SUCCEEDS(scaup_result_value(result, 23, 0, &value, &error));
  CHECK(value.integer == 1 && value.size == 3 && memcmp(value.bytes, "sad", 3) == 0);
  SUCCEEDS(scaup_result_value(result, 20, 0, &value, &error));
  CHECK((uint64_t)value.huge.high == UINT64_C(0xffeeddccbbaa9988));
  FAILS(scaup_result_value(result, 24, 0, &value, &error), SCAUP_ERROR_USAGE, "22023");
  FAILS(scaup_result_value(result, 0, 2, &value, &error), SCAUP_ERROR_USAGE, "22023");
  CHECK(scaup_result_is_null(result, 24, 0) && scaup_result_is_null(result, 0, 2));
  scaup_result_free(result);

  result = query(session.connection, "SELECT ARRAY[1] AS l, CAST(NULL AS INTEGER[]) AS n");
  SUCCEEDS(scaup_result_value(result, 0, 0, &value, &error));
  CHECK(value.type == SCAUP_TYPE_LIST && !value.is_null && value.bytes == NULL);
  SUCCEEDS(scaup_result_value(result, 1, 0, &value, &error));
  CHECK(value.type == SCAUP_TYPE_LIST && value.is_null);
  scaup_result_free(result);
  check_numeric(session.connection);
  close_session(&session);
}

void test_getters(void) {
  struct session session = open_moods();
  static const struct {
    const char* sql;
    int64_t integer; /* -1 for none */
    double real;     /* -1 for none */
  } values[] = {
      {"true", 1, -1},
      {"CAST(5 AS TINYINT)", 5, 5},
      {"7000000000", 7000000000, 7000000000},
      {"CAST(12 AS HUGEINT)", 12, 12},
      {"CAST(255 AS UTINYINT)", 255, 255},
      {"CAST(65535 AS USMALLINT)", 65535, 65535},
      {"CAST(4294967295 AS UINTEGER)", 4294967295, 4294967295},
      {"CAST(12 AS UBIGINT)", 12, 12},
      {"DATE '1970-01-03'", 2, -1},
      {"TIME '00:00:01'", 1000000, -1},
      {"TIMESTAMP '1970-01-01 00:00:01'", 1000000, -1},
      {"CAST('sad' AS mood)", 1, -1},
      {"CAST(2.5 AS REAL)", -1, 2.5},
      {"CAST(0.1 AS DOUBLE)", -1, 0.1},
      {"CAST(0.1 AS DECIMAL(2,1))", -1, 0.1},
      {"CAST('1234567890123456789.0123456789' AS DECIMAL(38,10))", -1, 1234567890123456789.0123456789},
      {"CAST('0.00000000000000000000000000000001' AS DECIMAL(38,32))", -1, 1e-32},
      {"'5'", -1, -1},
      {"INTERVAL '1 day'", -1, -1},
      {"CAST('5' AS JSON)", -1, -1}};
  for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
    char sql[200];
    scaup_result* result;
    int64_t integer = -7;
    double real = -7;
    snprintf(sql, sizeof(sql), "SELECT %s", values[i].sql);
    result = query(session.connection, sql);
    if (values[i].integer == -1) {
      FAILS(scaup_result_int64(result, 0, 0, &integer, &error), SCAUP_ERROR_CONVERSION, "42804");
      CHECK(integer == -7);
    } else {
      SUCCEEDS(scaup_result_int64(result, 0, 0, &integer, &error));
      CHECK(integer == values[i].integer);
    }
    if (values[i].real == -1) {
      FAILS(scaup_result_double(result, 0, 0, &real, &error), SCAUP_ERROR_CONVERSION, "42804");
      CHECK(real == -7);
    } else {
      SUCCEEDS(scaup_result_double(result, 0, 0, &real, &error));
      CHECK(real == values[i].real);
    }
    scaup_result_free(result);
  }
  scaup_result* result =
      query(session.connection, "SELECT CAST(NULL AS INTEGER), CAST('9223372036854775808' AS HUGEINT)");
  int64_t integer;
  double real;
  FAILS(scaup_result_int64(result, 0, 0, &integer, &error), SCAUP_ERROR_USAGE, "22002");
  FAILS(scaup_result_double(result, 0, 0, &real, &error), SCAUP_ERROR_USAGE, "22002");
  FAILS(scaup_result_int64(result, 1, 0, &integer, &error), SCAUP_ERROR_OUT_OF_RANGE, "22003");
  FAILS(scaup_result_int64(result, 2, 0, &integer, &error), SCAUP_ERROR_USAGE, "22023");
  FAILS(scaup_result_double(result, 0, 1, &real, &error), SCAUP_ERROR_USAGE, "22023");
  scaup_result_free(result);
  close_session(&session);
}

void test_texts(void) {
  struct session session = open_session();
  scaup_result* result;
  char text[8] = "before";
  size_t length = 0;
  run(session.connection, "SET TimeZone = 'Europe/Berlin'");
  result = query(session.connection,
                 "SELECT 'abcdefgh', TIMESTAMP WITH TIME ZONE '2022-07-01 00:00:00+00', '', 'abcdefg'");
  SUCCEEDS(scaup_result_text(result, 0, 0, NULL, 0, &length, &error));
  CHECK(length == 8);
  SUCCEEDS(scaup_result_text(result, 0, 0, text, sizeof(text), &length, &error));
  CHECK(length == 8 && strcmp(text, "abcdefg") == 0);
  SUCCEEDS(scaup_result_text(result, 0, 0, text, 1, NULL, &error));
  CHECK_TEXT(text, "");
  SUCCEEDS(scaup_result_text(result, 3, 0, text, sizeof(text), &length, &error));
  CHECK(length == 7 && strcmp(text, "abcdefg") == 0);
  SUCCEEDS(scaup_result_text(result, 2, 0, text, sizeof(text), &length, &error));
  CHECK(length == 0 && strcmp(text, "") == 0);
  CHECK(has_text(result, 1, 0, "2022-07-01 02:00:00+02"));
  FAILS(scaup_result_text(result, 0, 0, NULL, 8, &length, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_result_text(result, 4, 0, text, 8, &length, &error), SCAUP_ERROR_USAGE, "22023");
  scaup_result_free(result);
  close_session(&session);
}

void test_elements(void) {
  struct session session = open_moods();
  scaup_result* result = query(session.connection,
                               "SELECT ARRAY['one', NULL, 'a text of more than twelve'] AS l, CAST(ROW(1, "
                               "2.5, 'sad', CAST('{{1,2},{3,4}}' AS INTEGER[][])) AS "
                               "STRUCT(i INTEGER, d DECIMAL(20,1), m mood, ll INTEGER[][])) AS s, CAST(NULL "
                               "AS INTEGER[]) AS n, 5 AS i");
  scaup_elements *list = NULL, *fields = NULL, *rows = NULL, *row = NULL;
  scaup_value value;
  SUCCEEDS(scaup_result_elements(result, 0, 0, &list, &error));
  SUCCEEDS(scaup_result_elements(result, 1, 0, &fields, &error));
  FAILS(scaup_result_elements(result, 2, 0, &rows, &error), SCAUP_ERROR_USAGE, "22002");
  FAILS(scaup_result_elements(result, 3, 0, &rows, &error), SCAUP_ERROR_CONVERSION, "42804");
  FAILS(scaup_result_elements(result, 4, 0, &rows, &error), SCAUP_ERROR_USAGE, "22023");
  CHECK(rows == NULL);
  scaup_result_free(result); /* Elements need neither the result ... */
  CHECK(scaup_elements_count(list) == 3 && scaup_elements_count(fields) == 4);
  SUCCEEDS(scaup_elements_value(list, 0, &value, &error));
  CHECK(value.type == SCAUP_TYPE_VARCHAR && value.size == 3 && memcmp(value.bytes, "one", 3) == 0);
  SUCCEEDS(scaup_elements_value(list, 1, &value, &error));
  CHECK(value.type == SCAUP_TYPE_VARCHAR && value.is_null);
  SUCCEEDS(scaup_elements_value(list, 2, &value, &error));
  CHECK(value.size == 26 && memcmp(value.bytes, "a text of more than twelve", 26) == 0);
  FAILS(scaup_elements_value(list, 3, &value, &error), SCAUP_ERROR_USAGE, "22023");
  FAILS(scaup_elements_nested(list, 0, &rows, &error), SCAUP_ERROR_CONVERSION, "42804");
  FAILS(scaup_elements_nested(list, 3, &rows, &error), SCAUP_ERROR_USAGE, "22023");
  SUCCEEDS(scaup_elements_value(fields, 0, &value, &error));
  CHECK(value.type == SCAUP_TYPE_INTEGER && value.integer == 1);
  SUCCEEDS(scaup_elements_value(fields, 1, &value, &error));
  CHECK(value.type == SCAUP_TYPE_DECIMAL && value.width == 20 && value.scale == 1 && value.huge.low == 25);
  SUCCEEDS(scaup_elements_value(fields, 2, &value, &error));
  CHECK(value.type == SCAUP_TYPE_ENUM && value.size == 3 && memcmp(value.bytes, "sad", 3) == 0);
  SUCCEEDS(scaup_elements_value(fields, 3, &value, &error));
  CHECK(value.type == SCAUP_TYPE_LIST && !value.is_null && value.bytes == NULL);
  SUCCEEDS(scaup_elements_nested(fields, 3, &rows, &error));
  scaup_elements_free(fields); /* ... nor those that they are within. */
  scaup_elements_free(list);
  CHECK(scaup_elements_count(rows) == 2);
  SUCCEEDS(scaup_elements_nested(rows, 1, &row, &error));
  scaup_elements_free(rows);
  SUCCEEDS(scaup_elements_value(row, 1, &value, &error));
  CHECK(value.type == SCAUP_TYPE_INTEGER && value.integer == 4);
  scaup_elements_free(row);

  /* Every type of element. */
  result = query(session.connection,
                 "SELECT ROW(1.5::REAL, 2.5::DOUBLE, INTERVAL '1 day', "
                 "CAST('00000000-0000-0000-0000-000000000001' AS UUID), NULL)");
  SUCCEEDS(scaup_result_elements(result, 0, 0, &row, &error));
  SUCCEEDS(scaup_elements_value(row, 0, &value, &error));
  CHECK(value.type == SCAUP_TYPE_REAL && value.real == 1.5);
  SUCCEEDS(scaup_elements_value(row, 1, &value, &error));
  CHECK(value.type == SCAUP_TYPE_DOUBLE && value.real == 2.5);
  SUCCEEDS(scaup_elements_value(row, 2, &value, &error));
  CHECK(value.type == SCAUP_TYPE_INTERVAL && value.interval.days == 1);
  SUCCEEDS(scaup_elements_value(row, 3, &value, &error));
  CHECK(value.type == SCAUP_TYPE_UUID && value.huge.low == 1 && value.huge.high == 0);
  SUCCEEDS(scaup_elements_value(row, 4, &value, &error));
  CHECK(value.is_null);
  scaup_elements_free(row);
  scaup_result_free(result);
  close_session(&session);
}

static bool has_name(const scaup_type* type, const char* wanted) {
  char name[100];
  size_t length = 0;
  SUCCEEDS(scaup_type_name(type, name, sizeof(name), &length, &error));
  return length == strlen(wanted) && strcmp(name, wanted) == 0;
}

void test_types(void) {
  struct session session = open_moods();
  scaup_result* result = query(
      session.connection,
      "SELECT CAST(NULL AS STRUCT(a INTEGER, b DECIMAL(15,2)[])) AS s, CAST(NULL AS mood) AS m, 1 AS i");
  scaup_column column;
  const scaup_type *list, *element;
  char name[4];
  size_t length = 0;
  SUCCEEDS(scaup_result_column(result, 0, &column, &error));
  CHECK(column.type_id == SCAUP_TYPE_STRUCT && scaup_type_child_count(column.type) == 2);
  CHECK_TEXT(scaup_type_child_name(column.type, 0), "a");
  CHECK_TEXT(scaup_type_child_name(column.type, 1), "b");
  CHECK(scaup_type_child_name(column.type, 2) == NULL && scaup_type_child(column.type, 2) == NULL);
  CHECK(scaup_type_get_id(scaup_type_child(column.type, 0)) == SCAUP_TYPE_INTEGER);
  list = scaup_type_child(column.type, 1);
  CHECK(scaup_type_get_id(list) == SCAUP_TYPE_LIST && scaup_type_child_count(list) == 1);
  CHECK(scaup_type_child_name(list, 0) == NULL && scaup_type_child(list, 1) == NULL);
  element = scaup_type_child(list, 0);
  CHECK(scaup_type_get_id(element) == SCAUP_TYPE_DECIMAL && scaup_type_width(element) == 15 &&
        scaup_type_scale(element) == 2);
  CHECK(scaup_type_child_count(element) == 0 && scaup_type_child(element, 0) == NULL);
  CHECK(has_name(column.type, "STRUCT(a INTEGER, b DECIMAL(15,2)[])"));
  CHECK(has_name(element, "DECIMAL(15,2)"));
  SUCCEEDS(scaup_type_name(element, name, sizeof(name), &length, &error));
  CHECK(length == 13 && strcmp(name, "DEC") == 0);
  SUCCEEDS(scaup_result_column(result, 1, &column, &error));
  CHECK(scaup_type_child_count(column.type) == 2 && scaup_type_child(column.type, 0) == NULL);
  CHECK_TEXT(scaup_type_child_name(column.type, 0), "happy");
  CHECK_TEXT(scaup_type_child_name(column.type, 1), "sad");
  CHECK(has_name(column.type, "mood"));
  SUCCEEDS(scaup_result_column(result, 2, &column, &error));
  CHECK(scaup_type_width(column.type) == 0 && scaup_type_scale(column.type) == 0 &&
        scaup_type_child_count(column.type) == 0);
  scaup_result_free(result);
  close_session(&session);
}
