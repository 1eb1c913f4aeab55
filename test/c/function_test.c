/* Functions of the program: scalar functions, aggregates, table functions, and their errors. */
#include <stdlib.h>

#include "check.h"

static int destroyed_contexts;

static void count_destroyed(void* context) {
  (void)context;
  destroyed_contexts++;
}

/* Makes a definition with arguments, up to a NULL, and a result. */
static scaup_function* define(const char* name, const char* const* arguments, const char* result) {
  scaup_function* function = NULL;
  SUCCEEDS(scaup_function_new(name, &function, &error));
  for (; *arguments != NULL; arguments++)
    SUCCEEDS(scaup_function_add_argument(function, NULL, *arguments, &error));
  SUCCEEDS(scaup_function_set_result(function, result, &error));
  return function;
}

/* --- Functions that return values --- */

static int scale(void* context, const scaup_result* arguments, scaup_output* output) {
  const double factor = *(const double*)context;
  scaup_column column;
  void* data = NULL;
  if (scaup_result_column(arguments, 0, &column, NULL) != SCAUP_OK) return 1;
  if (scaup_output_data(output, &data, NULL) != SCAUP_OK) return 1;
  if (scaup_output_row_count(output) != column.row_count) return 1;
  for (size_t row = 0; row < column.row_count; row++)
    ((double*)data)[row] = factor * ((const double*)column.data)[row];
  return 0;
}

static int describe(void* context, const scaup_result* arguments, scaup_output* output) {
  (void)context;
  for (size_t row = 0; row < scaup_output_row_count(output); row++) {
    char text[64];
    if (scaup_result_is_null(arguments, 0, row)) {
      if (row % 2 == 0 && scaup_output_set_null(output, row, NULL) != SCAUP_OK) return 1;
      continue; /* texts that are not set are empty */
    }
    size_t length;
    if (scaup_result_text(arguments, 0, row, text, sizeof(text), &length, NULL) != SCAUP_OK) return 1;
    if (scaup_output_set_text(output, row, text, length, NULL) != SCAUP_OK) return 1;
  }
  return 0;
}

static int as_value(void* context, const scaup_result* arguments, scaup_output* output) {
  (void)context;
  for (size_t row = 0; row < scaup_output_row_count(output); row++) {
    scaup_value value;
    if (scaup_result_value(arguments, 0, row, &value, NULL) != SCAUP_OK) return 1;
    if (scaup_output_set_value(output, row, &value, NULL) != SCAUP_OK) return 1;
  }
  return 0;
}

static int fail(void* context, const scaup_result* arguments, scaup_output* output) {
  (void)arguments;
  scaup_output_fail(output, context, "the program does not want to");
  return 7;
}

static int fail_silently(void* context, const scaup_result* arguments, scaup_output* output) {
  (void)context;
  (void)arguments;
  (void)output;
  return 7;
}

static int set_too_much(void* context, const scaup_result* arguments, scaup_output* output) {
  (void)context;
  (void)arguments;
  return scaup_output_set_null(output, scaup_output_row_count(output), NULL);
}

static int count_within(void* context, const scaup_result* arguments, scaup_output* output) {
  const scaup_value value = {.type = SCAUP_TYPE_BIGINT, .integer = 2};
  scaup_result* found = NULL;
  scaup_error* error = NULL;
  int64_t count = -1;
  (void)context;
  (void)arguments;
  if (scaup_query_within("SELECT count(*) FROM t WHERE x > $1", SCAUP_NUL_TERMINATED, &value, 1, &found,
                         &error) != SCAUP_OK) {
    scaup_output_fail(output, scaup_error_sqlstate(error), scaup_error_message(error));
    scaup_error_free(error);
    return 1;
  }
  scaup_result_int64(found, 0, 0, &count, NULL);
  scaup_result_free(found);
  for (size_t row = 0; row < scaup_output_row_count(output); row++) {
    const scaup_value made = {.type = SCAUP_TYPE_BIGINT, .integer = count};
    if (scaup_output_set_value(output, row, &made, NULL) != SCAUP_OK) return 1;
  }
  return 0;
}

void test_functions(void) {
  struct session session = open_session();
  scaup_connection* connection = session.connection;
  const char* const one_double[] = {"DOUBLE", NULL};
  const char* const one_bigint[] = {"BIGINT", NULL};
  const char* const none[] = {NULL};
  double two = 2, three = 3;
  bool removed = false;
  destroyed_contexts = 0;
  run(connection, "CREATE TABLE t AS SELECT i::DOUBLE AS x FROM generate_series(1, 4) g(i)");
  scaup_function* function = define("scaled", one_double, "DOUBLE");
  SUCCEEDS(scaup_create_function(connection, function, scale, &two, count_destroyed, &error));
  CHECK(query_has_text(connection, "SELECT sum(scaled(x)) FROM t", "20"));
  CHECK(query_has_text(connection, "SELECT scaled(NULL)", "NULL"));
  SUCCEEDS(scaup_create_function(connection, function, scale, &three, count_destroyed, &error));
  CHECK(destroyed_contexts == 1);
  scaup_function_free(function);
  CHECK(query_has_text(connection, "SELECT sum(scaled(i)) FROM generate_series(1, 100000) g(i)",
                       "15000150000"));

  function = define("described", one_bigint, "VARCHAR");
  SUCCEEDS(scaup_function_set_option(function, SCAUP_FUNCTION_TAKES_NULLS, 1, &error));
  SUCCEEDS(scaup_create_function(connection, function, describe, NULL, NULL, &error));
  scaup_function_free(function);
  CHECK(query_has_text(connection,
                       "SELECT string_agg(coalesce(described(nullif(i, 3)), 'null'), ',' ORDER BY i) FROM "
                       "generate_series(1, 4) g(i)",
                       "1,2,null,4"));

  function = define("as_decimal", one_bigint, "DECIMAL(10,2)");
  SUCCEEDS(scaup_create_function(connection, function, as_value, NULL, NULL, &error));
  scaup_function_free(function);
  CHECK(query_has_text(connection, "SELECT as_decimal(12)", "12.00"));

  function = define("counted", none, "BIGINT");
  SUCCEEDS(scaup_create_function(connection, function, count_within, NULL, NULL, &error));
  scaup_function_free(function);
  CHECK(number(connection, "SELECT counted()") == 2);
  FAILS(scaup_query_within("SELECT 1", SCAUP_NUL_TERMINATED, NULL, 0, NULL, &error), SCAUP_ERROR_USAGE,
        "55000");
  FAILS(scaup_query_within(NULL, 0, NULL, 0, NULL, &error), SCAUP_ERROR_USAGE, "22004");

  SUCCEEDS(scaup_remove_function(connection, "scaled", &removed, &error));
  CHECK(removed && destroyed_contexts == 2);
  SUCCEEDS(scaup_remove_function(connection, "scaled", &removed, &error));
  CHECK(!removed);
  close_session(&session);
}

void test_function_errors(void) {
  struct session session = open_session();
  scaup_connection* connection = session.connection;
  const char* const one_bigint[] = {"BIGINT", NULL};
  scaup_function* function = define("f", one_bigint, "BIGINT");
#define F_FAILS(status, sqlstate) \
  FAILS(scaup_query(connection, "SELECT f(1)", SCAUP_NUL_TERMINATED, NULL, &error), status, sqlstate)
  SUCCEEDS(scaup_create_function(connection, function, fail, "22012", NULL, &error));
  F_FAILS(SCAUP_ERROR_IO, "22012");
  SUCCEEDS(scaup_create_function(connection, function, fail, NULL, NULL, &error));
  F_FAILS(SCAUP_ERROR_IO, "38000");
  SUCCEEDS(scaup_create_function(connection, function, fail_silently, NULL, NULL, &error));
  F_FAILS(SCAUP_ERROR_IO, "38000");
  SUCCEEDS(scaup_create_function(connection, function, set_too_much, NULL, NULL, &error));
  F_FAILS(SCAUP_ERROR_USAGE, "22023");

  destroyed_contexts = 0;
  FAILS(scaup_create_function(connection, function, NULL, NULL, count_destroyed, &error), SCAUP_ERROR_USAGE,
        "22004");
  FAILS(scaup_create_function(NULL, function, fail, NULL, count_destroyed, &error), SCAUP_ERROR_USAGE,
        "22004");
  FAILS(scaup_create_function(connection, NULL, fail, NULL, count_destroyed, &error), SCAUP_ERROR_USAGE,
        "22004");
  CHECK(destroyed_contexts == 3);
  FAILS(scaup_create_aggregate(connection, function, NULL, NULL, NULL, NULL, NULL, &error), SCAUP_ERROR_USAGE,
        "22004");
  FAILS(scaup_create_table_function(connection, function, NULL, NULL, NULL, NULL, NULL, &error),
        SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_function_set_option(function, 99, 1, &error), SCAUP_ERROR_USAGE, "22023");
  FAILS(scaup_function_set_option(function, SCAUP_FUNCTION_VOLATILITY, 3, &error), SCAUP_ERROR_USAGE,
        "22023");
  FAILS(scaup_function_set_option(function, SCAUP_FUNCTION_IS_VARIADIC, 2, &error), SCAUP_ERROR_USAGE,
        "22023");
  FAILS(scaup_function_add_argument(function, NULL, "BIGLY", &error), SCAUP_ERROR_BINDER, "42704");
  FAILS(scaup_function_set_result(function, "TABLE", &error), SCAUP_ERROR_USAGE, "22023");
  scaup_function_free(function);

  SUCCEEDS(scaup_function_new("abs", &function, &error));
  FAILS(scaup_create_function(connection, function, fail, NULL, NULL, &error), SCAUP_ERROR_USAGE, "22023");
  SUCCEEDS(scaup_function_set_result(function, "BIGINT", &error));
  SUCCEEDS(scaup_function_add_argument(function, NULL, "BIGINT", &error));
  FAILS(scaup_create_function(connection, function, fail, NULL, NULL, &error), SCAUP_ERROR_CATALOG, "42723");
  SUCCEEDS(scaup_function_add_argument(function, NULL, "TABLE", &error));
  FAILS(scaup_create_function(connection, function, fail, NULL, NULL, &error), SCAUP_ERROR_USAGE, "22023");
  scaup_function_free(function);

  FAILS(scaup_function_new(NULL, &function, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_function_new("f", NULL, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_function_add_argument(NULL, NULL, "BIGINT", &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_function_set_result(NULL, "BIGINT", &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_function_add_state(NULL, "BIGINT", &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_function_set_option(NULL, SCAUP_FUNCTION_VOLATILITY, 1, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_remove_function(NULL, "f", NULL, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_remove_function(connection, NULL, NULL, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_output_set_null(NULL, 0, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_output_set_text(NULL, 0, "", 0, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_output_set_value(NULL, 0, NULL, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_output_set_arrow(NULL, NULL, NULL, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_output_data(NULL, NULL, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_table_input_next(NULL, 0, NULL, &error), SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_table_output_begin(NULL, 0, &error), SCAUP_ERROR_USAGE, "22004");
  CHECK(scaup_output_row_count(NULL) == 0 && scaup_table_output_column(NULL, 0) == NULL);
  scaup_output_fail(NULL, NULL, NULL);
  scaup_table_output_fail(NULL, NULL, NULL);
  scaup_function_free(NULL);
  close_session(&session);
}

/* --- Aggregates --- */

static int sum_squares(void* context, const scaup_result* rows, const int64_t* offsets, size_t group_count,
                       scaup_output* output) {
  scaup_column column;
  void* data = NULL;
  ++*(int*)context;
  if (scaup_result_column(rows, 0, &column, NULL) != SCAUP_OK) return 1;
  if (scaup_output_data(output, &data, NULL) != SCAUP_OK) return 1;
  for (size_t group = 0; group < group_count; group++) {
    for (int64_t row = offsets[group]; row < offsets[group + 1]; row++) {
      const double x = ((const double*)column.data)[row];
      ((double*)data)[group] += x * x;
    }
  }
  return 0;
}

static int add_squares(void* context, const scaup_result* rows, const int64_t* offsets, size_t group_count,
                       scaup_output* const* state) {
  return sum_squares(context, rows, offsets, group_count, state[0]);
}

static int add_sums(void* context, const scaup_result* rows, const int64_t* offsets, size_t group_count,
                    scaup_output* const* state) {
  scaup_column column;
  void* data = NULL;
  (void)context;
  if (scaup_result_column(rows, 0, &column, NULL) != SCAUP_OK) return 1;
  if (scaup_output_data(state[0], &data, NULL) != SCAUP_OK) return 1;
  for (size_t group = 0; group < group_count; group++)
    for (int64_t row = offsets[group]; row < offsets[group + 1]; row++)
      ((double*)data)[group] += ((const double*)column.data)[row];
  return 0;
}

static int give_sums(void* context, const scaup_result* rows, const int64_t* offsets, size_t group_count,
                     scaup_output* output) {
  return add_sums(context, rows, offsets, group_count, &output);
}

void test_aggregates(void) {
  struct session session = open_session();
  scaup_connection* connection = session.connection;
  const char* const one_double[] = {"DOUBLE", NULL};
  int calls = 0, steps = 0;
  scaup_function* function = define("squares", one_double, "DOUBLE");
  SUCCEEDS(scaup_create_aggregate(connection, function, sum_squares, NULL, NULL, &calls, NULL, &error));
  CHECK(
      query_has_text(connection,
                     "SELECT string_agg(s::VARCHAR, ',' ORDER BY k) FROM (SELECT i % 2 AS k, squares(i) AS s "
                     "FROM generate_series(1, 4) g(i) GROUP BY k) q",
                     "20,10"));
  CHECK(calls > 0);
  CHECK(query_has_text(connection, "SELECT squares(1) WHERE false", "NULL"));
  FAILS(scaup_create_aggregate(connection, function, sum_squares, add_squares, NULL, &calls, NULL, &error),
        SCAUP_ERROR_USAGE, "22023");
  scaup_function_free(function);
  function = define("squares_by_state", one_double, "DOUBLE");
  SUCCEEDS(scaup_function_add_state(function, "DOUBLE", &error));
  SUCCEEDS(
      scaup_create_aggregate(connection, function, give_sums, add_squares, add_sums, &steps, NULL, &error));
  scaup_function_free(function);
  CHECK(query_has_text(connection, "SELECT squares_by_state(2) FROM generate_series(1, 200000) g(i)",
                       "800000"));
  CHECK(steps > 1);
  close_session(&session);
}

/* --- Table functions --- */

struct countdown {
  int64_t left;
};

static int begin_countdown(void* context, const scaup_result* values, void** run, scaup_output* output) {
  struct countdown* made = malloc(sizeof(*made));
  (void)context;
  if (made == NULL || scaup_result_int64(values, 0, 0, &made->left, NULL) != SCAUP_OK || made->left < 0) {
    free(made);
    scaup_output_fail(output, "22023", "a countdown begins at a number from 0 on");
    return 1;
  }
  *run = made;
  return 0;
}

static int count_down(void* context, void* run, scaup_table_input* input, scaup_table_output* output,
                      bool* has_more) {
  struct countdown* countdown = run;
  const scaup_value value = {.type = SCAUP_TYPE_BIGINT, .integer = countdown->left};
  (void)context;
  (void)input;
  if (scaup_table_output_begin(output, 1, NULL) != SCAUP_OK) return 1;
  CHECK(scaup_table_output_column(output, 2) == NULL);
  if (scaup_output_set_value(scaup_table_output_column(output, 0), 0, &value, NULL) != SCAUP_OK) return 1;
  if (scaup_output_set_text(scaup_table_output_column(output, 1), 0, "x", 1, NULL) != SCAUP_OK) return 1;
  *has_more = --countdown->left >= 0;
  return 0;
}

static void end_countdown(void* context, void* run) {
  if (context != NULL) ++*(int*)context;
  free(run);
}

static int begin_doubled(void* context, const scaup_result* values, void** run, scaup_output* output) {
  (void)context;
  (void)output;
  *run = NULL;
  CHECK(scaup_result_is_null(values, 0, 0));
  return 0;
}

static int give_doubled(void* context, void* run, scaup_table_input* input, scaup_table_output* output,
                        bool* has_more) {
  scaup_result* rows = NULL;
  scaup_column column;
  void* data = NULL;
  (void)context;
  (void)run;
  if (scaup_table_input_next(input, 1000, &rows, NULL) != SCAUP_OK) return 1;
  *has_more = rows != NULL;
  if (rows == NULL) return 0;
  int code = 1;
  if (scaup_result_column(rows, 0, &column, NULL) == SCAUP_OK &&
      scaup_table_output_begin(output, column.row_count, NULL) == SCAUP_OK &&
      scaup_output_data(scaup_table_output_column(output, 0), &data, NULL) == SCAUP_OK) {
    for (size_t row = 0; row < column.row_count; row++)
      ((double*)data)[row] = 2 * ((const double*)column.data)[row];
    code = 0;
  } else {
    scaup_table_output_fail(output, NULL, "the rows could not be doubled");
  }
  scaup_result_free(rows);
  return code;
}

static int fail_step(void* context, void* run, scaup_table_input* input, scaup_table_output* output,
                     bool* has_more) {
  (void)run;
  (void)input;
  (void)has_more;
  if (context != NULL) scaup_table_output_fail(output, context, "this step fails");
  return 3;
}

void test_table_functions(void) {
  struct session session = open_session();
  scaup_connection* connection = session.connection;
  const char* const one_bigint[] = {"BIGINT", NULL};
  const char* const one_table[] = {"TABLE (x DOUBLE)", NULL};
  int ends = 0;
  scaup_function* function = define("countdown", one_bigint, "TABLE (i BIGINT, s VARCHAR)");
  SUCCEEDS(scaup_create_table_function(connection, function, begin_countdown, count_down, end_countdown,
                                       &ends, NULL, &error));
  CHECK(query_has_text(connection, "SELECT string_agg(i || s, ' ') FROM countdown(3)", "3x 2x 1x 0x"));
  CHECK(ends == 1);
  CHECK(number(connection, "SELECT count(*) FROM (SELECT * FROM countdown(1000000000) LIMIT 5) q") == 5);
  CHECK(ends == 2);
  FAILS(scaup_query(connection, "SELECT * FROM countdown(-1)", SCAUP_NUL_TERMINATED, NULL, &error),
        SCAUP_ERROR_IO, "22023");
  CHECK(ends == 2);
  scaup_function_free(function);

  function = define("doubled", one_table, "TABLE (x DOUBLE)");
  SUCCEEDS(scaup_create_table_function(connection, function, begin_doubled, give_doubled, NULL, NULL, NULL,
                                       &error));
  CHECK(query_has_text(
      connection, "SELECT sum(x) FROM doubled((SELECT i FROM generate_series(1, 10000) g(i)))", "100010000"));
  FAILS(scaup_query(connection, "SELECT * FROM doubled((SELECT 1 / (i - 9000) FROM range(10000) r(i)))",
                    SCAUP_NUL_TERMINATED, NULL, &error),
        SCAUP_ERROR_OUT_OF_RANGE, "22012");
  SUCCEEDS(scaup_create_table_function(connection, function, begin_doubled, fail_step, NULL, "22012", NULL,
                                       &error));
  FAILS(scaup_query(connection, "SELECT * FROM doubled((SELECT 1))", SCAUP_NUL_TERMINATED, NULL, &error),
        SCAUP_ERROR_IO, "22012");
  SUCCEEDS(
      scaup_create_table_function(connection, function, begin_doubled, fail_step, NULL, NULL, NULL, &error));
  FAILS(scaup_query(connection, "SELECT * FROM doubled((SELECT 1))", SCAUP_NUL_TERMINATED, NULL, &error),
        SCAUP_ERROR_IO, "38000");
  scaup_function_free(function);
  close_session(&session);
}
