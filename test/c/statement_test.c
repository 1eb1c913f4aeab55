/* Prepared statements and values for their parameters. */
#include "check.h"

void test_statements(void) {
  struct session session = open_session();
  scaup_statement* statement = NULL;
  scaup_result* result = NULL;
  scaup_stream* stream = NULL;
  scaup_column column;
  run(session.connection, "CREATE TABLE t AS SELECT i, i % 2 AS k FROM range(0, 10) r(i)");
  statement = prepare(session.connection,
                      "SELECT i, CAST(k AS DECIMAL(9,2)) AS k FROM t WHERE i >= $2 AND k = $1 ORDER BY i");
  CHECK(scaup_statement_parameter_count(statement) == 2);
  CHECK(scaup_statement_column_count(statement) == 2);
  SUCCEEDS(scaup_statement_column(statement, 1, &column, &error));
  CHECK_TEXT(column.name, "k");
  CHECK(column.type_id == SCAUP_TYPE_DECIMAL && column.width == 9 && column.scale == 2);
  CHECK(column.data == NULL && column.nulls == NULL && column.row_count == 0);
  FAILS(scaup_statement_column(statement, 2, &column, &error), SCAUP_ERROR_USAGE, "22023");

  SUCCEEDS(scaup_bind_int64(statement, 1, 1, &error));
  FAILS(scaup_execute(statement, &result, &error), SCAUP_ERROR_USAGE, "22023");
  CHECK(result == NULL);
  FAILS(scaup_execute_stream(statement, &stream, &error), SCAUP_ERROR_USAGE, "22023");
  CHECK(stream == NULL);
  SUCCEEDS(scaup_bind_int64(statement, 2, 4, &error));
  SUCCEEDS(scaup_execute(statement, &result, &error));
  CHECK(scaup_result_row_count(result) == 3);
  CHECK(has_text(result, 0, 0, "5"));
  scaup_result_free(result);
  /* Values stay until they are set again. */
  SUCCEEDS(scaup_bind_int64(statement, 2, 8, &error));
  SUCCEEDS(scaup_execute_stream(statement, &stream, &error));
  SUCCEEDS(scaup_stream_fetch(stream, 0, &result, &error));
  CHECK(scaup_result_row_count(result) == 1);
  scaup_result_free(result);
  scaup_stream_free(stream);
  /* The statement is prepared again after the table has changed. */
  run(session.connection, "ALTER TABLE t ADD COLUMN s VARCHAR");
  SUCCEEDS(scaup_execute(statement, NULL, &error));
  run(session.connection, "DROP TABLE t");
  FAILS(scaup_execute(statement, &result, &error), SCAUP_ERROR_CATALOG, "42P01");
  scaup_statement_free(statement);

  FAILS(scaup_prepare(session.connection, "SELECT 1; SELECT 2", SCAUP_NUL_TERMINATED, &statement, &error),
        SCAUP_ERROR_SYNTAX, "42601");
  CHECK(statement == NULL);
  FAILS(scaup_prepare(session.connection, "SELECT * FROM missing", SCAUP_NUL_TERMINATED, &statement, &error),
        SCAUP_ERROR_CATALOG, "42P01");
  statement = prepare(session.connection, "CREATE TABLE made (i INTEGER)");
  CHECK(scaup_statement_parameter_count(statement) == 0 && scaup_statement_column_count(statement) == 0);
  FAILS(scaup_bind_null(statement, 1, &error), SCAUP_ERROR_USAGE, "22023");
  SUCCEEDS(scaup_execute(statement, NULL, &error));
  FAILS(scaup_execute(statement, NULL, &error), SCAUP_ERROR_CATALOG, "42P07");
  scaup_statement_free(statement);
  close_session(&session);
}

void test_parameters(void) {
  struct session session = open_session();
  scaup_statement* statement = prepare(session.connection, "SELECT coalesce(CAST($1 AS VARCHAR), 'none')");
  SUCCEEDS(scaup_bind_boolean(statement, 1, true, &error));
  CHECK(execute_has_text(statement, "true"));
  SUCCEEDS(scaup_bind_int64(statement, 1, INT64_MIN, &error));
  CHECK(execute_has_text(statement, "-9223372036854775808"));
  SUCCEEDS(scaup_bind_double(statement, 1, 0.1, &error));
  CHECK(execute_has_text(statement, "0.1"));
  SUCCEEDS(scaup_bind_text(statement, 1, "a\xc3\xa4z", 3, &error));
  CHECK(execute_has_text(statement, "a\xc3\xa4"));
  SUCCEEDS(scaup_bind_text(statement, 1, NULL, 0, &error));
  CHECK(execute_has_text(statement, ""));
  SUCCEEDS(scaup_bind_blob(statement, 1, "a\0b", 3, &error));
  CHECK(execute_has_text(statement, "\\x610062"));
  SUCCEEDS(scaup_bind_null(statement, 1, &error));
  SUCCEEDS(scaup_execute(statement, NULL, &error));
  FAILS(scaup_bind_null(statement, 0, &error), SCAUP_ERROR_USAGE, "22023");
  FAILS(scaup_bind_null(statement, 2, &error), SCAUP_ERROR_USAGE, "22023");
  FAILS(scaup_bind_text(statement, 1, NULL, 1, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_bind_text(statement, 1, NULL, SCAUP_NUL_TERMINATED, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_bind_blob(statement, 1, NULL, 1, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_bind_blob(statement, 1, "", SCAUP_NUL_TERMINATED, &error), SCAUP_ERROR_USAGE, "22023");
  SUCCEEDS(scaup_bind_text(statement, 1, "\xff", 1, &error));
  FAILS(scaup_execute(statement, NULL, &error), SCAUP_ERROR_CONVERSION, "22021");
  scaup_statement_free(statement);

  /* A text takes the type that its context needs. */
  statement = prepare(session.connection, "SELECT CAST($1 AS INTEGER[]) || 4");
  SUCCEEDS(scaup_bind_text(statement, 1, "{1,NULL,3}", SCAUP_NUL_TERMINATED, &error));
  CHECK(execute_has_text(statement, "{1,NULL,3,4}"));
  scaup_statement_free(statement);
  close_session(&session);
}

/* Binds a value and compares its type and text. */
static void check_value(scaup_statement* statement, scaup_value value, const char* wanted) {
  scaup_result* result = NULL;
  SUCCEEDS(scaup_bind_value(statement, 1, &value, &error));
  SUCCEEDS(scaup_execute(statement, &result, &error));
  CHECK(has_text(result, 0, 0, wanted));
  scaup_result_free(result);
}

void test_parameter_values(void) {
  struct session session = open_session();
  scaup_statement* statement = prepare(session.connection, "SELECT coalesce(CAST($1 AS VARCHAR), 'none')");
  const scaup_int128 uuid = {0x0123456789abcdefULL, INT64_C(-0x0011223344556677)};
#define VALUE(...) ((scaup_value){__VA_ARGS__})
  check_value(statement, VALUE(.type = SCAUP_TYPE_BOOLEAN, .integer = 1), "true");
  check_value(statement, VALUE(.type = SCAUP_TYPE_TINYINT, .integer = -128), "-128");
  check_value(statement, VALUE(.type = SCAUP_TYPE_SMALLINT, .integer = 32767), "32767");
  check_value(statement, VALUE(.type = SCAUP_TYPE_INTEGER, .integer = -7), "-7");
  check_value(statement, VALUE(.type = SCAUP_TYPE_BIGINT, .integer = INT64_MAX), "9223372036854775807");
  check_value(statement, VALUE(.type = SCAUP_TYPE_HUGEINT, .huge = {0, 1}), "18446744073709551616");
  check_value(statement, VALUE(.type = SCAUP_TYPE_HUGEINT, .huge = {UINT64_MAX, -1}), "-1");
  check_value(statement, VALUE(.type = SCAUP_TYPE_UINTEGER, .integer = UINT32_MAX), "4294967295");
  check_value(statement, VALUE(.type = SCAUP_TYPE_UBIGINT, .huge = {UINT64_MAX, 0}), "18446744073709551615");
  check_value(statement, VALUE(.type = SCAUP_TYPE_BIT, .bytes = "0101", .size = 4), "0101");
  check_value(statement, VALUE(.type = SCAUP_TYPE_TIMETZ, .integer = INT64_C(603979776000050399)), "12:00:00+02");
  check_value(statement, VALUE(.type = SCAUP_TYPE_REAL, .real = 1.5), "1.5");
  check_value(statement, VALUE(.type = SCAUP_TYPE_DOUBLE, .real = -0.25), "-0.25");
  check_value(statement, VALUE(.type = SCAUP_TYPE_DECIMAL, .width = 9, .scale = 2, .integer = -12345),
              "-123.45");
  check_value(statement, VALUE(.type = SCAUP_TYPE_DECIMAL, .width = 20, .scale = 1, .huge = {0, 1}),
              "1844674407370955161.6");
  check_value(statement, VALUE(.type = SCAUP_TYPE_VARCHAR, .bytes = "abc", .size = 2), "ab");
  check_value(statement, VALUE(.type = SCAUP_TYPE_VARCHAR, .bytes = "abc", .size = SCAUP_NUL_TERMINATED),
              "abc");
  check_value(statement, VALUE(.type = SCAUP_TYPE_BLOB, .bytes = "abc", .size = 2), "\\x6162");
  check_value(statement, VALUE(.type = SCAUP_TYPE_DATE, .integer = 19000), "2022-01-08");
  check_value(statement, VALUE(.type = SCAUP_TYPE_DATE, .integer = INT32_MAX), "infinity");
  check_value(statement, VALUE(.type = SCAUP_TYPE_TIME, .integer = 3600000001), "01:00:00.000001");
  check_value(statement, VALUE(.type = SCAUP_TYPE_TIMESTAMP, .integer = -1), "1969-12-31 23:59:59.999999");
  check_value(statement, VALUE(.type = SCAUP_TYPE_TIMESTAMP, .integer = INT64_MIN), "-infinity");
  check_value(statement, VALUE(.type = SCAUP_TYPE_TIMESTAMPTZ, .integer = 0), "1970-01-01 00:00:00+00");
  check_value(statement, VALUE(.type = SCAUP_TYPE_INTERVAL, .interval = {14, -3, 1000000}),
              "1 year 2 mons -3 days +00:00:01");
  check_value(statement, VALUE(.type = SCAUP_TYPE_UUID, .huge = uuid),
              "ffeeddcc-bbaa-9989-0123-456789abcdef");
  check_value(statement, VALUE(.type = SCAUP_TYPE_JSON, .bytes = "{\"a\": 1}", .size = 8), "{\"a\": 1}");
  check_value(statement, VALUE(.type = SCAUP_TYPE_JSONB, .bytes = "[1, 2]", .size = 6), "[1, 2]");
  check_value(statement, VALUE(.type = SCAUP_TYPE_INTEGER, .is_null = true, .integer = 5), "none");
  check_value(statement, VALUE(.type = SCAUP_TYPE_DECIMAL, .width = 5, .scale = 5, .is_null = true), "none");

  const struct {
    scaup_value value;
    const char* sqlstate;
  } wrong[] = {{VALUE(.type = SCAUP_TYPE_BOOLEAN, .integer = 2), "22003"},
               {VALUE(.type = SCAUP_TYPE_TINYINT, .integer = 128), "22003"},
               {VALUE(.type = SCAUP_TYPE_INTEGER, .integer = INT64_C(1) << 31), "22003"},
               {VALUE(.type = SCAUP_TYPE_REAL, .real = 1e39), "22003"},
               {VALUE(.type = SCAUP_TYPE_DECIMAL, .width = 3, .scale = 1, .integer = 1000), "22003"},
               {VALUE(.type = SCAUP_TYPE_DECIMAL, .width = 39, .scale = 1), "22023"},
               {VALUE(.type = SCAUP_TYPE_DECIMAL, .width = 0, .scale = 0, .is_null = true), "22023"},
               {VALUE(.type = SCAUP_TYPE_DATE, .integer = INT64_MAX), "22008"},
               {VALUE(.type = SCAUP_TYPE_TIME, .integer = -1), "22008"},
               {VALUE(.type = SCAUP_TYPE_TIMESTAMP, .integer = INT64_MIN + 1), "22008"},
               {VALUE(.type = SCAUP_TYPE_TIMETZ, .integer = -1), "22008"},
               {VALUE(.type = SCAUP_TYPE_BIT, .bytes = "012", .size = 3), "22P02"},
               {VALUE(.type = SCAUP_TYPE_VARCHAR, .bytes = NULL, .size = 1), "22004"},
               {VALUE(.type = SCAUP_TYPE_BLOB, .bytes = "", .size = SCAUP_NUL_TERMINATED), "22023"},
               {VALUE(.type = SCAUP_TYPE_LIST), "42804"},
               {VALUE(.type = SCAUP_TYPE_STRUCT, .is_null = true), "42804"},
               {VALUE(.type = SCAUP_TYPE_ENUM), "42804"},
               {VALUE(.type = SCAUP_TYPE_NUMERIC, .bytes = "1.5x", .size = 4), "22P02"},
               {VALUE(.type = SCAUP_TYPE_MULTIRANGE + 1), "42804"},
               {VALUE(.type = -1), "42804"}};
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
    FAILS(scaup_bind_value(statement, 1, &wrong[i].value, &error), SCAUP_ERROR_USAGE, wrong[i].sqlstate);
  /* The value before is still there. */
  CHECK(execute_has_text(statement, "none"));
  check_value(statement, VALUE(.type = SCAUP_TYPE_REAL, .real = -1.0 / 0.0), "-Infinity");
  const scaup_value no_json = VALUE(.type = SCAUP_TYPE_JSON, .bytes = "{", .size = 1);
  SUCCEEDS(scaup_bind_value(statement, 1, &no_json, &error));
  FAILS(scaup_execute(statement, NULL, &error), SCAUP_ERROR_CONVERSION, "22P02");
  scaup_statement_free(statement);
  close_session(&session);
}
