/* Several threads: interruption, progress, and connections side by side. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "check.h"

static void sleep_milliseconds(long milliseconds) {
  const struct timespec wait = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&wait, NULL);
}

struct long_query {
  scaup_connection* connection;
  scaup_status status;
  char sqlstate[6];
  atomic_bool is_done;
};

static void* run_long(void* argument) {
  struct long_query* run = argument;
  scaup_error* error = NULL;
  scaup_result* result = NULL;
  run->status =
      scaup_query(run->connection,
                  "SELECT count(*) FROM range(0, 10000000) a(i), range(0, 10000000) b(j) WHERE a.i + b.j < 0",
                  SCAUP_NUL_TERMINATED, &result, &error);
  if (error != NULL) snprintf(run->sqlstate, sizeof(run->sqlstate), "%s", scaup_error_sqlstate(error));
  scaup_error_free(error);
  scaup_result_free(result);
  atomic_store(&run->is_done, true);
  return NULL;
}

void test_interrupt(void) {
  struct session session = open_session();
  struct long_query run_of = {session.connection, SCAUP_OK, "", false};
  pthread_t thread;
  bool progress_is_valid = true;
  CHECK(scaup_progress(session.connection) < 0 || scaup_progress(session.connection) <= 1);
  scaup_interrupt(session.connection); /* nothing runs: without effect */
  CHECK(number(session.connection, "SELECT 1") == 1);
  if (!CHECK(pthread_create(&thread, NULL, run_long, &run_of) == 0)) return;
  /* An interruption before the statement has begun is lost. */
  while (!atomic_load(&run_of.is_done)) {
    sleep_milliseconds(20);
    if (scaup_progress(session.connection) > 1) progress_is_valid = false;
    scaup_interrupt(session.connection);
  }
  pthread_join(thread, NULL);
  CHECK(run_of.status == SCAUP_ERROR_INTERRUPTED && strcmp(run_of.sqlstate, "57014") == 0);
  CHECK(progress_is_valid);
  CHECK(number(session.connection, "SELECT 2") == 2);
  close_session(&session);
}

struct reader {
  scaup_database* database;
  const scaup_result* shared;
  int64_t sum;
};

static void* read_rows(void* argument) {
  struct reader* reader = argument;
  scaup_connection* connection = NULL;
  scaup_result* result = NULL;
  int64_t number_read = 0;
  reader->sum = 0;
  if (scaup_connect(reader->database, &connection, NULL) != SCAUP_OK) return NULL;
  for (int i = 0; i < 20; i++) {
    if (scaup_query(connection, "SELECT sum(i) FROM t", SCAUP_NUL_TERMINATED, &result, NULL) != SCAUP_OK)
      break;
    if (scaup_result_int64(result, 0, 0, &number_read, NULL) == SCAUP_OK) reader->sum += number_read;
    scaup_result_free(result);
  }
  for (size_t row = 0; row < scaup_result_row_count(reader->shared); row++) {
    scaup_value value;
    if (scaup_result_value(reader->shared, 0, row, &value, NULL) == SCAUP_OK) reader->sum += value.integer;
  }
  scaup_disconnect(connection);
  return NULL;
}

void test_threads(void) {
  enum { kThreads = 4 };
  struct session session = open_session();
  struct reader readers[kThreads];
  pthread_t threads[kThreads];
  scaup_result* shared;
  run(session.connection, "CREATE TABLE t AS SELECT i FROM range(0, 10000) r(i)");
  shared = query(session.connection, "SELECT i FROM t");
  for (int i = 0; i < kThreads; i++) {
    readers[i] = (struct reader){session.database, shared, 0};
    CHECK(pthread_create(&threads[i], NULL, read_rows, &readers[i]) == 0);
  }
  for (int i = 0; i < kThreads; i++) {
    pthread_join(threads[i], NULL);
    CHECK(readers[i].sum == 21 * INT64_C(49995000));
  }
  scaup_result_free(shared);
  close_session(&session);
}
