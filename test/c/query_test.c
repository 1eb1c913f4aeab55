/* Statements in one go: results, errors with their places, and scripts. */
#include "check.h"

void test_queries(void) {
  struct session session = open_session();
  scaup_result* result = query(session.connection, "CREATE TABLE t (i INTEGER, s VARCHAR)");
  CHECK(scaup_result_column_count(result) == 0);
  CHECK(scaup_result_row_count(result) == 0);
  scaup_result_free(result);
  result = query(session.connection, "INSERT INTO t VALUES (1, 'one'), (2, NULL), (3, 'three')");
  CHECK(scaup_result_rows_changed(result) == 3);
  scaup_result_free(result);
  result = query(session.connection, "BEGIN; UPDATE t SET i = i + 10; COMMIT; SELECT * FROM t ORDER BY i");
  CHECK(scaup_result_column_count(result) == 2);
  CHECK(scaup_result_row_count(result) == 3);
  CHECK(scaup_result_rows_changed(result) == 0);
  CHECK(has_text(result, 0, 2, "13"));
  CHECK(has_text(result, 1, 1, "NULL"));
  scaup_result_free(result);
  /* Only the bytes of the length count. */
  SUCCEEDS(scaup_query(session.connection, "SELECT 12345", 9, &result, &error));
  CHECK(has_text(result, 0, 0, "12"));
  scaup_result_free(result);
  result = query(session.connection, "");
  CHECK(result != NULL && scaup_result_column_count(result) == 0);
  scaup_result_free(result);
  close_session(&session);
}

static int64_t position_of_error(scaup_connection* connection, const char* sql) {
  scaup_error* error = NULL;
  int64_t position;
  CHECK(scaup_query(connection, sql, SCAUP_NUL_TERMINATED, NULL, &error) != SCAUP_OK);
  position = scaup_error_position(error);
  scaup_error_free(error);
  return position;
}

void test_errors(void) {
  struct session session = open_session();
  scaup_connection* connection = session.connection;
  scaup_error* error = NULL;
#define QUERY(sql) scaup_query(connection, sql, SCAUP_NUL_TERMINATED, NULL, &error)
  run(connection, "CREATE TABLE t (i INTEGER PRIMARY KEY)");
  FAILS(QUERY("SELECT 1 +"), SCAUP_ERROR_SYNTAX, "42601");
  FAILS(QUERY("SELECT x FROM t"), SCAUP_ERROR_BINDER, "42703");
  FAILS(QUERY("SELECT * FROM missing"), SCAUP_ERROR_CATALOG, "42P01");
  FAILS(QUERY("SELECT CAST('x' AS INTEGER)"), SCAUP_ERROR_CONVERSION, "22P02");
  FAILS(QUERY("SELECT 1 / 0"), SCAUP_ERROR_OUT_OF_RANGE, "22012");
  FAILS(QUERY("INSERT INTO t VALUES (1), (1)"), SCAUP_ERROR_CONSTRAINT, "23505");
  FAILS(QUERY("BEGIN; SELECT 1 / 0"), SCAUP_ERROR_OUT_OF_RANGE, "22012");
  FAILS(QUERY("SELECT 1"), SCAUP_ERROR_TRANSACTION, "25P02");
  run(connection, "ROLLBACK");
  FAILS(QUERY("SELECT * FROM read_csv('/no/such/file')"), SCAUP_ERROR_IO, "58P01");
  FAILS(QUERY("SELECT '\xff'"), SCAUP_ERROR_SYNTAX, "22021");
#undef QUERY
  CHECK(position_of_error(connection, "SELECT 1; SELECT missing FROM t") == 17);
  CHECK(position_of_error(connection, "COMMIT; COMMIT AND CHAIN; SELECT * FROM t WHERE") > 0);
  CHECK(position_of_error(connection, "INSERT INTO t VALUES (5), (5)") == -1);
  /* Nobody has to take the error. */
  CHECK(scaup_query(connection, "SELECT", 3, NULL, NULL) == SCAUP_ERROR_SYNTAX);
  CHECK(scaup_query(connection, "SELECT 1", 8, NULL, &error) == SCAUP_OK && error == NULL);
  /* Errors outlive what they came from. */
  CHECK(scaup_query(connection, "SELECT * FROM gone", 18, NULL, &error) == SCAUP_ERROR_CATALOG);
  close_session(&session);
  CHECK(strstr(scaup_error_message(error), "gone") != NULL);
  CHECK(scaup_error_position(error) == 14);
  scaup_error_free(error);
}

void test_scripts(void) {
  scaup_script* script = NULL;
  SUCCEEDS(scaup_split("SELECT ';'; /* ; */ SELECT 2;\n\n;", SCAUP_NUL_TERMINATED, &script, &error));
  CHECK(scaup_script_count(script) == 2);
  CHECK_TEXT(scaup_script_statement(script, 0), "SELECT ';'");
  CHECK(scaup_script_statement(script, 1) != NULL &&
        strstr(scaup_script_statement(script, 1), "SELECT 2") != NULL);
  CHECK(scaup_script_statement(script, 2) == NULL);
  scaup_script_free(script);
  SUCCEEDS(scaup_split("", 0, &script, &error));
  CHECK(scaup_script_count(script) == 0);
  scaup_script_free(script);
  FAILS(scaup_split("SELECT 1; SELECT (", SCAUP_NUL_TERMINATED, &script, &error), SCAUP_ERROR_SYNTAX,
        "42601");
  CHECK(script == NULL);
}
