/* Appenders: rows of tables and documents of collections. */
#include "check.h"

static scaup_appender* open_appender(scaup_connection* connection, const char* table) {
  scaup_appender* appender = NULL;
  SUCCEEDS(scaup_appender_open(connection, NULL, table, &appender, &error));
  return appender;
}

void test_appender(void) {
  struct session session = open_session();
  scaup_connection* connection = session.connection;
  scaup_appender* appender = NULL;
  scaup_value date = {0};
  run(connection,
      "CREATE SCHEMA other; CREATE TABLE other.t (b BOOLEAN, i SMALLINT, d DOUBLE, s VARCHAR, x BLOB, day "
      "DATE, l INTEGER[], "
      "twice INTEGER GENERATED ALWAYS AS (i * 2) STORED)");
  SUCCEEDS(scaup_appender_open(connection, "other", "t", &appender, &error));
  date.type = SCAUP_TYPE_DATE;
  for (int i = 0; i < 3000; i++) {
    date.integer = i;
    SUCCEEDS(scaup_append_boolean(appender, i % 2 == 0, &error));
    SUCCEEDS(scaup_append_int64(appender, i, &error));
    SUCCEEDS(scaup_append_double(appender, i / 2.0, &error));
    SUCCEEDS(scaup_append_text(appender, "text beyond", i % 5, &error));
    SUCCEEDS(i % 3 == 0 ? scaup_append_null(appender, &error)
                        : scaup_append_blob(appender, "\0\1\2", 3, &error));
    SUCCEEDS(scaup_append_value(appender, &date, &error));
    SUCCEEDS(scaup_append_text(appender, "{1,NULL}", SCAUP_NUL_TERMINATED, &error));
    SUCCEEDS(scaup_append_row_end(appender, &error));
  }
  CHECK(number(connection, "SELECT count(*) FROM other.t") == 0);
  SUCCEEDS(scaup_appender_flush(appender, &error));
  CHECK(query_has_text(connection,
                       "SELECT ROW(count(*), count(*) FILTER (WHERE b), sum(i), sum(d), sum(length(s)), "
                       "count(x), max(day), min(l[1]), "
                       "max(twice)) FROM other.t",
                       "(3000,1500,4498500,2249250,6000,2000,1978-03-19,1,5998)"));
  /* What is not flushed is dropped. */
  SUCCEEDS(scaup_append_boolean(appender, true, &error));
  scaup_appender_free(appender);
  CHECK(number(connection, "SELECT count(*) FROM other.t") == 3000);

  /* Rows belong to the open transaction. */
  run(connection, "CREATE TABLE u (i INTEGER); BEGIN");
  appender = open_appender(connection, "u");
  SUCCEEDS(scaup_append_int64(appender, 1, &error));
  SUCCEEDS(scaup_append_row_end(appender, &error));
  SUCCEEDS(scaup_appender_flush(appender, &error));
  SUCCEEDS(scaup_appender_flush(appender, &error));
  run(connection, "ROLLBACK");
  CHECK(number(connection, "SELECT count(*) FROM u") == 0);
  scaup_appender_free(appender);
  close_session(&session);
}

void test_appender_errors(void) {
  struct session session = open_session();
  scaup_connection* connection = session.connection;
  scaup_appender* appender = (scaup_appender*)&session;
  const scaup_value list = {.type = SCAUP_TYPE_LIST};
  FAILS(scaup_appender_open(connection, NULL, "missing", &appender, &error), SCAUP_ERROR_CATALOG, "42P01");
  CHECK(appender == NULL);
  run(connection, "CREATE TABLE t (i TINYINT NOT NULL CHECK (i < 100), s VARCHAR)");
  FAILS(scaup_appender_open(connection, "missing", "t", &appender, &error), SCAUP_ERROR_CATALOG, "42P01");
  appender = open_appender(connection, "t");
  FAILS(scaup_append_int64(appender, 128, &error), SCAUP_ERROR_CONVERSION, "22P02");
  FAILS(scaup_append_text(appender, "x", 1, &error), SCAUP_ERROR_CONVERSION, "22P02");
  FAILS(scaup_append_null(appender, &error), SCAUP_ERROR_CONSTRAINT, "23502");
  FAILS(scaup_append_value(appender, &list, &error), SCAUP_ERROR_USAGE, "42804");
  FAILS(scaup_append_text(appender, NULL, 1, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_append_blob(appender, NULL, 1, &error), SCAUP_ERROR_USAGE, "22004");
  SUCCEEDS(scaup_append_int64(appender, 1, &error));
  FAILS(scaup_append_row_end(appender, &error), SCAUP_ERROR_USAGE, "42601");
  SUCCEEDS(scaup_append_int64(appender, 1, &error));
  FAILS(scaup_append_text(appender, "\xff", 1, &error), SCAUP_ERROR_CONVERSION, "22021");
  SUCCEEDS(scaup_append_int64(appender, 1, &error));
  FAILS(scaup_appender_flush(appender, &error), SCAUP_ERROR_USAGE, "42601");
  SUCCEEDS(scaup_append_null(appender, &error));
  FAILS(scaup_append_null(appender, &error), SCAUP_ERROR_USAGE, "42601");
  SUCCEEDS(scaup_append_int64(appender, 100, &error));
  SUCCEEDS(scaup_append_null(appender, &error));
  SUCCEEDS(scaup_append_row_end(appender, &error));
  FAILS(scaup_appender_flush(appender, &error), SCAUP_ERROR_CONSTRAINT, "23514");
  /* The appender goes on after every error. */
  SUCCEEDS(scaup_append_int64(appender, 99, &error));
  SUCCEEDS(scaup_append_text(appender, "last", SCAUP_NUL_TERMINATED, &error));
  SUCCEEDS(scaup_append_row_end(appender, &error));
  SUCCEEDS(scaup_appender_flush(appender, &error));
  CHECK(query_has_text(connection, "SELECT ROW(i, s) FROM t", "(99,last)"));
  SUCCEEDS(scaup_append_int64(appender, 1, &error));
  SUCCEEDS(scaup_append_null(appender, &error));
  SUCCEEDS(scaup_append_row_end(appender, &error));
  run(connection, "DROP TABLE t");
  FAILS(scaup_appender_flush(appender, &error), SCAUP_ERROR_CATALOG, "42P01");
  scaup_appender_free(appender);
  close_session(&session);
}

void test_documents(void) {
  struct session session = open_session();
  scaup_appender* appender;
  run(session.connection, "CREATE COLLECTION c");
  appender = open_appender(session.connection, "c");
  FAILS(scaup_append_text(appender, "{", 1, &error), SCAUP_ERROR_CONVERSION, "22P02");
  SUCCEEDS(scaup_append_text(appender, "{\"a\": {\"b\": 5}}", SCAUP_NUL_TERMINATED, &error));
  SUCCEEDS(scaup_append_row_end(appender, &error));
  SUCCEEDS(scaup_appender_flush(appender, &error));
  scaup_appender_free(appender);
  CHECK(query_has_text(session.connection, "SELECT a.b FROM c", "5"));
  close_session(&session);
}
