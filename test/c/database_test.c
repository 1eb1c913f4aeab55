/* Databases and connections: opening, closing, settings, limits, and what outlives what. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

void test_library(void) {
  CHECK(strlen(scaup_version()) >= 5);
  CHECK(scaup_version() == scaup_version());
  CHECK(scaup_abi_version() == SCAUP_ABI_VERSION);
}

void test_files(void) {
  char folder[] = "/tmp/scaup_c_XXXXXX";
  char path[64], log_path[80];
  scaup_database *database = NULL, *second = (scaup_database*)&folder;
  scaup_connection* connection = NULL;
  const scaup_setting settings[] = {{"threads", "2"}, {"memory_limit", "200MB"}};
  const scaup_setting read_only[] = {{"access_mode", "read_only"}};
  const scaup_setting unknown[] = {{"no_such_setting", "1"}};
  const scaup_setting invalid[] = {{"threads", "many"}};

  if (!CHECK(mkdtemp(folder) != NULL)) return;
  snprintf(path, sizeof(path), "%s/x.scaup", folder);
  snprintf(log_path, sizeof(log_path), "%s.wal", path);
  FAILS(scaup_open(path, read_only, 1, &second, &error), SCAUP_ERROR_IO, "58P01");
  CHECK(second == NULL);
  FAILS(scaup_open(path, unknown, 1, &second, &error), SCAUP_ERROR_USAGE, "42704");
  FAILS(scaup_open(path, invalid, 1, &second, &error), SCAUP_ERROR_USAGE, "22023");
  FAILS(scaup_open(path, NULL, 1, &second, &error), SCAUP_ERROR_USAGE, "22004");

  SUCCEEDS(scaup_open(path, settings, 2, &database, &error));
  FAILS(scaup_open(path, NULL, 0, &second, &error), SCAUP_ERROR_IO, "55006");
  SUCCEEDS(scaup_connect(database, &connection, &error));
  CHECK(query_has_text(connection, "SHOW threads", "2"));
  run(connection, "CREATE TABLE t AS SELECT 42 AS i");
  scaup_disconnect(connection);
  scaup_close(database);

  SUCCEEDS(scaup_open(path, read_only, 1, &database, &error));
  SUCCEEDS(scaup_connect(database, &connection, &error));
  CHECK(number(connection, "SELECT i FROM t") == 42);
  FAILS(scaup_query(connection, "DROP TABLE t", SCAUP_NUL_TERMINATED, NULL, &error), SCAUP_ERROR_USAGE,
        "25006");
  scaup_disconnect(connection);
  scaup_close(database);
  CHECK(unlink(path) == 0);
  unlink(log_path);
  CHECK(rmdir(folder) == 0);
}

void test_memory_limit(void) {
  const scaup_setting small[] = {{"memory_limit", "20MB"}, {"threads", "1"}};
  struct session session = {NULL, NULL};
  scaup_result* result = (scaup_result*)&session;
  SUCCEEDS(scaup_open(NULL, small, 2, &session.database, &error));
  SUCCEEDS(scaup_connect(session.database, &session.connection, &error));
  FAILS(scaup_query(session.connection, "SELECT array_agg(i || repeat('x', 50)) FROM range(0, 1000000) r(i)",
                    SCAUP_NUL_TERMINATED, &result, &error),
        SCAUP_ERROR_OUT_OF_MEMORY, "53200");
  CHECK(result == NULL);
  CHECK(number(session.connection, "SELECT 1 + 1") == 2);
  close_session(&session);
}

void test_lifetimes(void) {
  struct session session = open_session();
  scaup_result* result = query(session.connection, "SELECT 'a text of more than twelve bytes' AS s, 7 AS i");
  scaup_statement* statement = prepare(session.connection, "SELECT $1 || '!'");
  scaup_stream* stream = NULL;
  scaup_appender* appender = NULL;
  scaup_result* fetched = NULL;
  scaup_column column;
  run(session.connection, "CREATE TABLE t (i INTEGER)");
  SUCCEEDS(scaup_appender_open(session.connection, NULL, "t", &appender, &error));
  SUCCEEDS(scaup_query_stream(session.connection, "SELECT 1 AS one", SCAUP_NUL_TERMINATED, &stream, &error));
  close_session(&session);

  /* The stream, statement and appender hold the session; the result needs nothing. */
  CHECK(has_text(result, 0, 0, "a text of more than twelve bytes"));
  SUCCEEDS(scaup_result_column(result, 1, &column, &error));
  CHECK_TEXT(column.name, "i");
  CHECK(((const int32_t*)column.data)[0] == 7);
  SUCCEEDS(scaup_stream_fetch(stream, 0, &fetched, &error));
  CHECK(has_text(fetched, 0, 0, "1"));
  SUCCEEDS(scaup_append_int64(appender, 1, &error));
  SUCCEEDS(scaup_append_row_end(appender, &error));
  SUCCEEDS(scaup_appender_flush(appender, &error));
  SUCCEEDS(scaup_bind_text(statement, 1, "still there", SCAUP_NUL_TERMINATED, &error));
  CHECK(execute_has_text(statement, "still there!"));
  scaup_appender_free(appender);
  scaup_statement_free(statement);
  scaup_stream_free(stream);
  CHECK(has_text(result, 1, 0, "7"));
  scaup_result_free(result);
  CHECK(has_text(fetched, 0, 0, "1"));
  scaup_result_free(fetched);
}
