/* Functions in C for functions.py: answers each line of SQL with its first value. */
#include <scaup.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int modulo(void* context, const scaup_result* arguments, scaup_output* output) {
  scaup_column column;
  void* data = NULL;
  (void)context;
  if (scaup_result_column(arguments, 0, &column, NULL) != SCAUP_OK) return 1;
  if (scaup_output_data(output, &data, NULL) != SCAUP_OK) return 1;
  const int64_t* in = column.data;
  int64_t* out = data;
  for (size_t row = 0; row < column.row_count; row++) out[row] = in[row] % 100;
  return 0;
}

/* Moves the value that is at `place` after sorting there, smaller ones before it and larger ones behind. */
static void select_place(int64_t* values, size_t count, size_t place) {
  size_t low = 0, high = count - 1;
  while (low < high) {
    const int64_t pivot = values[low + (high - low) / 2];
    size_t i = low, k = high;
    while (i <= k) {
      while (values[i] < pivot) i++;
      while (values[k] > pivot) k--;
      if (i > k) break;
      const int64_t other = values[i];
      values[i++] = values[k];
      values[k] = other;
      if (k-- == 0) break;
    }
    if (place <= k) {
      high = k;
    } else if (place >= i) {
      low = i;
    } else {
      return;
    }
  }
}

static int percentile(void* context, const scaup_result* rows, const int64_t* offsets, size_t group_count,
                      scaup_output* output) {
  scaup_column column;
  void* data = NULL;
  (void)context;
  if (scaup_result_column(rows, 0, &column, NULL) != SCAUP_OK) return 1;
  if (scaup_output_data(output, &data, NULL) != SCAUP_OK) return 1;
  for (size_t group = 0; group < group_count; group++) {
    const size_t count = (size_t)(offsets[group + 1] - offsets[group]);
    int64_t* values = malloc(count * sizeof(*values));
    if (values == NULL) return 1;
    memcpy(values, (const int64_t*)column.data + offsets[group], count * sizeof(*values));
    const double place = 0.9 * (double)(count - 1);
    const size_t below = (size_t)place;
    select_place(values, count, below);
    int64_t above = values[below];
    for (size_t i = below + 1; i < count; i++)
      if (i == below + 1 || values[i] < above) above = values[i];
    ((double*)data)[group] =
        (double)values[below] + (place - (double)below) * (double)(above - values[below]);
    free(values);
  }
  return 0;
}

static void require(scaup_status status, scaup_error* error) {
  if (status == SCAUP_OK) return;
  fprintf(stderr, "%s\n", scaup_error_message(error));
  exit(1);
}

static scaup_function* define(const char* name, const char* result) {
  scaup_function* function = NULL;
  scaup_error* error = NULL;
  require(scaup_function_new(name, &function, &error), error);
  require(scaup_function_add_argument(function, NULL, "BIGINT", &error), error);
  require(scaup_function_set_result(function, result, &error), error);
  return function;
}

int main(int count, char** given) {
  const scaup_setting threads = {"threads", count > 2 ? given[2] : "2"};
  scaup_database* database = NULL;
  scaup_connection* connection = NULL;
  scaup_error* error = NULL;
  char sql[1024];
  require(scaup_open(NULL, &threads, 1, &database, &error), error);
  require(scaup_connect(database, &connection, &error), error);
  scaup_function* function = define("modulo", "BIGINT");
  require(scaup_create_function(connection, function, modulo, NULL, NULL, &error), error);
  scaup_function_free(function);
  function = define("percentile", "DOUBLE");
  require(scaup_create_aggregate(connection, function, percentile, NULL, NULL, NULL, NULL, &error), error);
  scaup_function_free(function);
  snprintf(sql, sizeof(sql), "CREATE TABLE t AS SELECT i::BIGINT AS i FROM generate_series(1, %s) g(i)",
           count > 1 ? given[1] : "1000000");
  require(scaup_query(connection, sql, SCAUP_NUL_TERMINATED, NULL, &error), error);
  while (fgets(sql, sizeof(sql), stdin) != NULL) {
    scaup_result* result = NULL;
    double value = 0;
    require(scaup_query(connection, sql, SCAUP_NUL_TERMINATED, &result, &error), error);
    require(scaup_result_double(result, 0, 0, &value, &error), error);
    printf("%.6f\n", value);
    fflush(stdout);
    scaup_result_free(result);
  }
  scaup_disconnect(connection);
  scaup_close(database);
}
