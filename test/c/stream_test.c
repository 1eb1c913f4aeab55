/* Streams: batches, what ends them, and statements that change something. */
#include "check.h"

static scaup_stream* open_stream(scaup_connection* connection, const char* sql) {
  scaup_stream* stream = NULL;
  SUCCEEDS(scaup_query_stream(connection, sql, SCAUP_NUL_TERMINATED, &stream, &error));
  return stream;
}

void test_streams(void) {
  struct session session = open_session();
  scaup_connection* connection = session.connection;
  scaup_stream* stream =
      open_stream(connection, "SELECT i, 'text of row ' || i AS s FROM range(0, 100000) r(i)");
  scaup_result* rows = NULL;
  scaup_column column;
  size_t row_count = 0;
  int64_t sum = 0;
  CHECK(scaup_stream_column_count(stream) == 2 && scaup_stream_rows_changed(stream) == 0);
  SUCCEEDS(scaup_stream_column(stream, 1, &column, &error));
  CHECK_TEXT(column.name, "s");
  CHECK(column.type_id == SCAUP_TYPE_VARCHAR && column.data == NULL && column.row_count == 0);
  FAILS(scaup_stream_column(stream, 2, &column, &error), SCAUP_ERROR_USAGE, "22023");
  SUCCEEDS(scaup_stream_fetch(stream, 10, &rows, &error));
  CHECK(scaup_result_row_count(rows) == 10);
  while (rows != NULL) {
    scaup_column numbers;
    SUCCEEDS(scaup_result_column(rows, 0, &numbers, &error));
    for (size_t i = 0; i < numbers.row_count; i++) sum += ((const int64_t*)numbers.data)[i];
    row_count += numbers.row_count;
    scaup_result_free(rows);
    SUCCEEDS(scaup_stream_fetch(stream, 0, &rows, &error));
  }
  CHECK(row_count == 100000 && sum == INT64_C(4999950000));
  SUCCEEDS(scaup_stream_fetch(stream, 0, &rows, &error));
  CHECK(rows == NULL);
  scaup_stream_free(stream);

  /* Another statement ends a stream that still computes. */
  stream = open_stream(connection, "SELECT i FROM range(0, 1000000) r(i)");
  SUCCEEDS(scaup_stream_fetch(stream, 1, &rows, &error));
  run(connection, "SELECT 1");
  scaup_result_free(rows);
  FAILS(scaup_stream_fetch(stream, 1, &rows, &error), SCAUP_ERROR_USAGE, "24000");
  CHECK(rows == NULL);
  scaup_stream_free(stream);

  /* A statement that changes something is complete at once. */
  run(connection, "CREATE TABLE t (i INTEGER)");
  stream = open_stream(connection, "INSERT INTO t SELECT i FROM range(0, 5) r(i) RETURNING i");
  CHECK(scaup_stream_rows_changed(stream) == 5);
  CHECK(number(connection, "SELECT count(*) FROM t") == 5);
  SUCCEEDS(scaup_stream_fetch(stream, 3, &rows, &error));
  CHECK(scaup_result_row_count(rows) == 3);
  scaup_result_free(rows);
  scaup_stream_free(stream);

  /* The statement fails before there is a stream, or while rows are fetched. */
  stream = (scaup_stream*)&session;
  FAILS(scaup_query_stream(connection, "SELECT", 3, &stream, &error), SCAUP_ERROR_SYNTAX, "42601");
  CHECK(stream == NULL);
  stream = open_stream(connection, "SELECT 1 / (i - 70000) FROM range(0, 100000) r(i)");
  scaup_status status = SCAUP_OK;
  scaup_error* error = NULL;
  for (rows = NULL; status == SCAUP_OK;) {
    status = scaup_stream_fetch(stream, 0, &rows, &error);
    if (rows == NULL) break;
    scaup_result_free(rows);
  }
  check_failure(status, error, SCAUP_ERROR_OUT_OF_RANGE, "22012", "fetch", __FILE__, __LINE__);
  scaup_stream_free(stream);
  close_session(&session);
}
