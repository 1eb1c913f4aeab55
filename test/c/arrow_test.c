/* Arrow streams: results exported and read, streams and tables of the program registered, and appended. */
#include <errno.h>
#include <stdlib.h>

#include "check.h"

/* --- A program's own stream: a struct of one int64 column, in two arrays of three rows --- */

static int released_streams;
static int released_arrays;

static void release_child_schema(struct ArrowSchema* schema) { schema->release = NULL; }

static void release_schema(struct ArrowSchema* schema) {
  if (schema->children[0]->release != NULL) schema->children[0]->release(schema->children[0]);
  free(schema->children[0]);
  free(schema->children);
  schema->release = NULL;
}

static void make_schema(struct ArrowSchema* out, const char* format) {
  struct ArrowSchema* child = calloc(1, sizeof(*child));
  memset(out, 0, sizeof(*out));
  *child = (struct ArrowSchema){
      .format = format, .name = "n", .flags = ARROW_FLAG_NULLABLE, .release = release_child_schema};
  out->format = "+s";
  out->name = "";
  out->n_children = 1;
  out->children = malloc(sizeof(*out->children));
  out->children[0] = child;
  out->release = release_schema;
}

static void release_child_array(struct ArrowArray* array) {
  free((void*)array->buffers[1]);
  free(array->buffers);
  array->release = NULL;
}

static void release_array(struct ArrowArray* array) {
  released_arrays++;
  if (array->children[0]->release != NULL) array->children[0]->release(array->children[0]);
  free(array->children[0]);
  free(array->children);
  free(array->buffers);
  array->release = NULL;
}

static void make_array(struct ArrowArray* out, int64_t first) {
  struct ArrowArray* child = calloc(1, sizeof(*child));
  int64_t* numbers = malloc(3 * sizeof(*numbers));
  for (int i = 0; i < 3; i++) numbers[i] = first + i;
  child->length = 3;
  child->n_buffers = 2;
  child->buffers = calloc(2, sizeof(*child->buffers));
  child->buffers[1] = numbers;
  child->release = release_child_array;
  memset(out, 0, sizeof(*out));
  out->length = 3;
  out->n_buffers = 1;
  out->buffers = calloc(1, sizeof(*out->buffers));
  out->n_children = 1;
  out->children = malloc(sizeof(*out->children));
  out->children[0] = child;
  out->release = release_array;
}

struct counter {
  int given;
  int fails_at; /* the array that cannot be given; -1 for none */
};

static int get_schema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  (void)stream;
  make_schema(out, "l");
  return 0;
}

static int get_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  struct counter* counter = stream->private_data;
  if (counter->given == counter->fails_at) return EIO;
  if (counter->given == 2) {
    out->release = NULL;
    return 0;
  }
  make_array(out, counter->given++ * 3);
  return 0;
}

static const char* get_last_error(struct ArrowArrayStream* stream) {
  (void)stream;
  return "the disk is gone";
}

static void release_stream(struct ArrowArrayStream* stream) {
  released_streams++;
  free(stream->private_data);
  stream->release = NULL;
}

static void make_stream(struct ArrowArrayStream* out, int fails_at) {
  struct counter* counter = malloc(sizeof(*counter));
  *counter = (struct counter){0, fails_at};
  *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, counter};
}

/* --- Export --- */

/* Reads a stream to its end and releases it. Returns the number of rows, or -1 after an error. */
static int64_t drain(struct ArrowArrayStream* stream, int64_t most_rows) {
  struct ArrowArray array;
  int64_t rows = 0;
  while (stream->get_next(stream, &array) == 0) {
    if (array.release == NULL) {
      stream->release(stream);
      return rows;
    }
    CHECK(array.length <= most_rows);
    rows += array.length;
    array.release(&array);
  }
  CHECK(stream->get_last_error(stream) != NULL);
  stream->release(stream);
  return -1;
}

/* Returns whether a query's first column has an Arrow format. */
static bool has_format(scaup_connection* connection, const char* sql, uint32_t options, const char* format,
                       bool is_dictionary) {
  scaup_result* result = query(connection, sql);
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  bool holds;
  SUCCEEDS(scaup_result_export_arrow(result, options, 0, &stream, &error));
  scaup_result_free(result);
  CHECK(stream.get_schema(&stream, &schema) == 0);
  holds = strcmp(schema.children[0]->format, format) == 0 &&
          (schema.children[0]->dictionary != NULL) == is_dictionary;
  schema.release(&schema);
  stream.release(&stream);
  return holds;
}

void test_arrow_export(void) {
  struct session session = open_session();
  scaup_connection* connection = session.connection;
  struct ArrowArrayStream stream = {NULL, NULL, NULL, NULL, NULL};
  scaup_stream* source = NULL;
  scaup_result* rows = NULL;
  scaup_column column;
  scaup_result* result = query(connection, "SELECT i, 'text ' || i AS s FROM range(0, 5000) r(i)");
  SUCCEEDS(scaup_result_export_arrow(result, 0, 1000, &stream, &error));
  scaup_result_free(result);
  CHECK(drain(&stream, 1000) == 5000);
  run(connection, "CREATE TYPE mood AS ENUM ('happy', 'sad')");
  CHECK(has_format(connection, "SELECT 'x'", 0, "u", false));
  CHECK(has_format(connection, "SELECT 'x'", SCAUP_ARROW_STRING_VIEWS, "vu", false));
  CHECK(has_format(connection, "SELECT CAST('sad' AS mood)", 0, "s", true));
  CHECK(has_format(connection, "SELECT CAST('sad' AS mood)", SCAUP_ARROW_PLAIN_ENUMS, "u", false));
  CHECK(has_format(connection, "SELECT CAST('{}' AS JSON)", SCAUP_ARROW_PLAIN_TYPES, "u", false));
  result = query(connection, "SELECT 1");
  FAILS(scaup_result_export_arrow(result, 8, 0, &stream, &error), SCAUP_ERROR_USAGE, "22023");
  scaup_result_free(result);
  result = query(connection, "CREATE TABLE t (i INTEGER)");
  scaup_status status;
  scaup_error* failure = NULL;
  status = scaup_result_export_arrow(result, 0, 0, &stream, &failure);
  CHECK(status == SCAUP_ERROR_USAGE);
  scaup_error_free(failure);
  scaup_result_free(result);

  SUCCEEDS(scaup_query_stream(connection, "SELECT i FROM range(0, 100000) r(i)", SCAUP_NUL_TERMINATED,
                              &source, &error));
  FAILS(scaup_stream_export_arrow(source, 64, 0, &stream, &error), SCAUP_ERROR_USAGE, "22023");
  SUCCEEDS(scaup_stream_fetch(source, 7, &rows, &error));
  scaup_result_free(rows);
  SUCCEEDS(scaup_stream_column(source, 0, &column, &error));
  SUCCEEDS(scaup_stream_export_arrow(source, 0, 50000, &stream, &error));
  /* What is exported is used up, but still described. */
  CHECK(scaup_stream_column_count(source) == 1);
  FAILS(scaup_stream_fetch(source, 7, &rows, &error), SCAUP_ERROR_USAGE, "55000");
  struct ArrowArrayStream second;
  FAILS(scaup_stream_export_arrow(source, 0, 0, &second, &error), SCAUP_ERROR_USAGE, "55000");
  CHECK(drain(&stream, 50000) == 99993);
  CHECK_TEXT(column.name, "i");
  CHECK(scaup_type_get_id(column.type) == SCAUP_TYPE_BIGINT);
  scaup_stream_free(source);
  /* An error ends the stream with a message. */
  SUCCEEDS(scaup_query_stream(connection, "SELECT 1 / (i - 70000) FROM range(0, 100000) r(i)",
                              SCAUP_NUL_TERMINATED, &source, &error));
  SUCCEEDS(scaup_stream_export_arrow(source, 0, 0, &stream, &error));
  scaup_stream_free(source);
  CHECK(drain(&stream, 131072) == -1);
  close_session(&session);
}

/* --- Registered streams and tables --- */

static int opened_passes;
static int destroyed_tables;

static int open_pass(void* context, const char* const* columns, size_t column_count,
                     struct ArrowArrayStream* out) {
  const int fault = *(const int*)context;
  for (size_t i = 0; i < column_count; i++) CHECK_TEXT(columns[i], "n");
  opened_passes++;
  if (fault == -2) return 0; /* and no stream */
  if (fault != 0) return fault;
  make_stream(out, -1);
  return 0;
}

static void destroy_table(void* context) {
  (void)context;
  destroyed_tables++;
}

static void register_table(scaup_connection* connection, const int* fault) {
  SUCCEEDS(scaup_register_arrow_table(connection, "numbers", open_pass, (void*)fault, destroy_table, &error));
}

void test_arrow_tables(void) {
  struct session session = open_session();
  scaup_connection* connection = session.connection;
  struct ArrowArrayStream stream;
  bool removed = false;
  int fault = 0;
  const int no_memory = ENOMEM, input_output = EIO, none = -2;
  released_streams = 0;
  make_stream(&stream, -1);
  SUCCEEDS(scaup_register_arrow(connection, "numbers", &stream, &error));
  CHECK(stream.release == NULL);
  CHECK(number(connection, "SELECT sum(n) FROM numbers") == 15);
  CHECK(released_streams == 1);
  make_stream(&stream, 1);
  SUCCEEDS(scaup_register_arrow(connection, "numbers", &stream, &error));
  FAILS(scaup_query(connection, "SELECT sum(n) FROM numbers", SCAUP_NUL_TERMINATED, NULL, &error),
        SCAUP_ERROR_IO, "58030");
  SUCCEEDS(scaup_unregister_arrow(connection, "numbers", &removed, &error));
  CHECK(removed && released_streams == 2);
  SUCCEEDS(scaup_unregister_arrow(connection, "numbers", &removed, &error));
  CHECK(!removed);
  SUCCEEDS(scaup_unregister_arrow(connection, "numbers", NULL, &error));
  /* What cannot be registered is released. */
  make_stream(&stream, -1);
  FAILS(scaup_register_arrow(NULL, "numbers", &stream, &error), SCAUP_ERROR_USAGE, "22004");
  CHECK(stream.release == NULL && released_streams == 3);
  FAILS(scaup_register_arrow(connection, "numbers", &stream, &error), SCAUP_ERROR_USAGE, "22023");

  destroyed_tables = opened_passes = 0;
  register_table(connection, &fault);
  CHECK(number(connection, "SELECT sum(a.n) FROM numbers a JOIN numbers b ON a.n = b.n WHERE b.n > 2") == 12);
  CHECK(number(connection, "SELECT count(*) FROM numbers") == 6);
  CHECK(opened_passes >= 3);
  register_table(connection, &fault);
  CHECK(destroyed_tables == 1);
  run(connection, "CREATE TABLE copied AS SELECT * FROM numbers");
  CHECK(number(connection, "SELECT sum(n) FROM copied") == 15);
  fault = EACCES;
  FAILS(scaup_query(connection, "SELECT * FROM numbers", SCAUP_NUL_TERMINATED, NULL, &error), SCAUP_ERROR_IO,
        "58030");
  FAILS(
      scaup_register_arrow_table(connection, "numbers", open_pass, (void*)&no_memory, destroy_table, &error),
      SCAUP_ERROR_OUT_OF_MEMORY, "53200");
  CHECK(destroyed_tables == 2);
  FAILS(scaup_register_arrow_table(connection, "numbers", open_pass, (void*)&input_output, destroy_table,
                                   &error),
        SCAUP_ERROR_IO, "58030");
  FAILS(scaup_register_arrow_table(connection, "numbers", open_pass, (void*)&none, NULL, &error),
        SCAUP_ERROR_IO, "58030");
  FAILS(scaup_register_arrow_table(connection, "numbers", NULL, NULL, destroy_table, &error),
        SCAUP_ERROR_USAGE, "22004");
  FAILS(scaup_register_arrow_table(NULL, "numbers", open_pass, &fault, destroy_table, &error),
        SCAUP_ERROR_USAGE, "22004");
  CHECK(destroyed_tables == 5);
  close_session(&session);
  CHECK(destroyed_tables == 6);
}

void test_arrow_append(void) {
  struct session session = open_session();
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray array;
  scaup_appender* appender = NULL;
  run(session.connection,
      "CREATE TABLE t (n BIGINT); CREATE TABLE two (a BIGINT, b BIGINT); CREATE TABLE d (d UUID)");
  SUCCEEDS(scaup_appender_open(session.connection, NULL, "t", &appender, &error));
  released_streams = released_arrays = 0;
  make_stream(&stream, -1);
  SUCCEEDS(scaup_append_arrow(appender, &stream, &error));
  make_schema(&schema, "l");
  make_array(&array, 100);
  SUCCEEDS(scaup_append_arrow_array(appender, &schema, &array, &error));
  CHECK(stream.release == NULL && schema.release == NULL && array.release == NULL);
  SUCCEEDS(scaup_append_int64(appender, 7, &error));
  /* Within a row. */
  make_stream(&stream, -1);
  FAILS(scaup_append_arrow(appender, &stream, &error), SCAUP_ERROR_USAGE, "42601");
  CHECK(stream.release == NULL);
  SUCCEEDS(scaup_append_row_end(appender, &error));
  SUCCEEDS(scaup_appender_flush(appender, &error));
  CHECK(number(session.connection, "SELECT sum(n) FROM t") == 15 + 303 + 7);
  CHECK(released_streams == 2 && released_arrays == 3);
  make_stream(&stream, 1);
  SUCCEEDS(scaup_append_arrow(appender, &stream, &error));
  FAILS(scaup_appender_flush(appender, &error), SCAUP_ERROR_IO, "58030");
  CHECK(number(session.connection, "SELECT count(*) FROM t") == 10);
  scaup_appender_free(appender);

  SUCCEEDS(scaup_appender_open(session.connection, NULL, "two", &appender, &error));
  make_stream(&stream, -1);
  FAILS(scaup_append_arrow(appender, &stream, &error), SCAUP_ERROR_USAGE, "42601");
  CHECK(stream.release == NULL);
  make_schema(&schema, "l");
  make_array(&array, 0);
  FAILS(scaup_append_arrow_array(appender, &schema, &array, &error), SCAUP_ERROR_USAGE, "42601");
  CHECK(schema.release == NULL && array.release == NULL);
  scaup_appender_free(appender);
  SUCCEEDS(scaup_appender_open(session.connection, NULL, "d", &appender, &error));
  make_stream(&stream, -1);
  FAILS(scaup_append_arrow(appender, &stream, &error), SCAUP_ERROR_CONVERSION, "42804");
  scaup_appender_free(appender);

  /* What nobody takes is released, too. */
  make_schema(&schema, "l");
  make_array(&array, 0);
  FAILS(scaup_append_arrow_array(NULL, &schema, &array, &error), SCAUP_ERROR_USAGE, "22004");
  CHECK(schema.release == NULL && array.release == NULL);
  make_array(&array, 0);
  FAILS(scaup_append_arrow_array(NULL, NULL, &array, &error), SCAUP_ERROR_USAGE, "22023");
  CHECK(array.release == NULL);
  make_schema(&schema, "l");
  FAILS(scaup_append_arrow_array(NULL, &schema, NULL, &error), SCAUP_ERROR_USAGE, "22023");
  CHECK(schema.release == NULL);
  make_stream(&stream, -1);
  FAILS(scaup_append_arrow(NULL, &stream, &error), SCAUP_ERROR_USAGE, "22004");
  CHECK(stream.release == NULL);
  close_session(&session);
}
