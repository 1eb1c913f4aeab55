/* The harness of the tests of the C interface, and its main function. Closes with `N passed, N failed`. */
#include "check.h"

int stale_error;
static int faults; /* of the current test */

bool check(bool holds, const char* what, const char* file, int line) {
  if (holds) return true;
  faults++;
  printf("%s:%d: %s\n", file, line, what);
  return false;
}

bool check_success(scaup_status status, scaup_error* error, const char* what, const char* file, int line) {
  bool holds = status == SCAUP_OK && error == NULL;
  if (!holds && error != NULL)
    printf("%s:%d: %s: %s\n", file, line, scaup_error_sqlstate(error), scaup_error_message(error));
  if (error != NULL) scaup_error_free(error);
  return check(holds, what, file, line);
}

void check_failure(scaup_status status, scaup_error* error, scaup_status wanted, const char* sqlstate,
                   const char* what, const char* file, int line) {
  bool holds = status == wanted && error != NULL && scaup_error_kind(error) == wanted &&
               strcmp(scaup_error_sqlstate(error), sqlstate) == 0 && strlen(scaup_error_message(error)) > 5;
  if (!holds && error != NULL) {
    printf("%s:%d: %d %s: %s\n", file, line, (int)status, scaup_error_sqlstate(error),
           scaup_error_message(error));
  }
  scaup_error_free(error);
  check(holds, what, file, line);
}

struct session open_session(void) {
  struct session session = {NULL, NULL};
  SUCCEEDS(scaup_open(NULL, NULL, 0, &session.database, &error));
  SUCCEEDS(scaup_connect(session.database, &session.connection, &error));
  return session;
}

void close_session(struct session* session) {
  scaup_disconnect(session->connection);
  scaup_close(session->database);
}

scaup_result* query(scaup_connection* connection, const char* sql) {
  scaup_result* result = NULL;
  scaup_error* error = NULL;
  scaup_status status = scaup_query(connection, sql, SCAUP_NUL_TERMINATED, &result, &error);
  check_success(status, error, sql, __FILE__, __LINE__);
  return result;
}

void run(scaup_connection* connection, const char* sql) {
  scaup_error* error = NULL;
  scaup_status status = scaup_query(connection, sql, SCAUP_NUL_TERMINATED, NULL, &error);
  check_success(status, error, sql, __FILE__, __LINE__);
}

int64_t number(scaup_connection* connection, const char* sql) {
  int64_t value = -1;
  scaup_result* result = query(connection, sql);
  SUCCEEDS(scaup_result_int64(result, 0, 0, &value, &error));
  scaup_result_free(result);
  return value;
}

bool has_text(const scaup_result* result, size_t column, size_t row, const char* wanted) {
  char text[200];
  size_t length = 0;
  SUCCEEDS(scaup_result_text(result, column, row, text, sizeof(text), &length, &error));
  if (length == strlen(wanted) && strcmp(text, wanted) == 0) return true;
  printf("%s instead of %s\n", text, wanted);
  return false;
}

bool query_has_text(scaup_connection* connection, const char* sql, const char* wanted) {
  scaup_result* result = query(connection, sql);
  bool is_equal = has_text(result, 0, 0, wanted);
  scaup_result_free(result);
  return is_equal;
}

scaup_statement* prepare(scaup_connection* connection, const char* sql) {
  scaup_statement* statement = NULL;
  SUCCEEDS(scaup_prepare(connection, sql, SCAUP_NUL_TERMINATED, &statement, &error));
  return statement;
}

bool execute_has_text(scaup_statement* statement, const char* wanted) {
  scaup_result* result = NULL;
  SUCCEEDS(scaup_execute(statement, &result, &error));
  bool is_equal = has_text(result, 0, 0, wanted);
  scaup_result_free(result);
  return is_equal;
}

int main(int argument_count, char** arguments) {
  static const struct {
    const char* name;
    void (*run)(void);
  } tests[] = {{"library", test_library},
               {"files", test_files},
               {"memory_limit", test_memory_limit},
               {"lifetimes", test_lifetimes},
               {"queries", test_queries},
               {"errors", test_errors},
               {"scripts", test_scripts},
               {"statements", test_statements},
               {"parameters", test_parameters},
               {"parameter_values", test_parameter_values},
               {"columns", test_columns},
               {"values", test_values},
               {"getters", test_getters},
               {"texts", test_texts},
               {"elements", test_elements},
               {"types", test_types},
               {"streams", test_streams},
               {"arrow_export", test_arrow_export},
               {"arrow_tables", test_arrow_tables},
               {"arrow_append", test_arrow_append},
               {"appender", test_appender},
               {"appender_errors", test_appender_errors},
               {"documents", test_documents},
               {"functions", test_functions},
               {"function errors", test_function_errors},
               {"aggregates", test_aggregates},
               {"table functions", test_table_functions},
               {"interrupt", test_interrupt},
               {"threads", test_threads},
               {"missing_handles", test_missing_handles},
               {"missing_outputs", test_missing_outputs},
               {"no_memory", test_no_memory}};
  int passed = 0, failed = 0;
  for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
    if (argument_count > 1 && strcmp(arguments[1], tests[i].name) != 0) continue;
    faults = 0;
    tests[i].run();
    if (faults != 0) printf("FAILED %s\n", tests[i].name);
    *(faults == 0 ? &passed : &failed) += 1;
    fflush(stdout);
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
