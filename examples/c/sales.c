/* Sales by city: appends rows, asks with a parameter, reads columns in place, and shows an error. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <scaup.h>

/* Ends the program if a call has failed. */
static void require(scaup_status status, scaup_error* error) {
  if (status == SCAUP_OK) return;
  fprintf(stderr, "%s: %s\n", scaup_error_sqlstate(error), scaup_error_message(error));
  scaup_error_free(error);
  exit(1);
}

static void fill(scaup_connection* connection, scaup_error** error) {
  static const char* const cities[] = {"Berlin", "Amsterdam", "Kyoto"};
  scaup_appender* appender = NULL;
  require(scaup_query(connection, "CREATE TABLE sales (city VARCHAR, amount DECIMAL(9,2))",
                      SCAUP_NUL_TERMINATED, NULL, error),
          *error);
  require(scaup_appender_open(connection, NULL, "sales", &appender, error), *error);
  for (int i = 0; i < 3000; i++) {
    require(scaup_append_text(appender, cities[i % 3], SCAUP_NUL_TERMINATED, error), *error);
    require(scaup_append_int64(appender, i, error), *error);
    require(scaup_append_row_end(appender, error), *error);
  }
  require(scaup_appender_flush(appender, error), *error);
  scaup_appender_free(appender);
}

int main(void) {
  scaup_database* database = NULL;
  scaup_connection* connection = NULL;
  scaup_statement* statement = NULL;
  scaup_result* result = NULL;
  scaup_error* error = NULL;
  scaup_column city, count;

  require(scaup_open(NULL, NULL, 0, &database, &error), error);
  require(scaup_connect(database, &connection, &error), error);
  fill(connection, &error);

  require(scaup_prepare(connection,
                        "SELECT city, count(*) AS sales, sum(amount) AS total FROM sales WHERE amount >= $1 "
                        "GROUP BY city ORDER BY city",
                        SCAUP_NUL_TERMINATED, &statement, &error),
          error);
  require(scaup_bind_int64(statement, 1, 1000, &error), error);
  require(scaup_execute(statement, &result, &error), error);
  require(scaup_result_column(result, 0, &city, &error), error);
  require(scaup_result_column(result, 1, &count, &error), error);
  for (size_t row = 0; row < city.row_count; row++) {
    const scaup_string* name = (const scaup_string*)city.data + row;
    char total[32];
    require(scaup_result_text(result, 2, row, total, sizeof(total), NULL, &error), error);
    printf("%.*s: %" PRId64 " sales, %s\n", (int)name->size, scaup_string_data(name),
           ((const int64_t*)count.data)[row], total);
  }
  scaup_result_free(result);
  scaup_statement_free(statement);

  if (scaup_query(connection, "SELECT price FROM sales", SCAUP_NUL_TERMINATED, NULL, &error) != SCAUP_OK) {
    printf("error %s at byte %" PRId64 "\n", scaup_error_sqlstate(error), scaup_error_position(error));
    scaup_error_free(error);
  }
  scaup_disconnect(connection);
  scaup_close(database);
  return 0;
}
