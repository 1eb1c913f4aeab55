/* The harness of the tests of the C interface: checks, and what most tests begin with. */
#ifndef SCAUP_TEST_C_CHECK_H
#define SCAUP_TEST_C_CHECK_H

#include <stdio.h>
#include <string.h>

#include "scaup.h"

/* Notes whether a check holds; prints it if not. Returns whether it holds. */
bool check(bool holds, const char* what, const char* file, int line);
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
#define CHECK_TEXT(given, wanted) CHECK((given) != NULL && strcmp((given), (wanted)) == 0)

/* Checks that a call succeeds, and prints its error otherwise. The call has `&error` as its last argument. */
bool check_success(scaup_status status, scaup_error* error, const char* what, const char* file, int line);
extern int stale_error; /* stands for an error from before, which a call overwrites and does not free */
#define SUCCEEDS(call)                                               \
  do {                                                               \
    scaup_error* error = (scaup_error*)&stale_error;                 \
    const scaup_status status_of_call = (call);                      \
    check_success(status_of_call, error, #call, __FILE__, __LINE__); \
  } while (0)

/* Checks that a call fails with a status and an SQLSTATE, and that its error has a message. */
void check_failure(scaup_status status, scaup_error* error, scaup_status wanted, const char* sqlstate,
                   const char* what, const char* file, int line);
#define FAILS(call, wanted, sqlstate)                                                      \
  do {                                                                                     \
    scaup_error* error = NULL;                                                             \
    const scaup_status status_of_call = (call);                                            \
    check_failure(status_of_call, error, (wanted), (sqlstate), #call, __FILE__, __LINE__); \
  } while (0)

/* A database in memory and a connection to it. */
struct session {
  scaup_database* database;
  scaup_connection* connection;
};
struct session open_session(void);
void close_session(struct session* session);

/* Executes statements, which must succeed. The caller frees the result. */
scaup_result* query(scaup_connection* connection, const char* sql);
void run(scaup_connection* connection, const char* sql);
/* Returns the integer that a query has in its first row and column. */
int64_t number(scaup_connection* connection, const char* sql);
/* Compares the text of one value. */
bool has_text(const scaup_result* result, size_t column, size_t row, const char* wanted);
/* Compares the text of the first value of a query. */
bool query_has_text(scaup_connection* connection, const char* sql, const char* wanted);
scaup_statement* prepare(scaup_connection* connection, const char* sql);
/* Executes a prepared statement and compares the text of its first value. */
bool execute_has_text(scaup_statement* statement, const char* wanted);

/* The tests, each in a file of its own. */
void test_library(void);
void test_files(void);
void test_memory_limit(void);
void test_lifetimes(void);
void test_queries(void);
void test_errors(void);
void test_scripts(void);
void test_statements(void);
void test_parameters(void);
void test_parameter_values(void);
void test_columns(void);
void test_values(void);
void test_getters(void);
void test_texts(void);
void test_elements(void);
void test_types(void);
void test_streams(void);
void test_arrow_export(void);
void test_arrow_tables(void);
void test_arrow_append(void);
void test_appender(void);
void test_appender_errors(void);
void test_documents(void);
void test_functions(void);
void test_function_errors(void);
void test_aggregates(void);
void test_table_functions(void);
void test_interrupt(void);
void test_threads(void);
void test_missing_handles(void);
void test_missing_outputs(void);
void test_no_memory(void);

#endif
